package io.tempolimit.core;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Blocks, cooldowns and probes of one key, as section 6 of the contract has them:
 *
 * <pre>
 *            threshold-th block in a row (a trip)
 *   OPEN ─────────────────────────────────────────▶ COOLING_DOWN ◀──────────────┐
 *    ▲                                                  │ pause over:           │ block: the next trip
 *    │ success, redirect or other 4xx                   │ one probe goes        │ 5xx, timeout, connection error: same pause again
 *    └────────────────────────────────────────────── PROBING ──────────────────┘
 *                                                       (no verdict for 30 s: the next one goes)
 * </pre>
 *
 * One incident is one incident: each pause begins a new epoch, and only answers to requests that were sent in the current
 * epoch climb, reset or open anything.
 *
 * <p>Pure: no clock, no waiting, no I/O. Not thread-safe: guarded by its key's lock, but {@link #state},
 * {@link #count} and {@link #epoch} may be read without it.
 */
final class Circuit {
    enum State {
        OPEN("open"),
        COOLING_DOWN("cooling_down"),
        PROBING("probing");

        final String label;

        State(String label) {
            this.label = label;
        }
    }

    /** What a verdict did. */
    enum Effect { NONE, TRIPPED, PAUSED_AGAIN, OPENED }

    /** A probe that has no verdict after this long does not keep the others waiting. */
    static final long PROBE_LEASE = 30_000_000_000L;

    volatile State state = State.OPEN;
    /** Consecutive blocks. */
    volatile int count;
    /** Number of pauses so far; what was sent in an earlier one is answered too late to matter. */
    volatile int epoch;
    /** COOLING_DOWN: when the pause ends. PROBING: when the probe's lease does. */
    long until;
    /** Length of the pause. */
    long pause;
    /** When the pause began. */
    long since;
    private long lastBlock;
    private int probes;

    /** Whether requests just go by the bucket. */
    boolean open() {
        return state == State.OPEN;
    }

    /** The count, unless it is forgotten. */
    int countAt(long now, Policy policy) {
        return state == State.OPEN && count > 0 && now - lastBlock > policy.cooldownMemory() ? 0 : count;
    }

    /** Takes in the verdict on a request that was sent in {@code sentEpoch}. */
    Effect judge(Verdict verdict, int sentEpoch, long now, Policy policy) {
        if (sentEpoch != epoch) {
            return Effect.NONE;
        }
        if (verdict.isBlock()) {
            count = countAt(now, policy) + 1;
            lastBlock = now;
            if (state != State.OPEN || count >= policy.cooldownThreshold()) {
                pause(now, policy);
                return Effect.TRIPPED;
            }
            return Effect.NONE;
        }
        if (verdict == Verdict.SUCCESS) {
            count = 0;
        }
        if (state == State.OPEN) {
            return Effect.NONE;
        }
        if (verdict == Verdict.SUCCESS || verdict == Verdict.NEUTRAL) {
            return Effect.OPENED; // the caller opens it, once those who wait have their turns
        }
        pause(now, policy);
        return Effect.PAUSED_AGAIN;
    }

    private void pause(long now, Policy policy) {
        long spread = policy.cooldownMax() - policy.cooldownMin();
        pause = policy.cooldownMin() + (spread > 0 ? ThreadLocalRandom.current().nextLong(spread + 1) : 0);
        since = now;
        until = now + pause;
        state = State.COOLING_DOWN;
        epoch++; // after the state: who reads the new epoch without the lock, and then the state, cannot take the key for open still
    }

    /** Nanoseconds until the pause is over; 0 once it is. How long a probe will take nobody knows. */
    long pauseLeft(long now) {
        return state == State.COOLING_DOWN ? Math.max(0, until - now) : 0;
    }

    /** Whether a request may go as the probe now. */
    boolean probeDue(long now) {
        return state != State.OPEN && now - until >= 0;
    }

    /** A probe goes; gives its number, from 1. */
    int probe(long now) {
        state = State.PROBING;
        until = now + PROBE_LEASE;
        return ++probes;
    }

    void opened() {
        state = State.OPEN;
    }

    /** This probe will have no verdict: the next one may go at once, unless one has taken its place already. */
    void probeLost(int probe, long now) {
        if (state == State.PROBING && probe == probes) {
            until = now;
        }
    }
}
