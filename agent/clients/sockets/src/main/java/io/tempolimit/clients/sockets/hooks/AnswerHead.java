package io.tempolimit.clients.sockets.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** An answer's head, as far as it has been read. Used by one thread at a time. */
final class AnswerHead extends Head {
    /** Servers send no longer ones. */
    private static final int LONGEST = 65_536;
    private static final String HTTP = "HTTP/1.";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    /** How many line feeds have come in a row, carriage returns aside. */
    private int lineFeeds;
    private String text;
    private int status;

    /**
     * Takes what was read. Interim answers are passed over.
     *
     * @return whether the head is complete, or is too long, or none at all: then nothing more is to be shown
     */
    boolean add(byte[] b, int from, int length) {
        for (int i = from; i < from + length; i++) {
            bytes.write(b[i]);
            if (b[i] == '\n') {
                lineFeeds++;
            } else if (b[i] != '\r') {
                lineFeeds = 0;
            }
            if (lineFeeds == 2 || bytes.size() == LONGEST) {
                ends();
                if (status < 100 || status >= 200 || status == 101) {
                    return true;
                }
                bytes.reset();
                lineFeeds = 0;
            } else if (bytes.size() <= HTTP.length() && b[i] != HTTP.charAt(bytes.size() - 1)) {
                status = 0;
                return true; // no HTTP
            }
        }
        return false;
    }

    private void ends() {
        text = new String(bytes.toByteArray(), StandardCharsets.ISO_8859_1);
        int space = text.indexOf(' ');
        status = 0;
        for (int i = space + 1; space > 0 && i < space + 4; i++) {
            int digit = i < text.length() ? text.charAt(i) - '0' : -1;
            if (digit < 0 || digit > 9) {
                status = 0;
                return;
            }
            status = status * 10 + digit;
        }
    }

    /** 0 if it is no HTTP. */
    @Override
    public int status() {
        return status;
    }

    @Override
    public void headers(Headers to) {
        int at = text.indexOf('\n') + 1;
        for (int end; at > 0 && (end = text.indexOf('\n', at)) >= 0; at = end + 1) {
            int colon = text.indexOf(':', at);
            if (colon > at && colon < end) {
                to.add(text.substring(at, colon).trim(), text.substring(colon + 1, end).trim());
            }
        }
    }
}
