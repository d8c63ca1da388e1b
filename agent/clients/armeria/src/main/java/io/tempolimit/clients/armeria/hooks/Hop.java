package io.tempolimit.clients.armeria.hooks;

import com.linecorp.armeria.client.ClientFactoryOptions;
import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.CancelledSubscriptionException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/** A request of a call, on its way through the gate. Its response is made for it, so it is known by that. */
final class Hop {
    /** What is known of a hop while its response lives. */
    private static final class Known {
        /** Null if it is not paced. */
        final Permit permit;
        volatile Body body;

        Known(Permit permit) {
            this.permit = permit;
        }

        void left() {
            if (permit != null) {
                permit.abandoned();
            }
            cut();
        }

        void cut() {
            Body coming = body;
            if (coming != null) {
                coming.cut();
            }
        }
    }

    private static final WeakMap<Object, Known> BY_RESPONSE = new WeakMap<>(Known::left);

    /**
     * Since 1.29 a closed factory sends nothing; before, it goes on as if nothing had happened. A setting came with the
     * same version.
     */
    private static final boolean CLOSES = closes();

    final HttpRequest request;
    final HttpResponse response;
    private final ClientRequestContext context;
    private final Object[] args;

    Hop(ClientRequestContext context, Object[] args) {
        this.context = context;
        this.args = args;
        this.request = argument(HttpRequest.class);
        this.response = argument(HttpResponse.class);
    }

    private static boolean closes() {
        try {
            ClientFactoryOptions.class.getMethod("http2GracefulShutdownTimeoutMillis");
            return true;
        } catch (NoSuchMethodException older) {
            return false;
        }
    }

    private <T> T argument(Class<T> type) {
        for (Object arg : args) {
            if (type.isInstance(arg)) {
                return type.cast(arg);
            }
        }
        throw new IllegalStateException("no " + type.getName());
    }

    static boolean isKnown(Object response) {
        return BY_RESPONSE.get(response) != null;
    }

    /** @param permit null if it is not paced */
    static void begins(Object response, Permit permit) {
        BY_RESPONSE.put(response, new Known(permit));
    }

    /** Null if it is not paced. */
    static Permit permit(Object response) {
        Known known = BY_RESPONSE.get(response);
        return known == null ? null : known.permit;
    }

    static void bodyComes(Object response, Body body) {
        Known known = BY_RESPONSE.get(response);
        if (known != null) {
            known.body = body;
        }
    }

    /** What is to be shown more of the body; null if nothing is. */
    static Body body(Object response) {
        Known known = BY_RESPONSE.get(response);
        return known == null ? null : known.body;
    }

    /** The response is at its end, or broken off for this reason. */
    static void over(Object response, Throwable cause) {
        Known known = BY_RESPONSE.get(response);
        if (known != null && known.permit != null) {
            over(known, cause);
        }
    }

    private static void over(Known known, Throwable cause) {
        if (cause != null) {
            failed(known.permit, cause);
            known.cut();
        } else if (known.body != null) {
            known.body.end();
        }
    }

    private static void failed(Permit permit, Throwable failure) {
        Throwable cause = failure instanceof UnprocessedRequestException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof AbortedStreamException || cause instanceof CancelledSubscriptionException) {
            permit.abandoned();
        } else if (cause instanceof com.linecorp.armeria.common.TimeoutException) { // a RuntimeException, which verdicts do not know
            permit.failed(new TimeoutException(cause.getMessage()));
        } else {
            permit.failed(cause);
        }
    }

    /** Where the client goes on with this hop. */
    Executor loop() {
        return context.eventLoop().withoutContext();
    }

    /** However the response ends, the permit hears of it: also where it never got a connection. */
    void ends(Permit permit) {
        Known known = BY_RESPONSE.get(response);
        response.whenComplete().whenComplete((none, cause) -> over(known, cause));
    }

    /**
     * Waits for its turn, which ends when the response, the request or the context is cancelled, or the factory closed.
     */
    void hold(Gate gate, Permit permit, MethodHandle goOn, Object delegate) {
        long timeout = Timeouts.stop(context);
        long from = Clock.SYSTEM.nanos();
        Hold hold = Hold.start(gate.timer(), permit, loop(), () -> resume(permit, goOn, delegate, timeout, from), false);
        try {
            CloseHook.CLOSED.waits(permit, CLOSES ? args[args.length - 1] : null, hold::cancel);
            Fronts.waits(context, permit, hold::cancel);
            endWith(response.whenComplete(), hold);
            endWith(request.whenComplete(), hold);
        } catch (RuntimeException | Error e) {
            // out of memory, say: it waits for its turn
        }
    }

    private static void endWith(CompletableFuture<?> future, Hold hold) {
        future.whenComplete((none, cause) -> {
            if (cause != null) {
                hold.cancel();
            }
        });
    }

    private void resume(Permit permit, MethodHandle goOn, Object delegate, long timeout, long from) {
        CloseHook.CLOSED.waitIsOver(permit);
        boolean nobodyWaits = Fronts.waitIsOver(context);
        Throwable failure = permit.rejection();
        if (failure == null) {
            failure = nobodyWaits ? AbortedStreamException.get() : cancelled();
        }
        if (failure == null) {
            Timeouts.goOn(context, timeout, Clock.SYSTEM.nanos() - from);
            try {
                goOn.invokeExact(delegate, Arrays.copyOf(args, args.length - 1));
                return;
            } catch (Throwable t) {
                failure = t;
            }
        }
        try {
            permit.unused();
        } finally {
            fail(failure);
        }
    }

    /** Why nobody waits for it any more; null if somebody does. */
    private Throwable cancelled() {
        Throwable cause = causeOf(response.whenComplete());
        if (cause == null) {
            cause = causeOf(request.whenComplete());
        }
        if (cause == null && CLOSES && CloseHook.CLOSED.isClosed(args[args.length - 1])) {
            cause = UnprocessedRequestException.of(closed());
        }
        return cause;
    }

    private static Throwable causeOf(CompletableFuture<?> future) {
        return future.isCompletedExceptionally() ? future.<Throwable>handle((none, cause) -> cause).join() : null;
    }

    /** As the client itself says it. */
    private static IllegalStateException closed() {
        IllegalStateException closed = new IllegalStateException("ClientFactory is closing or closed.");
        closed.setStackTrace(new StackTraceElement[0]);
        return closed;
    }

    /** As the client does with a hop that never got a connection. */
    void fail(Throwable cause) {
        request.abort(cause);
        context.logBuilder().endRequest(cause);
        context.logBuilder().endResponse(cause);
        ((HttpResponseWriter) response).close(cause);
    }
}
