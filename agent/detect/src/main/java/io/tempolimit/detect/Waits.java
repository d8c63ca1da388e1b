package io.tempolimit.detect;

/**
 * How long a site asks to wait: {@code Retry-After}, and where that is missing or faulty {@code RateLimit} and its older forms. Takes the
 * headers one by one; what cannot be read asks for nothing. Never throws, never gives a negative wait, never overflows.
 */
final class Waits {
    private static final long SECOND = 1_000_000_000L;
    private static final double EPOCH_SECONDS = 1e9;
    private static final double EPOCH_MILLIS = 1e12;
    /** A policy's window says how long to wait at the most; one longer than this is a quota's, and most of it is over already. */
    private static final double LONGEST_WINDOW = 600;

    private String retryAfter;
    private String rateLimit;
    private String policy;
    private String remaining;
    private String reset;

    /** Several lines of one header are joined, as HTTP has it. */
    void retryAfter(String value) {
        retryAfter = joined(retryAfter, value);
    }

    void rateLimit(String value) {
        rateLimit = joined(rateLimit, value);
    }

    void policy(String value) {
        policy = joined(policy, value);
    }

    void remaining(String value) {
        remaining = remaining == null ? value : remaining;
    }

    void reset(String value) {
        reset = reset == null ? value : reset;
    }

    private static String joined(String before, String value) {
        return before == null ? value : before.length() > 4096 ? before : before + ", " + value; // nobody needs more
    }

    /**
     * Nanoseconds by all headers taken; {@link Finding#NO_WAIT} for none.
     *
     * @param date the server's Date, by which moments are told, as the two clocks need not agree; null where it gave none
     * @param now  milliseconds since 1970 by this machine
     */
    long asked(String date, long now) {
        if (retryAfter == null && rateLimit == null && reset == null) {
            return Finding.NO_WAIT;
        }
        long server = date == null ? HttpDate.NONE : HttpDate.parse(date, now);
        long base = server == HttpDate.NONE ? now : server;
        double seconds = retryAfter == null ? -1 : seconds(retryAfter, base);
        if (seconds < 0 && rateLimit != null) {
            seconds = ofRateLimit(rateLimit, policy);
        }
        if (seconds < 0 && reset != null && isNothing(remaining)) {
            seconds = ofReset(reset, base);
        }
        return seconds < 0 ? Finding.NO_WAIT : nanos(seconds);
    }

    /** Seconds of a Retry-After, or -1. */
    private static double seconds(String value, long base) {
        double plain = plain(value.trim());
        if (plain >= 0) {
            return Math.ceil(plain);
        }
        long at = HttpDate.parse(value, base);
        if (at != HttpDate.NONE) {
            return Math.max(0, (at - base) / 1000.0);
        }
        if (value.indexOf(',') < 0) {
            return -1;
        }
        double longest = -1; // two header lines, or a proxy's joining: the longer one is the one that is safe to obey
        int from = 0;
        while (from <= value.length()) {
            int comma = value.indexOf(',', from);
            int end = comma < 0 ? value.length() : comma;
            double one = plain(value.substring(from, end).trim());
            if (one < 0 && comma >= 0) { // a date has a comma of its own
                int next = value.indexOf(',', comma + 1);
                end = next < 0 ? value.length() : next;
                long date = HttpDate.parse(value.substring(from, end), base);
                if (date != HttpDate.NONE) {
                    one = Math.max(0, (date - base) / 1000.0);
                } else {
                    end = comma;
                }
            }
            longest = Math.max(longest, one < 0 ? -1 : Math.ceil(one));
            from = end + 1;
        }
        return longest;
    }

