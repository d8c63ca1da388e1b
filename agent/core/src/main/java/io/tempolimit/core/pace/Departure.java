package io.tempolimit.core.pace;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;

/**
 * The ways out of a granted request, but for its answer: it really leaves, or too late; it is not sent after all; the
 * application loses interest; its place is given back. Has no state but the permits'; takes the key's lock itself, where it
 * has to.
 */
public final class Departure {
    /** A client's own queue may keep a request this long, or half an interval, beyond its turn: threads take time to wake. */
    private static final long LATE = 20_000_000L;

    private Departure() {
    }

    /** See {@link Permit#depart}. The tests' harness weaves its recorder into this method. */
    public static Reservation depart(PacedKey key, Reservation permit) throws RequestRejectedException {
        Policy p = key.policy();
        if (permit.state != Reservation.GRANTED || p == null || key.common.rules.dryRun() || key.passing()) {
            return permit;
        }
        Cooldown d = key.cooldown();
        long now = key.now();
        boolean paused = d != null && permit.epoch != d.circuit.epoch;
        if (!paused && now - permit.dueAt <= Math.max(LATE, key.limit().interval / 2) || !permit.replaced()) {
            return permit;
        }
        Reservation again = key.permit(permit.target, now);
        again.announced(permit.announced());
        again.waitCounted = permit.waitCounted;
        key.lock().lock();
        try {
            if (permit.probe > 0) {
                d.probeLost(permit, now);
            }
            giveBack(permit, key.pacer.caps());
            if (!p.reject() || d == null || d.circuit.open()) {
                again.overdue = true;
                key.pacer.appendLate(again, now);
            } else {
                key.pacer.moveUp(now);
            }
            key.ended(1); // only now, so that the key is never idle in between
        } finally {
            key.lock().unlock();
        }
        if (!again.listed()) {
            again.notSent();
            RequestRejectedException e = key.rejections().reject(again, Rejection.HOST_COOLING_DOWN, d.circuit.pauseLeft(now));
            throw (RequestRejectedException) e.fillInStackTrace();
        }
        Arrival.begins(key, again);
        return again;
    }

    /** The room and the place of one that was not sent are free. */
    private static void giveBack(Reservation permit, Caps k) {
        if (k != null) {
            k.notSent(permit.dueAt);
            k.left(permit);
        }
    }

    /** See {@link Permit#unused}. The tests' harness weaves its recorder into this method. */
    public static void unused(PacedKey key, Reservation permit) {
        long now = key.now();
        if (!permit.finish(now)) {
            return;
        }
        key.ended(1);
        Caps k = key.pacer.caps();
        if (permit.reservedNanos == 0 && permit.probe == 0 && k == null && permit.slotState == Reservation.NO_SLOT) {
            return; // it went at once, so it has no turn that somebody could move up to
        }
        key.lock().lock();
        try {
            giveBack(permit, k);
            key.pacer.returnToken(permit, now);
            key.pacer.moveUp(now);
        } finally {
            key.lock().unlock();
        }
        probeLost(key, permit, now);
    }

    /** See {@link Permit#abandoned}. */
    public static void abandoned(PacedKey key, Reservation permit) {
        long now = key.now();
        if (permit.finish(now)) {
            key.ended(1);
            left(key, permit);
            probeLost(key, permit, now);
        }
    }

    /** The answer is over: its place is free for the next one. */
    public static void left(PacedKey key, Reservation permit) {
        if (permit.place == null) {
            return;
        }
        key.lock().lock();
        try {
            if (key.pacer.caps().left(permit)) {
                key.pacer.moveUp(key.now());
            }
        } finally {
            key.lock().unlock();
        }
    }

    /** If it is the probe, it will have no verdict: the next one goes. */
    public static void probeLost(PacedKey key, Reservation permit, long now) {
        if (permit.probe > 0) {
            key.lock().lock();
            try {
                key.cooldown().probeLost(permit, now);
                key.pacer.moveUp(now);
            } finally {
                key.lock().unlock();
            }
        }
    }
}
