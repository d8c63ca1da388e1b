package io.tempolimit.clients.sockets.hooks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The beginning of what a client sends, as far as one write has it: an HTTP/1 request, or an HTTP/2 connection's. */
final class RequestHead {
    private static final String HTTP = " HTTP/1.";
    private static final String HTTP_2 = "PRI * HTTP/2.0\r\n";
    private static final String CONNECT = "CONNECT ";
    private static final String HOST = "host:";
    /** Servers take no longer heads. */
    private static final int LONGEST = 65_536;
    /** Most heads are shorter. */
    private static final int SHORT = 1024;

    private final String host;
    private final boolean http2;
    private final byte[] bytes;
    private final int from;
    private final int end;

    private RequestHead(String host, boolean http2, byte[] bytes, int from, int end) {
        this.host = host;
        this.http2 = http2;
        this.bytes = bytes;
        this.from = from;
        this.end = end;
    }

    /** Its text, and what else was written with it; only while the array that it was read from does not change. */
    String text() {
        return new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
    }

    /** Where it goes, with its port: of the URL that a proxy is asked for, else of the header {@code Host}; null if it does not say so. */
    String host() {
        return host;
    }

    /** Whether it is a connection for many requests. */
    boolean http2() {
        return http2;
    }

    /** What begins in these buffers; null if that is no request. Does not move them. */
    static RequestHead of(ByteBuffer[] buffers, int from, int count) {
        byte[] begin = copy(buffers, from, count, SHORT);
        RequestHead head = of(begin, 0, begin.length);
        if (begin.length < SHORT || head != null && head.host != null) {
            return head;
        }
        byte[] all = copy(buffers, from, count, LONGEST);
        return of(all, 0, all.length);
    }

    private static byte[] copy(ByteBuffer[] buffers, int from, int count, int most) {
        int length = 0;
        for (int i = from; i < from + count && length < most; i++) {
            length += buffers[i] == null ? 0 : buffers[i].remaining();
        }
        byte[] bytes = new byte[Math.min(length, most)];
        int n = 0;
        for (int i = from; n < bytes.length; i++) {
            if (buffers[i] != null) {
                ByteBuffer b = buffers[i].duplicate();
                int part = Math.min(b.remaining(), bytes.length - n);
                b.get(bytes, n, part);
                n += part;
            }
        }
        return bytes;
    }

    /** What begins in these bytes; null if that is no request, or a tunnel's. */
    static RequestHead of(byte[] b, int from, int length) {
        int end = from + Math.min(length, LONGEST);
        if (begins(b, from, end, HTTP_2)) {
            return new RequestHead(null, true, b, from, end);
        }
        int line = lineEnd(b, from, end);
        int last = line > from && b[line - 1] == '\r' ? line - 1 : line; // some write no more than the line's end
        int version = last - HTTP.length() - 1;
        if (line == end || version < from || !begins(b, version, last, HTTP) || begins(b, from, end, CONNECT)) {
            return null;
        }
        int target = from;
        while (b[target++] != ' ') {
            // the method
        }
        String ofUrl = b[target] == '/' || b[target] == '*' ? null : authority(b, target, last);
        return new RequestHead(ofUrl != null ? ofUrl : hostHeader(b, line + 1, end), false, b, from, end);
    }

    private static String hostHeader(byte[] b, int from, int end) {
        for (int at = from; at < end; ) {
            int line = lineEnd(b, at, end);
            if (b[at] == '\r' || b[at] == '\n' || line == end) {
                return null; // of a header that is cut off the end is not known
            }
            if ((b[at] | 32) == 'h' && begins(b, at, line, HOST)) {
                return text(b, at + HOST.length(), line);
            }
            at = line + 1;
        }
        return null;
    }

    /** Of a URL, without a user. */
    private static String authority(byte[] b, int from, int end) {
        int at = from;
        while (at < end && b[at] != ':' && b[at] != ' ') {
            at++;
        }
        if (at + 3 > end || b[at] != ':' || b[at + 1] != '/' || b[at + 2] != '/') {
            return null;
        }
        int begin = at + 3;
        int stop = begin;
        while (stop < end && b[stop] != '/' && b[stop] != '?' && b[stop] != ' ') {
            if (b[stop++] == '@') {
                begin = stop;
            }
        }
        return text(b, begin, stop);
    }

    private static String text(byte[] b, int from, int to) {
        String text = new String(b, from, to - from, StandardCharsets.ISO_8859_1).trim();
        return text.isEmpty() ? null : text;
    }

    /** Where the line feed is; {@code end} if there is none. */
    private static int lineEnd(byte[] b, int from, int end) {
        int i = from;
        while (i < end && b[i] != '\n') {
            i++;
        }
        return i;
    }

    /** In any case. */
    private static boolean begins(byte[] b, int from, int end, String with) {
        if (end - from < with.length()) {
            return false;
        }
        for (int i = 0; i < with.length(); i++) {
            char c = with.charAt(i);
            byte is = b[from + i];
            if (is != c && (c < 'a' || c > 'z' || is != c - 32)) {
                return false;
            }
        }
        return true;
    }
}
