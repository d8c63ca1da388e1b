package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.detect.Finding;

/**
 * The key's {@link Circuit}, and what its cooldowns and probes mean for those who arrive or wait: who goes as the probe and
 * when, who is rejected, and how the key opens. Made with the first block. All under the key's lock, but for {@link #arrive},
 * {@link #join} and {@link #tripLate}, which take it themselves.
 */
final class Cooldown {
    /** What a rest of all in the fleet may be longer than that of a key of it, for its record took longer. */
    private static final long HEARD = 10_000_000L;
    /** For the fleet: the key opens, without an answer. */
    static final FleetRecord.Change OPEN = (c, now) -> c.open() ? Circuit.Effect.NONE : Circuit.Effect.OPENED;

    private final Key key;
    final Circuit circuit;

    Cooldown(Key key, Circuit circuit) {
        this.key = key;
        this.circuit = circuit;
    }

    // ---- who arrives or waits

    /** A request arrives while the key rests, or is being probed; false if it has opened meanwhile. */
    boolean arrive(Permit permit, long now) throws RequestRejectedException {
        long expected;
        LocalPacer pacer = key.pacer;
        key.lock().lock();
        try {
            Policy p = key.policy();
            if (p == null || circuit.open()) {
                return false;
            }
            if (endPause(p, now)) {
                return false;
            }
            pacer.dropLost(null, now);
            if (mayProbe(p, now)) {
                pacer.takeToken(now);
                probe(permit, now);
                return true;
            }
            if (circuit.open()) {
                return false;
            }
            expected = expected(now);
            if (admits(expected, p, now)) {
                pacer.madeQueue().append(permit);
                rest(permit, p, now);
                permit.setWake(p);
            }
        } finally {
            key.lock().unlock();
        }
        if (!permit.listed()) {
            throw key.rejections().reject(permit, Rejection.HOST_COOLING_DOWN, expected);
        }
        Arrival.waits(permit, expected, Rejection.HOST_COOLING_DOWN);
        return true;
    }

    /** Whether one that arrives goes as the probe. An answer that is there already may decide, and open the key. */
    boolean mayProbe(Policy p, long now) {
        if (key.pacer.first() != null || probeDue(p, now) - now > 0) {
            return false;
        }
        judgeProbe(now);
        return !circuit.open() && probeDue(p, now) - now <= 0;
    }

    /** Whether one that arrives, and is expected to wait so long, waits. */
    boolean admits(long expected, Policy p, long now) {
        return !p.reject() && !circuit.refuses(now) && expected <= p.maxWait();
    }

    /** The first of those who wait looks, and the probe is due: an answer that is there already may decide. */
    void judgeProbe(Permit permit, Policy p, long now) {
        if (permit == key.pacer.first() && probeDue(p, now) - now <= 0) {
            judgeProbe(now);
        }
    }

    private void judgeProbe(long now) {
        PendingVerdicts pending = key.pending();
        if (pending != null) {
            pending.settleProbe(circuit, now);
        }
    }

    /** A waiter looks: the first goes as the probe, if that is due. {@code together}: whether the fleet says so. */
    void turn(Permit permit, Policy p, boolean together, long now) {
        LocalPacer pacer = key.pacer;
        if (permit == pacer.first() && together) {
            key.fleet.probe.turn(permit, circuit, p, now);
            if (permit.state == Permit.REJECTED) {
                pacer.moveUp(now);
            }
            return;
        }
        rest(permit, p, now);
        permit.setWake(p);
        if (permit == pacer.first() && now - permit.due >= 0) {
            pacer.takeToken(now);
            probe(permit, now);
            pacer.remove(permit);
            pacer.moveUp(now);
        }
    }

    void probe(Permit permit, long now) {
        permit.probe = circuit.probe(now);
        key.go(permit, circuit.epoch, now);
    }

    /** If it is the probe, it will have no verdict. */
    void probeLost(Permit permit, long now) {
        if (permit.probe > 0) {
            if (circuit.isProbe(permit.probe) && key.fleet != null) {
                key.fleet.probe.lost();
            }
            circuit.probeLost(permit.probe, now);
        }
    }

    /** Its turn in a cooldown. */
    private void rest(Permit w, Policy p, long now) {
        if (key.together()) {
            key.fleet.probe.rest(w, circuit, now);
            return;
        }
        WaitQueue queue = key.pacer.queue();
        w.cost = 0;
        w.promised = false;
        w.due = queue.hasTurnInRest(w) ? queue.turnInRest(w, probeDue(p, now), now) : now + Limit.HORIZON;
    }

    /** When the next probe may go: after the pause, and when the bucket has a token, which it takes like any other request. */
    private long probeDue(Policy p, long now) {
        if (key.together()) {
            return key.fleet.probe.due(circuit, now);
        }
        LocalPacer pacer = key.pacer;
        long due = now + Math.max(circuit.until - now, pacer.bucket.peek(now, pacer.limit()));
        Caps k = pacer.caps(p, now);
        if (k == null) {
            return due;
        }
        pacer.reclaim(k, now);
        long room = k.room(due);
        return k.free() ? room : Math.max(room - now, Caps.LOOK) + now;
    }

