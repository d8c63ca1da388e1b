package io.tempolimit.core.pace;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.Unseen;
import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.request.Target;

/**
 * The ways in: a request arrives at a key, and is granted, waits or is rejected. It is asked in this order: whether it is a
 * dry run, what the fleet says, whether the key rests, whether others wait, and what the bucket and the caps say. Has no state
 * but the permits'; takes the key's lock itself, and none where nobody waits.
 */
public final class Arrival {
    private Arrival() {
    }

    /** Gives the permit of a request, which is announced by this, also if the permit is null. To be called before it is published. */
    public static Permit announced(Permit permit, Target target, Unseen unseen) {
        if (permit == null) {
            unseen.announced(target);
        } else {
            Reservation r = (Reservation) permit;
            r.announced(unseen.announced(target, r.arrival));
        }
        return permit;
    }

    /** A request arrives: its permit is granted, or waits. */
    public static Permit arrive(PacedKey key, Target target, Policy p, long now) throws RequestRejectedException {
        int v = key.pacer.version(); // before everything that a change of it may be about
        Reservation permit = key.newPermit(target, now);
        permit.jitter = p.jitter() > 0 ? p.jitter() * key.common.random.next() : 0;
        if (key.common.rules.dryRun()) {
            return new DryRun(key, permit, p, now).run();
        }
        Cooldown d = key.cooldown();
        int epoch = d == null ? 0 : d.circuit.epoch; // before the state
        try {
            return arrive(key, permit, p, v, d, epoch, now);
        } catch (RuntimeException | Error e) {
            drop(key, permit);
            throw e;
        }
    }

    private static Permit arrive(PacedKey key, Reservation permit, Policy p, int v, Cooldown seen, int seenEpoch, long now)
            throws RequestRejectedException {
        Cooldown d = seen;
        int epoch = seenEpoch;
        if (p.global()) {
            key.common.globalCount().look(now);
        }
        if (d == null && p.global()) {
            key.common.joinRest(key, now);
            d = key.cooldown();
            epoch = d == null ? 0 : d.circuit.epoch;
        }
        if (key.pacer.arrives(permit, now)) {
            return permit;
        }
        if (d != null && !d.circuit.open() && d.arrive(permit, now)) {
            return permit;
        }
        LocalPacer pacer = key.pacer;
        pacer.lateOnesFirst(p, now);
        long wait = p.capped() ? enterCapped(key, permit, epoch, now) : pacer.enter(permit, p, v, now);
        if (wait == 0 && permit.listed()) { // those in front are on their way: it comes behind them
            begins(key, permit);
            return permit;
        }
        if (wait == 0) {
            if (!permit.granted()) {
                key.grant(permit, epoch, now);
            }
            return permit;
        }
        if (wait == TokenBucket.REFUSED) {
            throw key.rejections().rejectForLimit(permit, now);
        }
        waits(key, permit, permit.withoutPlace() ? Listener.UNKNOWN : wait, permit.limitedBy);
        return permit;
    }

    /**
     * See {@link LocalPacer#enter}, where there are windows, or a limit of requests in flight: all under the lock.
     *
     * @return 0 if it goes, and was granted; or was entered behind somebody that has not taken its turn yet
     */
    private static long enterCapped(PacedKey key, Reservation permit, int epoch, long now) {
        LocalPacer pacer = key.pacer;
        key.lock().lock();
        try {
            Policy p = key.policy();
            if (p == null || key.passing()) {
                key.grant(permit, key.epochNow(), now);
                return 0;
            }
            Caps k = pacer.caps(p, now);
            if (key.closed()) { // it has come to rest just now
                pacer.madeQueue().append(permit);
                pacer.replan(now);
                return permit.state == Reservation.REJECTED ? TokenBucket.REFUSED : Math.max(1, permit.dueAt - now);
            }
            Plan.update(pacer, p, k, now);
            long wait = Plan.reserve(pacer, permit, p, k, now);
            if (wait == 0 && (pacer.first() == null || p.reject())) {
                k.release(permit);
                key.go(permit, epoch, now);
            } else if (wait >= 0) {
                Reservation last = pacer.queue().last();
                if (permit.withoutPlace() && (last == null || !last.withoutPlace())) {
                    permit.dueAt = now + Caps.LOOK;
                }
                pacer.madeQueue().append(permit);
                permit.setWake(p);
            }
            return wait;
        } finally {
            key.lock().unlock();
        }
    }

