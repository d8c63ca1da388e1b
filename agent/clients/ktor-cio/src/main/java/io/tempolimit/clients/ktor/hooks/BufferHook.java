package io.tempolimit.clients.ktor.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import kotlinx.io.Buffer;
import kotlinx.io.Source;

/** Ktor 3: what has come to a channel is handed to whoever reads it. The fields are the buffer that it is in, and its lock. */
public final class BufferHook extends Hook {
    private static final int PIECE = 8192;

    public BufferHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Body body = Bodies.toShow(self);
        if (body == null) {
            return null;
        }
        synchronized (args[1]) { // as the method will
            Buffer buffer = (Buffer) args[0];
            byte[] bytes = new byte[(int) Math.min(buffer.getSize(), PIECE)];
            Source unread = buffer.peek();
            for (int n; (n = unread.readAtMostTo(bytes, 0, bytes.length)) > 0; ) {
                body.add(bytes, 0, n);
            }
        }
        return null;
    }
}
