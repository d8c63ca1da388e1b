package io.tempolimit.clients.netty.hooks;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpRequest;
import io.tempolimit.core.Unseen;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;

/** Where a request goes, by its URL, its {@code Host}, or its channel. */
final class RequestTarget extends Target {
    private final HttpRequest request;
    private final boolean secure;
    private final String connected;
    /** Host and port; null if the request does not say. */
    private final String authority;
    private final String path;

    RequestTarget(HttpRequest request, ChannelHandlerContext context) {
        this.request = request;
        this.secure = Transport.tls(context) != null;
        connected = Transport.peer(context);
        String uri = request.getUri();
        int begin = uri.startsWith("/") ? -1 : uri.indexOf("://");
        int from = begin < 0 ? 0 : begin + 3;
        int slash = from;
        while (begin >= 0 && slash < uri.length() && "/?#".indexOf(uri.charAt(slash)) < 0) {
            slash++;
        }
        authority = begin < 0 ? request.headers().get("Host") : uri.substring(Math.max(from, uri.lastIndexOf('@', slash) + 1), slash);
        int end = slash;
        while (end < uri.length() && uri.charAt(end) != '?' && uri.charAt(end) != '#') {
            end++;
        }
        path = uri.substring(slash, end);
    }

    /** Whether it was announced, under one of its names; it is not expected any more. */
    boolean spend(Unseen unseen) {
        return unseen.expected(host()) || connected != null && unseen.expected(connected);
    }

    /** Not when it arrives: while it is held, what goes to its host on another channel is another request. */
    @Override
    public boolean unannounced() {
        return true;
    }

    @Override
    public String scheme() {
        return secure || request.getUri().regionMatches(true, 0, "https:", 0, 6) ? "https" : "http";
    }

    /** In canonical form; null if nobody knows. */
    @Override
    public String host() {
        String named = Hosts.canonical(authority);
        return named == null ? connected : named;
    }

    @Override
    public int port() {
        int colon = authority == null ? -1 : authority.lastIndexOf(':');
        if (colon < 0 || authority.indexOf(']', colon) > 0) {
            return -1;
        }
        try {
            return Integer.parseInt(authority.substring(colon + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String method() {
        return request.getMethod().toString();
    }

    @Override
    public String header(String name) {
        return request.headers().get(name);
    }
}
