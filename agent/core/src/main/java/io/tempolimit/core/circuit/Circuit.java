package io.tempolimit.core.circuit;

import io.tempolimit.core.learn.Learning;
import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.RandomSource;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Verdict;

/**
 * Blocks, cooldowns and probes of one key, as section 6 of the contract has them:
 *
 * <pre>
 *            threshold-th block in a row: a trip, to the next rung of the escalation;
 *            or a Retry-After, or what was learnt: a pause, no trip
 *   OPEN ──────────────────────────────────────▶ COOLING_DOWN  (requests wait)  ◀─────────┐
 *    ▲                                           CIRCUIT_OPEN  (rung of a duration, or a Retry-After beyond retry-after.max:
 *    │                                              │           requests are rejected)     │
 *    │                                              │ pause over:                          │ block: the next trip
 *    │ success, redirect or other 4xx               ▼ one probe goes                       │ 5xx, timeout, failure: the pause again
 *    └────────────────────────────────────────── PROBING ────────────────────────────────┘
 *                                                   (no verdict for 30 s: the next one goes)
 *   any trip to the rung "lifetime" ───────────▶ LIFETIME_BLOCKED  (until an operator resets it)
 *   an operator's pause ───────────────────────▶ COOLING_DOWN, and after it OPEN: the site has said nothing that a probe could ask about
 * </pre>
 *
 * <p>What each event makes of each state, as {@code CircuitTest} plays it: the state, what is left of its pause in seconds, and
 * whether it is a trip. The second block trips, and one has been counted while it is open. A pause is 40 s, and 10 s of it are
 * over. A Retry-After gets a tenth more. Requests that go during a pause have an earlier epoch, so an answer to one of the
 * current epoch comes while it is open or is being probed. Whether "opens" takes place is the caller's: first those who wait
 * get their turns.
 *
 * <pre>
 * event                    open                   cooling_down           probing                circuit_open           lifetime_blocked
 * success                  count 0                opens                  opens                  opens                  -
 * redirect                 -                      opens                  opens                  opens                  -
 * block                    cooling_down 40 trip   cooling_down 40 trip   cooling_down 40 trip   cooling_down 40 trip   -
 * 5xx, failure             -                      cooling_down 40        cooling_down 40        cooling_down 7200      -
 * block, Retry-After 2 min cooling_down 132 trip  cooling_down 132 trip  cooling_down 132 trip  cooling_down 132 trip  -
 * block, Retry-After 2 h   circuit_open 7920 trip circuit_open 7920 trip circuit_open 7920 trip circuit_open 7920 trip -
 * 503, Retry-After 2 min   cooling_down 132       cooling_down 132       cooling_down 132       cooling_down 7200      -
 * earlier success          -                      -                      -                      -                      -
 * earlier block            -                      -                      -                      -                      -
 * another key rests 60 s   cooling_down 60        cooling_down 60        cooling_down 60        -                      -
 * operator pauses for 60 s cooling_down 60        cooling_down 60        cooling_down 60        -                      -
 * operator resets          count 0                open                   open                   open                   open
 * </pre>
 *
 * <p>One incident is one incident: each pause begins a new epoch, and only answers to requests that were sent in the current
 * epoch climb, reset or open anything.
 *
 * <p>Pure: no clock, no waiting, no I/O. Not thread-safe: guarded by its key's lock, but {@link #state}
 * and {@link #epoch} may be read without it.
 */
public final class Circuit {
    /** Where it is in the picture above. */
    public enum State {
        OPEN("open"),
        COOLING_DOWN("cooling_down"),
        PROBING("probing"),
        CIRCUIT_OPEN("circuit_open"),
        LIFETIME_BLOCKED("lifetime_blocked");

        public final String label;

        State(String label) {
            this.label = label;
        }
    }

    /** What a verdict did: a trip, the last trip, a pause that is none, or the key's opening. */
    public enum Effect { NONE, TRIPPED, BLOCKED_FOR_LIFE, PAUSED, OPENED }

    /** Something that happens to a circuit, and that can be done once more to another state of it. */
    public interface Change {
        /** Gives what it did. */
        Effect make(Circuit c, long now);
    }

    private static final long SECOND = 1_000_000_000L;
    /** Ten years in nanoseconds: sums of a few stay far from overflow. */
    static final long LONGEST = 87_600L * 3600 * 1_000_000_000L;

    /** A probe that has no verdict after this long does not keep the others waiting. */
    public static final long PROBE_LEASE = 30_000_000_000L;

