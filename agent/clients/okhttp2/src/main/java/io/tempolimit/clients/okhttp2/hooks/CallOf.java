package io.tempolimit.clients.okhttp2.hooks;

import io.tempolimit.weave.Call;

/** The call that runs on a thread, which neither its chain nor its engine tells. */
final class CallOf {
    private static final ThreadLocal<com.squareup.okhttp.Call> RUNNING = new ThreadLocal<>();

    private CallOf() {
    }

    /** Null if there is none, as with {@code OkUrlFactory}. */
    static com.squareup.okhttp.Call current() {
        return RUNNING.get();
    }

    /** This call runs. */
    static Call runs(com.squareup.okhttp.Call call) {
        com.squareup.okhttp.Call outer = RUNNING.get(); // whose interceptor makes a call of its own
        RUNNING.set(call);
        return new Call() {
            @Override
            public Object exit(Object result) {
                over();
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                over();
                return failure;
            }

            private void over() {
                if (outer == null) {
                    RUNNING.remove();
                } else {
                    RUNNING.set(outer);
                }
            }
        };
    }
}
