package io.tempolimit.core.pace;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.queue.WaitQueue;
import io.tempolimit.detect.Finding;

/**
 * The key's {@link Circuit}, and what its cooldowns and probes mean for those who arrive or wait: who goes as the probe and
 * when, who is rejected, and how the key opens. Made with the first block. All under the key's lock, but for {@link #arrive},
 * {@link #join} and {@link #tripLate}, which take it themselves.
 */
public final class Cooldown {
    /** What a rest of all in the fleet may be longer than that of a key of it, for its record took longer. */
    private static final long HEARD = 10_000_000L;
    /** For the fleet: the key opens, without an answer. */
    public static final Circuit.Change OPEN = (c, now) -> c.open() ? Circuit.Effect.NONE : Circuit.Effect.OPENED;

    private final PacedKey key;
    final Circuit circuit;

    Cooldown(PacedKey key, Circuit circuit) {
        this.key = key;
        this.circuit = circuit;
    }

    // ---- who arrives or waits

    /** A request arrives while the key rests, or is being probed; false if it has opened meanwhile. */
    boolean arrive(Reservation permit, long now) throws RequestRejectedException {
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
            key.dropLost(null, now);
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
        Arrival.waits(key, permit, expected, Rejection.HOST_COOLING_DOWN);
        return true;
    }

    /** Whether one that arrives goes as the probe. An answer that is there already may decide, and open the key. */
    boolean mayProbe(Policy p, long now) {
        if (key.pacer.first() != null || probeDue(p, now) - now > 0) {
            return false;
        }
        key.judgeProbe(now);
        return !circuit.open() && probeDue(p, now) - now <= 0;
    }

    /** Whether one that arrives, and is expected to wait so long, waits. */
    boolean admits(long expected, Policy p, long now) {
        return !p.reject() && !circuit.refuses(now) && expected <= p.maxWait();
    }

    /** The first of those who wait looks, and the probe is due: an answer that is there already may decide. */
    void judgeProbe(Reservation permit, Policy p, long now) {
        if (permit == key.pacer.first() && probeDue(p, now) - now <= 0) {
            key.judgeProbe(now);
        }
    }

    /** A waiter looks: the first goes as the probe, if that is due. */
    void tryProbe(Reservation permit, Policy p, long now) {
        LocalPacer pacer = key.pacer;
        if (permit == pacer.first() && pacer.asksForProbe(permit, circuit, p, now)) {
            if (permit.state == Reservation.REJECTED) {
                pacer.moveUp(now);
            }
            return;
        }
        rest(permit, p, now);
        permit.setWake(p);
        if (permit == pacer.first() && now - permit.dueAt >= 0) {
            pacer.takeToken(now);
            probe(permit, now);
            pacer.remove(permit);
            pacer.moveUp(now);
        }
    }

    public void probe(Reservation permit, long now) {
        permit.probe = circuit.probe(now);
        key.go(permit, circuit.epoch, now);
    }

    /** If it is the probe, it will have no verdict. */
    void probeLost(Reservation permit, long now) {
        if (permit.probe > 0) {
            if (circuit.isProbe(permit.probe)) {
                key.pacer.probeLost(now);
            }
            circuit.probeLost(permit.probe, now);
        }
    }

    /** Its turn in a cooldown: only the first has one, as the probe, and the next one in case the first is lost. */
    public void rest(Reservation w, Policy p, long now) {
        WaitQueue queue = key.pacer.queue();
        w.slotState = Reservation.NO_SLOT;
        w.reservedNanos = 0;
        w.placePromised = false;
        w.dueAt = queue.standsByForProbe(w) ? queue.looksForProbeAt(w, probeDue(p, now), now) : now + Limit.HORIZON;
    }

    private long probeDue(Policy p, long now) {
        return key.pacer.probeDue(circuit, p, now);
    }

    private long restLeft(long now) {
        return key.pacer.restLeft(circuit, now);
    }

    /** How long one that arrives would wait, as far as that is known. */
    public long expected(long now) {
        int waiting = key.pacer.queue().waiting();
        return restLeft(now) + waiting * Math.min(key.pacer.limit().interval, Limit.HORIZON / (waiting + 1));
    }

