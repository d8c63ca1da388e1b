package io.tempolimit.watch;

import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Finding;
import io.tempolimit.jfr.FlightEvents;

/**
 * Tells Flight Recorder what the limiter does. Made once Flight Recorder is in use. After its first error it tells
 * nothing more.
 */
final class FlightRecorder implements Listener {
    private final Limiter limiter;
    private final Log log;
    private volatile boolean on = java11();

    FlightRecorder(Limiter limiter, Log log) {
        this.limiter = limiter;
        this.log = log;
    }

    /** The events are classes for Java 11 and later. */
    private static boolean java11() {
        String version = System.getProperty("java.specification.version");
        return !version.startsWith("1.") && Integer.parseInt(version) >= 11;
    }

    @Override
    public Object waits(Key key) {
        try {
            return on ? FlightEvents.waits() : null;
        } catch (Throwable e) {
            end(e);
            return null;
        }
    }

    @Override
    public void throttled(Key key, Target target, long waitedNanos, Object begun) {
        try {
            if (on) {
                FlightEvents.waited(begun, key.name(), host(key, target), waitedNanos, limiter.dryRun());
            }
        } catch (Throwable e) {
            end(e);
        }
    }

    @Override
    public void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) {
        try {
            if (on && FlightEvents.blocks()) {
                FlightEvents.blocked(key.name(), host(key, target), finding.verdict().type(), counts, finding.vendor(),
                        finding.rule(), finding.evidence(), finding.status(), target.url(), consecutive, limiter.dryRun());
            }
        } catch (Throwable e) {
            end(e);
        }
    }

    @Override
    public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
        cooldown(key, refusing ? "circuit_open" : "cooling_down", durationNanos, reason, rung);
    }

    @Override
    public void lifetimeBlocked(Key key, String reason) {
        cooldown(key, "lifetime_blocked", 0, reason, 0);
    }

    private void cooldown(Key key, String state, long nanos, String reason, int rung) {
        try {
            if (on) {
                FlightEvents.cooldown(key.name(), state, nanos, reason, rung, limiter.dryRun());
            }
        } catch (Throwable e) {
            end(e);
        }
    }

    @Override
    public void rejected(Key key, Target target, Rejection code) {
        try {
            if (on) {
                FlightEvents.rejected(key.name(), host(key, target), code.name(), limiter.dryRun());
            }
        } catch (Throwable e) {
            end(e);
        }
    }

    private void end(Throwable e) {
        on = false;
        log.onceAMinute("recorder", "Flight Recorder is told of nothing more", e);
    }

    private static String host(Key key, Target target) {
        String host = target == null ? null : Hosts.canonical(target.host());
        return host != null ? host : key.name();
    }
}
