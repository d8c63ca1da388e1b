package io.tempolimit.config;

/**
 * Tells the environment variables that Kubernetes makes in each container for each service of the namespace. A service
 * named {@code tempolimit-admin} makes {@code TEMPOLIMIT_ADMIN_PORT=tcp://10.0.0.1:80}, which nobody meant as a
 * setting.
 */
final class ServiceLink {
    private static final String[] PROTOCOLS = {"tcp", "udp", "sctp"};

    private ServiceLink() {
    }

    /** Whether this variable is one of those. */
    static boolean is(String name, String value) {
        if (name.endsWith("_SERVICE_HOST") || name.endsWith("_SERVICE_PORT") || name.contains("_SERVICE_PORT_")) {
            return true;
        }
        for (String protocol : PROTOCOLS) {
            if (name.endsWith("_PORT") && value.startsWith(protocol + "://") || isPort(name, protocol)) {
                return true;
            }
        }
        return false;
    }

    /** {@code NAME_PORT_80_TCP}, or one that goes on with {@code _ADDR}, {@code _PORT} or {@code _PROTO}. */
    private static boolean isPort(String name, String protocol) {
        int port = name.indexOf("_PORT_");
        int end = port < 0 ? -1 : name.indexOf('_', port + "_PORT_".length());
        if (end <= port + "_PORT_".length()) {
            return false;
        }
        for (int i = port + "_PORT_".length(); i < end; i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return false;
            }
        }
        return name.regionMatches(true, end + 1, protocol, 0, protocol.length());
    }
}
