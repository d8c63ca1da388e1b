package io.tempolimit.gate;

import io.tempolimit.core.Permit;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a client's calls cannot do without (its pool of connections, its event loops), and the calls that wait: when that
 * is closed, their waits end. Thread-safe.
 */
public final class Closings {
    private final WeakMap<Object, Boolean> closed = new WeakMap<>();
    private final ConcurrentHashMap<Permit, Wait> waiting = new ConcurrentHashMap<>();

    private static final class Wait {
        final Object needed;
        final Runnable end;

        Wait(Object needed, Runnable end) {
            this.needed = needed;
            this.end = end;
        }
    }

    /** Whether this was closed; null never is. */
    public boolean isClosed(Object needed) {
        return needed != null && closed.get(needed) != null;
    }

    /**
     * A call waits.
     *
     * @param needed what it cannot do without; null if that is not known
     * @param end    ends its wait; run once or more when that is closed, and at once if it is closed already
     */
    public void waits(Permit permit, Object needed, Runnable end) {
        if (needed == null) {
            return;
        }
        waiting.put(permit, new Wait(needed, end));
        if (isClosed(needed)) {
            end.run(); // whoever closed it may have looked before the call was entered
        }
        if (!permit.waiting()) {
            waiting.remove(permit); // it was over before it was entered
        }
    }

    /** The call waits no longer. */
    public void waitIsOver(Permit permit) {
        waiting.remove(permit);
    }

    /** This is closed, and nothing can be sent with it from now on. */
    public void closed(Object needed) {
        closed.put(needed, true);
        for (Wait wait : waiting.values()) {
            if (wait.needed == needed) {
                wait.end.run();
            }
        }
    }
}
