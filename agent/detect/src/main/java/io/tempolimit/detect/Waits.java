package io.tempolimit.detect;

/**
 * How long a site asks to wait: {@code Retry-After}, and where that is missing or faulty {@code RateLimit} and its older forms. And
 * what these say is left. Takes the headers one by one; what cannot be read asks for nothing. Never throws, never gives a negative
 * wait, never overflows.
 */
final class Waits {
    private static final long SECOND = 1_000_000_000L;
    private static final double EPOCH_SECONDS = 1e9;
    private static final double EPOCH_MILLIS = 1e12;
    /** A policy's window says how long to wait at the most; one longer than this is a quota's, and most of it is over already. */
    private static final double LONGEST_WINDOW = 600;

    /** Durations as some write them: {@code 20 seconds}, {@code 6m0s}, {@code 250ms}. */
    private static final String[][] UNITS = {{"ms", "millisecond", "milliseconds", "msec"}, {"s", "sec", "secs", "second", "seconds"},
        {"m", "min", "mins", "minute", "minutes"}, {"h", "hr", "hour", "hours"}, {"d", "day", "days"}};
    private static final double[] SECONDS = {0.001, 1, 60, 3600, 86_400};

    private String retryAfter;
    private String millis;
    private String rateLimit;
    private String policy;
    private String remaining;
    private String reset;

    /** Several lines of one header are joined, as HTTP has it. */
    void retryAfter(String value) {
        retryAfter = joined(retryAfter, value);
    }

    void retryAfterMillis(String value) {
        millis = millis == null ? value : millis;
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
        if (retryAfter == null && millis == null && rateLimit == null && reset == null) {
            return Finding.NO_WAIT;
        }
        long base = base(date, now);
        double seconds = retryAfter == null ? -1 : seconds(retryAfter, base);
        if (seconds < 0 && millis != null) {
            double n = plain(millis.trim());
            seconds = n < 0 ? -1 : n / 1000;
        }
        if (seconds < 0 && rateLimit != null) {
            seconds = new Limits(rateLimit, policy).longest;
        }
        if (seconds < 0 && reset != null && isNothing(remaining)) {
            seconds = ofReset(reset, base);
        }
        return seconds < 0 ? Finding.NO_WAIT : nanos(seconds);
    }

    /**
     * What is left of the tightest limit that is told, with any answer; null where none is.
     *
     * @param date as for {@link #asked}
     */
    Announced announced(String date, long now) {
        double left = -1;
        double in = -1;
        if (rateLimit != null) {
            Limits limits = new Limits(rateLimit, policy);
            left = limits.left;
            in = limits.in;
        }
        if (in <= 0 && remaining != null && reset != null) {
            left = isNothing(remaining) ? 0 : plain(first(remaining));
            in = ofReset(reset, base(date, now));
        }
        return left < 0 || in <= 0 ? null : new Announced((long) Math.min(Long.MAX_VALUE, left), nanos(in));
    }

    /** The server's own time in milliseconds since 1970, or ours. */
    private static long base(String date, long now) {
        long server = date == null ? HttpDate.NONE : HttpDate.parse(date, now);
        return server == HttpDate.NONE ? now : server;
    }

    /** Seconds of a Retry-After, or -1. */
    private static double seconds(String value, long base) {
        double duration = duration(value.trim());
        if (duration >= 0) {
            return Math.ceil(duration);
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

    /** The limits of a {@code RateLimit}: {@code "a";r=0;t=5, "b";r=7} and {@code limit=9, remaining=0, reset=5}. */
    private static final class Limits {
        /** The longest reset of those that have nothing left, or -1. */
        double longest = -1;
        /** What is left of the one that allows the fewest requests a second, and for how long; -1. */
        double left = -1;
        double in = -1;

        private final String policy;

        Limits(String value, String policy) {
            this.policy = policy;
            String name = "";
            double r = -1;
            double t = -1;
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
                    r = plain(number);
                } else if (key.equalsIgnoreCase("t") || key.equalsIgnoreCase("reset")) {
                    t = plain(number);
                } else if (equals < 0) {
                    name = key;
                }
                // an item of the new form ends at its comma; the old form is one list of all three
                if (end || c == ',' && !name.isEmpty()) {
                    add(r, t >= 0 || r < 0 ? t : window(policy, name));
                    name = "";
                    r = -1;
                    t = -1;
                }
            }
        }

        private void add(double r, double t) {
            if (r == 0) {
                longest = Math.max(longest, t);
            }
            if (r >= 0 && t > 0 && (in < 0 || Math.max(1, r) / t < Math.max(1, left) / in)) {
                left = r;
                in = t;
            }
        }
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

    /**
     * Seconds of an {@code X-RateLimit-Reset}: seconds from now, or a moment as seconds or milliseconds since 1970, or
     * as a date; or -1.
     */
    private static double ofReset(String value, long base) {
        double n = duration(first(value));
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

    /** Seconds of numbers with units, or of one number alone; -1 for all else. */
    private static double duration(String text) {
        double sum = -1;
        for (int i = 0; i < text.length(); ) {
            int from = i;
            while (i < text.length() && (text.charAt(i) == '.' || text.charAt(i) >= '0' && text.charAt(i) <= '9')) {
                i++;
            }
            double n = plain(text.substring(from, i));
            while (i < text.length() && text.charAt(i) == ' ') {
                i++;
            }
            int unit = i;
            while (i < text.length() && Character.isLetter(text.charAt(i))) {
                i++;
            }
            double seconds = unit == i && from == 0 && i == text.length() ? 1 : unit(text.substring(unit, i));
            while (i < text.length() && text.charAt(i) == ' ') {
                i++;
            }
            if (n < 0 || seconds < 0) {
                return -1;
            }
            sum = Math.max(0, sum) + n * seconds;
        }
        return sum;
    }

    private static double unit(String name) {
        for (int i = 0; i < UNITS.length; i++) {
            for (String each : UNITS[i]) {
                if (each.equalsIgnoreCase(name)) {
                    return SECONDS[i];
                }
            }
        }
        return -1;
    }

    private static long nanos(double seconds) {
        double nanos = seconds * SECOND;
        return nanos >= Long.MAX_VALUE ? Long.MAX_VALUE : (long) Math.ceil(nanos);
    }
}
