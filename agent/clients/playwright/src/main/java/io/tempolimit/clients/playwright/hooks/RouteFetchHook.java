package io.tempolimit.clients.playwright.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A route handler sends a page's request in the browser's place: the navigation has been charged for it. */
public final class RouteFetchHook extends Hook {
    /** Set between here and the fetch that follows on the same thread, before anything else can run on it. */
    private static final ThreadLocal<Boolean> NEXT = new ThreadLocal<>();

    private static final Call CLEAR = new Call() {
        @Override
        public Throwable fail(Throwable failure) {
            NEXT.remove(); // it may have failed before the fetch
            return failure;
        }
    };

    public RouteFetchHook(Gate gate) {
    }

    /** Whether the fetch that begins now is a page's own request. */
    static boolean isPagesOwn() {
        boolean own = NEXT.get() != null;
        NEXT.remove();
        return own;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        NEXT.set(true);
        return CLEAR;
    }
}
