package io.tempolimit.detect;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeoutException;

/** What an answer, or the lack of one, says. */
public enum Verdict {
    /** A page: 2xx, 304, and "there is no such thing" (404, 410). Sets the count of blocks to zero. */
    SUCCESS("success", false),
    /** Says nothing of blocks: redirects and other 4xx. Lets a probe open its key; leaves the count. */
    NEUTRAL("neutral", false),
    /** Cloudflare lets a browser prove itself before it gives the page. */
    CLOUDFLARE_CHALLENGE("cloudflare_challenge", true),
    /** A captcha stands where a page was due. */
    CAPTCHA("captcha", true),
    /** A block page or a challenge of any other vendor; {@link Finding#vendor} names it. */
    BOT_WALL("bot_wall", true),
    /** 403, and nothing more precise. */
    FORBIDDEN("403_forbidden", true),
    /** 429, or any other status that is a block by itself, and nothing more precise. */
    RATE_LIMITED("429_rate_limited", true),
    /** A successful HTML document with nothing in it, where a document was due. */
    BLANK_PAGE("blank_page", true),
    /** The user's own rules say so, or far too little text for its host, again and again. */
    SOFT_BLOCK("soft_block", true),
    /** 5xx: the site has trouble of its own, or a limit that it does not name. */
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

    /** Its name in settings, statistics and events. */
    public String type() {
        return type;
    }

    /** Whether it is a block: it makes the count rise where {@link Finding#counts} says so. */
    public boolean isBlock() {
        return block;
    }

    /** Whether the site took the request: an answer of its own will that is no block. */
    public boolean took() {
        return this == SUCCESS || this == NEUTRAL;
    }

    /** Whether the site, or the way to it, failed: trouble of its own, or a limit that shows itself so. */
    public boolean trouble() {
        return this == SERVER_OVERLOAD || this == TIMEOUT || this == CONNECTION_ERROR;
    }

    /**
     * Whether it is a block that tells of too many requests by itself, and not one that may have other reasons (section
     * 6.1 of the contract).
     */
    public boolean hard() {
        return this == RATE_LIMITED || this == CLOUDFLARE_CHALLENGE || this == CAPTCHA || this == BOT_WALL;
    }

    /** The block of this name; null where there is none. The case of letters does not matter. */
    public static Verdict ofType(String type) {
        for (Verdict v : values()) {
            if (v.block && v.type.equalsIgnoreCase(type)) {
                return v;
            }
        }
        return null;
    }

    /** The verdict on an answer by its status alone, with the statuses that are blocks by default. */
    public static Verdict of(int status) {
        return DetectRules.DEFAULT.blocks(status) ? blockBy(status) : plain(status);
    }

    /** The verdict on an answer whose status is a block by itself. */
    static Verdict blockBy(int status) {
        return status == 403 ? FORBIDDEN : RATE_LIMITED;
    }

    /** The verdict on an answer whose status is no block by itself. */
    static Verdict plain(int status) {
        switch (status) {
            case 101:
            case 304:
            case 404:
            case 410:
                return SUCCESS;
            default:
                return status >= 200 && status < 300 ? SUCCESS : status >= 500 && status < 600 ? SERVER_OVERLOAD : NEUTRAL;
        }
    }

    /** The verdict on a request that failed. */
    public static Verdict of(Throwable failure) {
        Throwable t = failure;
        for (int depth = 0; t != null && depth < 20; depth++, t = t.getCause()) { // causes may go in a circle
            if (t instanceof InterruptedIOException || t instanceof TimeoutException
            || t instanceof IOException && t.getClass().getName().endsWith("TimeoutException")) {
                return TIMEOUT;
            }
        }
        return CONNECTION_ERROR;
    }
}
