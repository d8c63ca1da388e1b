package io.tempolimit.core.policy;

/**
 * Rate and burst of a token bucket, in the form that the arithmetic wants. Immutable.
 *
 * <p>The interval is rounded up to whole nanoseconds, so the rate is never exceeded.
 */
public final class Limit {
    /** 73 years: waits, intervals and their sums stay far from overflow. */
    public static final long HORIZON = Long.MAX_VALUE / 4;

    private final double rate;
    private final int burst;
    /** Nanoseconds in which one token comes in. */
    public final long interval;
    /** How far ahead of time a request may be: what a full bucket allows beyond its first token. */
    public final long tolerance;

    /**
     * @param rate  tokens per second, above zero and finite
     * @param burst bucket size, 1 or more
     */
    public Limit(double rate, int burst) {
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException("rate must be above 0 and finite: " + rate);
        }
        if (burst < 1) {
            throw new IllegalArgumentException("burst must be 1 or more: " + burst);
        }
        this.rate = rate;
        this.burst = burst;
        this.interval = Math.max(1, (long) Math.min(HORIZON, Math.ceil(1e9 / rate)));
        this.tolerance = interval > HORIZON / burst ? HORIZON : interval * (burst - 1);
    }

    /** This rate and burst; the same object as {@code is}, if that has them. */
    public static Limit of(double rate, int burst, Limit is) {
        return is != null && is.rate == rate && is.burst == burst ? is : new Limit(rate, burst);
    }

    /** Tokens per second. */
    public double rate() {
        return rate;
    }

    /** Bucket size. */
    public int burst() {
        return burst;
    }

    /** For the one whose request is rejected: {@code 3 requests/s}. */
    @Override
    public String toString() {
        double perMinute = rate * 60;
        return rate >= 0.1 ? number(rate) + " requests/s" : perMinute >= 0.1 ? number(perMinute) + " requests/min"
                : number(perMinute * 60) + " requests/h";
    }

    private static String number(double n) {
        double rounded = Math.round(n * 100) / 100.0;
        return rounded == Math.rint(rounded) ? String.valueOf((long) rounded) : String.valueOf(rounded);
    }
}
