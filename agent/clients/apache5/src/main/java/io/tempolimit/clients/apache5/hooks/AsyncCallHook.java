package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.RejectionResponse;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.Collections;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.nio.AsyncDataConsumer;

/**
 * An asynchronous call with a chain fails, above all that the client does by itself; the argument is why, and
 * {@code this} hears what becomes of the call. A rejection may become a response, which is given to it as the chain
 * would give it.
 */
public final class AsyncCallHook extends Hook {
    public AsyncCallHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        RejectionResponse rejection = self instanceof AsyncExecCallback ? RejectionResponse.of((Throwable) args[0]) : null;
        if (rejection == null) {
            return null;
        }
        AsyncExecCallback call = (AsyncExecCallback) self;
        try {
            EntityDetails entity = RejectionMessage.entity(rejection);
            AsyncDataConsumer consumer = call.handleResponse(RejectionMessage.head(rejection), entity);
            if (entity != null && consumer != null) {
                consumer.consume(ByteBuffer.wrap(rejection.body()));
                consumer.streamEnd(Collections.emptyList());
            }
            call.completed();
        } catch (Exception e) { // of the application's consumer
            call.failed(e);
        }
        return rejection;
    }
}
