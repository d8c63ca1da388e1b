package io.tempolimit.config;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Whether a text tells where Redis is. That is looked at here, so that neither {@code check} nor a start has to load a
 * client of Redis for it. What is thrown quotes nothing of it.
 */
final class RedisUri {
    private static final String SENTINEL = "redis-sentinel";

    private RedisUri() {
    }

    /** @return the text, with commas between sentinels, which agent arguments cannot have */
    static String parse(String text) {
        try {
            return parts(text);
        } catch (IllegalArgumentException e) {
            String better = unescaped(text);
            throw better == null ? e : new IllegalArgumentException(better);
        }
    }

    /** What ends the part before the {@code @} too early: a password that is not percent-encoded. Null if nothing does. */
    private static String unescaped(String text) {
        int from = text.indexOf("://") + 3;
        int at = text.lastIndexOf('@');
        for (int i = from; from > 2 && i < at; i++) {
            char c = text.charAt(i);
            if (c == '#' || c == '/' || c == '?') {
                return "has a " + c + " before its @; in a password that is written " + (c == '#' ? "%23" : c == '/' ? "%2F" : "%3F")
                        + ", or redis.password=@FILE says the password";
            }
        }
        return null;
    }

    private static String parts(String text) {
        int end = text.indexOf("://");
        String scheme = end < 0 ? "" : text.substring(0, end);
        boolean sentinels = scheme.equals(SENTINEL);
        if (!sentinels && !scheme.equals("redis") && !scheme.equals("rediss")) {
            throw new IllegalArgumentException("not a URI of Redis, which begins with redis:// or rediss://,"
                    + " as in redis://10.0.0.5:6379");
        }
        String commas = sentinels ? text.substring(0, text.lastIndexOf('@') + 1)
                + text.substring(text.lastIndexOf('@') + 1).replace(';', ',') : text;
        if (text.length() == end + 3) {
            throw new IllegalArgumentException("no host");
        }
        URI uri;
        try {
            uri = new URI(commas);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not a URI; what is no letter and no digit in a password is to be "
                    + "percent-encoded, or the password said by redis.password");
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        String hosts = authority.substring(authority.lastIndexOf('@') + 1);
        for (String host : sentinels ? SettingKey.split(hosts, ',') : new String[] {hosts}) {
            host(host);
        }
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("no host");
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        if (path.length() > 1) {
            database(path.substring(1));
        }
        if (!sentinels && uri.getRawFragment() != null) {
            throw new IllegalArgumentException("goes on with a # after its host, which only redis-sentinel:// does");
        }
        boolean master = uri.getRawFragment() != null && !uri.getRawFragment().isEmpty();
        for (String parameter : SettingKey.split(uri.getRawQuery() == null ? "" : uri.getRawQuery(), '&')) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = parameter.substring(equals + 1);
            if (name.equals("database")) {
                database(value);
            } else if (name.equals("sentinelMasterId")) {
                master |= !value.isEmpty();
            } else if (name.equals("verifyPeer")) {
                if (!value.equals("NONE") && !value.equals("CA") && !value.equals("FULL")) {
                    throw new IllegalArgumentException("verifyPeer is NONE, CA or FULL");
                }
            } else if (!name.equals("clientName")) {
                throw new IllegalArgumentException("an unknown parameter; there are database, verifyPeer, clientName and sentinelMasterId");
            }
        }
        if (sentinels && !master) {
            throw new IllegalArgumentException("no #master");
        }
        return commas;
    }

    static boolean ofSentinels(String uri) {
        return uri.startsWith(SENTINEL);
    }

    /** A name, which may have underscores as those of containers do, or an address; and perhaps a port. */
    private static void host(String text) {
        int bracket = text.indexOf(']');
        int colon = text.indexOf(':', bracket + 1);
        String host = colon < 0 ? text : text.substring(0, colon);
        if (bracket > 0 ? host.charAt(0) != '[' || bracket != host.length() - 1 : !isName(host)) {
            throw new IllegalArgumentException(host.isEmpty() ? "no host"
                    : "not a host; what is no letter and no digit in a password is to be percent-encoded, or the "
                    + "password said by redis.password");
        }
        if (colon >= 0) {
            number(text.substring(colon + 1), 1, 65_535, "the port is not a whole number from 1 to 65535");
        }
    }

    private static boolean isName(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '-' || c == '_')) {
                return false;
            }
        }
        return !host.isEmpty();
    }

    private static void database(String text) {
        number(text, 0, 99_999, "the database is not a whole number");
    }

    private static void number(String text, int min, int max, String problem) {
        int n = text.isEmpty() || text.length() > 5 ? -1 : 0;
        for (int i = 0; i < text.length() && n >= 0; i++) {
            char c = text.charAt(i);
            n = c >= '0' && c <= '9' ? n * 10 + c - '0' : -1;
        }
        if (n < min || n > max) {
            throw new IllegalArgumentException(problem);
        }
    }
}