    /**
     * Tells of a wait that begins. The permit is among the waiters already, and nobody knows it yet: an error now would let it
     * stay there for ever, with others behind it.
     */
    static void waits(PacedKey key, Reservation permit, long expected, Rejection why) {
        try {
            key.common.listener.delayed(key, expected, why);
        } catch (RuntimeException | Error e) {
            // out of stack, say: the wait is not told of
        }
        begins(key, permit);
    }

    public static void begins(PacedKey key, Reservation permit) {
        try {
            permit.waitToken = key.common.listener.waits(key);
        } catch (RuntimeException | Error e) {
            // as above
        }
    }

    /** An error of ours, or of the listener, lets the request through: then nobody waits for its turn. */
    private static void drop(PacedKey key, Reservation permit) {
        if (permit.granted()) {
            Departure.abandoned(key, permit);
        } else if (permit.listed() || permit.comesLater) {
            key.cancel(permit, key.now());
        }
    }

    /**
     * A request that a redirect asks to come at this time: then it takes its place behind those who wait. Its host is not held
     * up by it.
     */
    public static Permit arriveLater(PacedKey key, Target target, Policy p, long then, long now) throws RequestRejectedException {
        Reservation permit = key.newPermit(target, now);
        key.lock().lock();
        try {
            if (mayComeLater(key, p, then, now)) {
                permit.dueAt = then;
                permit.wakeAt = then;
                key.pacer.madeQueue().addLater(permit);
            }
        } finally {
            key.lock().unlock();
        }
        if (!permit.comesLater) {
            throw key.rejections().reject(permit, Rejection.HOST_COOLING_DOWN, then - now);
        }
        waits(key, permit, then - now, Rejection.HOST_COOLING_DOWN);
        return permit;
    }

    /** Whether one that a redirect asks to come then waits for that. Under the lock. */
    static boolean mayComeLater(PacedKey key, Policy p, long then, long now) {
        Circuit c = key.circuit();
        return !p.reject() && then - now <= p.maxWait() && !Circuit.beyond(then - now, p) && (c == null || !c.refuses(then));
    }

    /** See {@link Permit#owner}. */
    public static void owner(PacedKey key, Reservation permit, Thread thread) {
        key.lock().lock();
        try {
            Caps k = key.pacer.caps();
            Caps.Place place = permit.place;
            if (place != null) {
                place.owner(thread);
            } else if (k != null && permit.comesLater) {
                permit.reentrant = k.holds(thread);
            } else if (k != null && permit.state == Reservation.WAITING && k.holds(thread)) {
                k.makeReentrant(permit);
                key.pacer.replan(key.now());
            }
        } finally {
            key.lock().unlock();
        }
    }

    /** A request that is rejected whatever the time. */
    public static RequestRejectedException refused(PacedKey key, Target target, Rejection code) {
        return key.rejections().reject(key.newPermit(target, key.now()), code, Rejections.NEVER);
    }

    /** See {@link Permit#goAhead}. */
    public static long goAhead(PacedKey key, Reservation permit, long longerThan, boolean byBurst) {
        long now = key.now();
        long left;
        key.lock().lock();
        try {
            if (permit.state != Reservation.WAITING || permit.comesLater || key.closed() || key.capped()
                    || permit.limitedBy != Rejection.RATE_LIMIT_EXCEEDED || permit.slotState == Reservation.WANTS_SLOT) {
                return 0;
            }
            key.pacer.queue().update(permit, key.limit());
            left = permit.dueAt - now;
            Limit l = key.limit();
            if (left <= Math.max(0, longerThan) || byBurst && left > l.tolerance + l.interval) {
                return 0;
            }
            key.go(permit, key.epochNow(), now);
            key.pacer.remove(permit);
            permit.waitEndTold = true;
        } finally {
            key.lock().unlock();
        }
        key.waited(permit, now + left - permit.arrival);
        return left;
    }

    /** Takes a token without waiting, for a round on a connection that is leased already; the next request pays. */
    public static Permit charge(PacedKey key, Target target, Policy p, long now) {
        Reservation permit = key.newPermit(target, now);
        if (!key.common.rules.dryRun()) {
            key.pacer.charge(p, now);
        }
        if (p.capped()) {
            key.lock().lock();
            try {
                key.pacer.caps(p, now).takeRoom(now); // its connection is leased, so it has a place
            } finally {
                key.lock().unlock();
            }
        }
        key.grant(permit, key.epochNow(), now);
        return permit;
    }
}
