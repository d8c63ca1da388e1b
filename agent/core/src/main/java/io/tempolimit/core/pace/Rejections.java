package io.tempolimit.core.pace;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.bucket.Window;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import java.util.Locale;

/**
 * How requests of one key are rejected: what the permit, the statistics, the listener and the application get of it. With
 * {@code escalation.on=limit} it also counts rejections for a limit like blocks. Made with the key's first rejection. All under
 * the key's lock, where a method does not take that itself.
 */
public final class Rejections {
    /** For a rejection that no wait changes. */
    static final long NEVER = -1;

    private final PacedKey key;
    /** Rejections for a limit since a request was let through, where they count. Read without the lock as well. */
    private volatile int limits;
    /** When a request was last rejected for a limit, where that counts. */
    private long lastLimit;

    Rejections(PacedKey key) {
        this.key = key;
    }

    /** A request was let through. May be called without the lock. */
    void letThrough() {
        if (limits > 0) {
            limits = 0;
        }
    }

    int limits() {
        return limits;
    }

    /** Makes as if no request had been let through since this was what {@link #limits} said. */
    public void limits(int before) {
        limits = before;
    }

    /** Rejects an arriving request. Takes the lock. */
    RequestRejectedException reject(Reservation permit, Rejection code, long retryAfter) {
        key.lock().lock();
        try {
            boolean silent = key.blockedForLife();
            refuse(permit, silent ? Rejection.HOST_BLOCKED : code, silent ? NEVER : retryAfter);
        } finally {
            key.lock().unlock();
        }
        return rejected(permit);
    }

    /** Rejects an arriving request for the limit that it has met. Takes the lock. */
    RequestRejectedException rejectForLimit(Reservation permit, long now) {
        switch (permit.limitedBy) {
            case WINDOW_EXCEEDED:
                return reject(permit, permit.limitedBy, permit.dueAt - now);
            case CONCURRENCY_LIMIT_EXCEEDED:
                return reject(permit, permit.limitedBy, Caps.LOOK); // nobody knows
            default:
                return reject(permit, permit.limitedBy, key.pacer.bucket.peek(now, key.limit()));
        }
    }

    /** Tells of an arriving request's rejection. Takes the lock. */
    public RequestRejectedException rejected(Reservation permit) {
        key.lock().lock();
        try {
            tellArrival(permit, permit.rejection);
        } finally {
            key.lock().unlock();
        }
        return explain(permit);
    }

    /** An arriving request is rejected, or would be in a dry run. Of a key that is blocked for good the listener knows that. */
    void tellArrival(Reservation permit, Rejection code) {
        if (key.blockedForLife()) {
            count(permit, code);
        } else {
            tell(permit, code);
        }
    }

    /** A request was rejected: the listener is told, and it is counted. */
    void tell(Reservation permit, Rejection code) {
        key.tell(() -> key.common.listener.rejected(key, permit.target, code));
        count(permit, code);
    }

    /** An answer is an event stream too many; gives what its reader is to be told. Takes the lock. */
    public RequestRejectedException rejectStream(Reservation permit) {
        Rejection code = Rejection.SSE_CONCURRENCY_LIMIT_EXCEEDED;
        key.lock().lock();
        try {
            key.counters().rejected();
            key.tell(() -> key.common.listener.rejected(key, permit.target, code));
        } finally {
            key.lock().unlock();
        }
        return new RequestRejectedException(code.name(), permit.target.method(), permit.host(), NEVER, code.limitType(), 0, 0, code.hint(),
                false);
    }

    /** Rejects a waiter. */
    void rejectWaiter(Reservation permit, long now) {
        Circuit c = key.circuit();
        key.pacer.remove(permit);
        key.pacer.returnToken(permit, now);
        if (c == null || c.open()) {
            refuse(permit, permit.limitedBy, permit.withoutPlace() ? Caps.LOOK : permit.dueAt - now);
        } else if (c.state == Circuit.State.LIFETIME_BLOCKED) {
            refuse(permit, Rejection.HOST_BLOCKED, NEVER);
        } else {
            refuse(permit, Rejection.HOST_COOLING_DOWN, c.pauseLeft(now));
        }
    }