    public volatile State state = State.OPEN;
    /** Consecutive blocks. */
    private final Count count;
    /** What draws the lengths of cooldowns. */
    private final RandomSource random;
    /** Number of pauses so far; what was sent in an earlier one is answered too late to matter. */
    public volatile int epoch;
    /** COOLING_DOWN, CIRCUIT_OPEN: when the pause ends. PROBING: when the probe's lease does. */
    public long until;
    /** Length of the pause. */
    public long pause;
    /** How long the last trip's pause had to be at the least, whatever was drawn. */
    private long asked;
    /** When the pause began. */
    public long since;
    /** Why it rests, in the words of the listener. */
    public String reason;
    /** Whether an operator lets it rest, and nothing else would. */
    private boolean held;
    /** Whether the pause came from a trip, and not from what the site asked for. */
    private boolean tripped;
    private int trips;
    private long lastTrip;
    private long leaseEnd;
    private int probes;

    public Circuit(Count count, RandomSource random) {
        this.count = count;
        this.random = random;
    }

    /** Whether there is nothing that a success would change. */
    public boolean clean() {
        return state == State.OPEN && count.get() == 0;
    }

    /** Whether there is nothing to remember. */
    public boolean unknown() {
        return clean() && trips == 0;
    }

    /** Whether a block has been counted after this time. */
    public boolean blockedSince(long time) {
        return count.addedSince(time);
    }

    /** Whether requests just go by the bucket. */
    public boolean open() {
        return state == State.OPEN;
    }

    /** Blocks in a row. */
    public int count() {
        return count.get();
    }

    /** The count, unless it is forgotten. */
    public int countAt(long now, Policy policy) {
        return state == State.OPEN ? count.at(now, policy.cooldownMemory()) : count.get();
    }

    /**
     * Takes in the verdict on a request that was sent in {@code sentEpoch}.
     *
     * @param answered when the answer came, which may be judged later
     * @param learning learns from it, and may lengthen a pause or ask for a short one; null where nothing is learnt
     */
    public Effect judge(Finding finding, int sentEpoch, long answered, long now, Policy policy, Learning learning) {
        Verdict verdict = finding.verdict();
        boolean block = verdict.isBlock() && finding.counts();
        long wait = policy.retryAfterMax() == 0 ? Finding.NO_WAIT : withMargin(finding.retryAfter());
        if (sentEpoch != epoch || state == State.LIFETIME_BLOCKED) {
            return lengthen(wait, now, policy);
        }
        long learnt = 0;
        if (block) {
            boolean trip = policy.blocksClimb()
                    && (count.add(now, policy.cooldownMemory()) >= policy.cooldownThreshold() || state != State.OPEN && tripped);
            learnt = learning == null ? 0 : learning.blocked(verdict.hard(), trip, now);
            if (trip) {
                return trip(wait, learnt, now, policy);
            }
        } else if (verdict == Verdict.SUCCESS) {
            count.reset();
        }
        if (learning != null && verdict.took()) {
            learning.good(answered);
            learnt = learning.restDue();
        } else if (learning != null && verdict.trouble()) {
            learnt = learning.troubled(now);
        }
        if (wait > 0 || learnt > 0) {
            boolean open = state == State.OPEN;
            tripped &= !open;
            long again = open || learnt > 0 && !tripped ? 0 : again(policy);
            rest(Math.max(Math.max(wait, learnt), again), wait > 0 && beyond(wait, policy), now);
            return Effect.PAUSED;
        }
        if (state == State.OPEN) {
            return Effect.NONE;
        }
        if (verdict == Verdict.SUCCESS || verdict == Verdict.NEUTRAL || verdict.isBlock() && !block) {
            return Effect.OPENED; // the caller opens it, once those who wait have their turns
        }
        rest(again(policy), false, now);
        return Effect.PAUSED;
    }

    /** A block that has counted, and was thought to be of a type that does not act at once, is of one that does. */
    public Effect hard(int sentEpoch, long now, Learning learning) {
        long learnt = sentEpoch == epoch && state == State.OPEN && learning != null ? learning.blocked(true, false, now) : 0;
        if (learnt <= 0) {
            return Effect.NONE;
        }
        tripped = false;
        rest(learnt, false, now);
        return Effect.PAUSED;
    }

    /** Sites count from another moment than we do, and some are optimistic: a second more, or a tenth. */
    public static long withMargin(long asked) {
        return asked <= 0 ? Finding.NO_WAIT : Math.min(LONGEST, asked) + Math.max(SECOND, Math.min(LONGEST, asked) / 10);
    }

    /** Whether a wait, margin included, is for longer than requests wait. */
    public static boolean beyond(long wait, Policy policy) {
        return wait > withMargin(policy.retryAfterMax());
    }

