package io.tempolimit.clients.okhttp2.hooks;

import com.squareup.okhttp.OkHttpClient;
import com.squareup.okhttp.Request;
import com.squareup.okhttp.Response;
import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Refusal;
import java.io.IOException;
import java.net.HttpURLConnection;

/** One hop, from the gate to its answer. */
final class Hop extends Call {
    private final Gate gate;
    private final Permit permit;
    private final com.squareup.okhttp.Call call;

    private Hop(Gate gate, Permit permit, com.squareup.okhttp.Call call) {
        this.gate = gate;
        this.permit = permit;
        this.call = call;
    }

    /**
     * A hop is about to take its connection: waits for its turn.
     *
     * @param call null if it is none's, and then nothing but an interrupt ends its wait
     * @return null if it is not paced, or was cancelled, as the client will find
     */
    static Hop begin(Gate gate, com.squareup.okhttp.Call call, Request request, OkHttpClient client)
            throws RequestRejectedException, Refusal {
        try {
            Permit permit = permit(gate, call, new RequestTarget(request, null, null, client.getProxy()));
            return permit == null || permit.cancelled() ? null : new Hop(gate, permit, call);
        } catch (RequestRejectedException e) {
            if (call != null && e.becomesResponse()) {
                Calls.REJECTED.put(call, request);
            }
            throw e;
        }
    }

    private static Permit permit(Gate gate, com.squareup.okhttp.Call call, RequestTarget target) throws RequestRejectedException, Refusal {
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
    private static Permit firstHop(Gate gate, com.squareup.okhttp.Call call, RequestTarget target) throws RequestRejectedException {
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

    private static void await(Gate gate, Permit permit, com.squareup.okhttp.Call call) throws RequestRejectedException, Refusal {
        try {
            Calls.WAITS.begins(call, permit, permit::cancel);
            gate.await(permit);
        } finally {
            Calls.WAITS.over(call);
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
        if (response.body() == null) { // a web socket's
            body.end();
            return result;
        }
        if (call != null && body.stream()) {
            gate.opened(body, call::cancel);
        }
        try {
            return response.newBuilder().body(new Tap(response.body(), body)).build();
        } catch (IOException e) { // the application will be told
            body.cut();
            return result;
        }
    }

    @Override
    public Throwable fail(Throwable failure) {
        if (call != null && call.isCanceled()) {
            permit.abandoned();
        } else {
            permit.failed(failure);
        }
        return failure;
    }
}
