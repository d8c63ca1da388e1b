package io.tempolimit.core.fleet;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.store.Answer;
import io.tempolimit.core.store.SharedKey;
import java.util.List;

/**
 * What one key asks the fleet, and what its answers do: how many slots, when more, and whether an answer still holds when it is
 * there. Guarded by the key's lock.
 */
final class FleetCalls {
    /**
     * So far ahead all workers together reserve for those who wait as long as it takes, and half of that is the time to reserve
     * more.
     */
    static final long NEAR = 5_000_000_000L;
    /** A worker that goes by slots that it has, and asks for none, looks so often whether their bucket is still there. */
    private static final long LOOK = 1_000_000_000L;

    /** What a call is for. */
    private enum Purpose {
        /** Slots, for those who want one or will soon. */
        SLOTS,
        /** One, for the probe. */
        PROBE,
        /** Whether slots that were kept are reserved still; those who want one wait for that. */
        KEPT,
        /** To tell what went without the fleet's knowing. */
        TELL,
        /** To hear whether the bucket is still there; nobody waits. */
        LOOK
    }

    private final FleetPacer f;
    private final PacedKey key;
    private final SharedKey shared;
    /** When the last call was made. */
    private long calledAt;
    /** Grows with whatever of ours makes void what was asked for before. */
    private int voided;
    /** Whether it is being asked for the slots that were kept. */
    private boolean checking;
    /** The windows that the fleet was told, and of which settings they are. */
    private WindowLimit[] windows = {};
    private Policy windowsOf;

    FleetCalls(FleetPacer f, long now) {
        this.f = f;
        key = f.key;
        shared = f.shared;
        calledAt = now;
    }

    /** What was asked for before is void. */
    void voidAll() {
        voided++;
    }

    /** Something was asked, as of what was known then. */
    class AsOf {
        private final int when = voided;
        final long version = shared.version();

        /** Whether nothing has happened since. */
        boolean holds() {
            return when == voided && version == shared.version();
        }

        /** Whether nothing has happened since that this answer does not know. */
        boolean holds(Answer a) {
            return when == voided && (a.incident == null ? version : a.incident.version) == shared.version();
        }
    }

    /** One call. Its answer comes on the fleet's thread. */
    private final class Call extends AsOf implements SharedKey.Taker {
        /** How many slots were asked for. */
        private final int slots;
        /** What each of them costs beyond the interval, to be used that much later. */
        private final long margin;
        private final Purpose purpose;
        private final long at;

        Call(int slots, Purpose purpose, long at) {
            this(slots, 0, purpose, at);
        }

        Call(int slots, long margin, Purpose purpose, long at) {
            this.slots = slots;
            this.margin = margin;
            this.purpose = purpose;
            this.at = at;
        }

        @Override
        public void taken(Answer a) {
            f.fromFleet(now -> answered(this, a, now));
        }
    }

    // ---- the question

    /** Asks for what is missing. */
    void ask(long now) {
        Policy p = key.policy();
        if (f.fallback.alone() || p == null || key.passing()) {
            return;
        }
        f.record.flush(now);
        if (f.record.outdated()) {
            return;
        }
        Circuit c = key.circuit();
        Limit l = f.limit();
        tellWindows(p);
        tellWhatWent(p, l, now);
        if (c != null && !c.open()) {
            f.probe.ask(c, p, now);
            return;
        }
        if (windowed() && f.untold.askAt() - now > 0) {
            if (f.slots.wanting() > 0) {
                f.slots.lookAgain(f.untold.askAt(), p, now);
            }
            return;
        }
        if (f.slots.wanting() > 0 && f.kept.any(now)) {
            if (!checking) {
                checking = true;
                call(new Call(0, Purpose.KEPT, now), l.interval, l.burst(), Long.MAX_VALUE);
            }
            return; // what is missing is known with the answer
        }
        long margin = f.slots.margin.now(l.interval, slowest(), f.slots.lateness.now());
        for (int n; (n = Math.min(most(p, l, margin, now), f.slots.missing(l, now))) > 0; ) {
            double interval = l.interval;
            double burst = l.burst();
            if (p.jitter() > 0) { // a longer interval for this one, and the same tolerance
                n = 1;
                interval += p.jitter() * key.common.random.next() * l.interval;
                burst = 1 + (double) l.tolerance / interval;
            }
            call(new Call(n, margin, Purpose.SLOTS, now), interval, burst, patience(p, now));
        }
    }

