package io.tempolimit.clients.reactornetty;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Reactor Netty 1.0 and later, HTTP/1.1 and HTTP/2, and so Spring's WebClient on it.
 *
 * <p>{@code MonoHttpConnect} subscribes anew for each hop (first request, redirect, authentication, retry) to a
 * {@code Mono.create}, whose body, a lambda, then looks for a connection. There a hop waits: the body is skipped, and run
 * again on one of the client's event loops when its turn has come, with the same sink. So nothing is leased meanwhile, none of the
 * client's own timeouts (acquiring, connecting, response) has begun, and a {@code Mono.timeout} of the application runs. A
 * rejection is an error of the sink, which the client's own retry leaves alone. A handler belongs to a call, a sink to a hop.
 *
 * <p>When the event loops have ended, a wait ends, and the client goes on to find that out itself.
 *
 * <p>The sink knows one thing to end when it is cancelled, for which the client names the connection once it has one; for a
 * hop that waited it is something that changes from the wait to the connection.
 *
 * <p>A response's chunks are looked at where the client is about to hand them to the application, or to drop them (a redirect's): raw, or
 * decoded where it is asked to, which takes {@code Content-Encoding} away.
 *
 * <p>A request gets headers from the client's configuration before the gate, and from {@code send} and {@code doOnRequest}, which
 * is where Spring's WebClient sets its own, after it: who has those is not asked what the configuration does not say.
 *
 * <p>{@code HttpConnectionProvider.acquire}, which has a better name than a lambda, came with later versions of 1.0 only, gets no
 * sink, so that cancelling cannot reach a wait there, and is what {@code warmup} calls too.
 */
public final class ReactorNetty {
    private static final String CONNECT = "reactor/netty/http/client/HttpClientConnect";
    private static final String MONO = CONNECT + "$MonoHttpConnect";

    private static final String OPERATIONS = "reactor/netty/http/client/HttpClientOperations";

    private ReactorNetty() {
    }

    public static final Client CLIENT = new Client("reactor-netty", "Reactor Netty HttpClient",
            "reactor.netty.http.client.HttpClientConnect", "io.tempolimit.clients.reactornetty.hooks",
            Site.gate(MONO, "lambda$subscribe$0", "HopHook").fields("config")
                    .descriptor("(L" + CONNECT + "$HttpClientHandler;Lreactor/core/publisher/MonoSink;)"),
            Site.gate(MONO + "$ClientTransportSubscriber", "onNext", "ConnectedHook").fields("sink"),
            Site.gate(MONO + "$ClientTransportSubscriber", "onError", "FailureHook").fields("sink"),
            Site.gate(CONNECT + "$HttpObserver", "onUncaughtException", "FailureHook").fields("sink"),
            Site.gate(CONNECT + "$HttpClientHandler", "channel", "ChannelHook"),
            Site.gate(OPERATIONS, "setNettyResponse", "AnswerHook"),
            Site.gate(OPERATIONS, "onInboundNext", "ChunkHook"),
            Site.gate(OPERATIONS, "onInboundClose|onInboundCancel", "CutHook"))
            .needing("reactor.netty.http.client.HttpClient", "configuration"); // since 1.0
}
