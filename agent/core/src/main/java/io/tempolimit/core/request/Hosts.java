package io.tempolimit.core.request;

import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/** Host names as the network sees them. */
public final class Hosts {
    /** No name that is longer can be looked up, in whatever form; and links may hold anything. */
    private static final int LONGEST = 1000;

    private Hosts() {
    }

    /**
     * Lower case, IDN as ASCII, no trailing dot, no port, IPv6 literals in canonical form (RFC 5952) without brackets and
     * zone. Never resolves a name. A name in that form already is given back as it is, without a copy.
     *
     * @param host as a URL has it; may be null
     * @return null if there is no host, or none that there can be
     */
    public static String canonical(String host) {
        if (host == null || host.isEmpty() || host.length() > LONGEST) {
            return null;
        }
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.')) {
                return rewritten(host);
            }
        }
        return host.charAt(host.length() - 1) == '.' ? rewritten(host) : host;
    }

    /** The port after a colon; -1 if it is none. */
    static int port(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static String rewritten(String host) {
        String h = host;
        if (h.startsWith("[")) {
            int end = h.indexOf(']');
            h = h.substring(1, end < 0 ? h.length() : end);
        }
        int colon = h.indexOf(':');
        if (colon >= 0 && h.indexOf(':', colon + 1) >= 0) {
            return ipv6(h);
        }
        if (colon >= 0) {
            h = h.substring(0, colon);
        }
        for (int i = 0; i < h.length(); i++) {
            if (h.charAt(i) > 127) {
                try {
                    h = IDN.toASCII(h, IDN.ALLOW_UNASSIGNED);
                } catch (IllegalArgumentException e) {
                    // no such name can be resolved either; it keeps a bucket of its own under the name as written
                }
                break;
            }
        }
        h = h.toLowerCase(Locale.ROOT);
        while (h.endsWith(".")) { // only now: IDN knows other dots, too
            h = h.substring(0, h.length() - 1);
        }
        return h.isEmpty() ? null : h;
    }

    private static String ipv6(String literal) {
        int zone = literal.indexOf('%');
        String bare = zone < 0 ? literal : literal.substring(0, zone);
        byte[] b;
        try {
            b = InetAddress.getByName("[" + bare + "]").getAddress(); // in brackets it is a literal or an error, never a look-up
        } catch (UnknownHostException e) {
            return literal.toLowerCase(Locale.ROOT);
        }
        if (b.length == 4) { // an IPv4 address mapped into IPv6
            return (b[0] & 255) + "." + (b[1] & 255) + "." + (b[2] & 255) + "." + (b[3] & 255);
        }
        int[] group = new int[8];
        for (int i = 0; i < 8; i++) {
            group[i] = (b[2 * i] & 255) << 8 | b[2 * i + 1] & 255;
        }
        int gap = -1;
        int gapLength = 1; // a single zero group is not shortened
        for (int i = 0; i < 8; i++) {
            int n = 0;
            while (i + n < 8 && group[i + n] == 0) {
                n++;
            }
            if (n > gapLength) {
                gap = i;
                gapLength = n;
            }
            i += n;
        }
        StringBuilder s = new StringBuilder(40);
        for (int i = 0; i < 8; i++) {
            if (i == gap) {
                s.append("::");
                i += gapLength - 1;
                continue;
            }
            if (s.length() > 0 && s.charAt(s.length() - 1) != ':') {
                s.append(':');
            }
            s.append(Integer.toHexString(group[i]));
        }
        return s.toString();
    }
}