    /** How long it rests at least. How long a probe will take nobody knows. */
    private long restLeft(long now) {
        LocalPacer pacer = key.pacer;
        return key.together() ? key.fleet.probe.restLeft(circuit, now)
                : Math.max(circuit.pauseLeft(now), pacer.bucket.peek(now, pacer.limit()));
    }

    /** How long one that arrives would wait, as far as that is known. */
    long expected(long now) {
        int waiting = key.pacer.queue().waiting();
        return restLeft(now) + waiting * Math.min(key.pacer.limit().interval, Limit.HORIZON / (waiting + 1));
    }

    /** Somebody has left: who is first now goes as the probe. */
    void moveUp(Policy p, long now) {
        Permit first = key.pacer.first();
        rest(first, p, now);
        first.move(p);
        if (first.next != null) {
            rest(first.next, p, now);
            first.next.move(p);
        }
        if (key.fleet != null) {
            key.fleet.calls.ask(now);
        }
    }

    /** Hands out all turns anew: those who do not wait that long are rejected. */
    void reschedule(Policy p, long now) {
        LocalPacer pacer = key.pacer;
        pacer.returnAll();
        if (key.fleet != null) {
            key.fleet.slots.lose(now);
        }
        long expected = now + restLeft(now);
        for (Permit w = pacer.first(), after; w != null; w = after) {
            after = w.next;
            rest(w, p, now);
            boolean waitsOn = !circuit.refuses(now) && (p.maxWait() == Policy.UNLIMITED || expected - w.arrival <= p.maxWait());
            pacer.settle(w, p, waitsOn, now);
        }
        if (key.fleet != null) {
            key.fleet.calls.ask(now);
        }
    }

    // ---- how it ends

    /**
     * Ends a rest.
     *
     * @param end when it was over; the bucket was empty then
     */
    void open(Policy p, long end, long now) {
        if (key.together()) {
            circuit.opened();
            key.pacer.queue().forgetReasons();
            key.pacer.reschedule(now);
        } else {
            key.pacer.beginAnew(p, end, now);
            circuit.opened();
        }
    }

    /** Opens the key where an operator's pause is over; whether it was. */
    boolean endPause(Policy p, long now) {
        if (!circuit.holdOver(now)) {
            return false;
        }
        key.counters().cooldownTime += circuit.until - circuit.since;
        key.changed(Circuit.Effect.OPENED, OPEN);
        key.tellFirst();
        key.tell(() -> key.limiter.listener().cooldownEnded(key));
        open(p, circuit.until, now);
        return true;
    }

    // ---- what others do

    /** Another key of the same scope has tripped, here or in another worker. */
    static void join(Key key, long length, boolean refusing, String reason) {
        key.lock().lock();
        try {
            Policy p = key.policy();
            if (p == null || !p.global()) {
                return;
            }
            long now = key.limiter.clock().nanos();
            Circuit c = key.circuit(p);
            long rested = c.open() ? 0 : now - c.since;
            if (reason.equals(Listener.FLEET) && !c.open() && now + length - c.until < HEARD) {
                return; // by its own record
            }
            if (c.join(length, refusing, now) == Circuit.Effect.NONE) {
                return;
            }
            key.changed(Circuit.Effect.PAUSED, (x, t) -> x.join(now + length - t, refusing, t));
            int rung = c.rung();
            c.reason = reason;
            key.tellFirst();
            key.tell(() -> key.limiter.listener().cooldownStarted(key, length, reason, rung, refusing));
            key.counters().cooldownTime += rested;
            key.pacer.reschedule(now);
        } finally {
            key.lock().unlock();
        }
    }

    /**
     * Workers counted blocks concurrently. Merged, they reach the threshold, but no worker saw the last one as the trip. This
     * key trips now.
     */
    void tripLate(String reason) {
        key.lock().lock();
        try {
            Policy p = key.policy();
            long now = key.limiter.clock().nanos();
            if (p == null || !circuit.open() || !p.global() || !p.blocksClimb() || circuit.countAt(now, p) < p.cooldownThreshold()
                    || key.limiter.passing()) {
                return;
            }
            Circuit.Effect effect = trip(p, now);
            key.tellFirst();
            Told told = new Told(key, null, null);
            told.reason = reason;
            told.of(circuit, effect, now, p);
            key.tell(told);
        } finally {
            key.lock().unlock();
        }
    }

    /** A trip without an answer. */
    Circuit.Effect trip(Policy p, long now) {
        Circuit.Effect effect = circuit.trip(Finding.NO_WAIT, 0, now, p);
        key.changed(effect, (x, t) -> x.open() ? x.trip(Finding.NO_WAIT, 0, t, p) : Circuit.Effect.NONE);
        key.counters().cooldowns++;
        key.pacer.reschedule(now);
        return effect;
    }

    /** Another worker has begun a rest, or ended one. */
    void changedByOthers(boolean rested, long since, boolean another, long now) {
        if (rested) {
            key.counters().cooldownTime += (circuit.open() ? now : circuit.since) - since;
        }
        if (!circuit.open() && another && circuit.rung() > 0) {
            key.counters().cooldowns++;
        }
    }
}
