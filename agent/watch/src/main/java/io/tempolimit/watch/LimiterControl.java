package io.tempolimit.watch;

/** What {@code io.tempolimit:type=Limiter} shows and does. Public because JMX asks for that. */
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
     * @param key its name; a host in any form
     * @throws IllegalArgumentException if there is no such key
     */
    String stats(String key);

    /**
     * Forgets a key's blocks, trips and pauses; who waits goes on at the bucket's pace.
     *
     * @param key its name; a host in any form
     * @throws IllegalArgumentException if there is no such key
     */
    void reset(String key);
}
