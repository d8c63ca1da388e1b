package io.tempolimit.detect;

/** Which bodies are worth reading, by method, status and headers. */
final class WorthReading {
    /** A refusal in JSON, XML or plain text that comes with 200 is not longer than this, and neither is an empty result. */
    static final int SHORT_BYTES = 1000;
    private static final int UNKNOWN = -1;

    private WorthReading() { }

    /** Whether an answer to such a request may have a body with a page in it. */
    static boolean mayHaveBody(String method, int status) {
        return !"HEAD".equals(method) && !"CONNECT".equals(method) && status >= 200 && status != 204 && status != 205
                && status != 206 && status / 100 != 3;
    }

    /**
     * Whether a body may change the verdict.
     *
     * @param results counts the host's answers in JSON; null if nobody does, or if this answer is not to be counted
     */
    static boolean body(MediaType type, int status, String path, HeadReading head, EmptyResults results) {
        if (type.kind == MediaType.Kind.OTHER || status == 404 || status == 410) {
            return false;
        }
        if (status >= 300) {
            return true;
        }
        if (isForRobots(path)) {
            return false;
        }
        return type.kind == MediaType.Kind.TEXT ? data(length(head.contentLength), results) : !isDownload(head);
    }

    /** A body whose length the head does not tell is read as far as a short one goes. */
    private static boolean data(int length, EmptyResults results) {
        if (length > SHORT_BYTES && results != null) {
            results.full(length);
        }
        return length != 0 && length <= SHORT_BYTES;
    }

    /** Whether so much of this body is read at the most: more of it would tell nothing. */
    static boolean isShort(MediaType type, int status) {
        return type.kind == MediaType.Kind.TEXT && status < 300;
    }

    private static boolean isDownload(HeadReading head) {
        return head.contentDisposition != null && head.contentDisposition.trim().regionMatches(true, 0, "attachment", 0, 10);
    }

    private static int length(String contentLength) {
        if (contentLength == null || contentLength.isEmpty()) {
            return UNKNOWN;
        }
        try {
            return contentLength.length() > 9 ? Integer.MAX_VALUE : Math.max(UNKNOWN, Integer.parseInt(contentLength));
        } catch (NumberFormatException e) {
            return UNKNOWN;
        }
    }

    /** Addresses that programs ask for, where no document was due. */
    static boolean isForRobots(String path) {
        if (path == null) {
            return false;
        }
        int query = path.indexOf('?');
        String p = query < 0 ? path : path.substring(0, query);
        return p.endsWith("/robots.txt") || p.endsWith("/favicon.ico") || p.startsWith("/sitemap") || p.startsWith("/.well-known/");
    }
}
