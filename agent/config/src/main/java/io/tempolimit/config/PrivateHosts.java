package io.tempolimit.config;

/** The list {@code private}: hosts that only a private network has, by how they are written. */
final class PrivateHosts {
    private static final String[] SUFFIXES = {".local", ".localhost", ".internal", ".svc", ".cluster.local", ".lan", ".home.arpa", ".test"};

    private PrivateHosts() {
    }

    /** @param host in canonical form; a wildcard pattern is in if all that it matches is */
    static boolean contains(String host) {
        byte[] b = Address.parse(host);
        if (b != null) {
            return b.length == 4 ? ipv4(b[0] & 255, b[1] & 255, b) : ipv6(b);
        }
        if (host.indexOf('.') < 0) {
            return host.indexOf(':') < 0; // a single label; what has a colon and is no address is nothing we know
        }
        for (String suffix : SUFFIXES) {
            if (host.endsWith(suffix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean ipv4(int first, int second, byte[] b) {
        return first == 127
                || first == 10
                || first == 172 && second >> 4 == 1
                || first == 192 && second == 168
                || first == 169 && second == 254
                || first == 100 && second >> 6 == 1
                || zero(b, 4); // 0.0.0.0: this machine
    }

    private static boolean ipv6(byte[] b) {
        return (b[0] & 0xfe) == 0xfc
                || (b[0] & 255) == 0xfe && (b[1] & 0xc0) == 0x80
                || zero(b, 15) && (b[15] == 1 || b[15] == 0);
    }

    private static boolean zero(byte[] b, int length) {
        for (int i = 0; i < length; i++) {
            if (b[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
