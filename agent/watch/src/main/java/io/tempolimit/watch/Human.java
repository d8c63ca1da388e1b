package io.tempolimit.watch;

/**
 * Numbers as people read them, in ASCII and the same in every locale. By hand: String.format costs tens of milliseconds
 * at its first use, on the thread of a request.
 */
public final class Human {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Human() {
    }

    /** {@code 1,204}. */
    public static String count(long n) {
        String digits = Long.toString(n);
        StringBuilder b = new StringBuilder(digits);
        for (int i = digits.length() - 3; i > (n < 0 ? 1 : 0); i -= 3) {
            b.insert(i, ',');
        }
        return b.toString();
    }

    /** {@code 1 request}, {@code 1,204 requests}. */
    public static String count(long n, String one) {
        return count(n) + " " + one + (n == 1 ? "" : "s");
    }

    /** {@code 8 ms}, {@code 0.3 s}, {@code 45 s}, {@code 2 min 12 s}, {@code 1 h 5 min}, {@code 3 d 4 h}. */
    public static String duration(long nanos) {
        long n = Math.max(0, nanos);
        if (n < 95 * MILLI) {
            long ms = (n + MILLI / 2) / MILLI;
            return n == 0 ? "0 s" : ms == 0 ? "< 1 ms" : ms + " ms";
        }
        long tenths = n / (SECOND / 10) + (n % (SECOND / 10) >= SECOND / 20 ? 1 : 0);
        if (tenths < 100) {
            return tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + " s";
        }
        long s = n / SECOND + (n % SECOND >= SECOND / 2 ? 1 : 0);
        if (s < MINUTE) {
            return s + " s";
        }
        if (s < HOUR) {
            return pair(s, MINUTE, "min", 1, "s");
        }
        return s < DAY ? pair(s, HOUR, "h", MINUTE, "min") : pair(s, DAY, "d", HOUR, "h");
    }

    private static String pair(long seconds, long big, String bigName, long small, String smallName) {
        long rest = seconds % big / small;
        return count(seconds / big) + " " + bigName + (rest == 0 ? "" : " " + rest + " " + smallName);
    }

    /** {@code 3 requests/s}, {@code 0.5 requests/s}, {@code 1 request/min}, {@code 2.5 requests/h}. */
    public static String rate(double perSecond) {
        boolean seconds = perSecond >= 0.1;
        boolean minutes = !seconds && perSecond * 60 >= 0.1;
        String n = decimal(seconds ? perSecond : perSecond * (minutes ? 60 : 3600));
        return n + (n.equals("1") ? " request/" : " requests/") + (seconds ? "s" : minutes ? "min" : "h");
    }

    /** Three digits, or the whole number where it has more. */
    static String decimal(double v) {
        if (v >= 1e12) {
            return Double.toString(v);
        }
        long unit = v >= 100 ? 1000 : v >= 10 ? 100 : v >= 1 ? 10 : 1;
        long thousandths = Math.round(v * 1000 / unit) * unit;
        String whole = count(thousandths / 1000);
        int rest = (int) (thousandths % 1000);
        if (rest == 0) {
            return whole;
        }
        String digits = Integer.toString(1000 + rest).substring(1);
        int end = 3;
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        return whole + "." + digits.substring(0, end);
    }

    /** A state as it is called everywhere; a dry run's says what would be. */
    public static String state(String state) {
        String plain = state.replace("would_", "");
        boolean would = !plain.equals(state);
        switch (plain) {
            case "cooling_down":
                return would ? "would be in cooldown" : "cooldown";
            case "circuit_open":
                return would ? "would reject" : "rejecting";
            case "lifetime_blocked":
                return (would ? "would be " : "") + "blocked for good";
            default:
                return (would ? "would be " : "") + plain.replace('_', ' ');
        }
    }

    /** At most {@code width} ASCII characters; what is too long loses its middle, since a host's end says most. */
    public static String fit(String text, int width) {
        StringBuilder b = new StringBuilder();
        if (text.length() <= width) {
            b.append(text);
        } else {
            int head = (width - 2) / 3;
            b.append(text, 0, head).append("..").append(text, text.length() - (width - 2 - head), text.length());
        }
        for (int i = 0; i < b.length(); i++) {
            if (b.charAt(i) < ' ' || b.charAt(i) > '~') {
                b.setCharAt(i, '?');
            }
        }
        return b.toString();
    }
}
