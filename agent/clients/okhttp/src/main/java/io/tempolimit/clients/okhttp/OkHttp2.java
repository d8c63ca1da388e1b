package io.tempolimit.clients.okhttp;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * OkHttp 2.7.
 *
 * <p>Each hop has an engine, whose method {@code connect} runs below the cache and before a connection is taken: there a thread
 * waits. An enqueued call's first hop waits before that, outside {@code Dispatcher}, without a thread and without one of the
 * dispatcher's places, unless the client's cache might answer it. The dispatcher may then keep it, for it has limits of its own; so
 * the call departs once more where its engine connects.
 *
 * <p>{@code Dispatcher.cancel} cancels calls by their tag, and tells none of them. Closing and rejections are as in OkHttp 3: its
 * hooks are these, for other types.
 *
 * <p>Up to 2.6 a redirect on the same connection does not come to {@code connect}, so these versions are left alone.
 */
public final class OkHttp2 {
    private static final String IN = "com/squareup/okhttp/";
    private static final String DISPATCHER = IN + "Dispatcher";
    private static final String ENGINE = IN + "internal/http/HttpEngine";

    private OkHttp2() {
    }

    public static final Client CLIENT = new Client("okhttp2", "OkHttp 2", "com.squareup.okhttp.OkHttpClient",
            "io.tempolimit.clients.okhttp.hooks",
            Site.watch(IN + "Call", "getResponseWithInterceptorChain", "ChainHook"),
            Site.watch(IN + "Call", "getResponse", "FollowUpHook"),
            Site.watch(IN + "Call", "cancel", "CancelHook"),
            Site.watch(ENGINE, "connect", "EngineConnectHook").fields("client", "networkRequest"),
            Site.watch(ENGINE, "readNetworkResponse", "EngineAnswerHook"),
            Site.watch(ENGINE, "readResponse", "EngineAnswerHook"),
            Site.gate(DISPATCHER, "enqueue", "EnqueueHook"),
            Site.watch(DISPATCHER, "cancel", "CancelTagHook"),
            Site.watch(DISPATCHER, "getQueuedCallCount", "QueuedCallsHook"))
            .needing("com.squareup.okhttp.Call", "isExecuted") // since 2.7
            .withCopies(IN, "okio/", "okio/BufferedSource", "com.squareup.okhttp.ResponseBody", "source")
            .hooksSpeakOf("okhttp3/");
}