    private void tellWhatWent(Policy p, Limit l, long now) {
        List<String> went = f.untold.now(p, now);
        if (went != null) {
            shared.tell(l.interval, l.burst(), f.untold.number(), went, new Call(0, Purpose.TELL, now));
        }
    }

    /** How many may be asked for now. Where that is none, the first of those who want one asks again when it is time. */
    private int most(Policy p, Limit l, long margin, long now) {
        FleetSlots slots = f.slots;
        if (p.reject() || p.maxWait() != Policy.UNLIMITED || slots.wanting() == 0) {
            return Integer.MAX_VALUE;
        }
        long ahead = Math.max(0, slots.last() - now);
        if (ahead <= NEAR / 2) {
            long mine = (NEAR - ahead + l.tolerance) / (l.interval + margin) / Math.max(1, f.fleet.workers());
            return (int) Math.min(Integer.MAX_VALUE, 1 + mine) - slots.lease.underWay();
        }
        slots.lookAgain(slots.last() - NEAR / 2, p, now);
        return 0;
    }

    void askForProbe(long now) {
        Limit l = f.limit();
        call(new Call(1, Purpose.PROBE, now), l.interval, l.burst(), Long.MAX_VALUE);
    }

    private void call(Call call, double interval, double burst, long patience) {
        f.slots.lease.asked(call.slots);
        calledAt = call.at;
        shared.take(interval, burst, call.margin, call.slots, patience, call);
    }

    /** The longest that any of those who want a slot waits for it. */
    private long patience(Policy p, long now) {
        if (p.reject()) {
            return 0;
        }
        Reservation last = f.queue().last();
        if (p.maxWait() == Policy.UNLIMITED) {
            return Long.MAX_VALUE;
        }
        return last == null ? p.maxWait() : Math.max(0, p.maxWait() - (now - last.arrival));
    }

    /** Takes a token for a request that goes in any case. */
    void charge(long now) {
        Limit l = f.limit();
        shared.take(l.interval, l.burst(), 1, Long.MAX_VALUE, a -> {
            if (a == null) {
                f.fromFleet(then -> notCharged(now, then));
            }
            new Call(0, Purpose.LOOK, now).taken(a);
        });
    }

    private void notCharged(long at, long now) {
        Policy p = key.policy();
        if (p != null && !f.fallback.alone()) {
            f.untold.went(p, at, now);
        }
    }

    // ---- windows

    private void tellWindows(Policy p) {
        if (p == windowsOf) {
            return;
        }
        windowsOf = p;
        WindowLimit[] w = p.windows();
        windows = w;
        long[] numbers = new long[2 * w.length];
        for (int i = 0; i < w.length; i++) {
            numbers[2 * i] = w[i].count;
            numbers[2 * i + 1] = w[i].duration;
        }
        shared.windows(p.retryAfterMax() == 0 ? Long.MAX_VALUE : p.retryAfterMax(), numbers);
    }

    /** From one request to the next, on average, where windows hold. */
    private long slowest() {
        long most = 0;
        for (WindowLimit w : windows) {
            most = Math.max(most, w.duration / w.count);
        }
        return most;
    }

    /** Whether windows hold beside the bucket. */
    boolean windowed() {
        return windows.length > 0;
    }

    // ---- a bucket that is gone

