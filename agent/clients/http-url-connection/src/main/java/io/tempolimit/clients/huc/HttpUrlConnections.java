package io.tempolimit.clients.huc;

import io.tempolimit.weave.Client;
import io.tempolimit.weave.Site;

/**
 * {@code java.net.HttpURLConnection}, http and https, Java 8 to 25.
 *
 * <p>Waits in {@code plainConnect}, which runs once per hop, redirects included, before a connection is taken (its other
 * entrances run four to ten times a request). With https the TLS handshake comes after it: {@code connect} of the delegate
 * sees that fail. The answer is seen in {@code HttpClient.parseHTTP}; asking the connection for its status would send
 * requests. A round that an authentication sends on the same connection does not pass {@code plainConnect}: it is found in
 * {@code parseHTTP}, takes its token there, and the next request pays.
 */
public final class HttpUrlConnections {
    private HttpUrlConnections() {
    }

    public static final Client CLIENT = new Client("http-url-connection", "HttpURLConnection",
            "sun.net.www.protocol.http.HttpURLConnection", "io.tempolimit.clients.huc.hooks",
            Site.watch("sun/net/www/protocol/http/HttpURLConnection", "plainConnect", "ConnectHook")
                    .fields("connected:Z", "userHeaders", "instProxy"),
            Site.watch("sun/net/www/protocol/https/AbstractDelegateHttpsURLConnection", "connect", "HandshakeHook"),
            Site.watch("sun/net/www/http/HttpClient", "parseHTTP", "AnswerHook").fields("requests"),
            Site.watch("sun/net/www/protocol/http/HttpURLConnection", "getInputStream", "BodyHook").fields("inputStream"),
            Site.watch("sun/net/www/protocol/http/HttpURLConnection", "expect100Continue", "ExpectHook"),
            Site.gate("sun/net/www/protocol/http/HttpURLConnection", "disconnect", "DisconnectHook"));
}
