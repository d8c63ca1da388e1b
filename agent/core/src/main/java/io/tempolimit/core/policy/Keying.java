package io.tempolimit.core.policy;

import io.tempolimit.core.request.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Which key a request belongs to, where that is not simply its host's. Thread-safe.
 *
 * <p>A key's name has its parts in a fixed order: the host or its domain, with the port behind it, then each other part with its name,
 * in front of it a semicolon: {@code shop.example:443;proxy=10.0.0.1:3128;path=/search;authorization=3f9a0c77be21}. Without a host or
 * a domain it begins with one of the others.
 */
public final class Keying {
    /** What a key has of the host that a request goes to. */
    public enum Site {
        /** The host: its settings are the key's. */
        HOST,
        /** The domain that somebody has registered, which its hosts share. */
        DOMAIN,
        /** Nothing: all hosts share the key. */
        NONE
    }

    /** Of a longer path this much names the key: each key is kept with its name. */
    private static final int LONGEST_PATH = 100;

    private final Site site;
    private final boolean port;
    private final boolean proxy;
    /** Segments of the path; 0 for none. */
    private final int depth;
    /** Lower case, sorted. */
    private final String[] headers;
    private final String accountHeader;
    private final Accounts accounts;
    private final String what;
    private final UnaryOperator<String> domains;

    /**
     * @param depth         how many segments of the path are part of the key; 0 for none
     * @param headers       that name accounts
     * @param accountHeader the one whose accounts have settings of their own; null for none
     * @param accounts      names accounts; null without headers
     * @param domains       from a canonical host to its registrable domain; null if that is no part of the key
     */
    public Keying(Site site, boolean port, boolean proxy, int depth, Iterable<String> headers, String accountHeader,
            Accounts accounts, UnaryOperator<String> domains) {
        this.site = site;
        this.port = port;
        this.proxy = proxy;
        this.depth = depth;
        SortedSet<String> sorted = new TreeSet<>();
        for (String header : headers) {
            sorted.add(header.toLowerCase(Locale.ROOT));
        }
        this.headers = sorted.toArray(new String[0]);
        this.accountHeader = accountHeader == null ? null : accountHeader.toLowerCase(Locale.ROOT);
        this.accounts = accounts;
        this.domains = domains;
        what = what();
    }

    private String what() {
        List<String> parts = new ArrayList<>();
        if (site != Site.NONE) {
            parts.add(site.name().toLowerCase(Locale.ROOT));
        }
        if (port) {
            parts.add("port");
        }
        if (proxy) {
            parts.add("proxy");
        }
        if (depth > 0) {
            parts.add("path");
        }
        if (headers.length > 0) {
            parts.add("account");
        }
        int last = parts.size() - 1;
        return last < 1 ? String.join("", parts) : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
    }

    /** What has a key of its own, for messages: {@code host}, or {@code domain, port and account}. */
    @Override
    public String toString() {
        return what;
    }

    /** Whether hosts share keys: then settings that are about a request, and not about its key, are those of the request's own host. */
    boolean shared() {
        return site != Site.HOST;
    }

    /**
     * The name of the key that a request belongs to.
     *
     * @param host the target's, in canonical form
     */
    public String of(String host, Target target) {
        String at = site == Site.HOST ? host : site == Site.DOMAIN ? domains.apply(host) : null;
        StringBuilder name = new StringBuilder(64);
        if (at != null) {
            appendHost(name, at);
        }
        if (port) {
            name.append(at == null ? "port=" : ":").append(port(target));
        }
        if (proxy) {
            part(name, "proxy", target.proxy());
        }
        if (depth > 0) {
            part(name, "path", path(target.path()));
        }
        for (String header : headers) {
            part(name, header, accounts.name(target.header(header)));
        }
        return name.toString();
    }

    /**
     * In a key's name, by what the key's settings are looked up: the host, its domain, or null. To keep it beside the
     * name would cost a hundred bytes a key.
     */
    public String host(String name) {
        if (site == Site.NONE) {
            return null;
        }
        int end = name.indexOf(';');
        String host = end < 0 ? name : name.substring(0, end);
        if (!port) {
            return host;
        }
        int colon = host.lastIndexOf(':');
        return host.startsWith("[") ? host.substring(1, colon - 1) : host.substring(0, colon);
    }

    /** In a key's name, the account whose settings come before the host's; null if no accounts have any. */
    public String account(String name) {
        if (accountHeader == null) {
            return null;
        }
        String part = accountHeader + "=";
        int from = name.lastIndexOf(";" + part) + 1; // or it begins with it
        int end = name.indexOf(';', from);
        return name.substring(from + part.length(), end < 0 ? name.length() : end);
    }

    /** Whether a header that is part of the key may still be added to the request. */
    boolean undecided(Target target) {
        for (String header : headers) {
            if (target.header(header) == Target.UNKNOWN) {
                return true;
            }
        }
        return false;
    }

    /** No host has a semicolon; what an application may call one must not pass for another key. */
    private void appendHost(StringBuilder name, String host) {
        String h = host.indexOf(';') < 0 ? host : host.replace(";", "%3b");
        if (port && h.indexOf(':') >= 0) {
            name.append('[').append(h).append(']');
        } else {
            name.append(h);
        }
    }

    /** What a URL without a port means is its scheme's. */
    public static int port(Target target) {
        int port = target.port();
        return port >= 0 ? port : "https".equalsIgnoreCase(target.scheme()) ? 443 : 80;
    }

    /** The first segments, without parameters: a session's id is no path of its own. */
    private String path(String raw) {
        if (raw == null || raw.isEmpty()) {
            return "/";
        }
        int parameters = raw.indexOf(';');
        int most = Math.min(LONGEST_PATH, parameters < 0 ? raw.length() : parameters);
        int end = 0;
        for (int n = 0; n < depth && end < most; n++) {
            int slash = raw.indexOf('/', end + 1);
            end = slash < 0 ? most : Math.min(slash, most);
        }
        return end == 0 ? "/" : raw.substring(0, end);
    }

    private static void part(StringBuilder name, String part, String value) {
        name.append(name.length() == 0 ? "" : ";").append(part).append('=').append(value);
    }
}
