package io.tempolimit.core.request;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.SocketAddress;

/** What requests leave by, as {@link Target#proxy} names it: without credentials, and without looking up a name. */
public final class Egress {
    /** No proxy. */
    public static final String DIRECT = "direct";
    private static final String ARGUMENT = "--proxy-server=";

    private Egress() {
    }

    /**
     * A proxy.
     *
     * @param host may be null
     * @param port a negative number if none is named
     */
    public static String of(String host, int port) {
        String name = Hosts.canonical(host);
        if (name == null) {
            return Target.UNKNOWN;
        }
        String bracketed = name.indexOf(':') < 0 ? name : "[" + name + "]";
        return port < 0 ? bracketed : bracketed + ":" + port;
    }

    /** A proxy by its address; another kind of address than the network's is not known. */
    public static String of(SocketAddress proxy) {
        if (!(proxy instanceof InetSocketAddress)) {
            return Target.UNKNOWN;
        }
        InetSocketAddress address = (InetSocketAddress) proxy;
        return of(address.getHostString(), address.getPort());
    }

    /** What a client was told to use; null if it was told nothing, and has to find out. */
    public static String of(Proxy proxy) {
        return proxy == null ? Target.UNKNOWN : proxy.type() == Proxy.Type.DIRECT ? DIRECT : of(proxy.address());
    }

    /** A proxy as browsers are told: {@code host:port}, also as a URL, with or without a user. */
    public static String ofUrl(String proxy) {
        if (proxy == null || proxy.trim().isEmpty()) {
            return Target.UNKNOWN;
        }
        String s = proxy.trim();
        int scheme = s.indexOf("://");
        int from = scheme < 0 ? 0 : scheme + 3;
        int end = from;
        while (end < s.length() && "/?#".indexOf(s.charAt(end)) < 0) {
            end++;
        }
        String address = s.substring(Math.max(from, s.lastIndexOf('@', end) + 1), end);
        int colon = address.indexOf(':', address.indexOf(']') + 1);
        return colon < 0 ? of(address, -1) : of(address.substring(0, colon), Hosts.port(address.substring(colon + 1)));
    }

    /** What a browser of Chromium's kind is told by its arguments; null if nothing. */
    public static String ofArguments(Iterable<?> arguments) {
        if (arguments != null) {
            for (Object argument : arguments) {
                if (argument instanceof String && ((String) argument).startsWith(ARGUMENT)) {
                    return ofUrl(((String) argument).substring(ARGUMENT.length()));
                }
            }
        }
        return null;
    }
}
