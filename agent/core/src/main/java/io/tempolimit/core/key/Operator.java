package io.tempolimit.core.key;

import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.pace.Cooldown;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;

/**
 * What an operator does to one key: pause and resume it, give it another limit, and forget what was counted or learnt. In a
 * fleet it is done everywhere. Made for one call; takes the key's lock itself.
 */
final class Operator {
    private final HostKey key;

    Operator(HostKey key) {
        this.key = key;
    }

    /** See {@link Key#pause}. */
    boolean pause(long nanos) {
        boolean longer;
        key.lock().lock();
        try {
            refuseForLife();
            long now = key.now();
            Policy p = key.policy();
            if (p == null) {
                return false;
            }
            Circuit c = key.circuit(p);
            boolean rested = !c.open();
            long since = c.since;
            longer = c.hold(nanos, now) != Circuit.Effect.NONE;
            if (longer) {
                key.tellFirst();
                key.tell(() -> key.common.listener.cooldownStarted(key, nanos, Listener.OPERATOR, 0, false));
                key.pacer.changed(Circuit.Effect.PAUSED, (x, t) -> x.hold(nanos, t));
                if (rested) {
                    key.counters().rested(c.since - since);
                }
                c.reason = Listener.OPERATOR;
                key.pacer.replan(now);
            }
        } finally {
            key.lock().unlock();
        }
        return longer;
    }

    /** See {@link Key#resume}. */
    void resume() {
        key.lock().lock();
        try {
            refuseForLife();
            Circuit c = key.circuit();
            Policy p = key.policy();
            if (c == null || c.open() || p == null) {
                return;
            }
            long now = key.now();
            key.counters().rested(now - c.since);
            key.pacer.changed(Circuit.Effect.OPENED, Cooldown.OPEN);
            key.tellFirst();
            key.tell(() -> key.common.listener.cooldownEnded(key));
            key.cooldown().open(p, now, now);
        } finally {
            key.lock().unlock();
        }
    }

    /** See {@link Key#resetStats}. */
    void resetStats() {
        key.lock().lock();
        try {
            key.resetCounters();
            if (key.closed()) {
                key.counters().rested(key.circuit().since - key.now()); // what has passed of it is not counted
            }
        } finally {
            key.lock().unlock();
        }
    }

    private void refuseForLife() {
        if (key.blockedForLife()) {
            throw new IllegalStateException(key.name() + " is blocked for good; only reset ends that");
        }
    }

    /** See {@link Key#limit(Limit)}. */
    void limit(Limit limit) {
        key.common.rules.overrule(key.name(), limit);
        key.apply(key.now());
        key.lock().lock();
        try {
            if (key.policy() != null) {
                key.pacer.changed(Circuit.Effect.NONE, (c, now) -> {
                    key.overrule(limit);
                    return Circuit.Effect.NONE;
                });
                key.pacer.askFleet(key.now());
            }
        } finally {
            key.lock().unlock();
        }
    }

    /** See {@link Key#reset}. */
    void reset() {
        key.lock().lock();
        try {
            key.tellFirst();
            boolean rested = key.closed();
            long now = key.now();
            forget(rested, now);
            key.apply(now);
            if (rested) {
                key.tell(() -> key.common.listener.cooldownEnded(key));
            }
        } finally {
            key.lock().unlock();
        }
    }

    private void forget(boolean rested, long now) {
        Circuit c = key.circuit();
        Policy p = key.policy();
        if (key.limitRejections() > 0) {
            key.rejections().limits(0);
        }
        if (key.verdicts() != null) {
            key.verdicts().forget();
        }
        key.common.rules.overrule(key.name(), null);
        if (key.pacer.inFleet() && p != null) {
            c = key.circuit(p);
            key.pacer.changed(Circuit.Effect.OPENED, (x, t) -> {
                x.reset();
                key.forgetLearned();
                key.overrule(null);
                return Circuit.Effect.OPENED;
            });
        }
        boolean together = key.pacer.together();
        if (c != null && together) {
            c.reset(); // before it is told
        }
        if (rested && p != null) {
            key.counters().rested(now - c.since);
            key.cooldown().open(p, now, now);
        }
        if (c != null && !together) {
            c.reset();
        }
    }
}
