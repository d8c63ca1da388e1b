package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.core.Permit;

/** The first hop of a call while its thread sends it: from the gate, where the call has no future yet, to where that is made. */
final class First {
    private static final ThreadLocal<First> CURRENT = new ThreadLocal<>();

    /** A callback may begin a call within a call. */
    private final First outer;
    private Permit permit;

    private First(First outer) {
        this.outer = outer;
    }

    static First enter() {
        First first = new First(CURRENT.get());
        CURRENT.set(first);
        return first;
    }

    /** The gate has let it through, with a permit if it is paced. */
    static void begins(Permit permit) {
        First first = CURRENT.get();
        if (first != null) {
            first.permit = permit;
        } else if (permit != null) {
            permit.abandoned(); // sent past the client's front door, so nobody will see its answer
        }
    }

    /** Its permit, for the one who asks first. */
    static Permit take() {
        First first = CURRENT.get();
        if (first == null) {
            return null;
        }
        Permit permit = first.permit;
        first.permit = null;
        return permit;
    }

    void exit() {
        if (permit != null) {
            permit.unused(); // it failed before it had a future
        }
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