    /**
     * Climbs a rung.
     *
     * @param wait   what the site asks for, or {@link Finding#NO_WAIT}
     * @param learnt how long the pause shall be at the least, by what was learnt
     */
    public Effect trip(long wait, long learnt, long now, Policy policy) {
        trips = now - lastTrip > policy.escalationMemory() ? 1 : trips + 1;
        lastTrip = now;
        tripped = true;
        long rung = policy.escalation().rung(trips);
        if (rung == Escalation.LIFETIME) {
            blockForLife(now);
            return Effect.BLOCKED_FOR_LIFE;
        }
        asked = Math.max(wait, learnt);
        rest(Math.max(rung == Escalation.COOLDOWN ? drawn(policy) : rung, asked), rung != Escalation.COOLDOWN || beyond(wait, policy), now);
        return Effect.TRIPPED;
    }

    /** Another key of the same scope has tripped: rests as long as that one, unless it rests longer already. */
    public Effect join(long length, boolean refusing, long now) {
        if (state != State.OPEN && state != State.PROBING && until - now - length >= 0) {
            return Effect.NONE;
        }
        rest(length, refusing, now);
        return Effect.PAUSED;
    }

    /** An answer to what was sent before the pause began does nothing, but ask for a longer one. */
    private Effect lengthen(long wait, long now, Policy policy) {
        if (wait <= 0 || state != State.COOLING_DOWN && state != State.CIRCUIT_OPEN || now + wait - until <= 0) {
            return Effect.NONE;
        }
        state = beyond(wait, policy) ? State.CIRCUIT_OPEN : state;
        held = false;
        pause = now + wait - since;
        until = now + wait;
        return Effect.PAUSED;
    }

    private long drawn(Policy policy) {
        long spread = policy.cooldownMax() - policy.cooldownMin();
        return policy.cooldownMin() + (spread > 0 ? (long) (random.next() * (spread + 1)) : 0);
    }

    /** The same pause once more. */
    private long again(Policy policy) {
        return tripped && policy.escalation().rung(trips) == Escalation.COOLDOWN ? Math.max(drawn(policy), asked) : pause;
    }

    private void rest(long length, boolean refusing, long now) {
        pause = length;
        since = now;
        until = now + length;
        held = false;
        state = refusing ? State.CIRCUIT_OPEN : State.COOLING_DOWN;
        epoch++; // after the state: who reads the new epoch without the lock, and then the state, cannot take the key for open still
    }

    /**
     * An operator lets it rest this long from now on. Where the site has asked for a rest, not a shorter one than that, and
     * with a probe after it.
     */
    public Effect hold(long length, long now) {
        if (state == State.OPEN || held) {
            tripped = false;
            rest(length, false, now);
            held = true;
        } else if (state == State.PROBING) {
            rest(length, false, now);
        } else if (state == State.LIFETIME_BLOCKED || now + length - until <= 0) {
            return Effect.NONE;
        } else {
            pause = now + length - since;
            until = now + length;
        }
        return Effect.PAUSED;
    }

    /** Whether it rests only because an operator said so, and not any longer. */
    public boolean holdOver(long now) {
        return held && state == State.COOLING_DOWN && now - until >= 0;
    }

    /** An operator lets it begin anew. */
    public void reset() {
        count.reset();
        trips = 0;
        held = false;
        epoch++; // what is in flight was sent to a key that had another state
        state = State.OPEN;
    }

    /** Of how many trips in its memory this pause is the last; 0 if it is no trip. */
    public int rung() {
        return tripped ? trips : 0;
    }

    /** Whether nobody waits for its end. */
    public boolean refuses(long now) {
        return state == State.LIFETIME_BLOCKED || state == State.CIRCUIT_OPEN && now - until < 0;
    }

    /** Whether its pause, or the wait for its probe's verdict, is not over. */
    public boolean rests(long now) {
        return state != State.OPEN && until - now > 0;
    }

    /** Nanoseconds until the pause is over; 0 once it is. How long a probe will take nobody knows. */
    public long pauseLeft(long now) {
        return state == State.OPEN || state == State.PROBING ? 0 : Math.max(0, until - now);
    }

    /** A probe goes; gives its number, from 1. */
    public int probe(long now) {
        state = State.PROBING;
        leaseEnd = now + PROBE_LEASE;
        until = leaseEnd;
        return ++probes;
    }

    /** Whether this is the probe whose verdict is awaited. */
    public boolean isProbe(int probe) {
        return state == State.PROBING && probe == probes;
    }

    /** The head of this probe's answer is there: unless its body is read, its lease ends by then; whether it is the one that is awaited. */
    public boolean answered(int probe, long then) {
        return isProbe(probe) && extend(then);
    }

    /** The probe's lease ends then, if it would not have been over by that time; whether it goes on. */
    public boolean extend(long then) {
        if (then - leaseEnd >= 0) {
            return false;
        }
        until = then;
        return true;
    }

    // ---- over a restart

