package io.tempolimit.examples.site;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;

/**
 * What the site looks at in a request.
 *
 * @param client who asks
 * @param method the HTTP method
 * @param host the {@code Host} header, empty where there is none
 * @param target path and query
 * @param ifNoneMatch the version that the client has already, empty where it names none
 * @param gzip whether it takes a compressed answer
 */
record Request(String client, String method, String host, String target, String ifNoneMatch, boolean gzip) {

    static Request of(HttpExchange exchange, boolean clientHeader) {
        Headers headers = exchange.getRequestHeaders();
        String address = exchange.getRemoteAddress().getAddress().getHostAddress();
        String named = header(headers, "X-Client");
        String query = exchange.getRequestURI().getRawQuery();
        return new Request(
                clientHeader && !named.isEmpty() ? named : address,
                exchange.getRequestMethod(),
                header(headers, "Host"),
                exchange.getRequestURI().getRawPath() + (query == null ? "" : "?" + query),
                header(headers, "If-None-Match"),
                header(headers, "Accept-Encoding").contains("gzip"));
    }

    private static String header(Headers headers, String name) {
        String value = headers.getFirst(name);
        return value == null ? "" : value;
    }
}
