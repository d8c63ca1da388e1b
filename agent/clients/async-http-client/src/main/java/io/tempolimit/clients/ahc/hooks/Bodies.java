package io.tempolimit.clients.ahc.hooks;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.tempolimit.core.Body;
import io.tempolimit.gate.WeakMap;
import java.nio.ByteBuffer;

/** The bodies that are just being read, each known by its channel: in HTTP/2, one of its own. */
final class Bodies {
    private static final WeakMap<Channel, Body> COMING = new WeakMap<>(Body::cut);
    /** Streams on which nothing comes after the head that the client is just looking at. */
    private static final WeakMap<Channel, Boolean> HEAD_IS_ALL = new WeakMap<>();

    private Bodies() {
    }

    static void begin(Channel channel, Body body) {
        if (HEAD_IS_ALL.remove(channel) != null) {
            body.end();
        } else {
            COMING.put(channel, body);
        }
    }

    /** These bytes have come, and stay unread. */
    static void chunk(Channel channel, ByteBuf bytes) {
        Body body = COMING.get(channel);
        if (body == null) {
            return;
        }
        if (body.over()) {
            body.passed();
        } else if (bytes.nioBufferCount() == 1) {
            body.add(bytes.nioBuffer());
        } else {
            for (ByteBuffer part : bytes.nioBuffers()) { // in one it would be a copy
                body.add(part);
            }
        }
    }

    /** Nothing comes after a stream's head, or after its trailers. */
    static void lastHead(Channel stream) {
        if (COMING.get(stream) == null) {
            HEAD_IS_ALL.put(stream, true);
        } else {
            end(stream);
        }
    }

    static void end(Channel channel) {
        Body body = COMING.remove(channel);
        if (body != null) {
            body.end();
        }
    }

    static void cut(Channel channel) {
        Body body = COMING.remove(channel);
        if (body != null) {
            body.cut();
        }
    }
}
