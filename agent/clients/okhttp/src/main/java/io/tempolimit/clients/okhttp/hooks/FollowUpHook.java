package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.RejectionResponse;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.AsyncTimeout;

/**
 * All hops of a call, with what the client repeats by itself, are in here; the argument is the chain, up to 3.3 the request. On
 * its way out a rejection may become a response.
 */
public final class FollowUpHook extends Hook {
    public FollowUpHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        boolean engines = self instanceof okhttp3.Call;
        okhttp3.Call call = engines ? (okhttp3.Call) self : CallOf.chain((Interceptor.Chain) args[0]);
        Request request = engines ? (Request) args[0] : ((Interceptor.Chain) args[0]).request();
        return new Call() {
            @Override
            public Object instead(Throwable failure) {
                RejectionResponse rejection = RejectionResponse.of(failure);
                return rejection == null ? null : response(call, request, rejection);
            }
        };
    }

    @SuppressWarnings("deprecation") // the order of create's arguments that all versions have
    private static Response response(okhttp3.Call call, Request request, RejectionResponse rejection) {
        AsyncTimeout callTimeout = CallTimeout.of(call);
        if (callTimeout != null) {
            callTimeout.exit(); // 3.x waits for the end of a connection with that
        }
        Request rejected = Calls.REJECTED.remove(call);
        Response.Builder response = new Response.Builder()
                .request(rejected == null ? request : rejected)
                .protocol(Protocol.HTTP_1_1)
                .code(rejection.status())
                .message(rejection.reason())
                .body(ResponseBody.create(MediaType.parse(rejection.headers().get("Content-Type")), rejection.body()));
        Times.setNow(response);
        for (Map.Entry<String, String> header : rejection.headers().entrySet()) {
            response.header(header.getKey(), header.getValue());
        }
        return response.build();
    }
}
