package io.tempolimit.clients.sockets;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * No client, but what every client writes to: sockets, channels and TLS, Java 8 to 25. A head of a request that no woven client has
 * announced is counted and told, so that nobody takes it for paced. Nothing is held here.
 *
 * <p>Plain text is seen where it is written to the network or to TLS; what TLS makes of it is no head. What is written as an array is
 * written whole, so it counts at once. Of a buffer nothing may be taken, and then it comes again: it counts once bytes of it are.
 */
public final class Sockets {
    private static final String CHANNEL = "sun/nio/ch/SocketChannelImpl";

    private Sockets() {
    }

    public static final Client CLIENT = new Client("watch", "What other clients send", "java.net.Socket",
            "io.tempolimit.clients.sockets.hooks",
            socket(),
            Site.gate("sun/security/ssl/SSLSocketImpl$AppOutputStream", "write", "WriteHook").descriptor("([BII)").fields("this$0")
                    .ofRequests(),
            Site.gate(CHANNEL, "blockingWriteFully", "WriteHook").optional().ofRequests(),
            Site.watch(CHANNEL, "write", "BufferHook").descriptor("(Ljava/nio/ByteBuffer;)|([Ljava/nio/ByteBuffer;II)").ofRequests(),
            Site.watch("sun/security/ssl/SSLEngineImpl", "wrap", "BufferHook")
                    .descriptor("([Ljava/nio/ByteBuffer;IILjava/nio/ByteBuffer;)").ofRequests()).lookingOn();

    /** Later Javas have the older class, too, below the newer one. */
    private static Site socket() {
        String version = System.getProperty("java.specification.version");
        return version.startsWith("1.") || Integer.parseInt(version) < 13
                ? Site.gate("java/net/SocketOutputStream", "socketWrite", "WriteHook").fields("socket").ofRequests()
                : Site.gate("java/net/Socket$SocketOutputStream", "write", "WriteHook").descriptor("([BII)").fields("parent").ofRequests();
    }
}
