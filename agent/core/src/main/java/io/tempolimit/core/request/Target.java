package io.tempolimit.core.request;

/** Where a request goes, as its client tells it. Asked for what is needed, when it is needed. */
public abstract class Target {
    /** What {@link #header} and {@link #proxy} give where the client does not tell. */
    public static final String UNKNOWN = new String("unknown"); // an identity of its own

    /** {@code http} or {@code https}. */
    public abstract String scheme();

    /** The host as the client has it; null or empty if it has none. */
    public abstract String host();

    /** The port that the URL names, or a negative number. */
    public abstract int port();

    /** The raw path without the query; may be null or empty. */
    public abstract String path();

    /** The method, in capitals. */
    public String method() {
        return "GET";
    }

    /**
     * The first value of a header that the request has by now; null if it has none; {@link #UNKNOWN} where the client does not tell.
     *
     * @param name in any case
     */
    public String header(String name) {
        return UNKNOWN;
    }

    /**
     * The proxy that the request goes through, or {@link Egress#DIRECT}, as {@link Egress} names them; {@link #UNKNOWN} where
     * neither request nor client names one: then a {@link java.net.ProxySelector} may, which is the application's code and is
     * not called.
     */
    public String proxy() {
        return UNKNOWN;
    }

    /** Whether its client's types let a response be made in the site's place, so that a rejection may become one. */
    public boolean answerable() {
        return false;
    }

    /** Whether nothing is to announce the request: it is seen as it is written, or this JVM does not write it. */
    public boolean unannounced() {
        return false;
    }

    /** Whether it is announced where it departs, and not where it arrives: the program's code runs in between, and may send to its host. */
    public boolean announcedAtDeparture() {
        return false;
    }

    /** Whether it arrives once more, lower down in its client, if it gets no permit now. */
    public boolean arrivesAgain() {
        return false;
    }

    /** The URL without user info, query and fragment, for logs and events. */
    public final String url() {
        String path = path();
        String host = host();
        boolean v6 = host != null && host.indexOf(':') >= 0 && !host.startsWith("[");
        return scheme() + "://" + (v6 ? "[" + host + "]" : host) + (port() < 0 ? "" : ":" + port())
                + (path == null || path.isEmpty() ? "/" : path);
    }
}
