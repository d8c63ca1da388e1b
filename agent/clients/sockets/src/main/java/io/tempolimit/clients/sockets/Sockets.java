package io.tempolimit.clients.sockets;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * No client, but what every client writes to: sockets, channels and TLS, Java 8 to 25. A head of a request that no woven client has
 * announced is counted and told, so that nobody takes it for paced. {@link #PACING} has its sender wait as well, where the thread may
 * block.
 *
 * <p>Plain text is seen where it is written to the network or to TLS; what TLS makes of it is no head. What is written as an array is
 * written whole, so it counts at once. Of a buffer nothing may be taken, and then it comes again: it counts once bytes of it are. A
 * channel that blocks takes something of it, or fails; so does an asynchronous one, in its own time.
 *
 * <p>The answer is seen where it is read; there, too, waits who has gone ahead of its turn. Tried and lost: to wait for every turn before
 * the write (on connections that are kept, the site closes them meanwhile: five requests of six failed).
 */
public final class Sockets {
    private static final String CHANNEL = "sun/nio/ch/SocketChannelImpl";
    private static final String ARRAY = "([BII)";
    private static final String BUFFERS = "(Ljava/nio/ByteBuffer;)|([Ljava/nio/ByteBuffer;II)";
    /** Later Javas have the older class, too, below the newer one. */
    private static final boolean OLDER = isOlder();

    private Sockets() {
    }

    /** Counts. */
    public static final Client CLIENT = client(
            socket("WriteHook", false),
            tls("WriteHook", false),
            Site.gate(CHANNEL, "blockingWriteFully", "WriteHook").optional().ofRequests(),
            Site.watch(CHANNEL, "write", "BufferHook").descriptor(BUFFERS).ofRequests(),
            asynchronous(),
            engine());

    /** Counts, and paces where that can be done. */
    public static final Client PACING = client(
            socket("PacedWriteHook", true),
            tls("PacedWriteHook", true),
            Site.watch(CHANNEL, "blockingWriteFully", "PacedWriteHook").optional().ofRequests(),
            Site.watch(CHANNEL, "write", "PacedBufferHook").descriptor(BUFFERS).ofRequests(),
            asynchronous(),
            engine(),
            OLDER ? Site.watch("java/net/SocketInputStream", "read", "ReadHook").descriptor("([BIII)").fields("socket")
                    : Site.watch("java/net/Socket$SocketInputStream", "read", "ReadHook").descriptor(ARRAY).fields("parent"),
            Site.watch("sun/security/ssl/SSLSocketImpl$AppInputStream", "read", "ReadHook").descriptor(ARRAY).fields("this$0"),
            Site.watch(CHANNEL, "blockingRead", "ReadHook").optional(),
            Site.watch(CHANNEL, "read", "ReadHook").descriptor(BUFFERS),
            Site.watch("java/net/Socket", "close", "CloseHook").descriptor("()"),
            Site.watch("sun/security/ssl/SSLSocketImpl", "close", "CloseHook").descriptor("()"),
            Site.watch(CHANNEL, "implCloseSelectableChannel", "CloseHook").descriptor("()"));

    private static Client client(Site... sites) {
        return new Client("watch", "What other clients send", "java.net.Socket", "io.tempolimit.clients.sockets.hooks", sites).lookingOn();
    }

    private static Site socket(String hook, boolean toItsEnd) {
        String className = OLDER ? "java/net/SocketOutputStream" : "java/net/Socket$SocketOutputStream";
        String method = OLDER ? "socketWrite" : "write";
        return (toItsEnd ? Site.watch(className, method, hook) : Site.gate(className, method, hook))
                .descriptor(ARRAY).fields(OLDER ? "socket" : "parent").ofRequests();
    }

    private static Site tls(String hook, boolean toItsEnd) {
        String className = "sun/security/ssl/SSLSocketImpl$AppOutputStream";
        return (toItsEnd ? Site.watch(className, "write", hook) : Site.gate(className, "write", hook))
                .descriptor(ARRAY).fields("this$0").ofRequests();
    }

    /** A channel whose writes end later, and which none of its threads may wait for. */
    private static Site asynchronous() {
        return Site.gate("sun/nio/ch/AsynchronousSocketChannelImpl", "write", "AsynchronousHook")
                .descriptor("(Ljava/nio/ByteBuffer;|([Ljava/nio/ByteBuffer;II").ofRequests();
    }

    private static Site engine() {
        return Site.watch("sun/security/ssl/SSLEngineImpl", "wrap", "BufferHook")
                .descriptor("([Ljava/nio/ByteBuffer;IILjava/nio/ByteBuffer;)").ofRequests();
    }

    private static boolean isOlder() {
        String version = System.getProperty("java.specification.version");
        return version.startsWith("1.") || Integer.parseInt(version) < 13;
    }
}
