package io.tempolimit.clients.netty;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * No client, but what clients on Netty 4 send by: its encoder of HTTP/1 requests, and where it begins an HTTP/2 connection. What goes by
 * a transport or by TLS of Netty's own is written by no class of the JDK, so it is counted here; all else is where it is written
 * ({@code Sockets}). Copies of Netty are woven, too: gRPC brings one, with a transport of its own.
 *
 * <p>{@link #PACING} holds a request in the encoder, with all that is written to its channel after it, and writes it on the
 * channel's executor when its turn has come. That needs the encoder's own {@code write}, which Netty has from 4.1.112 at the latest. Tried
 * and lost: {@code MessageToMessageEncoder.write}, which is there in all versions, and in programs that have no HTTP.
 */
public final class NettyEncoders {
    private static final String ENCODER = "io/netty/handler/codec/http/HttpObjectEncoder";

    private NettyEncoders() {
    }

    /** Counts. */
    public static final Client CLIENT = client(encode(), preface());

    /** Counts, and paces where the channel outlasts the wait. */
    public static final Client PACING = client(encode(), preface(),
            Site.gate(ENCODER, "write", "GateHook").optional(),
            Site.watch("io/netty/handler/codec/http/HttpObjectDecoder", "decode", "DecodeHook"));

    private static Site encode() {
        return Site.gate(ENCODER, "encode", "EncodeHook");
    }

    private static Site preface() {
        String decoder = "io/netty/handler/codec/http2/Http2ConnectionHandler$PrefaceDecoder";
        return Site.gate(decoder, "sendPreface|sendPrefaceIfNeeded", "PrefaceHook").fields("prefaceSent", "this$0").optional();
    }

    private static Client client(Site... sites) {
        return new Client("watch", "What other clients send by Netty", "io.netty.handler.codec.http.HttpObjectEncoder",
                "io.tempolimit.clients.netty.hooks", sites).withCopies("io/netty/").lookingOn();
    }
}