    /** One of those who wait has gone by its slot. Who has many of them asks for none, and would not hear that their bucket is gone. */
    void went(long now) {
        Limit l = f.limit();
        if (!f.fallback.alone() && now - calledAt > Math.max(LOOK, 2 * l.interval)) {
            call(new Call(0, Purpose.LOOK, now), l.interval, l.burst(), Long.MAX_VALUE);
        }
    }

    /** Another worker has begun a new bucket. Takes the lock. */
    void bucketLost() {
        f.fromFleet(now -> {
            if (!f.fallback.alone() && key.policy() != null && !key.passing() && (f.slots.any(now) || windowed())) {
                Limit l = f.limit();
                shared.look(l.interval, l.burst(), new Call(0, Purpose.LOOK, now));
            }
        });
    }

    // ---- the answer

    private void answered(Call call, Answer a, long now) {
        if (call.purpose == Purpose.PROBE) {
            f.probe.answered(a);
        } else if (call.purpose == Purpose.KEPT) {
            checking = false;
        } else if (call.purpose == Purpose.TELL) {
            f.untold.answered(a, f.sent.before(a), key.policy(), now);
        }
        f.slots.lease.took(now - call.at);
        if (a == null || f.fallback.alone()) {
            f.slots.notGiven(call.slots, now);
            if (f.look(now) && a == null && call.purpose != Purpose.LOOK && call.purpose != Purpose.TELL) {
                f.fallback.callFailed(now);
            }
            return;
        }
        f.fallback.answered();
        f.sent.answered(a, key.policy(), now);
        if (call.slots > 0 || a.count > 0) { // else it was to look: the others' turns that it tells of are to come
            f.others.answered(a, now);
        }
        boolean late = call.version != shared.version() && a.incident != null && a.incident.version < shared.version();
        if (a.incident != null && !late) { // else the newer one was heard while this answer was on its way
            f.record.takeIn(a.incident, now);
        }
        Policy p = key.policy();
        boolean closed = key.closed();
        boolean holds = call.holds(a);
        boolean gone = a.lost && p != null && !closed && f.slots.any(now);
        if (gone) {
            f.slots.lose(now);
        }
        if (a.kind == Answer.Kind.LOST && f.caps() != null && p != null) {
            f.untold.all(f.caps(), p, call.at, now);
        }
        if (a.lost || a.stale || !holds || closed || p == null || key.passing()) {
            f.kept.drop();
        }
        f.kept.handOut(now);
        f.slots.take(a, call.slots, call.margin, holds && !closed, now);
        if (p == null || key.passing()) {
            return;
        }
        if (gone) {
            f.others.bucketLost();
            f.replan(now); // all want a slot again, the first of them what this answer has brought
        }
        f.slots.heldBy(a.window > 0 && a.window <= windows.length ? windows[a.window - 1] : null);
        if (holds && f.record.same() && closed == (a.kind == Answer.Kind.GO || a.kind == Answer.Kind.REFUSED)) {
            // another record of the same number, as of a server that has forgotten a little: it is told in whole with the next answer
            shared.known(0);
        }
        decided(a, holds, closed, p, now);
    }

    /** Does what the fleet has decided. {@code closed}: whether the key rests, as far as this worker knows. */
    private void decided(Answer a, boolean holds, boolean closed, Policy p, long now) {
        switch (a.kind) {
            case PROBE:
                f.probe.allowed(a, holds, closed, p, now);
                break;
            case REFUSED:
                f.slots.refused(a.slot, p, now);
                if (f.slots.wanting() == 0) {
                    return; // it was to be fetched ahead
                }
                break;
            case CLOSED:
            case PROBED:
                f.probe.closed(a, now);
                if (!closed && f.record.unwritten()) {
                    f.fallback.callFailed(now); // it could not be told that the key has opened
                }
                break;
            default:
                f.slots.handOut(now);
                f.slots.giveSurplusBack(now);
        }
        if (closed) {
            f.replan(now);
        } else {
            ask(now);
        }
    }
}
