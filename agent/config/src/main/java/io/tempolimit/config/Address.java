package io.tempolimit.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** IP addresses written as such. Never resolves a name. */
final class Address {
    private Address() {
    }

    /**
     * Also takes IPv4 in the short and whole forms that {@link InetAddress} takes ({@code 127.1}, {@code 2130706433}).
     *
     * @param host in canonical form
     * @return 4 or 16 bytes, or null if this is a name
     */
    static byte[] parse(String host) {
        if (host.indexOf(':') < 0) {
            return ipv4(host);
        }
        try {
            return InetAddress.getByName("[" + host + "]").getAddress(); // in brackets it is a literal or an error
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** Whether what listens there is reached from this machine alone. A name other than {@code localhost} may be anything. */
    static boolean local(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        byte[] b = parse(host);
        if (b == null || b.length == 4) {
            return b != null && b[0] == 127;
        }
        for (int i = 0; i < 15; i++) {
            if (b[i] != 0) {
                return false;
            }
        }
        return b[15] == 1;
    }

    private static byte[] ipv4(String host) {
        char first = host.charAt(0);
        if (first < '0' || first > '9') {
            return null;
        }
        String[] part = SettingKey.split(host, '.');
        if (part.length > 4) {
            return null;
        }
        byte[] b = new byte[4];
        for (int i = 0; i < part.length; i++) {
            boolean last = i == part.length - 1;
            int bytes = last ? 4 - i : 1; // the last part fills what is left
            long n = number(part[i]);
            if (n < 0 || n >= 1L << 8 * bytes) {
                return null;
            }
            for (int j = 0; j < bytes; j++) {
                b[i + j] = (byte) (n >> 8 * (bytes - 1 - j));
            }
        }
        return b;
    }

    /** -1 if it is none, or does not fit into 32 bits. */
    static long number(String digits) {
        if (digits.isEmpty() || digits.length() > 10) {
            return -1;
        }
        long n = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            n = n * 10 + (c - '0');
        }
        return n;
    }

    /** A copy with all bits after the prefix cleared. */
    static byte[] network(byte[] address, int prefix) {
        byte[] b = address.clone();
        for (int i = 0; i < b.length; i++) {
            int bits = Math.max(0, Math.min(8, prefix - 8 * i));
            b[i] &= (byte) (0xff00 >> bits);
        }
        return b;
    }
}
