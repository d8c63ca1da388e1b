package io.tempolimit.core;

import io.tempolimit.detect.Verdict;

/** What a key has counted of waits, rejections and blocks; a key that had none of them has none of this. Guarded by the key's lock. */
final class KeyCounters {
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

    /** The key's statistics, but for its event streams. */
    KeyStats stats(Key key, long now) {
        KeyStats s = new KeyStats();
        Policy p = key.policy();
        Circuit c = key.circuit();
        boolean rests = c != null && !c.open();
        s.domain = key.name();
        s.totalRequests = key.total();
        s.lastRequestMillis = System.currentTimeMillis() - (now - key.lastRequest()) / 1_000_000;
        s.activeRequests = key.active();
        s.waitingRequests = key.waiting();
        s.consecutiveBlocks = c == null || p == null ? 0 : c.countAt(now, p);
        s.cooldownRemainingNanos = rests && c.state != Circuit.State.LIFETIME_BLOCKED ? c.pauseLeft(now) : 0;
        s.cooldownReason = rests ? c.reason : null;
        s.state = (rests && key.limiter.dryRun() ? "would_" : "") + (c == null ? Circuit.State.OPEN : c.state).label;
        fill(s, rests ? now - c.since : 0);
        if (p != null) {
            key.fillLimits(s, p, rests, now);
        }
        return s;
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
