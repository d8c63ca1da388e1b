package io.tempolimit.detect;

import java.util.Locale;

/** What a Content-Type says, and what the bytes say where it is missing or cannot be. Immutable. */
final class MediaType {
    enum Kind {
        HTML,
        /** JSON, XML, Markdown, plain text: what may say that one is blocked. */
        TEXT,
        /** To be told by the bytes. */
        UNKNOWN,
        /** Images, scripts, downloads, event streams: not looked at. */
        OTHER
    }

    private static final String EVENT_STREAM = "text/event-stream";

    /** Of what is not looked at. */
    static final MediaType NONE = new MediaType(Kind.OTHER, false, false, null);

    final Kind kind;
    /** JSON or XML. */
    final boolean data;
    /** XHTML: read with the same leniency, but an element may close itself and CDATA is text. */
    final boolean xml;
    /** The charset parameter, in lower case; null if there is none. */
    final String charset;

    private MediaType(Kind kind, boolean data, boolean xml, String charset) {
        this.kind = kind;
        this.data = data;
        this.xml = xml;
        this.charset = charset;
    }

    /** Whether the header's value, which may be null, names a stream of server-sent events. */
    static boolean isEventStream(String contentType) {
        return contentType != null && contentType.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length())
                && (contentType.length() == EVENT_STREAM.length() || contentType.charAt(EVENT_STREAM.length()) == ';'
                || contentType.charAt(EVENT_STREAM.length()) == ' ');
    }

    /** Of the header's value, which may be null. */
    static MediaType of(String contentType) {
        String all = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
        int end = all.indexOf(';');
        String name = (end < 0 ? all : all.substring(0, end)).trim();
        Kind kind = kind(name);
        boolean data = kind == Kind.TEXT && !name.equals("text/plain") && !name.equals("text/markdown");
        return new MediaType(kind, data, name.contains("xhtml"), end < 0 ? null : charset(all, end));
    }

    private static Kind kind(String name) {
        switch (name) {
            case "text/html":
            case "application/xhtml+xml":
            case "application/vnd.wap.xhtml+xml":
                return Kind.HTML;
            case "":
            case "*/*":
            case "unknown/unknown":
            case "application/unknown":
                return Kind.UNKNOWN;
            case "text/plain":
            case "text/xml":
            case "text/json":
            case "text/markdown":
            case "application/json":
            case "application/xml":
                return Kind.TEXT;
            default:
                return name.endsWith("+json") || name.endsWith("+xml") && !name.startsWith("image/") ? Kind.TEXT
                        : name.indexOf('/') < 0 ? Kind.UNKNOWN : Kind.OTHER;
        }
    }

    private static String charset(String all, int from) {
        int i = all.indexOf("charset", from);
        while (i >= 0) {
            int equals = i + 7;
            while (equals < all.length() && all.charAt(equals) == ' ') {
                equals++;
            }
            if (equals < all.length() && all.charAt(equals) == '=' && (all.charAt(i - 1) == ';' || all.charAt(i - 1) == ' ')) {
                String value = all.substring(equals + 1).trim();
                int end = 0;
                char quote = value.isEmpty() ? 0 : value.charAt(0);
                if (quote == '"' || quote == '\'') {
                    end = value.indexOf(quote, 1);
                    return end < 0 ? value.substring(1) : value.substring(1, end);
                }
                while (end < value.length() && value.charAt(end) != ';' && value.charAt(end) != ' ' && value.charAt(end) != ',') {
                    end++;
                }
                return value.substring(0, end);
            }
            i = all.indexOf("charset", i + 1);
        }
        return null;
    }

    private static final String[] HTML_BEGINNINGS = {"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1",
            "<div", "<font", "<table", "<a", "<style", "<title", "<b",
        "<body", "<br", "<p", "<!--", "<meta", "<link", "<center"};

    /** What a document is by its first bytes, where its type leaves that open: JSON is often sent as HTML. */
    static Kind sniff(Kind declared, byte[] b, int length) {
        if (declared == Kind.TEXT) {
            return declared;
        }
        int i = 0;
        if (length >= 3 && (b[0] & 255) == 0xef && (b[1] & 255) == 0xbb && (b[2] & 255) == 0xbf) {
            i = 3;
        } else if (length >= 2 && ((b[0] & 255) == 0xfe && (b[1] & 255) == 0xff || (b[0] & 255) == 0xff && (b[1] & 255) == 0xfe)) {
            i = 2;
        }
        StringBuilder start = new StringBuilder(16);
        for (; i < length && start.length() < 15; i++) {
            int c = b[i];
            boolean space = c == ' ' || c >= 9 && c <= 13;
            if (c != 0 && (start.length() > 0 || !space)) {
                start.append((char) (c >= 'A' && c <= 'Z' ? c + 32 : c & 255));
            }
        }
        char first = start.length() == 0 ? 0 : start.charAt(0);
        if (first == '{' || first == '[') {
            return Kind.TEXT;
        }
        if (declared == Kind.HTML) {
            return declared;
        }
        for (String beginning : HTML_BEGINNINGS) {
            int n = beginning.length();
            if (start.length() >= n && beginning.contentEquals(start.subSequence(0, n))
                    && (beginning.equals("<!--") || start.length() == n || !name(start.charAt(n)))) {
                return Kind.HTML;
            }
        }
        for (int j = 0; j < length; j++) {
            int c = b[j] & 255;
            if (c < 9 || c > 13 && c < 27 || c > 27 && c < 32) {
                return Kind.OTHER;
            }
        }
        return Kind.TEXT;
    }

    private static boolean name(char c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-';
    }
}