    /**
     * Its state as text, times relative to now; null if there is nothing to remember. What is blocked for good is so until the
     * JVM ends: of that only the trips are remembered, so the next one is the last again.
     */
    public String save(long now) {
        if (unknown()) {
            return null;
        }
        boolean rests = state != State.OPEN && state != State.LIFETIME_BLOCKED;
        SavedCircuit s = new SavedCircuit(history(now).tripped(tripped && !(rests && held)).held(rests && held), now);
        s.pause = pause;
        s.asked = asked;
        if (rests) {
            s.rests = true;
            s.refuses = state == State.CIRCUIT_OPEN;
            s.left = state == State.PROBING ? 0 : until - now;
            s.since = since;
            s.reason = reason;
        }
        return s.write(now);
    }

    /** A record with its trips and blocks. */
    private Incident.Builder history(long now) {
        int blocks = count.get();
        return new Incident.Builder(now).trips(trips, trips == 0 ? now : lastTrip).count(blocks, blocks == 0 ? now : count.last());
    }

    /**
     * Takes in what {@link #save} gave, into a circuit that nothing has happened to.
     *
     * @param ago nanoseconds since then, 0 or more
     * @param own whether the count is this key's alone
     * @throws IllegalArgumentException if it is anything else; then nothing has changed
     */
    public void restore(String saved, long ago, boolean own, long now) {
        SavedCircuit s = SavedCircuit.read(saved, now - ago);
        Incident history = s.history.build();
        tripped = history.tripped;
        held = history.held;
        trips = history.trips;
        lastTrip = history.lastTrip;
        if (own && history.count > 0) {
            count.restore(history.count, history.counted);
        }
        pause = s.pause;
        asked = s.asked;
        if (s.rests) { // also if it is over: a probe goes first
            since = s.since;
            until = now - ago + s.left;
            reason = s.reason;
            state = s.refuses ? State.CIRCUIT_OPEN : State.COOLING_DOWN;
            epoch++;
        }
    }

    /** How long the rest in what {@link #save} gave goes on after that; 0 for none. */
    public static long restIn(String saved) {
        return SavedCircuit.read(saved, 0).left;
    }

    /** It was blocked for good before its key was forgotten. */
    public void blockForLife(long now) {
        since = now;
        until = now + LONGEST;
        state = State.LIFETIME_BLOCKED;
        epoch++;
    }

    // ---- in a fleet

    /** What all workers shall know of it. */
    public Incident record(long version, double interval, int burst, String learned, long now) {
        boolean rests = state == State.COOLING_DOWN || state == State.CIRCUIT_OPEN || state == State.PROBING;
        int how = state == State.OPEN ? Incident.OPEN : state == State.LIFETIME_BLOCKED ? Incident.LIFETIME_BLOCKED
                : state == State.CIRCUIT_OPEN ? Incident.CIRCUIT_OPEN : Incident.COOLING_DOWN; // who probes is known elsewhere
        long end = state == State.PROBING ? since + pause : rests ? until : now;
        return history(now).version(version).epoch(epoch).rest(how, end, rests ? Math.max(pause, end - since) : 0, rests ? since : now)
                .tripped(tripped).held(held).learned(interval, burst, learned).build();
    }

    /** Takes over what another worker has made of it. {@code own}: whether the count is this key's alone. */
    public void load(Incident i, boolean own, long now) {
        boolean probing = state == State.PROBING && i.epoch == epoch && i.state != Incident.OPEN
                && i.state != Incident.LIFETIME_BLOCKED && i.until - now <= 0;
        asked = i.epoch == epoch ? asked : i.tripped ? i.pause : 0;
        tripped = i.tripped;
        held = i.held;
        trips = i.trips;
        lastTrip = i.lastTrip;
        pause = i.pause;
        since = i.since;
        if (own) {
            count.restore(i.count, i.counted);
        }
        if (!probing) {
            until = i.state == Incident.LIFETIME_BLOCKED ? now + LONGEST : i.until;
            state = i.state == Incident.OPEN ? State.OPEN : i.state == Incident.LIFETIME_BLOCKED ? State.LIFETIME_BLOCKED
                    : i.state == Incident.CIRCUIT_OPEN ? State.CIRCUIT_OPEN : State.COOLING_DOWN;
        }
        epoch = i.epoch; // after the state, as in rest
    }

    /** What was reserved so far is void, for there are other settings; nothing else has happened. */
    public void renew() {
        epoch++;
    }

    /** Whoever waited has a turn, so that requests go by the bucket from now on. */
    public void opened() {
        held = false;
        state = State.OPEN;
    }

    /** This probe will have no verdict: the next one may go at once, unless one has taken its place already. */
    public void probeLost(int probe, long now) {
        if (isProbe(probe)) {
            until = now;
        }
    }
}
