package io.tempolimit.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.internal.HostAndPort;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.time.Duration;

/**
 * Where Redis is, and who we are there. Nothing of it is shown but {@link #where}: neither a message of this class nor its {@code toString}
 * quotes what it was made from.
 */
final class Address {
    /** Where the URI names none; 0 is where people keep their own things. */
    private static final int DATABASE = 2;
    /** Longest that a connection may take to be made, its handshakes included. */
    static final Duration CONNECT = Duration.ofSeconds(3);

    final RedisURI uri;
    final boolean cluster;

    private Address(RedisURI uri, boolean cluster) {
        this.uri = uri;
        this.cluster = cluster;
    }

    static Address parse(String text, String password, boolean cluster) {
        String scheme = text.substring(0, Math.max(0, text.indexOf("://")));
        if (!scheme.equals("redis") && !scheme.equals("rediss") && !scheme.equals("redis-sentinel")) {
            throw new IllegalArgumentException("redis:// or rediss:// or redis-sentinel:// and a host");
        }
        if (cluster && scheme.equals("redis-sentinel")) {
            throw new IllegalArgumentException("a cluster has no sentinels");
        }
        RedisURI uri;
        try {
            uri = RedisURI.create(text);
            if (uri.getHost() != null && uri.getHost().indexOf(':') > 0 && uri.getHost().charAt(0) != '[') {
                HostAndPort address = HostAndPort.parse(uri.getHost()); // to lettuce, a host with an underscore is all of it
                uri.setHost(address.getHostText());
                uri.setPort(address.hasPort() ? address.getPort() : uri.getPort());
            }
        } catch (RuntimeException e) { // its message quotes the password
            throw new IllegalArgumentException(scheme.equals("redis-sentinel")
                    ? "redis-sentinel://[user:password@]host[:port][,host...][/database]#master"
                    : scheme + "://[user:password@]host[:port][/database]");
        }
        uri.setTimeout(CONNECT);
        if (password != null && !password.isEmpty()) {
            uri.setAuthentication(user(text), (CharSequence) password);
        }
        if (cluster) {
            uri.setDatabase(0);
        } else if (!namesDatabase(text)) {
            uri.setDatabase(DATABASE);
        }
        atOnce(uri);
        uri.getSentinels().forEach(Address::atOnce);
        return new Address(uri, cluster);
    }

    /**
     * Has lettuce find the credentials without asking for them. What it makes of a URI may be asked, which it does on a thread
     * of the application's common pool; there the handshake goes on too, and a connection is given out before it can be used.
     */
    private static void atOnce(RedisURI uri) {
        uri.setCredentialsProvider(new StaticCredentialsProvider(uri.getCredentialsProvider().resolveCredentials().block()));
    }

    /** Who is named before {@code @}, perhaps with a password; null if nobody is. */
    private static String user(String text) {
        int from = text.indexOf("://") + 3;
        int slash = text.indexOf('/', from);
        int at = text.lastIndexOf('@', slash < 0 ? text.length() : slash);
        String info = at < from ? "" : text.substring(from, at);
        int colon = info.indexOf(':');
        String user = colon < 0 ? info : info.substring(0, colon);
        try {
            return user.isEmpty() ? null : URLDecoder.decode(user.replace("+", "%2B"), "UTF-8");
        } catch (UnsupportedEncodingException | IllegalArgumentException e) {
            return user;
        }
    }

    private static boolean namesDatabase(String text) {
        int fragment = text.indexOf('#');
        String rest = (fragment < 0 ? text : text.substring(0, fragment)).substring(text.indexOf("://") + 3);
        int at = rest.lastIndexOf('@');
        int slash = rest.indexOf('/', at + 1);
        int question = rest.indexOf('?', at + 1);
        boolean path = slash >= 0 && (question < 0 || slash < question)
                && slash + 1 < (question < 0 ? rest.length() : question);
        String query = question < 0 ? "" : "&" + rest.substring(question + 1);
        return path || query.contains("&database=") || query.contains("&db=");
    }

    /** The same with the database that every server has. */
    Address withoutDatabase() {
        RedisURI.Builder other = RedisURI.builder(uri).withDatabase(0);
        if (!uri.getSentinels().isEmpty()) { // which builder(uri) leaves out
            other.withSentinelMasterId(uri.getSentinelMasterId());
            uri.getSentinels().forEach(other::withSentinel);
        }
        return new Address(other.build(), cluster);
    }

    /** Host and port, of sentinels those of all; without user and password. */
    String where() {
        if (uri.getSentinels().isEmpty()) {
            return place(uri);
        }
        StringBuilder all = new StringBuilder();
        for (RedisURI sentinel : uri.getSentinels()) {
            all.append(all.length() == 0 ? "" : ", ").append(place(sentinel));
        }
        return all.toString();
    }

    private static String place(RedisURI one) {
        return one.getHost() + ":" + one.getPort();
    }

    @Override
    public String toString() {
        return "Redis";
    }
}