    /** The longest reset of those limits that have nothing left, or -1. Reads {@code "a";r=0;t=5, "b";r=7} and {@code limit=9, remaining=0, reset=5}. */
    private static double ofRateLimit(String value, String policy) {
        double longest = -1;
        String name = "";
        double left = -1;
        double in = -1;
        int from = 0;
        boolean inQuotes = false;
        for (int i = 0; i <= value.length(); i++) {
            char c = i < value.length() ? value.charAt(i) : ',';
            if (c == '"') {
                inQuotes = !inQuotes;
            }
            boolean end = i == value.length();
            if (inQuotes && !end || c != ';' && c != ',') {
                continue;
            }
            String part = value.substring(from, i).trim();
            from = i + 1;
            int equals = part.indexOf('=');
            String key = equals < 0 ? part : part.substring(0, equals).trim();
            String number = equals < 0 ? "" : part.substring(equals + 1).trim();
            if (key.equalsIgnoreCase("r") || key.equalsIgnoreCase("remaining")) {
                left = plain(number);
            } else if (key.equalsIgnoreCase("t") || key.equalsIgnoreCase("reset")) {
                in = plain(number);
            } else if (equals < 0) {
                name = key;
            }
            // an item of the new form ends at its comma; the old form is one list of all three
            if (end || c == ',' && !name.isEmpty()) {
                if (left == 0) {
                    longest = Math.max(longest, in >= 0 ? in : window(policy, name));
                }
                name = "";
                left = -1;
                in = -1;
            }
        }
        return longest;
    }

    /** The window of the policy of this name where it is short, or -1. */
    private static double window(String policy, String name) {
        if (policy == null || name.isEmpty()) {
            return -1;
        }
        int from = policy.indexOf(name);
        if (from < 0) {
            return -1;
        }
        int comma = policy.indexOf(',', from);
        String item = policy.substring(from, comma < 0 ? policy.length() : comma);
        int w = item.indexOf(";w=") >= 0 ? item.indexOf(";w=") + 3 : item.indexOf("; w=") >= 0 ? item.indexOf("; w=") + 4 : -1;
        if (w < 0) {
            return -1;
        }
        int semicolon = item.indexOf(';', w);
        double seconds = plain(item.substring(w, semicolon < 0 ? item.length() : semicolon).trim());
        return seconds <= LONGEST_WINDOW ? seconds : -1;
    }

    /** Seconds of an {@code X-RateLimit-Reset}: seconds from now, or a moment as seconds or milliseconds since 1970, or as a date; or -1. */
    private static double ofReset(String value, long base) {
        double n = plain(first(value));
        if (n < 0) {
            long at = HttpDate.parse(value, base);
            return at == HttpDate.NONE ? -1 : Math.max(0, (at - base) / 1000.0);
        }
        if (n >= EPOCH_MILLIS) {
            return Math.max(0, (n - base) / 1000);
        }
        return n >= EPOCH_SECONDS ? Math.max(0, n - base / 1000.0) : n;
    }

    private static boolean isNothing(String remaining) {
        if (remaining == null) {
            return false;
        }
        String first = first(remaining);
        return plain(first) == 0 || first.length() > 1 && first.charAt(0) == '-' && plain(first.substring(1)) >= 0;
    }

    /** The first item of a list, without its parameters. */
    private static String first(String list) {
        int end = list.length();
        int comma = list.indexOf(',');
        int semicolon = list.indexOf(';');
        end = comma >= 0 ? comma : end;
        end = semicolon >= 0 && semicolon < end ? semicolon : end;
        return list.substring(0, end).trim();
    }

    /** Digits, with one point among them at the most: no sign, no exponent, no unit. -1 for all else. */
    private static double plain(String text) {
        double n = 0;
        double fraction = 0;
        int digits = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' && fraction == 0 && digits > 0) {
                fraction = 1;
            } else if (c < '0' || c > '9') {
                return -1;
            } else {
                digits++;
                fraction /= 10;
                n = fraction == 0 ? n * 10 + (c - '0') : n + fraction * (c - '0');
            }
        }
        return digits == 0 ? -1 : n;
    }

    private static long nanos(double seconds) {
        double nanos = seconds * SECOND;
        return nanos >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) Math.ceil(nanos);
    }
}
