package io.tempolimit.clients.armeria.hooks;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import io.netty.buffer.ByteBuf;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/** A head or a piece of a body, the argument, has come for a response. */
public final class AnswerHook extends Hook {
    private final Gate gate;

    public AnswerHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (args[0] instanceof ResponseHeaders) {
            answered((HttpResponse) self, (ResponseHeaders) args[0]);
        } else if (args[0] instanceof HttpData) {
            Body body = Hop.body(self);
            if (body != null) {
                show(body, (HttpData) args[0]);
            }
        }
        return null;
    }

    private void answered(HttpResponse response, ResponseHeaders head) {
        Permit permit = Hop.permit(response);
        Body body = permit == null ? null : permit.answered(new ResponseHead(head));
        if (body == null) {
            return;
        }
        if (body.stream()) {
            WeakReference<HttpResponse> streaming = new WeakReference<>(response);
            gate.opened(body, response.defaultSubscriberExecutor(), why -> {
                HttpResponse still = streaming.get();
                if (still != null) {
                    still.abort(why);
                }
            });
        }
        Hop.bodyComes(response, body);
    }

    private static void show(Body body, HttpData data) {
        if (body.over()) {
            body.passed();
            return;
        }
        ByteBuf bytes = data.byteBuf(); // the client's own, or around its array
        if (bytes.nioBufferCount() == 1) {
            body.add(bytes.nioBuffer());
        } else {
            for (ByteBuffer part : bytes.nioBuffers()) { // in one it would be a copy
                body.add(part);
            }
        }
    }
}
