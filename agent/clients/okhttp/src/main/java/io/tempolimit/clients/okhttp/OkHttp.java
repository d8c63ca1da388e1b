package io.tempolimit.clients.okhttp;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * OkHttp 3 to 5.
 *
 * <p>{@code ConnectInterceptor} is the one place that runs once per hop, below the cache and before a connection is taken:
 * there a thread waits. Up to 3.3 that is {@code HttpEngine.connect}. An enqueued call's first hop waits before that, outside
 * {@code Dispatcher}, without a thread and without one of the dispatcher's places, unless the client's cache might answer it.
 * The dispatcher may then keep it, for it has limits of its own; so the call departs once more where it connects.
 *
 * <p>A client is closed by shutting down its dispatcher's executor. Then the dispatcher's queue fails, and what runs goes
 * on. A call on the application's own thread does not need the executor, and may even begin. So held calls end, and calls
 * whose thread waits go on.
 *
 * <p>A rejection is thrown there, too, and becomes a response, if it shall, where it leaves
 * {@code RetryAndFollowUpInterceptor}: above all that the client repeats or caches, and below the application's own
 * interceptors, which see any other response there as well.
 */
public final class OkHttp {
    private static final String DISPATCHER = "okhttp3/Dispatcher";

    private static final String ENGINE = "okhttp3/internal/http/HttpEngine";

    private OkHttp() {
    }

    public static final Client CLIENT = new Client("okhttp", "OkHttp", "okhttp3.OkHttpClient", "io.tempolimit.clients.okhttp.hooks",
            Site.watch("okhttp3/internal/connection/ConnectInterceptor", "intercept", "ConnectHook"),
            Site.watch("okhttp3/internal/http/RetryAndFollowUpInterceptor", "intercept", "FollowUpHook"),
            Site.gate(DISPATCHER, "enqueue|enqueue$okhttp", "EnqueueHook"),
            Site.watch(DISPATCHER, "cancelAll", "CancelAllHook"),
            Site.watch(DISPATCHER, "queuedCalls", "QueuedCallsHook"),
            Site.watch(DISPATCHER, "queuedCallsCount", "QueuedCallsHook"),
            Site.watch("okhttp3/RealCall", "cancel", "CancelHook"),
            Site.watch("okhttp3/internal/connection/RealCall", "cancel", "CancelHook"),
            Site.watch("okhttp3/RealCall", "getResponseWithInterceptorChain", "ChainHook").optional(), // needed up to 3.8
            Site.watch("okhttp3/RealCall", "getResponse", "FollowUpHook").optional(), // up to 3.3, as what follows
            Site.watch(ENGINE, "connect", "EngineConnectHook").fields("client", "networkRequest"),
            Site.watch(ENGINE, "readNetworkResponse", "EngineAnswerHook"),
            Site.watch(ENGINE, "readResponse", "EngineAnswerHook"))
            .withCopies("okhttp3/", "okio/", "okio/BufferedSource", "okhttp3.ResponseBody", "source");
}
