package io.tempolimit.clients.ahc.hooks;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;

/** A frame has come on a stream of HTTP/2; the arguments are the stream's channel, its call's future, and the frame. */
public final class FrameHook extends Hook {
    public FrameHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Channel stream = (Channel) args[0];
        if (args[2] instanceof Http2DataFrame) {
            Http2DataFrame data = (Http2DataFrame) args[2];
            Bodies.chunk(stream, data.content());
            if (data.isEndStream()) {
                Bodies.end(stream);
            }
        } else if (args[2] instanceof Http2HeadersFrame && ((Http2HeadersFrame) args[2]).isEndStream()) {
            Bodies.lastHead(stream);
        }
        return null;
    }
}
