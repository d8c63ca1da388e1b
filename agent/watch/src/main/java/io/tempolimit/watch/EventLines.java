package io.tempolimit.watch;

import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.ThisProcess;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.detect.Finding;
import java.util.ArrayList;
import java.util.List;

/** What happens, as events for the {@link EventLog}. Made only if {@code events} is set. */
final class EventLines implements Listener {
    private final EventLog events;
    private final Log log;
    private volatile Limiter limiter;
    /** What the last event said of the fleet; null while it decides. Only the fleet's thread uses it. */
    private String lost;

    /** @param log hears of what cannot be told */
    EventLines(EventLog events, Log log) {
        this.events = events;
        this.log = log;
    }

    void limiter(Limiter l) {
        limiter = l;
    }

    /** As {@link EventLog#close}. */
    boolean close(long millis) {
        return events.close(millis);
    }

    // ---- from the limiter

    @Override
    public void unseen(String host, String by, boolean http2) {
        try {
            events.add(new Event("unseen", null, host, dryRun(), "by", by, "http2", http2 ? Boolean.TRUE : null));
        } catch (Throwable e) {
            log.trouble(e);
        }
    }

    @Override
    public void throttled(Key key, Target target, long waitedNanos, Object begun) {
        event("throttled", key, target, "wait_ms", (waitedNanos + 500_000) / 1_000_000);
    }

    @Override
    public void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) {
        event("blocked", key, target, "type", finding.verdict().type(), "counts", counts, "vendor", finding.vendor(),
                "rule", finding.rule(), "evidence", finding.evidence(), "status", finding.status(),
                "url", target.url(), "consecutive", consecutive);
    }

    @Override
    public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
        event(would(refusing ? "circuit_opened" : "cooldown_started"), key, null,
                "duration_ms", durationNanos / 1_000_000, "reason", reason, "rung", rung);
    }

    @Override
    public void lifetimeBlocked(Key key, String reason) {
        event(would("lifetime_blocked"), key, null, "reason", reason);
    }

    @Override
    public void cooldownEnded(Key key) {
        event(would("cooldown_ended"), key, null);
    }

    @Override
    public void rejected(Key key, Target target, Rejection code) {
        event("rejected", key, target, "code", code.name());
    }

    @Override
    public void evicted(Key key) {
        event("evicted", key, null);
    }

    @Override
    public void fleetLost(Fleet.State how, String why) {
        if (!why.equals(lost)) {
            event("redis_lost", null, null, "reason", why);
        }
        lost = why;
    }

    @Override
    public void fleetRestored(boolean again) {
        lost = null;
        if (again) {
            event("redis_restored", null, null);
        }
    }

    // ---- from the rest of the agent

    void started(String version) {
        event("started", null, null, "version", version, "java", System.getProperty("java.version"),
                "pid", ThisProcess.pidOnLinux());
    }

    void clientWoven(String client, String version) {
        event("client_woven", null, null, "client", client, "version", version);
    }

    void configReloaded(List<String> changes) {
        event("config_reloaded", null, null, "changes", new ArrayList<>(changes));
    }

    void configRefused(List<String> faults) {
        event("config_refused", null, null, "faults", new ArrayList<>(faults));
    }

    void warning(String text) {
        event("warning", null, null, "message", text);
    }

    private void event(String name, Key key, Target target, Object... fields) {
        try {
            String host = target == null ? null : Hosts.canonical(target.host());
            events.add(new Event(name, key == null ? null : key.name(),
                    host != null ? host : key == null ? null : key.host(), dryRun(), fields));
        } catch (Throwable e) { // no memory at the moment, say, or somebody else's class
            log.trouble(e);
        }
    }

    private String would(String name) {
        return dryRun() ? "would_" + name : name;
    }

    private boolean dryRun() {
        Limiter l = limiter;
        return l != null && l.dryRun();
    }
}
