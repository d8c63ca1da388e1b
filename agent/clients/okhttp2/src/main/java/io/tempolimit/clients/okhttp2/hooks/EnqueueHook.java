package io.tempolimit.clients.okhttp2.hooks;

import com.squareup.okhttp.Call;
import com.squareup.okhttp.Dispatcher;
import com.squareup.okhttp.OkHttpClient;
import com.squareup.okhttp.Request;
import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Target;
import io.tempolimit.gate.Hold;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/** An enqueued call is handed to the dispatcher: the argument is the {@code AsyncCall}. */
public final class EnqueueHook extends Hook {
    private final Gate gate;

    public EnqueueHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Internals in = Internals.by(lookup);
        Call call = in.call(args[0]);
        if (Calls.FIRST_HOP.get(call) != null) {
            return null; // handed over again after its wait
        }
        Request request = in.request(call);
        OkHttpClient client = in.client(call);
        if (client.getCache() != null && request.method().equals("GET") && !request.cacheControl().noCache()) {
            return null; // the cache might answer: it waits below that, if it comes to it
        }
        RequestTarget target = target(client, request);
        if (gate.limiter().undecided(target)) {
            return null; // an interceptor may say whose request it is: likewise
        }
        Dispatcher dispatcher = (Dispatcher) self;
        if (dispatcher.getExecutorService().isShutdown()) {
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
        // What interceptors and a cookie handler will add is not known; without any, the client will add a name of its own, if it has to.
        return new RequestTarget(request, client.interceptors().isEmpty() ? null : Target.UNKNOWN,
                client.getCookieHandler() == null ? null : Target.UNKNOWN, client.getProxy()) {
            @Override
            public boolean arrivesAgain() {
                return true; // where its thread connects
            }
        };
    }

    private Object hold(Internals in, Dispatcher dispatcher, Object asyncCall, Call call, Permit permit) {
        ExecutorService executor = dispatcher.getExecutorService();
        Executor granted = task -> (permit.granted() ? executor : Calls.laneOf(dispatcher)).execute(task);
        Hold hold = null;
        try {
            Calls.HELD.enters(gate.timer(), dispatcher, call);
            hold = Hold.start(gate.timer(), permit, granted, () -> resume(in, dispatcher, asyncCall, call, permit), true);
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
        if (dispatcher.getExecutorService().isShutdown()) {
            permit.unused(); // if its turn had come all the same
        }
        try {
            in.enqueue(dispatcher, asyncCall);
        } catch (RejectedExecutionException e) { // a closed client
            call.cancel();
            ((Runnable) asyncCall).run();
        }
    }
}
