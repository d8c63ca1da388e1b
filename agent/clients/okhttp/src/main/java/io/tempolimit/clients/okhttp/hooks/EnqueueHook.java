package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Target;
import io.tempolimit.gate.HeldCalls;
import io.tempolimit.gate.Hold;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import okhttp3.Call;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** An enqueued call is handed to the dispatcher: the argument is the {@code AsyncCall}. */
public final class EnqueueHook extends Hook {
    private final Gate gate;
    private volatile Internals internals;

    public EnqueueHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = internals;
        if (in == null) {
            in = new Internals(lookup, args[0].getClass());
            internals = in;
        }
        Call call = (Call) in.call(in.callOf, args[0]);
        if (Calls.FIRST_HOP.get(call) != null) {
            return null; // handed over again after its wait
        }
        Request request = Names.request(call);
        OkHttpClient client = ClientOf.of(lookup, call);
        if (Names.hasCache(client) && request.method().equals("GET") && !request.cacheControl().noCache()) {
            return null; // the cache might answer: it waits below that, if it comes to it
        }
        RequestTarget target = target(client, request);
        if (gate.limiter().undecided(target)) {
            return null; // an interceptor may say whose request it is: likewise
        }
        Dispatcher dispatcher = (Dispatcher) self;
        if (HeldCalls.isShutDown(Names.executor(dispatcher))) {
            return null; // the client fails the call by itself
        }
        Permit permit;
        try {
            permit = gate.arrive(target);
        } catch (RequestRejectedException e) {
            Calls.FIRST_HOP.put(call, e); // so that the call ends as all that fail do
            return null;
        }
        if (permit == null) {
            return null;
        }
        Calls.FIRST_HOP.put(call, permit);
        return permit.granted() ? null : hold(in, dispatcher, args[0], call, permit);
    }

    private static RequestTarget target(OkHttpClient client, Request request) {
        // What interceptors and a cookie jar will add is not known; without any, the client will add a name of its own, if it has to.
        return new RequestTarget(request, client.interceptors().isEmpty() ? null : Target.UNKNOWN,
                Names.addsCookies(client) ? Target.UNKNOWN : null, Names.proxy(client)) {
            @Override
            public boolean arrivesAgain() {
                return true; // where its thread connects
            }

            @Override
            public boolean announcedAtDeparture() {
                return true; // interceptors come first
            }
        };
    }

    private Object hold(Internals in, Dispatcher dispatcher, Object asyncCall, Call call, Permit permit) {
        Executor executor = Calls.bringerOf(dispatcher);
        Executor goesOn = task -> (permit.waiting() || permit.granted() ? executor : Calls.laneOf(dispatcher)).execute(task);
        Hold hold = null;
        try {
            Calls.HELD.enters(gate.timer(), dispatcher, call);
            hold = Hold.start(gate.timer(), permit, goesOn, () -> resume(in, dispatcher, asyncCall, call, permit), true);
        } finally {
            if (hold == null) { // out of memory, say: the call goes on at once
                permit.cancel();
                Calls.HELD.leaves(dispatcher, call);
            }
        }
        Calls.WAITS.begins(call, permit, hold::cancel);
        return hold;
    }

    private static void resume(Internals in, Dispatcher dispatcher, Object asyncCall, Call call, Permit permit) {
        Calls.WAITS.over(call);
        Calls.HELD.leaves(dispatcher, call);
        if (HeldCalls.isShutDown(Names.executor(dispatcher))) {
            permit.unused(); // if its turn had come all the same
        }
        try {
            in.enqueue(dispatcher, asyncCall);
        } catch (RejectedExecutionException e) { // a closed client, up to 3.11: later ones tell the callback themselves
            Names.cancel(call);
            ((Runnable) asyncCall).run();
        }
    }

    /** What public types do not give, in all versions. */
    private static final class Internals {
        /** From {@code AsyncCall} to {@code RealCall}. */
        final MethodHandle callOf;
        private final MethodHandle enqueue;

        Internals(MethodHandles.Lookup lookup, Class<?> asyncCall) throws ReflectiveOperationException {
            Method toCall = method(asyncCall, "getCall", "get");
            callOf = lookup.unreflect(toCall).asType(MethodType.methodType(Object.class, Object.class));
            Method plain = null;
            for (Method m : Dispatcher.class.getDeclaredMethods()) {
                if ((m.getName().equals("enqueue") || m.getName().equals("enqueue$okhttp"))
                        && m.getParameterTypes().length == 1 && m.getParameterTypes()[0] == asyncCall) {
                    plain = m;
                }
            }
            enqueue = lookup.unreflect(plain).asType(MethodType.methodType(void.class, Dispatcher.class, Object.class));
        }

        private static Method method(Class<?> type, String... names) throws NoSuchMethodException {
            for (String name : names) {
                for (Method m : type.getDeclaredMethods()) {
                    if (m.getName().equals(name) && m.getParameterTypes().length == 0) {
                        return m;
                    }
                }
            }
            throw new NoSuchMethodException(type.getName() + "." + names[0]);
        }

        Object call(MethodHandle handle, Object self) {
            try {
                return handle.invokeExact(self);
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
        }

        void enqueue(Dispatcher dispatcher, Object asyncCall) {
            try {
                enqueue.invokeExact(dispatcher, asyncCall);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
        }
    }
}
