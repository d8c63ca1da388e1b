package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.http.HttpRequest;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** At the beginning of each hop; the fields are its request and the client's executor. */
public final class HopHook extends Hook {
    private final Gate gate;
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
            return null;
        }
        Permit latest = Exchanges.PERMITS.get(self);
        if (latest != null && latest.granted()) {
            return null; // begun again after its wait
        }
        Permit permit;
        try {
            permit = gate.limiter().arrive(new RequestTarget((HttpRequest) args[0]));
        } catch (RequestRejectedException e) {
            CompletableFuture<Object> failed = new CompletableFuture<>();
            failed.completeExceptionally(e);
            return failed;
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
        return hold(lookup, self, permit, (Executor) args[1]);
    }

    private CompletableFuture<Object> hold(MethodHandles.Lookup lookup, Object exchange, Permit permit, Executor executor) throws Exception {
        CompletableFuture<Object> held = new CompletableFuture<>();
        try {
            prepare(lookup, executor);
            Executor own = (Executor) call(delegate, executor);
            call(cancelTimer, exchange);
            Exchanges.PERMITS.put(exchange, permit);
            Hold hold = Hold.start(gate.timer(), permit, own, () -> resume(exchange, permit, held), false);
            Exchanges.HELD.put(exchange, hold);
            if (!permit.waiting()) {
                Exchanges.HELD.remove(exchange); // it was over before it was entered
            }
            return held;
        } catch (Exception | Error e) {
            permit.cancel();
            throw e;
        }
    }

    private void resume(Object exchange, Permit permit, CompletableFuture<Object> held) {
        Exchanges.HELD.remove(exchange);
        RequestRejectedException rejection = permit.rejection();
        if (rejection != null) {
            held.completeExceptionally(rejection);
        } else if (permit.cancelled()) {
            held.completeExceptionally(new CancellationException("Request cancelled"));
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
