package io.tempolimit.clients.huc.hooks;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;

/** An answer's head as the client has read it. */
final class ResponseHead extends Head {
    private final int status;
    private final MessageHeaders access;
    private final Object header;

    ResponseHead(int status, MessageHeaders access, Object header) {
        this.status = status;
        this.access = access;
        this.header = header;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void headers(Headers to) {
        for (int i = 1; ; i++) {
            String key = access.key(header, i);
            String value = access.value(header, i);
            if (key == null && value == null) {
                return;
            }
            to.add(key, value);
        }
    }

    /** How many bytes the body has; negative if it does not say so. */
    long length() {
        String length = access.find(header, "Transfer-Encoding") == null ? access.find(header, "Content-Length") : null;
        try {
            return length == null ? -1 : Long.parseLong(length.trim());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
