package io.tempolimit.clients.reactornetty.hooks;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.tempolimit.core.Body;
import io.tempolimit.gate.WeakMap;
import java.nio.ByteBuffer;

/** The bodies that are just being read, each known by its channel: in HTTP/2, one of its own. */
final class Bodies {
    private static final WeakMap<Channel, Body> COMING = new WeakMap<>(Body::cut);

    private Bodies() {
    }

    static void begin(Channel channel, Body body) {
        COMING.put(channel, body);
    }

    static void chunk(Channel channel, HttpContent chunk) {
        Body body = COMING.get(channel);
        if (body != null) {
            show(body, chunk);
            if (chunk instanceof LastHttpContent) {
                COMING.remove(channel);
            }
        }
    }

    /** Its bytes stay unread, and its end is the body's, unless it is what the decoder makes of a broken body. */
    static void show(Body body, HttpContent chunk) {
        ByteBuf bytes = chunk.content();
        if (body.over()) {
            body.passed();
        } else if (bytes.nioBufferCount() == 1) {
            body.add(bytes.nioBuffer());
        } else {
            for (ByteBuffer part : bytes.nioBuffers()) { // in one it would be a copy
                body.add(part);
            }
        }
        if (chunk instanceof LastHttpContent) {
            if (chunk.decoderResult().isFailure()) {
                body.cut();
            } else {
                body.end();
            }
        }
    }

    static void cut(Channel channel) {
        Body body = COMING.remove(channel);
        if (body != null) {
            body.cut();
        }
    }
}
