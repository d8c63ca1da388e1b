package io.tempolimit.clients.helidon;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * The WebClient of Helidon 4, over HTTP/1.1 and HTTP/2. Its threads may block, and most are virtual.
 *
 * <p>{@code proceed} of a call's chain runs once for each hop, below the application's services and before a connection is
 * taken. There a request waits on the calling thread. To a site with TLS that might speak HTTP/2 the client connects before
 * that, the first time, to ask.
 *
 * <p>A hop over HTTP/2 may become one over HTTP/1.1, which is a chain within the chain: when the site speaks no HTTP/2, and
 * when the client asks for HTTP/2 by an upgrade. The inner one goes with the permit of the outer one. After an upgrade the
 * client sends the request once more, which takes its token in advance. {@code newStream} ends where that may be so.
 *
 * <p>A request whose body the application writes is followed by its redirects within its own chain. There
 * {@code checkRedirectHeaders} shows that the hop is over.
 *
 * <p>The application gets a copy of the answer whose stream is tapped; {@code WebClientServiceResponse} has a public builder.
 * The client closes answers that were not read to their end without closing the stream, so their {@code close} is watched.
 *
 * <p>A rejection is the cause of an {@code UncheckedIOException}, as all I/O errors of this client are.
 */
public final class Helidon {
    private static final String HTTP1 = "io/helidon/webclient/http1/";
    private static final String HTTP2 = "io/helidon/webclient/http2/";

    private Helidon() {
    }

    public static final Client CLIENT = new Client("helidon", "Helidon WebClient", "io.helidon.webclient.api.WebClientServiceResponse",
            "io.tempolimit.clients.helidon.hooks",
            Site.watch(HTTP1 + "Http1CallChainBase", "proceed", "SendHook").fields("http1Client", "proxy"),
            Site.gate(HTTP1 + "Http1CallOutputStreamChain", "checkRedirectHeaders", "RedirectHook"),
            Site.gate(HTTP1 + "Http1ClientResponseImpl", "close", "EndHook").fields("inputStream"),
            Site.closes(HTTP1 + "Http1ConnectionCache", "closeResource").optional(), // of 4.0 and 4.1 cannot be closed
            Site.watch(HTTP2 + "Http2CallChainBase", "proceed", "SendHook").fields("http2Client", "clientRequest"),
            Site.watch(HTTP2 + "Http2ConnectionCache", "newStream", "StreamHook"),
            Site.gate(HTTP2 + "RedirectionProcessor", "checkRedirectHeaders", "RedirectHook").descriptor("(Lio/helidon/http/http2/"),
            Site.gate(HTTP2 + "Http2ClientResponseImpl", "close", "EndHook").fields("inputStream"),
            Site.closes(HTTP2 + "Http2ConnectionCache", "closeResource"));
}
