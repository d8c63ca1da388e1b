package io.tempolimit.core;

import io.tempolimit.detect.Finding;

/**
 * What a verdict did, for the listener, who hears of it once the key's lock is free; and, if an answer's head did it, once its body has been
 * looked at. Guarded by its key's lock until then.
 */
final class Told {
    final Permit permit;
    /** Null if there is no block to tell of. */
    Finding finding;
    /** What is to be told before. */
    Told before;
    int consecutive;
    boolean counts;
    Circuit.Effect effect = Circuit.Effect.NONE;
    long pause;
    int rung;
    boolean refusing;
    /** Whether all keys of the same scope rest with this one. */
    boolean global;
    /** Why it rests. */
    String reason;
    /** Whether what was learnt is that blocks here do not come from speed. */
    boolean gaveBack;

    Told(Permit permit, Finding finding, Told before) {
        this.permit = permit;
        this.before = before;
        named(finding);
    }

    /** The block has this name. */
    void named(Finding by) {
        finding = by;
        reason = by == null ? null : by.verdict().type();
    }

    void of(Circuit c, Circuit.Effect does, long now, Policy p) {
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

    /** Takes out of it what others do because of it, which does not wait until it is told; null if that is nothing. */
    Told takeGlobal(Told before) {
        if (!global) {
            return before;
        }
        Told others = new Told(null, null, before);
        others.global = true;
        others.pause = pause;
        others.refusing = refusing;
        others.reason = reason;
        global = false;
        return others;
    }
}
