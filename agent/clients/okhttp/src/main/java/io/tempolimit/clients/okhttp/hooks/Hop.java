package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import okhttp3.Request;
import okhttp3.Response;
import okio.AsyncTimeout;

/** One hop, from the gate to its answer. */
final class Hop extends Call {
    private final Gate gate;
    private final Permit permit;
    private final okhttp3.Call call;

    private Hop(Gate gate, Permit permit, okhttp3.Call call) {
        this.gate = gate;
        this.permit = permit;
        this.call = call;
    }

    /**
     * A hop is about to take its connection: waits for its turn.
     *
     * @param call  null if it is none's, and then nothing but an interrupt ends its wait
     * @param proxy that the client was told to use; null if none, or not known
     * @return null if it is not paced, or was cancelled, as the client will find
     */
    static Hop begin(Gate gate, okhttp3.Call call, Request request, Proxy proxy) throws RequestRejectedException, Refusal {
        try {
            Permit permit = permit(gate, call, new RequestTarget(request, null, null, proxy));
            return permit == null || permit.cancelled() ? null : new Hop(gate, permit, call);
        } catch (RequestRejectedException e) {
            if (call != null && e.becomesResponse()) {
                Calls.REJECTED.put(call, request);
            }
            throw e;
        }
    }

    private static Permit permit(Gate gate, okhttp3.Call call, RequestTarget target) throws RequestRejectedException, Refusal {
        if (call == null) {
            return gate.pass(target);
        }
        Permit permit = Calls.PREPAID.remove(call);
        if (permit == null) {
            permit = firstHop(gate, call, target);
        }
        if (permit == null) {
            permit = gate.arrive(target);
        }
        if (permit != null && permit.waiting()) {
            await(gate, permit, call);
        }
        return permit;
    }

    /** What the call waited for before it was handed to the dispatcher; null if it did not, or now goes elsewhere or as somebody else. */
    private static Permit firstHop(Gate gate, okhttp3.Call call, RequestTarget target) throws RequestRejectedException {
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
    private static void await(Gate gate, Permit permit, okhttp3.Call call) throws RequestRejectedException, Refusal {
        AsyncTimeout callTimeout = CallTimeout.of(call);
        if (callTimeout != null && callTimeout.exit()) {
            permit.cancel();
            throw new Refusal(new InterruptedIOException("timeout"));
        }
        try {
            Calls.WAITS.begins(call, permit, permit::cancel);
            gate.await(permit);
        } finally {
            Calls.WAITS.over(call);
            if (callTimeout != null) {
                callTimeout.enter();
            }
        }
    }

    /** Nobody has an answer to it any more. */
    void abandoned() {
        permit.abandoned();
    }

    @Override
    public Object exit(Object result) {
        Response response = (Response) result;
        // Without a proxy, or from behind its tunnel, a site has no reason to say so; the client, told so without one, gives up.
        if (response.code() == HttpURLConnection.HTTP_PROXY_AUTH && !response.request().isHttps()) {
            if (call == null) {
                permit.unused();
            } else {
                Calls.PREPAID.put(call, permit);
            }
            return result;
        }
        Body body = permit.answered(new ResponseHead(response));
        if (body == null) {
            return result;
        }
        if (response.body() == null) { // a web socket's, up to 3.3
            body.end();
            return result;
        }
        if (call != null && body.stream()) {
            gate.opened(body, () -> Names.cancel(call));
        }
        if (call != null && body.holdsPlace()) {
            Calls.READING.put(call, body);
            if (Names.isCanceled(call)) { // meanwhile
                Calls.READING.cut(call);
            }
        }
        try {
            return response.newBuilder().body(new Tap(response.body(), body)).build();
        } catch (Exception e) { // in OkHttp 2 a body may fail to tell its length; the application will be told
            body.cut();
            return result;
        }
    }

    @Override
    public Throwable fail(Throwable failure) {
        if (call != null && Names.isCanceled(call)) {
            permit.abandoned();
        } else if (failure.getClass().getName().endsWith(".ConnectionShutdownException")) {
            permit.unused(); // the connection took no more streams, so nothing was sent; the client goes by the same rule
        } else {
            permit.failed(failure);
        }
        return failure;
    }
}
