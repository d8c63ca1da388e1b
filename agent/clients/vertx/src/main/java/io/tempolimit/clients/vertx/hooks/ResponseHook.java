package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;

/** The head of a request's response is there, redirects included; the argument is the response. */
public final class ResponseHook extends Hook {
    /** HTTP/2's code for a stream that is not wanted any more. */
    private static final long CANCEL = 8;
    /** {@code HttpClientRequest.reset(long, Throwable)}, which gives something else in 5. */
    private static final Method RESET = reset();

    private final Gate gate;

    public ResponseHook(Gate gate) {
        this.gate = gate;
    }

    private static Method reset() {
        try {
            return HttpClientRequest.class.getMethod("reset", long.class, Throwable.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void reset(HttpClientRequest request, IOException why) {
        try {
            RESET.invoke(request, CANCEL, why);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Permit permit = Calls.PERMITS.remove(self);
        if (permit != null) {
            Body body = permit.answered(new ResponseHead((HttpClientResponse) args[0]));
            if (body != null && body.stream()) {
                WeakReference<HttpClientResponse> streaming = new WeakReference<>((HttpClientResponse) args[0]);
                Context context = Vertx.currentContext();
                gate.opened(body, task -> context.runOnContext(v -> task.run()), why -> {
                    HttpClientResponse still = streaming.get();
                    if (still != null) {
                        reset(still.request(), why);
                    }
                });
            }
            if (body != null) {
                Calls.BODIES.put(args[0], body);
            }
        }
        return null;
    }
}
