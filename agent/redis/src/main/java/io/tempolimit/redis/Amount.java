package io.tempolimit.redis;

/** Numbers as the scripts want them. */
final class Amount {
    private Amount() {
    }

    /** Nanoseconds as microseconds, rounded up to the next 256th, which is what the script's doubles hold of a time. */
    static String micros(double nanos) {
        double parts = Math.ceil(nanos / 1000 * 256);
        long whole = (long) (parts / 256);
        double rest = parts - whole * 256d;
        if (rest == 0) {
            return Long.toString(whole);
        }
        String digits = Long.toString(Math.round(rest / 256 * 1e8)); // 1/256 has 8 decimals
        return whole + "." + "00000000".substring(digits.length()) + digits;
    }
}
