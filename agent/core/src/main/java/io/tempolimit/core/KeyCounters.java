package io.tempolimit.core;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.detect.Verdict;

/** What a key has counted of waits, rejections and blocks; a key that had none of them has none of this. Guarded by the key's lock. */
final class KeyCounters {
    /** Of a key that has counted nothing. Nothing is counted here. */
    static final KeyCounters NONE = new KeyCounters();

    long delayed;
    long cancelled;
    private long waited;
    long rejected;
    private long failed;
    private long overloads;
    int cooldowns;
    long cooldownTime;
    /** By the verdict's ordinal; null until the first block. */
    private long[] blocks;

    void waited(long nanos) {
        delayed++;
        waited = KeyStats.sum(waited, nanos);
    }

    void blocked(Verdict verdict) {
        if (blocks == null) {
            blocks = new long[Verdict.values().length];
        }
        blocks[verdict.ordinal()]++;
    }

    /** Counts a failure of the network, or a site that has trouble of its own. */
    void troubled(Verdict verdict) {
        if (verdict == Verdict.SERVER_OVERLOAD) {
            overloads++;
        } else {
            failed++;
        }
    }

    /** A block that was counted as the one turns out to be the other. */
    void renamed(Verdict from, Verdict to) {
        blocked(to);
        if (blocks[from.ordinal()] > 0) { // else the statistics were reset in between
            blocks[from.ordinal()]--;
        }
    }

    /** All statistics of a key. Takes its lock. */
    static KeyStats stats(Key key) {
        long now = key.limiter.clock().nanos();
        KeyStats s;
        key.lock().lock();
        try {
            if (key.cooldown() != null && key.policy() != null) {
                key.cooldown().endPause(key.policy(), now);
            }
            s = key.counted().stats(key, now);
        } finally {
            key.lock().unlock();
        }
        s.activeStreams = key.limiter.streams().open(key.name()); // under a lock of their own
        return s;
    }

    private KeyStats stats(Key key, long now) {
        KeyStats s = new KeyStats();
        Policy p = key.policy();
        Circuit c = key.circuit();
        boolean rests = c != null && !c.open();
        s.domain = key.name();
        s.totalRequests = key.total();
        s.lastRequestMillis = System.currentTimeMillis() - (now - key.lastRequest()) / 1_000_000;
        s.activeRequests = key.active();
        s.waitingRequests = key.pacer.queue().waiting();
        s.consecutiveBlocks = c == null || p == null ? 0 : c.countAt(now, p);
        s.cooldownRemainingNanos = rests && c.state != Circuit.State.LIFETIME_BLOCKED ? c.pauseLeft(now) : 0;
        s.cooldownReason = rests ? c.reason : null;
        s.state = (rests && key.limiter.dryRun() ? "would_" : "") + (c == null ? Circuit.State.OPEN : c.state).label;
        fill(s, rests ? now - c.since : 0);
        if (p != null) {
            fillLimits(s, key, p, now);
        }
        return s;
    }

    /** What the settings allow, what was learnt, and what is left. */
    private static void fillLimits(KeyStats s, Key key, Policy p, long now) {
        Limit limit = key.limit();
        SiteLimits site = key.verdicts.siteLimits();
        s.rate = p.limit().rate();
        s.burst = p.limit().burst();
        s.learnedInFlight = p.flightLearned() ? p.concurrency() : 0;
        s.crawlDelayMillis = site == null ? 0 : site.crawlDelay(p);
        if (limit != p.limit()) {
            boolean all = s.crawlDelayMillis == 0 && (key.fleet == null || key.together());
            s.learnedRate = all ? limit.rate() : key.verdicts.learnt(p) ? key.verdicts.learnedRate(p) : 0;
        }
        s.tokensAvailable = key.closed() ? 0 : key.pacer.bucket.available(now, limit);
    }

    /** @param resting for how long the present rest has gone on; 0 for none */
    private void fill(KeyStats s, long resting) {
        s.delayedRequests = delayed;
        s.cancelledRequests = cancelled;
        s.totalWaitNanos = waited;
        s.rejectedRequests = rejected;
        s.failedRequests = failed;
        s.overloads = overloads;
        s.blocks = blocks == null ? null : blocks.clone();
        s.cooldowns = cooldowns;
        s.cooldownNanos = cooldownTime + resting;
    }
}
