package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.RejectionResponse;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** At the beginning of each hop; the fields are its request and the client's executor. */
public final class HopHook extends Hook {
    private final Gate gate;
    /** {@code HttpRequestImpl.proxy()}: the client has asked its {@code ProxySelector}, if it has one, when the request was made. */
    private volatile MethodHandle proxy;
    /** {@code MultiExchange.responseAsyncImpl()} */
    private volatile MethodHandle begin;
    /** {@code MultiExchange.cancelTimer()}: before Java 20 or so a redirect leaves the timer of the hop before it running. */
    private volatile MethodHandle cancelTimer;
    /** {@code DelegatingExecutor.delegate()}: itself, it runs tasks on the thread that brings them. */
    private volatile MethodHandle delegate;

    public HopHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (Exchanges.EXEMPT.get(self) != null) {
            gate.announced(target(lookup, (HttpRequest) args[0]));
            return null;
        }
        Permit latest = Exchanges.PERMITS.get(self);
        if (latest != null && latest.granted()) {
            gate.announced(latest.target());
            return null; // begun again after its wait, or with a password for the proxy
        }
        if (Exchanges.CANCELLED.get(self) != null) {
            CompletableFuture<Object> ended = new CompletableFuture<>();
            ended.completeExceptionally(cancelled());
            return ended;
        }
        Permit permit;
        try {
            permit = gate.arrive(target(lookup, (HttpRequest) args[0]));
        } catch (RequestRejectedException e) {
            CompletableFuture<Object> ended = new CompletableFuture<>();
            end(lookup, self, args[0], e, ended);
            return ended;
        }
        if (permit == null) {
            if (latest != null) {
                Exchanges.PERMITS.remove(self);
            }
            return null;
        }
        if (permit.granted()) {
            Exchanges.PERMITS.put(self, permit);
            return null;
        }
        return hold(lookup, self, args[0], permit, (Executor) args[1]);
    }

    private static CancellationException cancelled() {
        return new CancellationException("Request cancelled"); // the client's own words
    }

    private RequestTarget target(MethodHandles.Lookup lookup, HttpRequest request) throws ReflectiveOperationException {
        if (proxy == null) {
            proxy = lookup.findVirtual(request.getClass(), "proxy", MethodType.methodType(InetSocketAddress.class))
                    .asType(MethodType.methodType(Object.class, Object.class));
        }
        return new RequestTarget(request, (InetSocketAddress) call(proxy, request));
    }

    /** Ends a hop with a rejection, or with the response that it becomes: above what the client does with a hop's response. */
    private static void end(MethodHandles.Lookup lookup, Object exchange, Object request,
            RequestRejectedException rejection, CompletableFuture<Object> hop) {
        RejectionResponse response = RejectionResponse.of(rejection);
        if (response == null) {
            hop.completeExceptionally(rejection);
            return;
        }
        try {
            Object answer = RejectionHook.response(lookup, request, response);
            Exchanges.REJECTED.put(exchange, response);
            hop.complete(answer);
        } catch (ReflectiveOperationException | RuntimeException e) { // another client than those that we know
            hop.completeExceptionally(rejection);
        }
    }

    private CompletableFuture<Object> hold(MethodHandles.Lookup lookup, Object exchange, Object request, Permit permit,
            Executor executor) throws Exception {
        CompletableFuture<Object> held = new CompletableFuture<>();
        try {
            prepare(lookup, executor);
            Executor own = (Executor) call(delegate, executor);
            call(cancelTimer, exchange);
            Exchanges.PERMITS.put(exchange, permit);
            long from = System.nanoTime();
            Hold hold = Hold.start(gate.timer(), permit, own, () -> {
                Exchanges.WAITED.put(request, new long[] {from, System.nanoTime()});
                resume(lookup, exchange, request, permit, held);
            }, false);
            Exchanges.HELD.put(exchange, hold);
            if (!permit.waiting()) {
                Exchanges.HELD.remove(exchange); // it was over before it was entered
            } else if (Exchanges.CANCELLED.get(exchange) != null) {
                hold.cancel();
            }
            return held;
        } catch (Exception | Error e) {
            permit.cancel();
            throw e;
        }
    }

    private void resume(MethodHandles.Lookup lookup, Object exchange, Object request, Permit permit, CompletableFuture<Object> held) {
        Exchanges.HELD.remove(exchange);
        RequestRejectedException rejection = permit.rejection();
        if (rejection != null) {
            end(lookup, exchange, request, rejection, held);
        } else if (permit.cancelled()) {
            held.completeExceptionally(cancelled());
        } else {
            try {
                ((CompletableFuture<?>) call(begin, exchange)).whenComplete((response, failure) -> {
                    if (failure == null) {
                        held.complete(response);
                    } else {
                        held.completeExceptionally(failure);
                    }
                });
            } catch (Throwable t) {
                held.completeExceptionally(t);
            }
        }
    }

    private void prepare(MethodHandles.Lookup lookup, Executor executor) throws ReflectiveOperationException {
        if (delegate == null) {
            begin = lookup.findSpecial(lookup.lookupClass(), "responseAsyncImpl", MethodType.methodType(CompletableFuture.class),
                    lookup.lookupClass()).asType(MethodType.methodType(Object.class, Object.class));
            cancelTimer = lookup.findSpecial(lookup.lookupClass(), "cancelTimer", MethodType.methodType(void.class),
                    lookup.lookupClass()).asType(MethodType.methodType(Object.class, Object.class));
            delegate = lookup.findVirtual(executor.getClass(), "delegate", MethodType.methodType(Executor.class))
                    .asType(MethodType.methodType(Object.class, Object.class));
        }
    }

    private static Object call(MethodHandle method, Object self) {
        try {
            return method.invokeExact(self);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
