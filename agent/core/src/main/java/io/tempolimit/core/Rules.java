package io.tempolimit.core;

import io.tempolimit.detect.Detector;

/** The settings as the limiter sees them. Implementations are immutable; new settings are a new object. */
public interface Rules {
    /**
     * What holds for a host.
     *
     * @param host as {@link Hosts#canonical} gives it
     * @return null if requests to it are neither paced nor judged
     */
    Policy policy(String host);

    /** Who tells blocks from pages, by the built-in rules and the user's own. */
    Detector detector();

    /** Whether requests are paced at all. */
    boolean enabled();

    /** Whether to report everything, and delay and reject nothing. */
    boolean dryRun();

    /** How many keys are remembered at the most. */
    int maxKeys();

    /** After how many nanoseconds an idle key is forgotten. */
    long keyIdle();
}
