package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;

/**
 * The ways in: a request arrives at a key, and is granted, waits or is rejected. It is asked in this order: whether it is a
 * dry run, what the fleet says, whether the key rests, whether others wait, and what the bucket and the caps say. Has no state
 * but the permits'; takes the key's lock itself, and none where nobody waits.
 */
final class Arrival {
    private Arrival() {
    }

    /** A request arrives: its permit is granted, or waits. */
    static Permit arrive(Key key, Target target, Policy p, long now) throws RequestRejectedException {
        int v = key.pacer.version(); // before everything that a change of it may be about
        Permit permit = key.newPermit(target, now);
        permit.jitter = p.jitter() > 0 ? p.jitter() * key.limiter.random().next() : 0;
        if (key.limiter.dryRun()) {
            return new DryRun(key, permit, p, now).run();
        }
        Cooldown d = key.cooldown();
        int epoch = d == null ? 0 : d.circuit.epoch; // before the state
        try {
            return arrive(key, permit, p, v, d, epoch, now);
        } catch (RuntimeException | Error e) {
            drop(permit);
            throw e;
        }
    }

    private static Permit arrive(Key key, Permit permit, Policy p, int v, Cooldown seen, int seenEpoch, long now)
            throws RequestRejectedException {
        Cooldown d = seen;
        int epoch = seenEpoch;
        if (key.fleet != null && p.global()) {
            key.limiter.fleetCount().look(now);
        }
        if (d == null && p.global()) {
            key.limiter.joinRest(key, now);
            d = key.cooldown();
            epoch = d == null ? 0 : d.circuit.epoch;
        }
        if (key.fleet != null && key.fleet.arrives(permit, now)) {
            return permit;
        }
        if (d != null && !d.circuit.open() && d.arrive(permit, now)) {
            return permit;
        }
        LocalPacer pacer = key.pacer;
        pacer.lateOnesFirst(p, now);
        long wait = p.capped() ? pacer.enterCapped(permit, epoch, now)
                : pacer.queue().waiting() > 0 ? pacer.enterBehind(permit, p, now) : pacer.enter(permit, p, v, now);
        if (wait == 0) {
            if (!permit.granted()) {
                key.grant(permit, epoch, now);
            }
            return permit;
        }
        if (wait == TokenBucket.REFUSED) {
            throw key.rejections().rejectForLimit(permit, now);
        }
        waits(permit, permit.withoutPlace() ? Listener.UNKNOWN : wait, permit.limitedBy);
        return permit;
    }

    /**
     * Tells of a wait that begins. The permit is among the waiters already, and nobody knows it yet: an error now would let it
     * stay there for ever, with others behind it.
     */
    static void waits(Permit permit, long expected, Rejection why) {
        try {
            permit.key.limiter.listener().delayed(permit.key, expected, why);
        } catch (RuntimeException | Error e) {
            // out of stack, say: the wait is not told of
        }
        begins(permit);
    }

    static void begins(Permit permit) {
        try {
            permit.begun = permit.key.limiter.listener().waits(permit.key);
        } catch (RuntimeException | Error e) {
            // as above
        }
    }

    /** An error of ours, or of the listener, lets the request through: then nobody waits for its turn. */
    private static void drop(Permit permit) {
        if (permit.granted()) {
            Departure.abandoned(permit);
        } else if (permit.listed() || permit.later) {
            permit.key.cancel(permit, permit.key.limiter.clock().nanos());
        }
    }

    /**
     * A request that a redirect asks to come at this time: then it takes its place behind those who wait. Its host is not held
     * up by it.
     */
    static Permit arriveLater(Key key, Target target, Policy p, long then, long now) throws RequestRejectedException {
        Permit permit = key.newPermit(target, now);
        key.lock().lock();
        try {
            if (mayComeLater(key, p, then, now)) {
                permit.due = then;
                permit.wakeAt = then;
                key.pacer.madeQueue().addLater(permit);
            }
        } finally {
            key.lock().unlock();
        }
        if (!permit.later) {
            throw key.rejections().reject(permit, Rejection.HOST_COOLING_DOWN, then - now);
        }
        waits(permit, then - now, Rejection.HOST_COOLING_DOWN);
        return permit;
    }

    /** Whether one that a redirect asks to come then waits for that. Under the lock. */
    static boolean mayComeLater(Key key, Policy p, long then, long now) {
        Circuit c = key.circuit();
        return !p.reject() && then - now <= p.maxWait() && !Circuit.beyond(then - now, p) && (c == null || !c.refuses(then));
    }

    /** See {@link Permit#owner}. */
    static void owner(Permit permit, Thread thread) {
        Key key = permit.key;
        key.lock().lock();
        try {
            Caps k = key.pacer.caps();
            Caps.Place place = permit.place;
            if (place != null) {
                place.owner = thread;
            } else if (k != null && permit.later) {
                permit.passesOver = k.holds(thread);
            } else if (k != null && permit.state == Permit.WAITING && k.holds(thread)) {
                k.passOver(permit);
                key.pacer.reschedule(key.limiter.clock().nanos());
            }
        } finally {
            key.lock().unlock();
        }
    }

    /** A request that is rejected whatever the time. */
    static RequestRejectedException refused(Key key, Target target, Rejection code) {
        return key.rejections().reject(key.newPermit(target, key.limiter.clock().nanos()), code, Rejections.NEVER);
    }

    /** See {@link Permit#goAhead}. */
    static long goAhead(Permit permit, long longerThan, boolean byBurst) {
        Key key = permit.key;
        long now = key.limiter.clock().nanos();
        long left;
        key.lock().lock();
        try {
            if (permit.state != Permit.WAITING || permit.later || key.closed() || key.capped()
                    || permit.limitedBy != Rejection.RATE_LIMIT_EXCEEDED || permit.leased == FleetSlots.WANTS) {
                return 0;
            }
            key.pacer.queue().updateTurn(permit, key.limit());
            left = permit.due - now;
            Limit l = key.limit();
            if (left <= Math.max(0, longerThan) || byBurst && left > l.tolerance + l.interval) {
                return 0;
            }
            key.go(permit, key.epochNow(), now);
            key.pacer.remove(permit);
            permit.told = true;
        } finally {
            key.lock().unlock();
        }
        key.waited(permit, now + left - permit.arrival);
        return left;
    }

    /** Takes a token without waiting, for a round on a connection that is leased already; the next request pays. */
    static Permit charge(Key key, Target target, Policy p, long now) {
        Permit permit = key.newPermit(target, now);
        if (!key.limiter.dryRun() && (key.fleet == null || !key.fleet.charges(now))) {
            key.pacer.lateOnesFirst(p, now);
            key.pacer.takeToken(now);
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
