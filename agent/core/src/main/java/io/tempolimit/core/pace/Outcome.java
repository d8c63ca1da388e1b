package io.tempolimit.core.pace;

import io.tempolimit.core.Listener;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.detect.Finding;

/**
 * What a verdict did, for the listener: it goes into the lock's outbox ({@link KeyLock#tell}), at once or, if an answer's head
 * did it, when its body has been looked at. Guarded by its key's lock until it is delivered.
 */
public final class Outcome implements Runnable {
    private final PacedKey key;
    /** Null where no answer did it. */
    public final Reservation permit;
    /** Null if there is no block to tell of. */
    public Finding finding;
    int consecutive;
    public boolean counts;
    public Circuit.Effect effect = Circuit.Effect.NONE;
    long pause;
    int rung;
    boolean refusing;
    /** Whether all keys of the same scope rest with this one. */
    boolean global;
    /** Why it rests. */
    public String reason;
    /** Whether what was learnt is that blocks here do not come from speed. */
    public boolean gaveBack;

    public Outcome(PacedKey key, Reservation permit, Finding finding) {
        this.key = key;
        this.permit = permit;
        named(finding);
    }

    /** The block has this name. */
    public void named(Finding by) {
        finding = by;
        reason = by == null ? null : by.verdict().type();
    }

    public void of(Circuit c, Circuit.Effect does, long now, Policy p) {
        consecutive = c.countAt(now, p);
        effect = does;
        pause = c.pause;
        rung = c.rung();
        refusing = c.refuses(now);
        global = does == Circuit.Effect.TRIPPED && p.global();
        if (does != Circuit.Effect.NONE && does != Circuit.Effect.OPENED) {
            c.reason = reason;
        }
    }

    /** Tells the listener. */
    @Override
    public void run() {
        Listener listener = key.common.listener;
        if (finding != null && finding.verdict().isBlock()) {
            listener.blocked(key, permit.target, finding, consecutive, counts);
        }
        if (effect == Circuit.Effect.OPENED) {
            listener.cooldownEnded(key);
        } else if (effect == Circuit.Effect.BLOCKED_FOR_LIFE) {
            listener.lifetimeBlocked(key, reason);
        } else if (effect != Circuit.Effect.NONE) {
            listener.cooldownStarted(key, pause, reason, rung, refusing);
        }
        if (gaveBack) {
            listener.notFromSpeed(key);
        }
        if (global) {
            key.common.restAll(key, pause, refusing, reason);
        }
    }

    /** Takes out of it what others do because of it, which does not wait until it is told. */
    public void tellOthers() {
        if (!global) {
            return;
        }
        Outcome others = new Outcome(key, null, null);
        others.global = true;
        others.pause = pause;
        others.refusing = refusing;
        others.reason = reason;
        global = false;
        key.tell(others);
    }
}
