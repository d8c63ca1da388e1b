package io.tempolimit.watch;

/**
 * What an operator sees and can do, by JMX as {@code io.tempolimit:type=Limiter} or on the status page. Public because
 * JMX asks for that. Thread-safe. All of it concerns this JVM, holds at once, also for requests that wait already, and
 * is logged.
 */
public interface LimiterControl {
    /** All statistics, as JSON. */
    String getStatsJson();

    /** The names of the keys, in order. */
    String[] getKeys();

    /** Whether requests are paced. */
    boolean isEnabled();

    /** Stops or resumes pacing; who waits goes at once when it stops. */
    void setEnabled(boolean on);

    /** Whether everything is reported, and nothing delayed or rejected. */
    boolean isDryRun();

    /** Starts or ends the dry run. */
    void setDryRun(boolean on);

    /**
     * The statistics of one key, as JSON.
     *
     * @param key its name, as {@link #getKeys} has it; a host in any form
     * @throws IllegalArgumentException if there is no such key
     */
    String stats(String key);

    /**
     * Lets a key begin anew: forgets its blocks, trips and pauses, and what {@link #setRate} has set; who waits goes on
     * at the bucket's pace.
     *
     * @param key its name, as {@link #getKeys} has it; a host in any form
     * @throws IllegalArgumentException if there is no such key
     */
    void reset(String key);

    /**
     * Sets the counters of a key to zero.
     *
     * @param key its name, as {@link #getKeys} has it; a host in any form
     * @throws IllegalArgumentException if there is no such key
     */
    void resetStats(String key);

    /**
     * No request of the key goes for this long: they wait, or are rejected, by {@code on-limit} and {@code max-wait}.
     * Then they go on at the bucket's pace. A pause that is there already is replaced; a rest that the site has asked
     * for is not shortened.
     *
     * @param key     its name, as {@link #getKeys} has it; a host in any form
     * @param seconds 1 or more, up to ten years (315,360,000)
     * @throws IllegalArgumentException if there is no such key, or that is no time
     * @throws IllegalStateException    if the key is blocked for good
     */
    void pause(String key, long seconds);

    /**
     * Ends a pause or a cooldown, without a probe; blocks and trips are remembered, so the next block may be the next trip.
     *
     * @param key its name, as {@link #getKeys} has it; a host in any form
     * @throws IllegalArgumentException if there is no such key
     * @throws IllegalStateException    if the key is blocked for good
     */
    void resume(String key);

    /**
     * Another rate and burst than the settings' for a key, until {@link #reset} or the JVM's end: new settings from the
     * file do not change it, and it holds also if the key is forgotten in between.
     *
     * @param key   its name, as {@link #getKeys} has it; a host in any form
     * @param rate  requests per second, above 0
     * @param burst 1 or more
     * @throws IllegalArgumentException if there is no such key, or there are no such rate and burst
     */
    void setRate(String key, double rate, int burst);
}
