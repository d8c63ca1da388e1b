package io.tempolimit.admin;

import com.sun.net.httpserver.Headers;
import io.tempolimit.core.request.Hosts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;

/**
 * Who may ask for what. Pages of other sites, which a browser on this machine may have open, must neither read nor do
 * anything: what they lead the browser to has their own name as {@code Host} (DNS rebinding) or as {@code Origin}.
 * Immutable.
 */
final class Doorkeeper {
    private static final String BEARER = "Bearer ";

    /** In canonical form, as {@link #allowed}. */
    private final List<String> names;
    /** The names of proxies before the page. */
    private final List<String> allowed;
    /** Null for none. */
    private final byte[] token;
    private final boolean local;

    /**
     * @param names   of this machine, beside its addresses and {@code localhost}
     * @param allowed further names, by which a proxy before the page is called
     * @param token   null for none
     * @param local   whether only this machine reaches the port; else every request needs the token
     */
    Doorkeeper(List<String> names, List<String> allowed, String token, boolean local) {
        this.names = names;
        this.allowed = allowed;
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.local = local;
    }

    /** Whether this is asked of us, by an address or by our own name. No site can take an address for its name. */
    boolean isForUs(Headers headers) {
        List<String> hosts = headers.get("Host");
        String host = hosts == null || hosts.size() != 1 ? null : Hosts.canonical(hosts.get(0));
        return host != null && (isAddress(host) || host.equals("localhost") || names.contains(host) || allowed.contains(host));
    }

    private static boolean isAddress(String host) {
        boolean v6 = host.indexOf(':') >= 0;
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (!(c >= '0' && c <= '9' || c == '.' || v6 && (c == ':' || c >= 'a' && c <= 'f'))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether it comes from our own page, or from no page at all. A proxy may put its own address into {@code Host}; then the page has
     * the name by which browsers know the proxy.
     */
    boolean isOurs(Headers headers) {
        String origin = headers.getFirst("Origin");
        if (origin == null) {
            return true;
        }
        String host = headers.getFirst("Host").toLowerCase(Locale.ROOT);
        String from = origin.toLowerCase(Locale.ROOT);
        String name = hostOf(from);
        boolean same = from.equals("http://" + host) || from.equals("https://" + host); // https: a proxy in between
        return same || name != null && allowed.contains(name);
    }

    /** Null for what is no origin of a page that a server gave, as {@code null}. */
    private static String hostOf(String origin) {
        boolean served = origin.startsWith("http://") || origin.startsWith("https://");
        return served ? Hosts.canonical(origin.substring(origin.indexOf("//") + 2)) : null;
    }

    /** Whether reading needs the token. */
    boolean asksReaders() {
        return !local;
    }

    /** Whether anything can be done at all. */
    boolean letsAct() {
        return token != null;
    }

    /** Whether the token comes with it. How long the comparison takes tells nothing of the token. */
    boolean hasToken(Headers headers) {
        String given = headers.getFirst("Authorization");
        return token != null && given != null && given.regionMatches(true, 0, BEARER, 0, BEARER.length())
                && MessageDigest.isEqual(token, given.substring(BEARER.length()).trim().getBytes(StandardCharsets.UTF_8));
    }
}
