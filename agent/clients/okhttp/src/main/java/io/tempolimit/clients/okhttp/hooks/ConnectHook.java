package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.io.InterruptedIOException;
import java.lang.invoke.MethodHandles;
import java.net.HttpURLConnection;
import okhttp3.Interceptor;
import okhttp3.Response;
import okio.AsyncTimeout;

/** One hop, below the cache, before a connection is taken; the argument is the chain. */
public final class ConnectHook extends Hook {
    private final Gate gate;

    public ConnectHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Interceptor.Chain chain = (Interceptor.Chain) args[0];
        try {
            return enter(lookup, chain);
        } catch (RequestRejectedException e) {
            if (e.becomesResponse()) {
                Calls.REJECTED.put(chain.call(), chain.request());
            }
            throw e;
        }
    }

    private Object enter(MethodHandles.Lookup lookup, Interceptor.Chain chain) throws RequestRejectedException, Refusal {
        okhttp3.Call call = chain.call();
        RequestTarget target = new RequestTarget(chain.request(), null, null, ClientOf.of(lookup, call).proxy());
        Permit permit = Calls.PREPAID.remove(call);
        if (permit == null) {
            permit = firstHop(call, target);
        }
        if (permit == null) {
            permit = gate.arrive(target);
        }
        if (permit == null) {
            return null;
        }
        if (permit.waiting()) {
            await(permit, call);
        }
        return permit.cancelled() ? null : new Hop(gate, permit, call);
    }

    /** What the call waited for before it was handed to the dispatcher; null if it did not, or now goes elsewhere or as somebody else. */
    private Permit firstHop(okhttp3.Call call, RequestTarget target) throws RequestRejectedException {
        Object first = Calls.FIRST_HOP.remove(call);
        if (first instanceof RequestRejectedException) {
            throw (RequestRejectedException) first;
        }
        Permit permit = (Permit) first;
        if (permit == null || permit.cancelled()) {
            return null;
        }
        if (permit.rejection() != null) {
            throw permit.rejection();
        }
        if (!gate.limiter().sameKey(permit, target)) { // an interceptor has sent it to another host
            permit.unused();
            return null;
        }
        return permit.depart();
    }

    /** Waits, with the call's own timeout standing still: it starts anew after the wait. */
    private void await(Permit permit, okhttp3.Call call) throws RequestRejectedException, Refusal {
        AsyncTimeout callTimeout = CallTimeout.of(call);
        if (callTimeout != null && callTimeout.exit()) {
            permit.cancel();
            throw new Refusal(new InterruptedIOException("timeout"));
        }
        try {
            Calls.waits(call, permit, permit::cancel);
            gate.await(permit);
        } finally {
            Calls.waitIsOver(call);
            if (callTimeout != null) {
                callTimeout.enter();
            }
        }
    }

    private static final class Hop extends Call {
        private final Gate gate;
        private final Permit permit;
        private final okhttp3.Call call;

        Hop(Gate gate, Permit permit, okhttp3.Call call) {
            this.gate = gate;
            this.permit = permit;
            this.call = call;
        }

        @Override
        public Object exit(Object result) {
            Response response = (Response) result;
            // Without a proxy, or from behind its tunnel, a site has no reason to say so; the client, told so without one, gives up.
            if (response.code() == HttpURLConnection.HTTP_PROXY_AUTH && !response.request().isHttps()) {
                Calls.PREPAID.put(call, permit);
            } else {
                Body body = permit.answered(new ResponseHead(response));
                if (body != null) {
                    if (body.stream()) {
                        gate.opened(body, call::cancel);
                    }
                    return response.newBuilder().body(new Tap(response.body(), body)).build();
                }
            }
            return result;
        }

        @Override
        public Throwable fail(Throwable failure) {
            if (call.isCanceled()) {
                permit.abandoned();
            } else {
                permit.failed(failure);
            }
            return failure;
        }
    }
}
