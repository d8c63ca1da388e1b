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
import io.tempolimit.detect.Baseline;
import io.tempolimit.detect.Verdict;

/**
 * A key, whole: beside what {@link PacedKey} does, its answers are judged and learnt from, new settings come here, and an operator
 * and the statistics are served. Its parts are {@link Verdicts} and {@link PendingVerdicts}. Thread-safe.
 */
public final class HostKey extends PacedKey {
    /** What verdicts do, and what was learnt from them; null until an answer has a body to look at, or says more. Made under the lock. */
    private volatile Verdicts verdicts;
    /** Whether the site has ever taken a request. Guarded by the lock. */
    private boolean took;

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
        Verdicts v = verdicts;
        return v == null ? p.limit() : v.limit(p, now);
    }

    /** Null as long as there were a few answers by status, and no block. */
    Verdicts verdicts() {
        return verdicts;
    }

    /** Under the lock. */
    Verdicts madeVerdicts() {
        verdicts = verdicts == null ? new Verdicts(this) : verdicts;
        return verdicts;
    }

    /** Whether the site has ever taken a request. Under the lock. */
    boolean took() {
        return took;
    }

    /** Such a verdict says that the site has taken a request, or does not. Under the lock. */
    void took(Verdict verdict) {
        took |= verdict.took();
    }

    /** What is normal here. Takes the lock for the first page. */
    Baseline baseline() {
        Verdicts v = verdicts;
        Baseline known = v == null ? null : v.baseline();
        if (known != null) {
            return known;
        }
        lock().lock();
        try {
            return madeVerdicts().madeBaseline();
        } finally {
            lock().unlock();
        }
    }

    /** What the site says of its limit; null while that is nothing. */
    SiteLimits siteLimits() {
        Verdicts v = verdicts;
        return v == null ? null : v.siteLimits();
    }

    /** Forgets what was learnt. Under the lock. */
    void forgetLearned() {
        if (verdicts != null) {
            verdicts.forgetLearned();
        }
    }

    /** Null while there is nothing to look for. Under the lock. */
    PendingVerdicts pending() {
        return verdicts == null ? null : verdicts.pending;
    }

    /** Under the lock. */
    PendingVerdicts madePending() {
        Verdicts v = madeVerdicts();
        v.pending = v.pending == null ? new PendingVerdicts(this) : v.pending;
        return v.pending;
    }

    /** Under the lock. */
    void nothingPends() {
        verdicts.pending = null; // there is one, for something pended
    }

    /** See {@link PendingVerdicts#tellFirst}. */
    @Override
    public void tellFirst() {
        if (pending() != null) {
            pending().tellFirst();
        }
    }

    @Override
    protected void judgeProbe(long now) {
        if (pending() != null) {
            pending().settleProbe(circuit(), now);
        }
    }

    @Override
    protected boolean settleUnread(long now) {
        return PendingVerdicts.settleUnread(this, now);
    }

    // ---- other workers

    @Override
    public Incident incident(long version, long now) {
        return madeVerdicts().incident(version, now);
    }

    @Override
    public void learned(Incident i, Policy p, long now) {
        madeVerdicts().learned(i, p, now);
    }

    @Override
    public void othersWent(int n, long from, long to, long now) {
        madeVerdicts().othersWent(n, from, to, now);
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
                if (verdicts != null) {
                    verdicts.settings(p);
                }
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
        Policy p = common.rules.policy(name());
        return verdicts == null ? p : verdicts.capped(p);
    }

    /** An operator has set this limit, here or in another worker; null for that of the rules. Under the lock. */
    void overrule(Limit l) {
        common.rules.overrule(name(), l);
        policy(settings());
        if (l != null) {
            forgetLearned();
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
        fill(s, rests ? now - c.since : 0);
        if (p != null) {
            fillLimits(s, p, now);
        }
        return s;
    }

    /** What the settings allow, what was learnt, and what is left. */
    private void fillLimits(KeyStats s, Policy p, long now) {
        Limit limit = limit();
        SiteLimits site = siteLimits();
        s.rate = p.limit().rate();
        s.burst = p.limit().burst();
        s.learnedInFlight = p.flightLearned() ? p.concurrency() : 0;
        s.crawlDelayMillis = site == null ? 0 : site.crawlDelay(p);
        if (limit != p.limit()) {
            boolean all = s.crawlDelayMillis == 0 && (!pacer.inFleet() || pacer.together());
            s.learnedRate = all ? limit.rate() : verdicts != null && verdicts.learnt(p) ? verdicts.learnedRate(p) : 0;
        }
        s.tokensAvailable = closed() ? 0 : pacer.bucket.available(now, limit);
    }
}