    /** Notes a rejection in the permit and the statistics. */
    public void refuse(Reservation permit, Rejection code, long retryAfter) {
        permit.rejection = code;
        permit.retryAfter = retryAfter == NEVER ? NEVER : Math.max(0, retryAfter);
        permit.state = Reservation.REJECTED;
        key.counters().rejected();
    }

    /** A request was rejected. For a limit, with {@code escalation.on=limit}, that counts like a block, until one is let through. */
    private void count(Reservation permit, Rejection code) {
        Policy p = key.policy();
        if (p == null || !p.limitsClimb() || !code.ofLimit()) {
            return;
        }
        long now = key.now();
        limits = limits == 0 || now - lastLimit > p.cooldownMemory() ? 1 : limits + 1;
        lastLimit = now;
        if (limits < p.cooldownThreshold()) {
            return;
        }
        limits = 0;
        Cooldown d = key.madeCooldown(p);
        if (d.circuit.open()) {
            d.trip(permit, code.name().toLowerCase(Locale.ROOT), p, now);
        }
    }

    /** Says what a limit is, if somebody asks. */
    private static final class Hint {
        private final Object limit;
        private final String per;

        Hint(Object limit, String per) {
            this.limit = limit;
            this.per = per;
        }

        @Override
        public String toString() {
            return "limit: " + limit + " per " + per;
        }
    }

    /** What tells the application of a permit's rejection, without a stack yet. Takes the lock where it has to. */
    public RequestRejectedException explain(Reservation permit) {
        Rejection code = permit.rejection;
        Policy p = key.policy();
        if (p == null) {
            return exception(permit, null, 0, 0, "it is not paced any more");
        }
        switch (code) {
            case RATE_LIMIT_EXCEEDED:
                Limit l = key.limit();
                long missing = Math.max(1, (permit.retryAfter - 1) / l.interval + 1); // for each interval to wait, one token is missing
                return exception(permit, p, l.burst() + missing, l.burst(), hint(l));
            case WINDOW_EXCEEDED:
            case CONCURRENCY_LIMIT_EXCEEDED:
                key.lock().lock();
                try {
                    return capExceeded(permit, p, code == Rejection.WINDOW_EXCEEDED, key.now());
                } finally {
                    key.lock().unlock();
                }
            case HOST_COOLING_DOWN:
                Circuit c = key.circuit(); // null if it follows a redirect that asks to wait
                long blocks = c == null ? 0 : c.countAt(key.now(), p);
                long of = blocks < p.cooldownThreshold() ? 0 : p.cooldownThreshold(); // else it was no trip, but what the site asked for
                return exception(permit, p, blocks, of, code.hint());
            default:
                return exception(permit, p, 0, 0, code.hint());
        }
    }

    private RequestRejectedException capExceeded(Reservation permit, Policy p, boolean window, long now) {
        Caps k = key.pacer.caps();
        WindowLimit held = window ? key.pacer.limitingWindow() : null;
        Window fullest = window && k != null ? k.fullest(now) : null;
        if (held != null) { // full with what all workers have sent, or will
            return exception(permit, p, held.count + 1, held.count, hint(held));
        }
        if (fullest != null) {
            return exception(permit, p, fullest.used(now) + 1, fullest.limit().count, hint(fullest.limit()));
        }
        long of = p.concurrency() < Integer.MAX_VALUE ? p.concurrency() : 0;
        return exception(permit, p, (k == null ? 0 : k.inFlight()) + 1, of, hint(of + " requests in flight"));
    }

    private Hint hint(Object limit) {
        return new Hint(limit, key.common.rules.per());
    }

    private static RequestRejectedException exception(Reservation permit, Policy p, long used, long of, Object hint) {
        Rejection code = permit.rejection;
        long seconds = permit.retryAfter < 0 ? NEVER : Math.max(1, (permit.retryAfter + 999_999_999L) / 1_000_000_000L);
        return new RequestRejectedException(code.name(), permit.target.method(), permit.host(), seconds, code.limitType(), used, of, hint,
                p != null && p.respond() && permit.target.answerable());
    }
}
