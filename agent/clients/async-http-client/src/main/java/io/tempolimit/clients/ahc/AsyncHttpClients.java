package io.tempolimit.clients.ahc;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * AsyncHttpClient ({@code org.asynchttpclient}) 2 and 3, HTTP/1.1 and, where it has that, HTTP/2. Play WS brings a copy of it.
 *
 * <p>{@code NettyRequestSender.sendRequest} sends each hop (first request, redirect, authentication, retry, replay by a filter): it
 * chooses a proxy, and goes on in one of the private methods woven here, before a connection is looked for. There a hop waits:
 * the method is skipped, and called again when its turn has come. The application gets the client's own future all the same: it is
 * made beforehand, as the client itself hands a future along with each hop but the first. So cancelling, listeners and timeouts
 * are the client's; those begin after the wait, and those of the hop before are ended. A rejection aborts the future, which
 * nothing retries.
 *
 * <p>A hop that was to go on the connection of the one before gives that back to the pool first, unless the connection itself is what
 * was authenticated (NTLM, Negotiate): then it takes its token without waiting. What goes to a proxy (CONNECT, and a request that
 * the proxy answers with 407) and what then goes to the site is one request.
 *
 * <p>Sending may block, for a name to be resolved and, if so configured, for a connection to be free: on a thread of the caller's, so
 * the client has no executor of its own for that, and its event loops must not be used for it. Hence {@code Lanes}.
 *
 * <p>Bodies are looked at where they come to the client, before it knows whether it hands them to the application, publishes them as a
 * stream, or drops them (a redirect's): decoded, unless the client does not do that, or is configured not to.
 *
 * <p>Lost: to hold {@code sendRequest} itself, or the client's {@code execute}: called again, it chooses a proxy again, maybe another one
 * than the future remembers, and then the pool mixes the connections of both.
 */
public final class AsyncHttpClients {
    private static final String SENDER = "org/asynchttpclient/netty/request/NettyRequestSender";
    private static final String FUTURE = "org/asynchttpclient/netty/NettyResponseFuture";

    private static final String HANDLERS = "org/asynchttpclient/netty/handler/";

    private AsyncHttpClients() {
    }

    public static final Client CLIENT = new Client("async-http-client", "AsyncHttpClient",
            "org.asynchttpclient.netty.request.NettyRequestSender", "io.tempolimit.clients.ahc.hooks",
            Site.watch("org/asynchttpclient/DefaultAsyncHttpClient", "execute", "ExecuteHook"),
            Site.gate(SENDER, "sendRequestWithCertainForceConnect", "DirectHook").fields("config", "channelManager"),
            Site.gate(SENDER, "sendRequestThroughProxy|sendRequestThroughSslProxy", "ProxiedHook").fields("config", "channelManager"),
            Site.gate(SENDER, "sendRequestRoundRobin", "RoundRobinHook").fields("config", "channelManager").optional(), // since 3.0.12
            Site.watch(SENDER, "newNettyResponseFuture", "FutureHook"),
            Site.watch(HANDLERS + "intercept/Interceptors", "exitAfterIntercept", "AnswerHook"),
            Site.gate(HANDLERS + "AsyncHttpClientHandler", "channelRead", "ChunkHook"),
            Site.gate(HANDLERS + "AsyncHttpClientHandler", "channelInactive", "InactiveHook"),
            Site.gate(HANDLERS + "Http2Handler", "handleRead", "FrameHook"),
            Site.watch(FUTURE, "cancel", "CancelHook"),
            Site.gate(FUTURE, "abort", "FailureHook"),
            Site.gate(FUTURE, "done", "DoneHook"),
            Site.gate("org/asynchttpclient/netty/channel/ChannelManager", "close", "CloseHook").descriptor("()"))
            .withCopies("org/asynchttpclient/", "io/netty/", "io/netty/channel/Channel", "org.asynchttpclient.netty.NettyResponseFuture",
                    "channel");
}
