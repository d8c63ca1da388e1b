package io.tempolimit.config;

/** Reads numbers, durations and sizes as people write them. What is wrong with one is the message of what is thrown. Stateless. */
final class Amounts {
    /** 10 years: sums of a few stay far from overflow. */
    private static final long LONGEST = 87_600L * 3600 * 1_000_000_000L;

    private Amounts() {
    }

    /** Tokens a second: {@code 3}, {@code 90/m}; above 0. */
    static double perSecond(String text) {
        double seconds = 1;
        String n = text;
        int slash = text.indexOf('/');
        if (slash >= 0) {
            String unit = text.substring(slash + 1).trim();
            n = text.substring(0, slash).trim();
            seconds = unit.equals("s") ? 1 : unit.equals("m") ? 60 : unit.equals("h") ? 3600 : 0;
            if (seconds == 0) {
                throw new IllegalArgumentException("after the slash comes s, m or h");
            }
        }
        double rate = number(n) / seconds;
        if (!(rate > 0)) {
            throw new IllegalArgumentException("not above 0");
        }
        return rate;
    }

    /** Finite. Double.parseDouble alone would also take NaN, Infinity, 3f and 0x1p3. */
    private static double number(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E')) {
                throw new IllegalArgumentException("not a number");
            }
        }
        double d;
        try {
            d = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a number");
        }
        if (Double.isInfinite(d)) {
            throw new IllegalArgumentException("too large");
        }
        return d;
    }

    /** Takes 3.0 too: what writes JSON often knows no whole numbers. */
    static long whole(String text, long min, long max) {
        int end = text.length();
        int dot = text.indexOf('.');
        if (dot > 0 && dot < end - 1) {
            int zero = dot + 1;
            while (zero < end && text.charAt(zero) == '0') {
                zero++;
            }
            end = zero == end ? dot : end;
        }
        boolean minus = text.charAt(0) == '-';
        int from = minus ? 1 : 0;
        long n = 0;
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            if (!digit(c)) {
                throw new IllegalArgumentException("not a whole number");
            }
            n = n > (Long.MAX_VALUE - 9) / 10 ? Long.MAX_VALUE - 9 : n * 10 + (c - '0');
        }
        if (from == end) {
            throw new IllegalArgumentException("not a whole number");
        }
        if (minus || n < min) {
            throw new IllegalArgumentException("below " + min);
        }
        if (n > max) {
            throw new IllegalArgumentException("too large");
        }
        return n;
    }

    /**
     * Nanoseconds of {@code 500ms}, {@code 30s}, {@code 5m} or {@code 24h}.
     *
     * @param min 1 where it is above 0; with 0 a plain {@code 0} needs no unit
     */
    static long duration(String text, long min) {
        if (min == 0 && text.equals("0")) {
            return 0;
        }
        int n = 0;
        while (n < text.length() && digit(text.charAt(n))) {
            n++;
        }
        String unit = text.substring(n).trim();
        long nanos = unit.equals("ms") ? 1_000_000L : unit.equals("s") ? 1_000_000_000L : unit.equals("m") ? 60_000_000_000L
                : unit.equals("h") ? 3_600_000_000_000L : 0;
        if (n == 0) {
            throw new IllegalArgumentException("not a duration");
        }
        long count = whole(text.substring(0, n), 0, Long.MAX_VALUE);
        if (count < min && (nanos > 0 || n == text.length())) {
            throw new IllegalArgumentException("not above 0");
        }
        if (nanos == 0) {
            throw new IllegalArgumentException(n == text.length() ? "its unit is missing"
                    : text.charAt(n) == '.' ? "not a whole number" : "not a duration");
        }
        if (count > LONGEST / nanos) {
            throw new IllegalArgumentException("too long");
        }
        return count * nanos;
    }

    /** From 0 to 1. */
    static double fraction(String text) {
        double d = number(text);
        if (!(d >= 0 && d <= 1)) {
            throw new IllegalArgumentException("not between 0 and 1");
        }
        return d;
    }

    /** The least and the most of {@code 30s-60s}, or twice {@code 30s}, in nanoseconds. */
    static long[] range(String text) {
        int dash = text.indexOf('-');
        long min = duration(dash < 0 ? text : text.substring(0, dash).trim(), 1);
        long max = dash < 0 ? min : duration(text.substring(dash + 1).trim(), 1);
        if (max < min) {
            throw new IllegalArgumentException("the lower one comes first");
        }
        return new long[] {min, max};
    }

    /** Bytes of {@code 1000} or {@code 64KB}. */
    static long size(String text, long min, long max) {
        int n = 0;
        while (n < text.length() && digit(text.charAt(n))) {
            n++;
        }
        String unit = text.substring(n).trim();
        long bytes = unit.isEmpty() ? 1 : unit.equalsIgnoreCase("KB") ? 1L << 10 : unit.equalsIgnoreCase("MB") ? 1L << 20
                : unit.equalsIgnoreCase("GB") ? 1L << 30 : 0;
        if (n == 0 || bytes == 0) {
            boolean letter = n > 0 && unit.length() == 1 && "KMGkmg".indexOf(unit.charAt(0)) >= 0;
            throw new IllegalArgumentException("not a size" + (letter ? ", did you mean " + text + "B?" : ""));
        }
        return whole(text.substring(0, n), min, max / bytes) * bytes;
    }

    static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }
}
