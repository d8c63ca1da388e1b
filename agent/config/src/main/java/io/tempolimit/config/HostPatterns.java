package io.tempolimit.config;

import io.tempolimit.core.request.Hosts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Something for each of many host patterns: {@code example.com} (this host), {@code *.example.com} (at any depth below it, not itself),
 * {@code 10.0.0.0/8} and {@code fc00::/7} (addresses written as such). A look-up takes one probe per label of the host's name, or per
 * prefix length in use. Safe for any thread once filled.
 */
final class HostPatterns<V> {
    private final Map<String, V> exact = new HashMap<String, V>();
    /** By what follows the star and its dot. */
    private final Map<String, V> below = new HashMap<String, V>();
    /** By the network's bytes and its prefix. Null until there is one. */
    private Map<String, V> networks;
    private boolean[] prefixes;

    /**
     * The one form in which equal patterns are equal.
     *
     * @throws IllegalArgumentException with what is wrong, for a fault's line
     */
    static String canonical(String pattern) {
        if (pattern.indexOf("//") >= 0) {
            throw wrong(pattern, "is a URL; only its host goes here");
        }
        if (pattern.indexOf('/') >= 0) {
            return cidr(pattern);
        }
        boolean wild = pattern.startsWith("*.");
        String name = wild ? pattern.substring(2) : pattern;
        boolean address = name.startsWith("[") || name.indexOf(':') != name.lastIndexOf(':');
        if (!address && name.indexOf(':') >= 0) {
            throw wrong(pattern, "has a port; only a host goes here");
        }
        String host = Hosts.canonical(name);
        if (host == null) {
            throw wrong(pattern, "is no host pattern");
        }
        if (address) {
            if (wild || Address.parse(host) == null) {
                throw wrong(pattern, "is no IPv6 address");
            }
            return host;
        }
        return wild ? "*." + name(host, pattern) : name(host, pattern);
    }

    private static String name(String host, String pattern) {
        if (host.equals("*")) {
            throw wrong(pattern, "means every host, which leaving the key out says too");
        }
        if (host.length() > 253) {
            throw wrong(pattern, "is too long for a host");
        }
        String[] labels = SettingKey.split(host, '.');
        for (String label : labels) {
            if (label.isEmpty() || label.length() > 63) {
                throw wrong(pattern, label.isEmpty() ? "has an empty label" : "has a label of more than 63 characters");
            }
        }
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_')) {
                throw wrong(pattern, c == '*' ? "has a * elsewhere than at its start, before a dot"
                        : "has a character that no host has: " + c);
            }
        }
        // no top-level domain is a number: a slip in an address would match nothing, silently
        if (Address.number(labels[labels.length - 1]) >= 0
                && (pattern.startsWith("*") || labels.length != 4 || Address.parse(host) == null)) {
            throw wrong(pattern, "is no IPv4 address");
        }
        return host;
    }

    private static String cidr(String pattern) {
        int slash = pattern.indexOf('/');
        String written = pattern.substring(0, slash);
        String host = Hosts.canonical(written);
        byte[] b = host == null ? null : Address.parse(host);
        long prefix = Address.number(pattern.substring(slash + 1));
        if (b == null || host.indexOf(':') < 0 && SettingKey.split(host, '.').length != 4) {
            throw wrong(pattern, prefix < 0 ? "has a path; only a host goes here" : "has no address before its slash");
        }
        if (b.length == 4 && written.indexOf(':') >= 0 && prefix >= 96) {
            prefix -= 96; // IPv4 mapped into IPv6 is IPv4, for hosts too
        }
        if (prefix < 0 || prefix > 8 * b.length) {
            throw wrong(pattern, "has no prefix length from 0 to " + 8 * b.length + " after its slash");
        }
        return text(Address.network(b, (int) prefix)) + "/" + prefix;
    }

    /** In canonical form. IPv4 by hand, since InetAddress loads a native library. */
    private static String text(byte[] b) {
        if (b.length == 4) {
            return (b[0] & 255) + "." + (b[1] & 255) + "." + (b[2] & 255) + "." + (b[3] & 255);
        }
        try {
            return Hosts.canonical("[" + InetAddress.getByAddress(b).getHostAddress() + "]");
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // only for other lengths than 4 and 16
        }
    }

    private static IllegalArgumentException wrong(String pattern, String problem) {
        return new IllegalArgumentException("'" + pattern + "' " + problem);
    }

    /** @param pattern as {@link #canonical} gives it */
    void put(String pattern, V value) {
        int slash = pattern.indexOf('/');
        if (slash >= 0) {
            byte[] b = Address.parse(pattern.substring(0, slash));
            int prefix = Integer.parseInt(pattern.substring(slash + 1));
            if (networks == null) {
                networks = new HashMap<String, V>();
                prefixes = new boolean[129];
            }
            networks.put(network(b, prefix), value);
            prefixes[prefix] = true;
        } else if (pattern.startsWith("*.")) {
            below.put(pattern.substring(2), value);
        } else {
            exact.put(pattern, value);
        }
    }

    private static String network(byte[] address, int prefix) {
        byte[] b = Address.network(address, prefix);
        char[] key = new char[b.length + 1];
        for (int i = 0; i < b.length; i++) {
            key[i] = (char) (b[i] & 255);
        }
        key[b.length] = (char) prefix;
        return new String(key);
    }

    /** @param host in canonical form */
    boolean matches(String host) {
        return !find(host, true).isEmpty();
    }

    /**
     * What all matching patterns stand for, the most specific first: the host itself, longer before shorter wildcards,
     * longer before shorter prefixes.
     *
     * @param host in canonical form; a wildcard pattern finds itself and those above it
     */
    List<V> matching(String host) {
        return find(host, false);
    }

    private List<V> find(String host, boolean first) {
        List<V> found = new ArrayList<V>(first ? 1 : 3);
        add(found, exact.get(host));
        if (!below.isEmpty()) {
            for (int dot = host.indexOf('.'); dot >= 0 && !(first && !found.isEmpty()); dot = host.indexOf('.', dot + 1)) {
                add(found, below.get(host.substring(dot + 1)));
            }
        }
        if (networks != null && !(first && !found.isEmpty())) {
            byte[] b = Address.parse(host);
            for (int prefix = b == null ? -1 : 8 * b.length; prefix >= 0; prefix--) {
                if (prefixes[prefix]) {
                    add(found, networks.get(network(b, prefix)));
                }
            }
        }
        return found;
    }

    private static <V> void add(List<V> found, V value) {
        if (value != null) {
            found.add(value);
        }
    }
}
