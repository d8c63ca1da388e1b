package io.tempolimit.config;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** The list {@code services}, from {@code services.txt} beside this class; read with the first host that is asked for. */
final class ServiceHosts {
    private static final String REGION = "{region}";
    private static final String AMAZON = ".amazonaws.com";
    private static final HostPatterns<Boolean> PATTERNS = parse(read());

    private ServiceHosts() {
    }

    /** @param host in canonical form */
    static boolean contains(String host) {
        return PATTERNS.matches(host) || host.endsWith(AMAZON) && PATTERNS.matches(anyRegion(host));
    }

    /** {@code s3.{region}.amazonaws.com} for {@code s3.eu-west-1.amazonaws.com}: one pattern does for all regions, also for new ones. */
    private static String anyRegion(String host) {
        int end = host.length() - AMAZON.length();
        return host.substring(0, host.lastIndexOf('.', end - 1) + 1) + REGION + AMAZON;
    }

    /** Patterns are in canonical form already (a test sees to it). */
    private static HostPatterns<Boolean> parse(String file) {
        HostPatterns<Boolean> patterns = new HostPatterns<Boolean>();
        for (int from = 0; from < file.length(); ) {
            int end = file.indexOf('\n', from);
            end = end < 0 ? file.length() : end;
            if (end > from && file.charAt(from) != '#') {
                patterns.put(file.substring(from, end), Boolean.TRUE);
            }
            from = end + 1;
        }
        return patterns;
    }

    /** Without readers and decoders: the first request of a program waits for this. */
    @SuppressWarnings("deprecation")
    private static String read() {
        try {
            InputStream in = ServiceHosts.class.getResourceAsStream("services.txt");
            if (in == null) {
                return ""; // in a jar that somebody cut down: then these hosts are paced too
            }
            try {
                ByteArrayOutputStream out = new ByteArrayOutputStream(16384);
                byte[] buffer = new byte[8192];
                for (int n; (n = in.read(buffer)) >= 0; ) {
                    out.write(buffer, 0, n);
                }
                return out.toString(0); // ASCII
            } finally {
                in.close();
            }
        } catch (IOException e) {
            return ""; // as above
        }
    }
}
