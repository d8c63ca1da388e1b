package io.tempolimit.clients.okhttp2.hooks;

import com.squareup.okhttp.MediaType;
import com.squareup.okhttp.Protocol;
import com.squareup.okhttp.Request;
import com.squareup.okhttp.Response;
import com.squareup.okhttp.ResponseBody;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.RejectionResponse;
import java.lang.invoke.MethodHandles;
import java.util.Map;

/**
 * All hops of a call, with what the client repeats by itself, are in here; the argument is the request. On
 * its way out a rejection may become a response.
 */
public final class FollowUpHook extends Hook {
    public FollowUpHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        com.squareup.okhttp.Call call = (com.squareup.okhttp.Call) self;
        Request request = (Request) args[0];
        return new Call() {
            @Override
            public Object instead(Throwable failure) {
                RejectionResponse rejection = RejectionResponse.of(failure);
                return rejection == null ? null : response(call, request, rejection);
            }
        };
    }

    private static Response response(com.squareup.okhttp.Call call, Request request, RejectionResponse rejection) {
        Request rejected = Calls.REJECTED.remove(call);
        Response.Builder response = new Response.Builder()
                .request(rejected == null ? request : rejected)
                .protocol(Protocol.HTTP_1_1)
                .code(rejection.status())
                .message(rejection.reason())
                .body(ResponseBody.create(MediaType.parse(rejection.headers().get("Content-Type")), rejection.body()));
        for (Map.Entry<String, String> header : rejection.headers().entrySet()) {
            response.header(header.getKey(), header.getValue());
        }
        return response.build();
    }
}
