package io.tempolimit.clients.apache4async;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Apache HttpAsyncClient 4.1.
 *
 * <p>One exchange handler serves one call with all its hops. A hop waits, without a thread, where the handler asks the pool for a
 * connection; it does so for the first hop, for a redirect to another host, and when a connection was closed. A hop that could go on over
 * the connection of the one before (a redirect within a host, 401) gives it back if it has to wait, and asks
 * again; only in the middle of an NTLM handshake, which belongs to the connection, a round takes its token without
 * waiting, and the next request pays. From the pool's queue a hop departs once more, unless it got a connection that
 * was made for it: the time that took is not told apart from the queue's.
 *
 * <p>The pipelining client's first request waits; those behind it take their tokens without waiting as they follow on
 * the same connection, which would time out if they did not.
 *
 * <p>Rejections go to the handler as all failures do, which gives its consumer a response in its place if it shall (not
 * that of a pipeline, where one failure ends many requests). A call that waits while its client is closed fails with
 * the {@code CancellationException} that the client has for calls that come later. The connection request's timeout
 * begins after the wait. 4.1 to 4.1.2 end nothing when a future is cancelled, so there we look for the call that waits
 * for it.
 *
 * <p>The body is tapped raw, by another decoder in the place of the connection's, for as long as somebody wants to see it. To replace
 * the consumer lost: the client keeps that from the call's beginning on, when nobody knows whether there will be anything to see.
 *
 * <p>Tried and lost: to hold a hop at {@code generateRequest}, on its connection: the wait would hold it, and its
 * socket's timeout would run.
 */
public final class ApacheHttpAsyncClients4 {
    private static final String CLIENT_PACKAGE = "org/apache/http/impl/nio/client/";
    private static final String HANDLER = CLIENT_PACKAGE + "AbstractClientExchangeHandler";
    private static final String EXEC = CLIENT_PACKAGE + "MainClientExec";
    private static final String DEFAULT = CLIENT_PACKAGE + "DefaultClientExchangeHandlerImpl";
    private static final String MINIMAL = CLIENT_PACKAGE + "MinimalClientExchangeHandlerImpl";
    private static final String PIPELINING = CLIENT_PACKAGE + "PipeliningClientExchangeHandlerImpl";

    private ApacheHttpAsyncClients4() {
    }

    public static final Client CLIENT =
            new Client("apache4-async", "Apache HttpAsyncClient 4", "org.apache.http.nio.client.HttpAsyncClient",
            "io.tempolimit.clients.apache4async.hooks",
            Site.gate(HANDLER, "requestConnection", "HopHook").fields("connmgr"),
            Site.gate(HANDLER, "connectionAllocated", "LeasedHook").fields("connmgr", "localContext"),
            Site.gate(HANDLER, "failed", "FailureHook"),
            Site.watch(HANDLER, "cancel|close", "AbandonHook"),
            Site.watch(EXEC, "generateRequest", "WriteHook"),
            Site.gate(EXEC, "responseReceived", "AnswerHook"),
            Site.watch(EXEC, "responseCompleted", "NextHopHook"),
            Site.gate(DEFAULT, "consumeContent", "ContentHook"),
            Site.watch(MINIMAL, "generateRequest", "WriteHook"),
            Site.gate(MINIMAL, "responseReceived", "AnswerHook"),
            Site.gate(MINIMAL, "consumeContent", "ContentHook"),
            Site.gate(MINIMAL, "responseCompleted", "EndHook"),
            Site.gate(DEFAULT, "executionFailed", "RejectionHook").fields("resultFuture", "responseConsumer", "state"),
            Site.gate(MINIMAL, "executionFailed", "MinimalFailureHook").fields("resultFuture", "responseConsumer", "localContext"),
            Site.watch(PIPELINING, "generateRequest", "WriteHook"),
            Site.gate(PIPELINING, "responseReceived", "AnswerHook"),
            Site.gate(PIPELINING, "consumeContent", "ContentHook"),
            Site.gate(PIPELINING, "responseCompleted", "EndHook"),
            Site.watch(CLIENT_PACKAGE + "CloseableHttpAsyncClientBase", "close", "CloseHook").fields("connmgr", "reactorThread"),
            Site.watch("org/apache/http/concurrent/BasicFuture", "cancel", "CancelledFutureHook").descriptor("(Z)"))
            .withCopies("org/apache/http/");
}
