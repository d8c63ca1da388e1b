package io.tempolimit.detect;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads a robots.txt (RFC 9309) on its way to the application for one thing: the {@code Crawl-delay} of the group that
 * is for it. A parser of our own, since libraries want the whole file at once and keep all of its rules: this one keeps
 * a line. Used by one thread at a time; never throws.
 *
 * <p>The group: the one whose name is a whole word of the application's user agent, in any case, the longest such name
 * if there are several; else {@code *}. All groups of that name count, the longest delay in them. A group for it
 * without a delay is none, whatever {@code *} says. A delay is a number of seconds, decimals allowed; what is none, or
 * negative, is ignored, and more than five minutes are five minutes: beyond that it is a mistake, or means that nobody
 * shall crawl, which {@code Disallow} says.
 */
public final class Robots {
    /** From {@link #end}: the file does not tell, for it was not read to its end, or cannot be read. */
    public static final long UNKNOWN = -1;
    /** The longest delay, in nanoseconds. */
    public static final long LONGEST = 300_000_000_000L;
    /** How much of a file is read (the RFC's figure), in bytes. */
    private static final int LIMIT = 500 << 10;
    /** How much of a line is kept: names and delays are short. */
    private static final int LINE = 512;

    private final File file;
    private final PageReader reader;

    private Robots(File file, String contentEncoding, boolean decoded) {
        this.file = file;
        this.reader = new PageReader(file, contentEncoding, decoded);
    }

    /**
     * For an answer to {@code /robots.txt}.
     *
     * @param userAgent the request's; null if it is not known
     * @return null if it is none: not a 200 with a text
     */
    public static Robots of(Head head, String userAgent) {
        try {
            Meta meta = new Meta();
            head.headers(meta);
            boolean text = meta.type == null || meta.type.trim().regionMatches(true, 0, "text/", 0, 5)
                    && MediaType.of(meta.type).kind != MediaType.Kind.HTML;
            return head.status() == 200 && text ? new Robots(new File(userAgent), meta.encoding, head.decoded()) : null;
        } catch (RuntimeException | Error e) { // a client's own head may be odd
            return null;
        }
    }

    /** Reads bytes on their way to the application. False: has seen enough, {@link #end} may be called. */
    public boolean add(byte[] bytes, int from, int length) {
        return reader.add(bytes, from, length);
    }

    /** Reads what is left in a buffer, whose position stays. False: has seen enough, {@link #end} may be called. */
    public boolean add(ByteBuffer bytes) {
        return reader.add(bytes);
    }

    /**
     * The time between requests that the file asks for, in nanoseconds; 0 if it asks for none, {@link #UNKNOWN} if that
     * is not known. To be called once.
     *
     * @param complete whether the body's end was seen
     */
    public long end(boolean complete) {
        reader.end(complete);
        return file.delay > 0 || file.whole && !file.unreadable ? file.delay : UNKNOWN;
    }

    private static final class Meta implements Headers {
        String type;
        String encoding;

        @Override
        public void add(String name, String value) {
            if ("Content-Type".equalsIgnoreCase(name)) {
                type = value;
            } else if ("Content-Encoding".equalsIgnoreCase(name)) {
                encoding = encoding == null ? value : encoding + ", " + value;
            }
        }
    }

    private static final class File extends Contents {
        private static final int NOBODY = -1;

        private final String userAgent;
        private final byte[] line = new byte[LINE];
        private int length;
        private int bytes;
        /** Whether lines before this one were names of the group that begins here. */
        private boolean naming;
        /** Length of the longest name of the current group, and of all groups, that is the application's; 0 for {@code *}. */
        private int group = NOBODY;
        private int best = NOBODY;
        /** That of the best groups. */
        private long delay;
        private boolean unreadable;
        private boolean whole;

        File(String userAgent) {
            this.userAgent = userAgent == null ? "" : userAgent.toLowerCase(Locale.ROOT);
        }

        @Override
        boolean wanted() {
            return true;
        }

        @Override
        void limitForBrotli() {
        }

        @Override
        void unreadable() {
            unreadable = true;
        }

        @Override
        boolean push(byte[] b, int from, int to) {
            for (int i = from; i < to; i++) {
                if (bytes++ >= LIMIT) {
                    return false;
                }
                if (b[i] == '\n' || b[i] == '\r') {
                    line();
                } else if (length < LINE) {
                    line[length++] = b[i];
                }
            }
            return true;
        }

        @Override
        void finish(boolean complete) {
            whole = complete || bytes > LIMIT;
            if (complete) { // a line that was cut off may have been about to say something else
                line();
            }
        }

        private void line() {
            String text = new String(line, 0, length, StandardCharsets.UTF_8);
            length = 0;
            text = text.startsWith("\ufeff") ? text.substring(1) : text;
            int comment = text.indexOf('#');
            text = comment < 0 ? text : text.substring(0, comment);
            int colon = text.indexOf(':');
            if (colon < 0) {
                return;
            }
            String value = text.substring(colon + 1).trim();
            switch (text.substring(0, colon).trim().toLowerCase(Locale.ROOT)) {
                case "user-agent":
                    name(value.toLowerCase(Locale.ROOT));
                    break;
                case "crawl-delay":
                    naming = false;
                    if (group != NOBODY && group == best) {
                        delay = Math.max(delay, delay(value));
                    }
                    break;
                case "allow":
                case "disallow":
                    naming = false;
                    break;
                default: // of no group: a sitemap's address may stand anywhere
            }
        }

        private void name(String name) {
            if (!naming) {
                group = NOBODY;
            }
            naming = true;
            int end = 0;
            while (end < name.length() && isOfWord(name.charAt(end))) {
                end++; // behind it there may be a version
            }
            int length = name.startsWith("*") ? 0 : end > 0 && isWordOfUserAgent(name.substring(0, end)) ? end : NOBODY;
            group = Math.max(group, length);
            if (group > best) {
                best = group;
                delay = 0; // what others are asked for
            }
        }

        private boolean isWordOfUserAgent(String word) {
            for (int at = userAgent.indexOf(word); at >= 0; at = userAgent.indexOf(word, at + 1)) {
                int end = at + word.length();
                if ((at == 0 || !isOfWord(userAgent.charAt(at - 1))) && (end == userAgent.length() || !isOfWord(userAgent.charAt(end)))) {
                    return true;
                }
            }
            return false;
        }

        private static boolean isOfWord(char c) {
            return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_';
        }

        /** In nanoseconds; 0 if it is no delay. */
        private static long delay(String seconds) {
            boolean digit = false;
            int dots = 0;
            for (int i = 0; i < seconds.length(); i++) {
                char c = seconds.charAt(i);
                digit |= c >= '0' && c <= '9';
                dots += c == '.' ? 1 : 0;
                if (!(c >= '0' && c <= '9' || c == '.' && dots == 1)) {
                    return 0;
                }
            }
            return digit ? (long) Math.min(LONGEST, Double.parseDouble(seconds) * 1e9) : 0;
        }
    }
}
