package io.tempolimit.clients.vertx;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * Vert.x 4 and 5: HttpClient, and WebClient, which rides on it; HTTP/1.1, HTTP/2 and web sockets.
 *
 * <p>A call waits where the client, having looked through its arguments, is about to take a connection or to open one: no
 * connection is held, and the client's timeouts are not set yet. Each redirect comes there anew. No thread waits: the method is
 * skipped, and called again on the call's own context; begun elsewhere, a redirect of Vert.x 5 gets lost. So that
 * permit and request meet before the application has the request, the client is given a promise of ours, or its
 * future is passed on by one. A rejection fails the call's future. A future of Vert.x cannot be cancelled; a call that waits
 * ends when the client is closed.
 *
 * <p>Vert.x 5 closes a client when the object by which the application has it is collected, and so did 4.2 with shared ones:
 * a call that waits keeps that object ({@code FacadeHook}).
 *
 * <p>A response's chunks are looked at when the client hands them to the application: raw, or decoded where the client is asked to,
 * which then takes {@code Content-Encoding} away.
 *
 * <p>A request on a connection that the application has opened itself (Vert.x 5) waits as well. The same of Vert.x 4 was
 * internal, and is not woven.
 */
public final class VertxClients {
    private static final String IMPL = "io/vertx/core/http/impl/";
    private static final String CLIENT_IMPL = IMPL + "HttpClientImpl";
    private static final String CLIENT_BASE = IMPL + "HttpClientBase";
    private static final String WEB_SOCKET_CLIENT = IMPL + "WebSocketClientImpl";
    private static final String REQUEST_BASE = IMPL + "HttpClientRequestBase";
    private static final String RESPONSE = IMPL + "HttpClientResponseImpl";

    private static final String METHOD = "Lio/vertx/core/http/HttpMethod;";
    private static final String ADDRESS = "Lio/vertx/core/net/SocketAddress;";
    private static final String HOST_AND_PORT = "Ljava/lang/String;I";
    private static final String SSL_AND_URI = "Ljava/lang/Boolean;Ljava/lang/String;";
    private static final String TO_OPTIONS =
            "Lio/vertx/core/net/Address;Ljava/lang/Integer;Ljava/lang/String;Lio/vertx/core/http/RequestOptions;)";
    private static final String WEB_SOCKET_OPTIONS = "Lio/vertx/core/http/WebSocketConnectOptions;";

    /** 4.0 to 4.4, 4.5, 5.0, 5.1 and later. The second has a string more than a method of 4.0 that calls the first. */
    private static final String BEGINS = "(" + METHOD + ADDRESS + ADDRESS + HOST_AND_PORT
            + "|(" + METHOD + ADDRESS + HOST_AND_PORT + SSL_AND_URI + "Lio/vertx/core/MultiMap;Ljava/lang/String;"
            + "|(" + TO_OPTIONS
            + "|(Lio/vertx/core/internal/http/HttpClientTransport;" + TO_OPTIONS;
    /** 4, 5.0, 5.1 and later. */
    private static final String CLOSES =
            "(Lio/vertx/core/Promise;)|(Lio/vertx/core/Completable;)|(Ljava/time/Duration;Lio/vertx/core/Completable;)";
    /** 4, 5. */
    private static final String OPENS_WEB_SOCKET = "(" + WEB_SOCKET_OPTIONS + "Lio/vertx/core/impl/future/PromiseInternal;)"
            + "|(Lio/vertx/core/internal/ContextInternal;" + WEB_SOCKET_OPTIONS + "Lio/vertx/core/Promise;)";

    private VertxClients() {
    }

    public static final Client CLIENT = new Client("vertx", "Vert.x HttpClient", "io.vertx.core.http.HttpClient",
            "io.tempolimit.clients.vertx.hooks",
            Site.gate(CLIENT_IMPL, "request|doRequest", "RequestHook").descriptor(BEGINS),
            Site.gate(CLIENT_IMPL, "close|doShutdown", "CloseHook").descriptor(CLOSES),
            Site.gate(CLIENT_IMPL, "webSocket", "WebSocketHook").descriptor(OPENS_WEB_SOCKET).optional(), // to 4.4
            Site.gate(CLIENT_BASE, "webSocket", "WebSocketHook").descriptor(OPENS_WEB_SOCKET).optional(), // 4.5
            Site.gate(CLIENT_BASE, "close", "CloseHook").descriptor("(Lio/vertx/core/Promise;)").optional(),
            Site.gate(WEB_SOCKET_CLIENT, "webSocket", "WebSocketHook").descriptor(OPENS_WEB_SOCKET).optional(), // 5
            Site.gate(WEB_SOCKET_CLIENT, "doShutdown", "CloseHook").descriptor(CLOSES).optional(),
            Site.gate(CLIENT_IMPL, "connect", "ConnectHook").descriptor("(Lio/vertx/core/http/HttpConnectOptions;").optional(), // 5
            Site.gate(IMPL + "UnpooledHttpClientConnection", "request", "ConnectionRequestHook")
                    .descriptor("(Lio/vertx/core/internal/ContextInternal;"),
            Site.watch(IMPL + "CleanableHttpClient", "request", "FacadeHook"),
            Site.watch(IMPL + "CleanableWebSocketClient", "connect", "FacadeHook"),
            Site.watch(IMPL + "SharedHttpClient", "request", "FacadeHook").optional(),
            Site.gate(REQUEST_BASE, "handleResponse", "ResponseHook").descriptor("(Lio/vertx/core/http/HttpClientResponse;)"),
            Site.watch(RESPONSE, "handleChunk", "ChunkHook"),
            Site.watch(RESPONSE, "handleEnd|handleTrailers", "EndHook"), // to 5.0; 5.1; both since 5.2
            Site.watch(RESPONSE, "handleException", "CutHook"),
            Site.gate(REQUEST_BASE, "fail", "FailureHook"),
            Site.watch(REQUEST_BASE, "reset", "ResetHook").descriptor("(J"),
            Site.watch(REQUEST_BASE, "cancel", "ResetHook").descriptor("()").optional()); // since 5.1
}
