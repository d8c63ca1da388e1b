package io.tempolimit.admin;

import com.sun.net.httpserver.Headers;
import io.tempolimit.core.Hosts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;

/**
 * Who may ask for what. Pages of other sites, which a browser on this machine may have open, must neither read nor do anything: what they lead
 * the browser to has their own name as {@code Host} (DNS rebinding) or as {@code Origin}. Immutable.
 */
final class Doorkeeper {
    private static final String BEARER = "Bearer ";

    /** In canonical form. */
    private final List<String> names;
    /** Null for none. */
    private final byte[] token;
    private final boolean local;

    /**
     * @param names of this machine, beside its addresses and {@code localhost}
     * @param token null for none
     * @param local whether only this machine reaches the port; else every request needs the token
     */
    Doorkeeper(List<String> names, String token, boolean local) {
        this.names = names;
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.local = local;
    }

    /** Whether this is asked of us, by an address or by our own name. No site can take an address for its name. */
    boolean isForUs(Headers headers) {
        List<String> hosts = headers.get("Host");
        String host = hosts == null || hosts.size() != 1 ? null : Hosts.canonical(hosts.get(0));
        return host != null && (isAddress(host) || host.equals("localhost") || names.contains(host));
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

    /** Whether it comes from our own page, or from no page at all. */
    boolean isOurs(Headers headers) {
        String origin = headers.getFirst("Origin");
        if (origin == null) {
            return true;
        }
        String host = headers.getFirst("Host").toLowerCase(Locale.ROOT);
        String from = origin.toLowerCase(Locale.ROOT);
        return from.equals("http://" + host) || from.equals("https://" + host); // https: a proxy in between
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
