package io.tempolimit.clients.jdk;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * {@code java.net.http.HttpClient}, {@code send} and {@code sendAsync}, Java 11 and later.
 *
 * <p>Every hop (first request, redirect, authentication, retry) begins with {@code MultiExchange.responseAsyncImpl}, before
 * the request's own timeout is set and before a connection is looked for; a hop that has to wait is answered with a
 * future of ours, and begun again later on the client's executor. The client counts the call as pending by then, so it stays
 * open though the application may hold no reference to it (to hold the call any higher up does not survive a garbage
 * collection). {@code responseFilters} sees each hop's response, {@code getExceptionalCF} its failure.
 *
 * <p>A hop that is rejected fails, or has a response of ours as its outcome, of the client's own class; what the client
 * does with a hop's response (redirects, authentication, retries) is below that, and only the body's reader asks what
 * it comes from: {@code Exchange.readBodyAsync}.
 *
 * <p>A body is seen on its way from the client's own subscriber to the application's, raw; so the application's own is
 * not wrapped (which the client would treat differently, and which would show in stacks). Up to Java 19 or so there is
 * none of the client's own for HTTP/2, and there it is.
 *
 * <p>Java 11 to 15 cancel nothing when a future is cancelled or a sending thread interrupted; there {@code send} and
 * {@code sendAsync} are watched so that at least a call that still waits ends.
 */
public final class JdkHttpClients {
    private static final String EXCHANGE = "jdk/internal/net/http/MultiExchange";
    private static final String SUBSCRIBER = "jdk/internal/net/http/common/HttpBodySubscriberWrapper";
    private static final String OLDER_SUBSCRIBER = "jdk/internal/net/http/Http1Response$Http1BodySubscriber";
    private static final String CLIENT_IMPL = "jdk/internal/net/http/HttpClientImpl";

    private JdkHttpClients() {
    }

    public static final Client CLIENT = new Client("jdk-http-client", "JDK HttpClient", "java.net.http.HttpClient",
            "io.tempolimit.clients.jdk.hooks",
            Site.gate(EXCHANGE, "responseAsyncImpl", "HopHook").fields("currentreq", "executor"),
            Site.watch(EXCHANGE, "responseFilters", "AnswerHook").fields("currentreq", "executor"),
            Site.gate("jdk/internal/net/http/Exchange", "readBodyAsync", "RejectionHook").fields("multi"),
            Site.gate("jdk/internal/net/http/Http1Response", "readBody", "BodyHook").fields("exchange"),
            Site.gate("jdk/internal/net/http/Stream", "receiveData", "BodyHook"),
            Site.gate(SUBSCRIBER, "onNext", "SubscriberHook").descriptor("(Ljava/util/List;"),
            Site.gate(SUBSCRIBER, "complete", "SubscriberHook"),
            Site.gate(SUBSCRIBER, "onCancel", "SubscriberHook"),
            Site.gate(OLDER_SUBSCRIBER, "onNext", "SubscriberHook").descriptor("(Ljava/util/List;").fields("userSubscriber"),
            Site.gate(OLDER_SUBSCRIBER, "complete", "SubscriberHook").fields("userSubscriber"),
            Site.gate(OLDER_SUBSCRIBER, "onSubscribe", "SubscriberHook").fields("userSubscriber"),
            Site.gate("jdk/internal/net/http/Http1AsyncReceiver$Http1AsyncDelegateSubscription", "cancel", "SubscriberHook"),
            Site.gate(EXCHANGE, "getExceptionalCF", "FailureHook"),
            Site.watch(EXCHANGE, "cancel", "CancelHook").descriptor("(Z)").optional(),
            Site.watch(EXCHANGE, "cancel", "AbortHook").descriptor("(Ljava/io/IOException;)"),
            Site.watch(EXCHANGE, "responseAsync", "StartHook").descriptor("(Ljava/util/concurrent/Executor;)").optional(),
            Site.watch(CLIENT_IMPL, "send", "SendHook"),
            Site.watch(CLIENT_IMPL, "sendAsync", "SendAsyncHook").optional()
                    .descriptor("(Ljava/net/http/HttpRequest;Ljava/net/http/HttpResponse$BodyHandler;"
                            + "Ljava/net/http/HttpResponse$PushPromiseHandler;Ljava/util/concurrent/Executor;"));
}
