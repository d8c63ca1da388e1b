package io.tempolimit.config;

import io.tempolimit.core.policy.Keying;
import java.util.Locale;
import java.util.TreeMap;

/** The value of {@code key}. Immutable. */
final class KeyParts {
    static final String HEADER = "header:";
    private static final String PATH = "path:";
    private static final String[] WORDS = {"host", "domain", "port", "proxy", "path"};
    private static final int DEEPEST = 9;

    /** The finer one, if both host and domain are there; the host, if neither is and a path is, which says nothing alone. */
    final Keying.Site site;
    final boolean port;
    final boolean proxy;
    /** Segments of the path; 0 for none. */
    final int depth;
    /** By their names in lower case. */
    private final TreeMap<String, String> headers = new TreeMap<String, String>();

    /** @throws IllegalArgumentException with what is wrong, for a fault's line */
    KeyParts(String[] entries) {
        Keying.Site at = Keying.Site.NONE;
        boolean withPort = false;
        boolean withProxy = false;
        int segments = 0;
        for (String e : entries) {
            if (e.equals("host")) {
                at = Keying.Site.HOST;
            } else if (e.equals("domain")) {
                at = at == Keying.Site.HOST ? at : Keying.Site.DOMAIN;
            } else if (e.equals("port")) {
                withPort = true;
            } else if (e.equals("proxy")) {
                withProxy = true;
            } else if (e.startsWith(PATH)) {
                segments = depth(e.substring(PATH.length()).trim());
            } else if (e.startsWith(HEADER)) {
                addHeader(e.substring(HEADER.length()).trim());
            } else {
                String near = Nearest.of(e, WORDS);
                near = "path".equals(near) ? PATH + 1 : near;
                throw new IllegalArgumentException("no such value" + (near == null ? "" : ", did you mean " + near + "?"));
            }
        }
        site = at == Keying.Site.NONE && segments > 0 ? Keying.Site.HOST : at;
        port = withPort;
        proxy = withProxy;
        depth = segments;
    }

    private KeyParts(KeyParts other, String header) {
        site = other.site;
        port = other.port;
        proxy = other.proxy;
        depth = other.depth;
        headers.putAll(other.headers);
        addHeader(header);
    }

    /** The same, and this header as well. */
    KeyParts with(String header) {
        return new KeyParts(this, header);
    }

    private static int depth(String number) {
        if (number.length() != 1 || number.charAt(0) < '1' || number.charAt(0) > '0' + DEEPEST) {
            throw new IllegalArgumentException("no number of segments, 1 to " + DEEPEST + ", after " + PATH);
        }
        return number.charAt(0) - '0';
    }

    private void addHeader(String name) {
        if (!isHeader(name)) {
            throw new IllegalArgumentException("no header's name after " + HEADER);
        }
        headers.put(name.toLowerCase(Locale.ROOT), name);
    }

    static boolean isHeader(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (!letter && "!#$%&'*+-.^_`|~".indexOf(c) < 0) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    boolean has(String header) {
        return headers.containsKey(header.toLowerCase(Locale.ROOT));
    }

    Iterable<String> headers() {
        return headers.keySet();
    }

    boolean hasHeaders() {
        return !headers.isEmpty();
    }

    /** Whether a key is simply a host. */
    boolean hostAlone() {
        return site == Keying.Site.HOST && !port && !proxy && depth == 0 && headers.isEmpty();
    }

    /** As one would write it, always in the same order. */
    @Override
    public String toString() {
        StringBuilder s = new StringBuilder(site == Keying.Site.NONE ? "" : "," + site.name().toLowerCase(Locale.ROOT));
        s.append(port ? ",port" : "").append(proxy ? ",proxy" : "").append(depth > 0 ? "," + PATH + depth : "");
        for (String header : headers.values()) {
            s.append(',').append(HEADER).append(header);
        }
        return s.substring(1);
    }
}
