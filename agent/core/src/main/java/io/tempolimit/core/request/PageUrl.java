package io.tempolimit.core.request;

import java.util.Locale;

/**
 * A page to load, by its URL as people write it and browsers take it: blanks, backslashes and missing slashes are no
 * faults. What is not on the web ({@code about:}, {@code data:}, {@code file:}) has no host. Immutable.
 */
public final class PageUrl extends Target {
    private static final PageUrl NOWHERE = new PageUrl("", null, -1, "", UNKNOWN);

    private final String scheme;
    private final String host;
    private final int port;
    private final String path;
    private final String proxy;

    private PageUrl(String scheme, String host, int port, String path, String proxy) {
        this.scheme = scheme;
        this.host = host;
        this.port = port;
        this.path = path;
        this.proxy = proxy;
    }

    /** @param url may be null */
    public static PageUrl of(String url) {
        return of(url, null);
    }

    /**
     * @param url  may be null
     * @param base the URL that a relative one starts from; null if there is none
     */
    public static PageUrl of(String url, String base) {
        if (url == null) {
            return NOWHERE;
        }
        String u = cleaned(url);
        int colon = u.indexOf(':');
        if (isScheme(u, colon)) {
            String scheme = u.substring(0, colon).toLowerCase(Locale.ROOT);
            return isWeb(scheme) ? absolute(scheme, u, colon + 1) : NOWHERE;
        }
        PageUrl from = base == null ? NOWHERE : of(base, null);
        if (from.host == null) {
            return NOWHERE;
        }
        if (u.startsWith("//")) {
            return absolute(from.scheme, u, 0);
        }
        return new PageUrl(from.scheme, from.host, from.port, from.resolve(path(u, 0)), UNKNOWN);
    }

    /** Without blanks around it, and without line breaks and tabs, which may be anywhere; slashes the right way round. */
    private static String cleaned(String url) {
        StringBuilder s = new StringBuilder(url.length());
        boolean path = true;
        for (char c : url.trim().toCharArray()) {
            path &= c != '?' && c != '#';
            if (c != '\t' && c != '\n' && c != '\r') {
                s.append(c == '\\' && path ? '/' : c);
            }
        }
        return s.toString();
    }

    private static boolean isScheme(String u, int end) {
        for (int i = 0; i < end; i++) {
            char c = (char) (u.charAt(i) | 32);
            boolean letter = c >= 'a' && c <= 'z';
            boolean other = c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.';
            if (!letter && (i == 0 || !other)) {
                return false;
            }
        }
        return end > 0;
    }

    private static boolean isWeb(String scheme) {
        return scheme.equals("http") || scheme.equals("https");
    }

    private static PageUrl absolute(String scheme, String u, int from) {
        int start = from;
        while (start < u.length() && u.charAt(start) == '/') {
            start++;
        }
        int end = start;
        while (end < u.length() && "/?#".indexOf(u.charAt(end)) < 0) {
            end++;
        }
        String authority = u.substring(start, end);
        String hostPort = authority.substring(authority.lastIndexOf('@') + 1);
        int colon = hostPort.indexOf(':', hostPort.indexOf(']') + 1);
        String host = colon < 0 ? hostPort : hostPort.substring(0, colon);
        int port = colon < 0 ? -1 : Hosts.port(hostPort.substring(colon + 1));
        boolean defaultPort = port == (scheme.equals("https") ? 443 : 80);
        String path = path(u, end);
        return new PageUrl(scheme, host.isEmpty() ? null : host, defaultPort ? -1 : port, path.isEmpty() ? "/" : path, UNKNOWN);
    }

    private static String path(String u, int from) {
        int end = from;
        while (end < u.length() && u.charAt(end) != '?' && u.charAt(end) != '#') {
            end++;
        }
        return u.substring(from, end);
    }

    private String resolve(String relative) {
        if (relative.isEmpty()) {
            return path;
        }
        return relative.startsWith("/") ? relative : path.substring(0, path.lastIndexOf('/') + 1) + relative;
    }

    /** The same, through this proxy, as {@link Egress} names it. */
    public PageUrl by(String egress) {
        return egress == proxy ? this : new PageUrl(scheme, host, port, path, egress);
    }

    @Override
    public String proxy() {
        return proxy;
    }

    /** A browser sends it: it would be a credit for somebody else's request. */
    @Override
    public boolean unannounced() {
        return true;
    }

    @Override
    public String scheme() {
        return scheme;
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String path() {
        return path;
    }
}
