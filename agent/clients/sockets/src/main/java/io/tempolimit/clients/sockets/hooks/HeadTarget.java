package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.core.request.Target;

/** Where a request goes, by the head that is written. Refers to no socket. */
final class HeadTarget extends Target {
    private final String text;
    private final String host;
    private final boolean secure;
    private final String method;
    /** What stands between the method and the version. */
    private final String asked;

    /**
     * @param text   of the head, as far as one write has it
     * @param host   in canonical form
     * @param secure whether it goes over TLS
     */
    HeadTarget(String text, String host, boolean secure) {
        this.text = text;
        this.host = host;
        this.secure = secure;
        int line = text.indexOf('\n');
        int space = text.indexOf(' ');
        method = text.substring(0, space);
        asked = text.substring(space + 1, text.lastIndexOf(' ', line));
    }

    @Override
    public boolean unannounced() {
        return true;
    }

    private int urlBegins() {
        int at = asked.indexOf("://");
        return at < 0 || asked.charAt(0) == '/' ? -1 : at + 3;
    }

    @Override
    public String scheme() {
        int at = urlBegins();
        return secure || at > 0 && asked.regionMatches(true, 0, "https:", 0, 6) ? "https" : "http";
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public int port() {
        int begin = urlBegins();
        String authority = begin < 0 ? header("Host") : asked.substring(begin, pathBegins(begin));
        if (authority == null || authority == UNKNOWN) {
            return -1;
        }
        int colon = authority.lastIndexOf(':');
        int port = 0;
        for (int i = colon + 1; colon >= 0 && i < authority.length(); i++) {
            int digit = authority.charAt(i) - '0';
            if (digit < 0 || digit > 9 || port > 65_535) {
                return -1; // of an IPv6 address, say
            }
            port = port * 10 + digit;
        }
        return port > 0 ? port : -1;
    }

    private int pathBegins(int from) {
        int at = from;
        while (at < asked.length() && "/?#".indexOf(asked.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    @Override
    public String path() {
        int begin = urlBegins();
        int from = begin < 0 ? 0 : pathBegins(begin);
        int end = from;
        while (end < asked.length() && asked.charAt(end) != '?' && asked.charAt(end) != '#') {
            end++;
        }
        return asked.substring(from, end);
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String header(String name) {
        int at = text.indexOf('\n') + 1;
        for (int end; (end = text.indexOf('\n', at)) >= 0; at = end + 1) {
            int last = end > at && text.charAt(end - 1) == '\r' ? end - 1 : end;
            if (last == at) {
                return null;
            }
            int colon = at + name.length();
            if (colon < last && text.charAt(colon) == ':' && text.regionMatches(true, at, name, 0, name.length())) {
                return text.substring(colon + 1, last).trim();
            }
        }
        return UNKNOWN; // it may be in what is written later
    }
}
