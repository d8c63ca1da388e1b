package io.tempolimit.config;

/** A value of {@code rate}. */
final class Rate {
    /** Tokens per second; where it is {@link #auto} the ceiling, infinite if there is none. */
    final double perSecond;
    /** Whether it is looked for. */
    final boolean auto;

    Rate(double perSecond, boolean auto) {
        this.perSecond = perSecond;
        this.auto = auto;
    }
}
