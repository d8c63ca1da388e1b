package io.tempolimit.core;

/**
 * Who decides when the next request of a crawl goes. To see what another policy gets from the sites, implement this and add it
 * to {@link Pacers#all}. Seconds of virtual time.
 */
interface Pacer {
    /** When the next request may go; a time that is over means at once. */
    double next(double now);

    /** A request goes. */
    void sent(double now);

    /**
     * An answer is there.
     *
     * @param status     0 for a connection that was refused
     * @param retryAfter what the site asks for, or 0
     * @param latency    how long the answer took
     */
    void answered(double now, int status, double retryAfter, double latency);
}
