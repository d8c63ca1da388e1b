package io.tempolimit.core;

import io.tempolimit.detect.Verdict;

/** The statistics of one key at one moment. A plain record of its making; not updated afterwards. */
public final class KeyStats {
    /** The key. */
    public String domain;
    /** Requests that arrived, rejected ones included. */
    public long totalRequests;
    /** Requests that waited 10 ms or more. */
    public long delayedRequests;
    /** Requests that were cancelled while they waited. */
    public long cancelledRequests;
    /** Time that the delayed requests waited, in nanoseconds. */
    public long totalWaitNanos;
    /** When the last request arrived, in milliseconds since 1970. */
    public long lastRequestMillis;
    /** Requests that were not sent. */
    public long rejectedRequests;
    /** Requests that got no answer: connection errors and timeouts. */
    public long failedRequests;
    /** Answers by which a site said that it has trouble of its own: 5xx that are no blocks. */
    public long overloads;
    /** Answers by their status. */
    public final StatusCounts answers = new StatusCounts();
    /** Blocks by the ordinal of {@link Verdict}; null if there were none. */
    public long[] blocks;
    /** Blocks in a row. */
    public int consecutiveBlocks;
    /** Trips. */
    public long cooldowns;
    /** Time in cooldown, in nanoseconds. */
    public long cooldownNanos;
    /** What is left of the pause, in nanoseconds. */
    public long cooldownRemainingNanos;
    /** Why it is in cooldown: a block type, a rejection's code in lower case, or {@code operator}; null if it does not. */
    public String cooldownReason;
    /**
     * {@code open}, {@code cooling_down}, {@code probing} or {@code circuit_open}; in a dry run the latter three
     * begin with {@code would_}.
     */
    public String state;
    /** Requests sent that have no verdict yet. */
    public int activeRequests;
    /** Event streams that are open, where they are counted. */
    public int activeStreams;
    /** Requests that wait. */
    public int waitingRequests;
    /** For how long the one has waited that has waited longest, in nanoseconds; 0 if nobody waits. */
    public long longestWaitNanos;
    /** Whether {@code deny} rejects its requests. */
    public boolean denied;
    /** Tokens a second that the settings, or an operator, allow. */
    public double rate;
    /** The bucket's size. */
    public int burst;
    /** Requests per second that the site was found to tolerate; 0 while nothing was learnt. */
    public double learnedRate;
    /** Requests in flight that the site was found to take; 0 while no such limit was learnt. */
    public int learnedInFlight;
    /**
     * The time between requests that the host's robots.txt asks for and gets, in milliseconds; 0 if it asks for none,
     * or is not observed.
     */
    public int crawlDelayMillis;
    /** Tokens in the bucket. */
    public double tokensAvailable;

    /** Answers that were blocks of this type. */
    public long blocks(Verdict type) {
        return blocks == null ? 0 : blocks[type.ordinal()];
    }

    /** Adds blocks of this type. */
    public void add(Verdict type, long n) {
        if (n > 0) {
            blocks = blocks == null ? new long[Verdict.values().length] : blocks;
            blocks[type.ordinal()] += n;
        }
    }

    /** Sum of two durations. In a dry run nobody waits, and so each of a million requests may count for days. */
    public static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /** Adds what another key has counted. */
    public void add(KeyStats other) {
        totalRequests += other.totalRequests;
        delayedRequests += other.delayedRequests;
        cancelledRequests += other.cancelledRequests;
        totalWaitNanos = sum(totalWaitNanos, other.totalWaitNanos);
        rejectedRequests += other.rejectedRequests;
        failedRequests += other.failedRequests;
        overloads += other.overloads;
        answers.add(other.answers);
        for (Verdict type : Verdict.values()) {
            add(type, other.blocks(type));
        }
        cooldowns += other.cooldowns;
        cooldownNanos += other.cooldownNanos;
    }

    /** Adds what another key has counted, and the requests that are there now. */
    public void addAll(KeyStats other) {
        add(other);
        waitingRequests += other.waitingRequests;
        activeRequests += other.activeRequests;
        longestWaitNanos = Math.max(longestWaitNanos, other.longestWaitNanos);
    }

    /** Answers that were blocks. */
    public long blockedRequests() {
        long sum = 0;
        for (int i = 0; blocks != null && i < blocks.length; i++) {
            sum += blocks[i];
        }
        return sum;
    }

    /**
     * Requests that went to the network.
     *
     * @param dryRun whether those go as well that count as rejected
     */
    public long sentRequests(boolean dryRun) {
        return totalRequests - waitingRequests - cancelledRequests - (dryRun ? 0 : rejectedRequests);
    }

    /** Mean wait of a delayed request, in nanoseconds. */
    public long averageWaitNanos() {
        return delayedRequests == 0 ? 0 : totalWaitNanos / delayedRequests;
    }

    /** Share of the requests that were delayed, 0 to 1. */
    public double delayRate() {
        return totalRequests == 0 ? 0 : (double) delayedRequests / totalRequests;
    }

    /** Share of the requests that were rejected, in per cent. */
    public double rejectionRatePercent() {
        return totalRequests == 0 ? 0 : 100.0 * rejectedRequests / totalRequests;
    }

    /** Share of the requests that were blocked, in per cent. */
    public double blockRatePercent() {
        return totalRequests == 0 ? 0 : 100.0 * blockedRequests() / totalRequests;
    }
}
