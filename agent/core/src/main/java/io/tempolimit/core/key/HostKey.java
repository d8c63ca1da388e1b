package io.tempolimit.core.key;

import io.tempolimit.core.KeyStats;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.pace.Common;
import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.request.Target;

/**
 * A key, whole: beside what {@link PacedKey} does, its answers are judged and learnt from, new settings come here, and an operator
 * and the statistics are served. Its parts are {@link Verdicts} and {@link PendingVerdicts}. Thread-safe.
 */
public final class HostKey extends PacedKey {
    /** What verdicts do, and what was learnt from them. */
    final Verdicts verdicts = new Verdicts(this);
    /** Null while there is no answer whose body may say more than its head, or may be left unread. Guarded by the lock. */
    private PendingVerdicts pending;

    public HostKey(Common common, String name, Policy policy, long now) {
        super(common, name, policy, now);
        if (policy != null) {
            pacer.begin(policy, now);
        }
    }

    @Override
    protected Reservation permit(Target target, long now) {
        return new Exchange(this, target, now);
    }

    // ---- its answers

    @Override
    protected Limit allowed(Policy p, long now) {
        return verdicts.limit(p, now);
    }

    /** Null while there is nothing to look for. Under the lock. */
    PendingVerdicts pending() {
        return pending;
    }

    /** Under the lock. */
    PendingVerdicts madePending() {
        pending = pending == null ? new PendingVerdicts(this) : pending;
        return pending;
    }

    /** Under the lock. */
    void nothingPends() {
        pending = null;
    }

    /** See {@link PendingVerdicts#tellFirst}. */
    @Override
    public void tellFirst() {
        if (pending != null) {
            pending.tellFirst();
        }
    }

    @Override
    protected void judgeProbe(long now) {
        if (pending != null) {
            pending.settleProbe(circuit(), now);
        }
    }

    @Override
    protected boolean settleUnread(long now) {
        return PendingVerdicts.settleUnread(this, now);
    }

    // ---- other workers

    @Override
    public Incident incident(long version, long now) {
        return verdicts.incident(version, now);
    }

    @Override
    public void learned(Incident i, Policy p, long now) {
        verdicts.learned(i, p, now);
    }

    @Override
    public void othersWent(int n, long from, long to, long now) {
        verdicts.othersWent(n, from, to, now);
    }

    // ---- settings

    /** Takes in the limiter's settings, which hold for those who wait as well. Takes the lock. */
    public void apply(long now) {
        lock().lock();
        try {
            Policy before = policy();
            Policy p = settings(); // under the lock, so that of two changes the later one stays
            Limit from = limit();
            if (p != null) {
                verdicts.settings(p);
                pacer.takeOver(p, now); // before the policy: who sees one, sees a limit
            }
            if (p != null && before != null) {
                pacer.settings(before, p, from, now);
            } else if (p != null) {
                pacer.begin(p, now);
            }
            policy(p);
            pacer.queue().forgetReasons();
            pacer.forgive(now);
            pacer.replan(now);
            if (!obeysRedirects()) {
                pacer.queue().wakeLater(now);
            }
        } finally {
            lock().unlock();
        }
    }

    /** What the limiter's settings, and what was learnt of requests in flight, allow. */
    private Policy settings() {
        return verdicts.capped(common.rules.policy(name()));
    }

    /** An operator has set this limit, here or in another worker; null for that of the rules. Under the lock. */
    void overrule(Limit l) {
        common.rules.overrule(name(), l);
        policy(settings());
        if (l != null) {
            verdicts.forgetLearned();
        }
    }

    // ---- what would be lost with it

    @Override
    public int standing(long now) {
        return new Retention(this).standing(now);
    }

    @Override
    public long standingEnds(long now) {
        return new Retention(this).standingEnds(now);
    }

    // ---- for an operator

    @Override
    public boolean pause(long nanos) {
        return new Operator(this).pause(nanos);
    }

    @Override
    public void resume() {
        new Operator(this).resume();
    }

    @Override
    public void limit(Limit limit) {
        new Operator(this).limit(limit);
    }

    @Override
    public void resetStats() {
        new Operator(this).resetStats();
    }

    @Override
    public void reset() {
        new Operator(this).reset();
    }

    // ---- its statistics

    @Override
    public KeyStats stats() {
        long now = now();
        KeyStats s;
        lock().lock();
        try {
            if (cooldown() != null && policy() != null) {
                cooldown().endPause(policy(), now);
            }
            s = stats(now);
        } finally {
            lock().unlock();
        }
        s.activeStreams = common.streams.open(name()); // under a lock of their own
        return s;
    }

    private KeyStats stats(long now) {
        KeyStats s = new KeyStats();
        Policy p = policy();
        Circuit c = circuit();
        boolean rests = c != null && !c.open();
        s.domain = name();
        s.totalRequests = total();
        s.lastRequestMillis = System.currentTimeMillis() - (now - lastRequest()) / 1_000_000;
        s.activeRequests = active();
        s.waitingRequests = pacer.queue().waiting();
        s.longestWaitNanos = pacer.queue().longest(now);
        s.denied = p != null && p.denied();
        s.consecutiveBlocks = c == null || p == null ? 0 : c.countAt(now, p);
        s.cooldownRemainingNanos = rests && c.state != Circuit.State.LIFETIME_BLOCKED ? c.pauseLeft(now) : 0;
        s.cooldownReason = rests ? c.reason : null;
        s.state = (rests && common.rules.dryRun() ? "would_" : "") + (c == null ? Circuit.State.OPEN : c.state).label;
        counted().fill(s, rests ? now - c.since : 0);
        if (p != null) {
            fillLimits(s, p, now);
        }
        return s;
    }

    /** What the settings allow, what was learnt, and what is left. */
    private void fillLimits(KeyStats s, Policy p, long now) {
        Limit limit = limit();
        SiteLimits site = verdicts.siteLimits();
        s.rate = p.limit().rate();
        s.burst = p.limit().burst();
        s.learnedInFlight = p.flightLearned() ? p.concurrency() : 0;
        s.crawlDelayMillis = site == null ? 0 : site.crawlDelay(p);
        if (limit != p.limit()) {
            boolean all = s.crawlDelayMillis == 0 && (!pacer.inFleet() || pacer.together());
            s.learnedRate = all ? limit.rate() : verdicts.learnt(p) ? verdicts.learnedRate(p) : 0;
        }
        s.tokensAvailable = closed() ? 0 : pacer.bucket.available(now, limit);
    }
}
