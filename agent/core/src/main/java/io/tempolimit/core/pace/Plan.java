package io.tempolimit.core.pace;

import io.tempolimit.core.Rejection;
import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.queue.WaitQueue;

/**
 * The arithmetic of turns: when each of those who wait goes, in order of arrival, by bucket, windows and places. Has no state;
 * the plan is in the waiters' permits, in the bucket and in {@link Caps}. All under the key's lock.
 */
final class Plan {
    private Plan() {
    }

    /** Brings the plan up to date, as far as one that arrives needs that. {@code k}: null if neither windows nor places are limited. */
    static void update(LocalPacer pacer, Policy p, Caps k, long now) {
        Reservation first = pacer.first();
        if (k == null) {
            return;
        }
        if (first == null) {
            pacer.reclaim(k, now);
            k.promiseNothing();
        } else if (first.dueAt - now <= 0 && pacer.bucket.peek(now, pacer.limit()) == 0
                || pacer.queue().outdated() && (p.reject() || p.maxWait() != Policy.UNLIMITED)) {
            pacer.replan(now); // all are late: nobody overtakes them; or who will not wait long must know
        }
    }

    /**
     * When one that arrives would go, behind all who wait, and what it would wait for. Reserves nothing. {@code k}: null if
     * neither windows nor places are limited.
     *
     * @return nanoseconds to wait, or {@link TokenBucket#REFUSED} if it would not wait that long
     */
    static long ask(LocalPacer pacer, Reservation permit, Policy p, Caps k, long now) {
        plan(permit, k, Math.max(0, pacer.bucket.get() - now), pacer.limit(), now);
        long wait = permit.dueAt - now;
        return wait > 0 && (p.reject() || !permit.endures(p, now)) ? TokenBucket.REFUSED : wait;
    }

    /**
     * Reserves for one that arrives, behind all who wait.
     *
     * @return nanoseconds to wait, or {@link TokenBucket#REFUSED}; then nothing is reserved
     */
    static long reserve(LocalPacer pacer, Reservation permit, Policy p, Caps k, long now) {
        Limit l = pacer.limit();
        pacer.bucket.fill(now);
        long wait = ask(pacer, permit, p, k, now);
        if (wait == TokenBucket.REFUSED) {
            return wait;
        }
        long ahead = Math.max(0, pacer.bucket.get() - now);
        if (wait > 0 && pacer.first() == null) {
            k.plan(now);
        }
        if (!permit.withoutPlace()) {
            pacer.bucket.addAndGet(promise(permit, k, ahead, l, now) - ahead);
        }
        return wait;
    }

    /** Hands out all turns anew. {@code k}: null if neither windows nor places are limited. */
    static void reserveAll(LocalPacer pacer, Policy p, Caps k, long now) {
        Limit l = pacer.limit();
        WaitQueue queue = pacer.queue();
        if (k != null) {
            k.plan(now);
        }
        pacer.bucket.fill(now);
        long before = pacer.bucket.get();
        long ahead = Math.max(0, before - queue.unused() - now);
        boolean full = false;
        queue.forgetReserved();
        for (Reservation w = queue.first(), after; w != null; w = after) {
            after = w.next();
            boolean wasWithout = w.withoutPlace();
            w.placePromised = false;
            plan(w, k, ahead, l, now);
            if (w.withoutPlace() && !full) {
                full = true;
                w.dueAt = now + Caps.LOOK; // the first of those without a place looks whether somebody has dropped his answer
            } else if (w.withoutPlace() && wasWithout && k.noneReentrant()) {
                break; // neither have those behind it one, and they know
            }
            if (pacer.settle(w, p, w.endures(p, now), now) && !w.withoutPlace()) {
                ahead = promise(w, k, ahead, l, now);
                queue.reserve(w.reservedNanos);
            }
        }
        pacer.bucket.addAndGet(now + ahead - before); // an addition, so that a token which somebody takes meanwhile stays taken
    }

    /** When this one would go as the next in the plan, and what it would wait for; {@code ahead}: how far ahead of now the bucket is. */
    private static void plan(Reservation w, Caps k, long ahead, Limit l, long now) {
        long wait = Math.max(0, ahead - l.tolerance);
        w.reservedNanos = 0;
        w.dueAt = now + wait + (wait > 0 ? w.extra(l) : 0);
        w.limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
        if (k == null) {
            return;
        }
        long room = k.roomInPlan(w.dueAt);
        if (room - w.dueAt > 0) {
            w.dueAt = room;
            w.limitedBy = Rejection.WINDOW_EXCEEDED;
        }
        if (!w.reentrant && !k.freeInPlan()) {
            w.dueAt = now + Limit.HORIZON;
            w.limitedBy = Rejection.CONCURRENCY_LIMIT_EXCEEDED;
        }
    }

    /** Gives it that turn; how far ahead the bucket is then. */
    private static long promise(Reservation w, Caps k, long ahead, Limit l, long now) {
        long extra = w.dueAt - now > 0 ? w.extra(l) : 0;
        long then = Math.max(ahead, Math.min(Limit.HORIZON, Math.max(ahead + extra, w.dueAt - now) + l.interval));
        w.reservedNanos = then - ahead;
        w.reservedUntil = now + then;
        if (k != null) {
            k.promise(w, w.dueAt);
        }
        return then;
    }
}
