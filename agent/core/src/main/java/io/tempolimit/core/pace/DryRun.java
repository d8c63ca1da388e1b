package io.tempolimit.core.pace;

import io.tempolimit.core.Listener;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;

/**
 * One request in a dry run: it goes at once, and the listener is told what would have become of it alone: whether it would have
 * waited, for how long and for what, or been rejected. That is asked of those who decide where it is no dry run, in the same
 * order: a redirect's wait, the {@link Cooldown}, then bucket, windows and places ({@link Plan}). Used on the arriving
 * request's thread; takes the key's lock itself.
 */
final class DryRun {
    private final PacedKey key;
    private final Reservation permit;
    private final Policy policy;
    private final long now;
    /** What it would meet; null if it would go. */
    private Rejection code;
    /** Whether it would be rejected, and not wait. */
    private boolean rejected;
    /** How long it would wait, in nanoseconds, or {@link Listener#UNKNOWN}. */
    private long wait;
    /** Whether it would go as the probe. */
    private boolean probe;

    DryRun(PacedKey key, Reservation permit, Policy policy, long now) {
        this.key = key;
        this.permit = permit;
        this.policy = policy;
        this.now = now;
    }

    /** Notes what the request would have met alone, and lets it go. */
    Reservation run() {
        Policy own = key.common.rules.own(key.name(), key.policy(), permit.target);
        long later = policy.retryAfterMax() > 0 ? key.common.redirects.left(permit.target, now) : 0;
        int limits = key.limitRejections();
        key.lock().lock();
        try {
            if (own != null && own.denied()) {
                reject(Rejection.HOST_BLOCKED);
            } else if (later > 0) {
                decide(Arrival.mayComeLater(key, policy, now + later, now), later);
            } else {
                ask();
            }
            go();
            tell(limits);
        } finally {
            key.lock().unlock();
        }
        return permit;
    }

    private void ask() {
        Cooldown d = key.cooldown();
        if (d != null) {
            d.endPause(policy, now);
            probe = !d.circuit.open() && d.mayProbe(policy, now);
        }
        if (probe) {
            return;
        }
        if (d != null && !d.circuit.open()) {
            long expected = d.expected(now);
            decide(d.admits(expected, policy, now), expected);
        } else {
            askLimits();
        }
    }

    private void askLimits() {
        LocalPacer pacer = key.pacer;
        Caps k = pacer.caps(policy, now);
        Plan.update(pacer, policy, k, now);
        long nanos = Plan.ask(pacer, permit, policy, k, now);
        if (nanos == TokenBucket.REFUSED) {
            reject(permit.limitedBy);
        } else if (nanos > 0) {
            code = permit.limitedBy;
            wait = permit.withoutPlace() ? Listener.UNKNOWN : nanos;
        }
    }

    /** It meets a rest, and waits for its end or is rejected. */
    private void decide(boolean waits, long nanos) {
        if (waits) {
            code = Rejection.HOST_COOLING_DOWN;
            wait = nanos;
        } else {
            reject(Rejection.HOST_COOLING_DOWN);
        }
    }

    private void reject(Rejection by) {
        code = by;
        rejected = true;
    }

    /** It goes: with a token and room in the windows, if there is any. */
    private void go() {
        if (probe) {
            key.pacer.takeToken(now);
            key.cooldown().probe(permit, now);
            return;
        }
        key.pacer.reserveToken(key.limit(), 0, 0, now);
        Caps k = key.pacer.caps(policy, now);
        if (k != null) {
            if (k.room(now) - now <= 0) {
                k.takeRoom(now);
            }
            k.takePlace(permit, now);
        }
        key.grant(permit, key.epochNow(), now);
    }

    /** @param limits rejections for a limit in a row, before this request was let through, which it would not have been */
    private void tell(int limits) {
        if (rejected) {
            key.counters().rejected();
            key.rejections().limits(limits);
            key.rejections().tellArrival(permit, code);
        } else if (code != null) {
            Rejection why = code;
            long nanos = wait;
            key.tell(() -> key.common.listener.delayed(key, nanos, why));
            key.waited(permit, nanos);
        }
    }
}
