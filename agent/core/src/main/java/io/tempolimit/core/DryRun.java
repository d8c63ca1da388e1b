package io.tempolimit.core;

import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Policy;

/**
 * One request in a dry run: it goes at once, and what it would have met is reported. It is asked of the bucket, the circuit,
 * the caps and the redirect that it follows; what would make it wait longest counts. Used on the arriving request's thread;
 * takes the key's lock itself.
 */
final class DryRun {
    private final Key key;
    private final Permit permit;
    private final Policy policy;
    private final long now;
    /** How long it would wait, and for what. */
    private long wait;
    private Rejection code = Rejection.RATE_LIMIT_EXCEEDED;
    /** Whether it would be rejected however long it waited. */
    private boolean refused;

    DryRun(Key key, Permit permit, Policy policy, long now) {
        this.key = key;
        this.permit = permit;
        this.policy = policy;
        this.now = now;
    }

    /** Notes what the request would have met alone, and lets it go. */
    Permit run() {
        wait = key.pacer.reserve(key.limit(), 0, 0, now);
        if (wait == TokenBucket.REFUSED) {
            wait = key.pacer.bucket.peek(now, key.limit());
        }
        Policy own = key.limiter.own(key, permit.target);
        boolean denied = own != null && own.denied();
        refused = denied;
        int limits = key.limitRejections();
        Cooldown d = key.cooldown();
        if (d == null) {
            key.grant(permit, 0, now);
        } else {
            ask(d);
        }
        if (policy.capped()) {
            askCaps();
        }
        askRedirect();
        code = denied || d != null && d.circuit.state == Circuit.State.LIFETIME_BLOCKED ? Rejection.HOST_BLOCKED : code;
        if (refused || wait > 0 && (policy.reject() || wait > policy.maxWait())) {
            rejected(limits);
        } else if (wait > 0) {
            key.limiter.listener().delayed(key, wait, code);
            key.waited(permit, wait);
        }
        return permit;
    }

    private void ask(Cooldown d) {
        Circuit c = d.circuit;
        Told told = null;
        key.lock().lock();
        try {
            told = d.endPause(policy, now);
            if (c.probeDue(now)) {
                d.probe(permit, now);
            } else {
                key.grant(permit, key.epochNow(), now);
                if (!c.open()) {
                    wait = Math.max(wait, c.pauseLeft(now));
                    code = Rejection.HOST_COOLING_DOWN;
                    refused |= c.refuses(now);
                }
            }
        } finally {
            key.lock().unlock();
            Told.tell(told, key);
        }
    }

    private void askCaps() {
        key.lock().lock();
        try {
            Caps k = key.pacer.caps(policy, now);
            long room = k.room(now) - now;
            if (room == 0) {
                k.takeRoom(now);
            } else if (room > wait) {
                wait = room;
                code = Rejection.WINDOW_EXCEEDED;
                refused |= policy.retryAfterMax() > 0 && room > policy.retryAfterMax();
            }
            if (!k.free()) {
                code = policy.reject() ? Rejection.CONCURRENCY_LIMIT_EXCEEDED : code; // how long it would wait nobody knows
                refused |= policy.reject();
            }
            k.takePlace(permit, now);
        } finally {
            key.lock().unlock();
        }
    }

    private void askRedirect() {
        long later = policy.retryAfterMax() > 0 ? key.limiter.redirectLeft(permit.target, now) : 0;
        if (later > wait) {
            wait = later;
            code = Rejection.HOST_COOLING_DOWN;
            refused |= Circuit.beyond(later, policy);
        }
    }

    /** @param limits rejections for a limit in a row, before this request was let through, which it would not have been */
    private void rejected(int limits) {
        Told told;
        key.lock().lock();
        try {
            key.counters().rejected++;
            key.rejections().limits(limits);
            told = key.rejections().count(permit, code);
        } finally {
            key.lock().unlock();
        }
        key.limiter.listener().rejected(key, permit.target, code);
        Told.tell(told, key);
    }
}
