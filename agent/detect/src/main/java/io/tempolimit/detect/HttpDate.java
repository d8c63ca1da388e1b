package io.tempolimit.detect;

/**
 * The three forms of a date in HTTP (RFC 9110, 5.6.7): {@code Sun, 15 Nov 2026 12:02:00 GMT}, {@code Sunday, 15-Nov-26 12:02:00
 * GMT} and {@code Sun Nov 15 12:02:00 2026}, and the first with an offset such as {@code +0200}. By hand, because {@code java.time}'s
 * parser costs a cold JVM more than all else that a response needs.
 */
final class HttpDate {
    /** Not a date. */
    static final long NONE = Long.MIN_VALUE;
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    private HttpDate() { }

    /**
     * Milliseconds since 1970, or {@link #NONE}. The day's name is not looked at. {@code now} tells the century of a
     * year of two digits.
     */
    static long parse(String text, long now) {
        String[] fields = new String[8];
        int count = split(text, fields);
        if (count == 5 && fields[3].indexOf(':') > 0) { // Sun Nov 15 12:02:00 2026
            return millis(fields[2], fields[1], fields[4], fields[3], "GMT", now);
        }
        if (count == 6) { // Sun 15 Nov 2026 12:02:00 GMT; the dashes of the other form separate as well
            return millis(fields[1], fields[2], fields[3], fields[4], fields[5], now);
        }
        return NONE;
    }

    /** Splits at blanks, commas and the dashes before the time. Gives the number of fields, or -1 where there are too many. */
    private static int split(String text, String[] fields) {
        int count = 0;
        int start = -1;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            boolean separator = c == ' ' || c == '\t' || c == ',' || c == '-' && count < 4;
            if (separator && start >= 0) {
                if (count == fields.length) {
                    return -1;
                }
                fields[count++] = text.substring(start, i);
                start = -1;
            } else if (!separator && start < 0) {
                start = i;
            }
        }
        return count;
    }

    private static long millis(String day, String month, String year, String time, String zone, long now) {
        int d = number(day, 1, 2);
        int m = month.length() == 3 ? MONTHS.indexOf(lower(month)) : -1;
        int y = number(year, 2, 4);
        long seconds = time(time);
        long offset = offset(zone);
        if (d < 1 || d > 31 || m < 0 || m % 3 != 0 || y < 0 || year.length() == 3 || seconds < 0 || offset == NONE) {
            return NONE;
        }
        if (year.length() == 2) {
            y += 1900;
            long limit = now / 1000 + 50L * 31_556_952; // RFC 9110: more than 50 years ahead means the past
            while ((days(y + 100, m / 3 + 1, d)) * 86_400 <= limit) {
                y += 100;
            }
        }
        return (days(y, m / 3 + 1, d) * 86_400 + seconds - offset) * 1000;
    }

    private static long time(String text) {
        int first = text.indexOf(':');
        int second = text.indexOf(':', first + 1);
        if (first < 0 || second < 0) {
            return -1;
        }
        int h = number(text.substring(0, first), 1, 2);
        int m = number(text.substring(first + 1, second), 2, 2);
        int s = number(text.substring(second + 1), 2, 2);
        return h < 0 || h > 23 || m < 0 || m > 59 || s < 0 || s > 60 ? -1 : h * 3600L + m * 60L + s;
    }

    /** Seconds east of Greenwich. A name other than Greenwich's own is no date: the reader's zone must never come into it. */
    private static long offset(String zone) {
        if (zone.equalsIgnoreCase("GMT") || zone.equalsIgnoreCase("UTC") || zone.equalsIgnoreCase("Z") || zone.equalsIgnoreCase("UT")) {
            return 0;
        }
        int digits = zone.length() == 5 && (zone.charAt(0) == '+' || zone.charAt(0) == '-') ? number(zone.substring(1), 4, 4) : -1;
        if (digits < 0 || digits % 100 > 59 || digits > 1800) {
            return NONE;
        }
        long seconds = digits / 100 * 3600L + digits % 100 * 60L;
        return zone.charAt(0) == '-' ? -seconds : seconds;
    }

    private static int number(String text, int least, int most) {
        if (text.length() < least || text.length() > most) {
            return -1;
        }
        int n = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            n = n * 10 + c - '0';
        }
        return n;
    }

    private static String lower(String month) {
        StringBuilder s = new StringBuilder(3);
        for (int i = 0; i < 3; i++) {
            s.append((char) (month.charAt(i) | 0x20));
        }
        return s.toString();
    }

    /** Days since 1970 of a date of the Gregorian calendar. */
    private static long days(int year, int month, int day) {
        long y = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(y, 400L);
        long ofEra = y - era * 400;
        long ofYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468;
    }
}
