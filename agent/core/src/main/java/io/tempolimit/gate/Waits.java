package io.tempolimit.gate;

import io.tempolimit.core.Permit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The calls of a client that wait, with or without a thread: who cancels one of them, from whatever thread, ends its wait. Thread-safe. */
public final class Waits<C> {
    private final ConcurrentHashMap<C, Runnable> ends = new ConcurrentHashMap<>();
    private final Predicate<C> cancelled;

    /** @param cancelled whether a call was cancelled */
    public Waits(Predicate<C> cancelled) {
        this.cancelled = cancelled;
    }

    /**
     * A call waits.
     *
     * @param end ends its wait; run once or more when it is cancelled, and at once if it was cancelled already
     */
    public void begins(C call, Permit permit, Runnable end) {
        ends.put(call, end);
        if (cancelled.test(call)) {
            end.run(); // whoever cancelled it may have looked before it was entered
        }
        if (!permit.waiting()) {
            ends.remove(call); // it was over before it was entered
        }
    }

    /** The call waits no longer. */
    public void over(C call) {
        ends.remove(call);
    }

    /** Ends the call's wait, if it waits: it goes on, and finds out itself why. */
    public void end(C call) {
        Runnable end = ends.get(call);
        if (end != null) {
            end.run();
        }
    }

    /** Ends the waits of all calls that were cancelled, for a client that cancels several without telling which. */
    public void endCancelled() {
        for (Map.Entry<C, Runnable> wait : ends.entrySet()) {
            if (cancelled.test(wait.getKey())) {
                wait.getValue().run();
            }
        }
    }
}
