package io.tempolimit.clients.ahc.hooks;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** Something has come to the client on a channel, of which the argument is the context; in HTTP/1.1, pieces of bodies among it. */
public final class ChunkHook extends Hook {
    public ChunkHook(Gate gate) {
    }

    @Override
    @SuppressWarnings("deprecation") // it has another name since Netty 4.1
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (args[1] instanceof HttpContent) {
            HttpContent chunk = (HttpContent) args[1];
            Channel channel = ((ChannelHandlerContext) args[0]).channel();
            Bodies.chunk(channel, chunk.content());
            if (chunk.getDecoderResult().isFailure()) { // what the decoder makes of a broken body
                Bodies.cut(channel);
            } else if (chunk instanceof LastHttpContent) {
                Bodies.end(channel);
            }
        }
        return null;
    }
}
