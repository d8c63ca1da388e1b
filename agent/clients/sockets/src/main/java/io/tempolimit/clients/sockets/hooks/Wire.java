package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.core.Unseen;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.weave.Gate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** Requests on their way out of the JVM. */
final class Wire {
    private final Unseen unseen;
    private final Supplier<String> sender;

    Wire(Gate gate) {
        unseen = gate.limiter().unseen();
        sender = gate.senders().naming();
    }

    /** @param to the socket, channel, asynchronous channel or engine */
    void sent(RequestHead head, Object to) {
        String host = unexpected(head, to);
        if (host != null) {
            unseen.sent(host, head.http2(), sender);
        }
    }

    /** The host that this goes to, in canonical form; null if it was announced, or goes to no host. */
    String unexpected(RequestHead head, Object to) {
        String named = Hosts.canonical(head.host());
        if (named != null && unseen.expected(named)) {
            return null;
        }
        SocketAddress peer = peer(to);
        if (peer != null && !(peer instanceof InetSocketAddress)) {
            return null; // a file of this machine
        }
        String connected = peer == null ? null : Hosts.canonical(((InetSocketAddress) peer).getHostString()); // looks up nothing
        if (connected != null && (head.http2() ? unseen.expects(connected) : unseen.expected(connected))) {
            return null; // the request has another Host than its URL
        }
        return named == null ? connected : named;
    }

    /** Null if it is not known. */
    private static SocketAddress peer(Object to) {
        if (to instanceof Socket) {
            return ((Socket) to).getRemoteSocketAddress();
        }
        if (to instanceof SSLEngine) {
            String host = ((SSLEngine) to).getPeerHost();
            return host == null ? null : InetSocketAddress.createUnresolved(host, 0);
        }
        try {
            return to == null ? null : to instanceof SocketChannel ? ((SocketChannel) to).getRemoteAddress()
                    : ((AsynchronousSocketChannel) to).getRemoteAddress();
        } catch (IOException e) { // it is closed
            return null;
        }
    }
}
