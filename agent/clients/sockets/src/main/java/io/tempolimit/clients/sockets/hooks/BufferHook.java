package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngineResult;

/**
 * Bytes are written as far as they are taken; the arguments begin with a buffer, or with an array of buffers, where they begin and how
 * many they are.
 */
public final class BufferHook extends Hook {
    private final Wire wire;

    public BufferHook(Gate gate) {
        wire = new Wire(gate);
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        RequestHead head = headOf(args);
        return head == null ? null : new Call() {
            @Override
            public Object exit(Object result) {
                if (taken(result) > 0) {
                    wire.sent(head, self);
                }
                return result;
            }
        };
    }

    /** What begins in the arguments' buffers; null if that is no request. */
    static RequestHead headOf(Object[] args) {
        return args[0] instanceof ByteBuffer ? RequestHead.of(new ByteBuffer[] {(ByteBuffer) args[0]}, 0, 1)
                : RequestHead.of((ByteBuffer[]) args[0], (Integer) args[1], (Integer) args[2]);
    }

    private static long taken(Object result) {
        return result instanceof SSLEngineResult ? ((SSLEngineResult) result).bytesConsumed() : ((Number) result).longValue();
    }
}
