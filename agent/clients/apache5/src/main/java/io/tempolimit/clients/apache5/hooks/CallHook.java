package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.RejectionResponse;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hc.client5.http.impl.classic.CloseableHttpResponse;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/**
 * A classic call with all its hops, and all that the client does by itself. On its way out a rejection may become a response.
 */
public final class CallHook extends Hook {
    /** {@code CloseableHttpResponse.adapt}, which is not public in all versions. */
    private volatile MethodHandle adapt;

    private final Call call = new Call() {
        @Override
        public Object instead(Throwable failure) {
            RejectionResponse rejection = RejectionResponse.of(failure);
            return rejection == null ? null : response(rejection);
        }
    };

    public CallHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (adapt == null) {
            adapt = lookup.findStatic(CloseableHttpResponse.class, "adapt",
                    MethodType.methodType(CloseableHttpResponse.class, ClassicHttpResponse.class));
        }
        return call;
    }

    private CloseableHttpResponse response(RejectionResponse rejection) {
        ClassicHttpResponse response = RejectionMessage.classicHead(rejection);
        if (rejection.body().length > 0) {
            response.setEntity(new ByteArrayEntity(rejection.body(), RejectionMessage.type(rejection)));
        }
        try {
            return (CloseableHttpResponse) adapt.invokeExact(response);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
