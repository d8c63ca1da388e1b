package io.tempolimit.core;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeoutException;

/** What an answer, or the lack of one, says. */
public enum Verdict {
    /** A page: 2xx, 304, and "there is no such thing" (404, 410). Sets the count of blocks to zero. */
    SUCCESS("success", false),
    /** Says nothing of blocks: redirects and other 4xx. Lets a probe open its key; leaves the count. */
    NEUTRAL("neutral", false),
    /** 403. */
    FORBIDDEN("403_forbidden", true),
    /** 429. */
    RATE_LIMITED("429_rate_limited", true),
    /** 5xx: the site has trouble of its own. */
    SERVER_OVERLOAD("server_overload", false),
    /** No answer within the client's patience. */
    TIMEOUT("timeout", false),
    /** No answer because the network failed. */
    CONNECTION_ERROR("connection_error", false);

    private final String type;
    private final boolean block;

    Verdict(String type, boolean block) {
        this.type = type;
        this.block = block;
    }

    /** Its name in statistics and events. */
    public String type() {
        return type;
    }

    /** Whether it makes the count of blocks rise. */
    public boolean isBlock() {
        return block;
    }

    /** The verdict on an answer by its status. */
    static Verdict of(int status) {
        switch (status) {
            case 403:
                return FORBIDDEN;
            case 429:
                return RATE_LIMITED;
            case 101:
            case 304:
            case 404:
            case 410:
                return SUCCESS;
            default:
                return status >= 200 && status < 300 ? SUCCESS : status >= 500 ? SERVER_OVERLOAD : NEUTRAL;
        }
    }

    /** The verdict on a request that failed. */
    static Verdict of(Throwable failure) {
        Throwable t = failure;
        for (int depth = 0; t != null && depth < 20; depth++, t = t.getCause()) { // causes may go in a circle
            if (t instanceof InterruptedIOException || t instanceof TimeoutException || t instanceof IOException && t.getClass().getName().endsWith("TimeoutException")) {
                return TIMEOUT;
            }
        }
        return CONNECTION_ERROR;
    }
}
