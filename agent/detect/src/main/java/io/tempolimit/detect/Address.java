package io.tempolimit.detect;

import java.util.Locale;

/** Where a redirect leads, or where a browser is, in the form that the catalogue's addresses have: {@code host/path}, lower case. */
final class Address {
    private static final int LONGEST = 2048;

    private Address() { }

    /** With the query, without scheme, user info, port and fragment. {@code host}: the one that it is relative to; never throws. */
    static String of(String url, String host) {
        String s = url.trim();
        s = s.length() > LONGEST ? s.substring(0, LONGEST) : s;
        int fragment = s.indexOf('#');
        s = fragment >= 0 ? s.substring(0, fragment) : s;
        int query = s.indexOf('?');
        int scheme = s.indexOf("://");
        if (scheme > 0 && (query < 0 || scheme < query)) {
            s = s.substring(scheme + 1);
        }
        if (!s.startsWith("//")) {
            return (host + (s.startsWith("/") ? "" : "/") + s).toLowerCase(Locale.ROOT);
        }
        int end = 2;
        while (end < s.length() && s.charAt(end) != '/' && s.charAt(end) != '?') {
            end++;
        }
        String authority = s.substring(2, end);
        authority = authority.substring(authority.lastIndexOf('@') + 1);
        int port = authority.lastIndexOf(':');
        if (port >= 0 && authority.indexOf(']', port) < 0) {
            authority = authority.substring(0, port);
        }
        String rest = s.substring(end);
        return (authority + (rest.startsWith("/") ? "" : "/") + rest).toLowerCase(Locale.ROOT);
    }

    /** Whether an address of {@link #of} is of this pattern; the query only counts for a pattern that has one. */
    static boolean matches(String pattern, String address) {
        int query = pattern.indexOf('?') < 0 ? address.indexOf('?') : -1;
        return Glob.matches(pattern, query < 0 ? address : address.substring(0, query));
    }
}
