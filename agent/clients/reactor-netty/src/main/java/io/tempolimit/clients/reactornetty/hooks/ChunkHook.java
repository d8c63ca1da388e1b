package io.tempolimit.clients.reactornetty.hooks;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import reactor.netty.Connection;

/** A piece of a response is on its way to the application; the second argument is the piece. */
public final class ChunkHook extends Hook {
    public ChunkHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Object piece = args[1];
        if (piece instanceof HttpContent && !(piece instanceof HttpResponse)) { // one that is both is seen with its head
            Bodies.chunk(((Connection) self).channel(), (HttpContent) piece);
        }
        return null;
    }
}