    /** Somebody has left: who is first now goes as the probe. */
    void moveUp(Policy p, long now) {
        Reservation first = key.pacer.first();
        rest(first, p, now);
        first.move(p);
        if (first.next() != null) {
            rest(first.next(), p, now);
            first.next().move(p);
        }
        key.pacer.askFleet(now);
    }

    /** Hands out all turns anew: those who do not wait that long are rejected. */
    void replan(Policy p, long now) {
        LocalPacer pacer = key.pacer;
        pacer.returnAll();
        pacer.loseSlots(now);
        long expected = now + restLeft(now);
        for (Reservation w = pacer.first(), after; w != null; w = after) {
            after = w.next();
            rest(w, p, now);
            boolean waitsOn = !circuit.refuses(now) && (p.maxWait() == Policy.UNLIMITED || expected - w.arrival <= p.maxWait());
            pacer.settle(w, p, waitsOn, now);
        }
        pacer.askFleet(now);
    }

    // ---- how it ends

    /**
     * Ends a rest.
     *
     * @param end when it was over; the bucket was empty then
     */
    public void open(Policy p, long end, long now) {
        key.pacer.open(circuit, p, end, now);
    }

    /** Opens the key where an operator's pause is over; whether it was. */
    public boolean endPause(Policy p, long now) {
        if (!circuit.holdOver(now)) {
            return false;
        }
        key.counters().rested(circuit.until - circuit.since);
        key.pacer.changed(Circuit.Effect.OPENED, OPEN);
        key.tellFirst();
        key.tell(() -> key.common.listener.cooldownEnded(key));
        open(p, circuit.until, now);
        return true;
    }

    // ---- what others do

    /** Another key of the same scope has tripped, here or in another worker. */
    static void join(PacedKey key, long length, boolean refusing, String reason) {
        key.lock().lock();
        try {
            Policy p = key.policy();
            if (p == null || !p.global()) {
                return;
            }
            long now = key.now();
            Circuit c = key.circuit(p);
            long rested = c.open() ? 0 : now - c.since;
            if (reason.equals(Listener.FLEET) && !c.open() && now + length - c.until < HEARD) {
                return; // by its own record
            }
            if (c.join(length, refusing, now) == Circuit.Effect.NONE) {
                return;
            }
            key.pacer.changed(Circuit.Effect.PAUSED, (x, t) -> x.join(now + length - t, refusing, t));
            int rung = c.rung();
            c.reason = reason;
            key.tellFirst();
            key.tell(() -> key.common.listener.cooldownStarted(key, length, reason, rung, refusing));
            key.counters().rested(rested);
            key.pacer.replan(now);
        } finally {
            key.lock().unlock();
        }
    }

    /**
     * Workers counted blocks concurrently. Merged, they reach the threshold, but no worker saw the last one as the trip. This
     * key trips now.
     */
    public void tripLate(String reason) {
        key.lock().lock();
        try {
            Policy p = key.policy();
            long now = key.now();
            if (p == null || !circuit.open() || !p.global() || !p.blocksClimb() || circuit.countAt(now, p) < p.cooldownThreshold()
                    || key.passing()) {
                return;
            }
            trip(null, reason, p, now);
        } finally {
            key.lock().unlock();
        }
    }

    /**
     * A trip without an answer, which is told.
     *
     * @param permit what was rejected for it; null if nothing was
     */
    void trip(Reservation permit, String reason, Policy p, long now) {
        Circuit.Effect effect = circuit.trip(Finding.NO_WAIT, 0, now, p);
        key.pacer.changed(effect, (x, t) -> x.open() ? x.trip(Finding.NO_WAIT, 0, t, p) : Circuit.Effect.NONE);
        key.counters().tripped();
        key.pacer.replan(now);
        key.tellFirst();
        Outcome outcome = new Outcome(key, permit, null);
        outcome.reason = reason;
        outcome.of(circuit, effect, now, p);
        key.tell(outcome);
    }

    /** Another worker has begun a rest, or ended one. */
    public void changedByOthers(boolean rested, long since, boolean another, long now) {
        if (rested) {
            key.counters().rested((circuit.open() ? now : circuit.since) - since);
        }
        if (!circuit.open() && another && circuit.rung() > 0) {
            key.counters().tripped();
        }
    }
}
