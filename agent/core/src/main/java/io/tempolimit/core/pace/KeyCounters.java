package io.tempolimit.core.pace;

import io.tempolimit.core.KeyStats;
import io.tempolimit.core.StatusCounts;
import io.tempolimit.detect.Verdict;

/** What a key has counted of waits, rejections and blocks; a key that had none of them has none of this. Guarded by the key's lock. */
public final class KeyCounters {
    /** Of a key that has counted nothing. Nothing is counted here. */
    static final KeyCounters NONE = new KeyCounters();

    private long delayed;
    private long cancelled;
    private long waited;
    private long rejected;
    private long failed;
    private long overloads;
    private int cooldowns;
    private long cooldownTime;
    /** Without those of status 200, which the key counts itself; null until the first one. */
    private StatusCounts answers;
    /** By the verdict's ordinal; null until the first block. */
    private long[] blocks;

    /** @param first whether the request has not waited before */
    void waited(long nanos, boolean first) {
        delayed += first ? 1 : 0;
        waited = KeyStats.sum(waited, nanos);
    }

    void cancelled() {
        cancelled++;
    }

    void rejected() {
        rejected++;
    }

    /** Counts a trip. */
    public void tripped() {
        cooldowns++;
    }

    /** A cooldown has lasted this many nanoseconds. */
    public void rested(long nanos) {
        cooldownTime += nanos;
    }

    void answered(int status) {
        if (answers == null) {
            answers = new StatusCounts();
        }
        answers.add(status, 1);
    }

    /** Counts a block. */
    public void blocked(Verdict verdict) {
        if (blocks == null) {
            blocks = new long[Verdict.values().length];
        }
        blocks[verdict.ordinal()]++;
    }

    /** Counts a failure of the network, or a site that has trouble of its own. */
    public void troubled(Verdict verdict) {
        if (verdict == Verdict.SERVER_OVERLOAD) {
            overloads++;
        } else {
            failed++;
        }
    }

    /** A block that was counted as the one turns out to be the other. */
    public void renamed(Verdict from, Verdict to) {
        blocked(to);
        if (blocks[from.ordinal()] > 0) { // else the statistics were reset in between
            blocks[from.ordinal()]--;
        }
    }

    /**
     * Copies what was counted.
     *
     * @param resting nanoseconds for which the present cooldown has gone on; 0 for none
     */
    void fill(KeyStats s, long resting) {
        s.delayedRequests = delayed;
        s.cancelledRequests = cancelled;
        s.totalWaitNanos = waited;
        s.rejectedRequests = rejected;
        s.failedRequests = failed;
        s.overloads = overloads;
        if (answers != null) {
            s.answers.add(answers);
        }
        s.blocks = blocks == null ? null : blocks.clone();
        s.cooldowns = cooldowns;
        s.cooldownNanos = cooldownTime + resting;
    }
}
