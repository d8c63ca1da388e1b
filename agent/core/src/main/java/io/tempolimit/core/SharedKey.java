package io.tempolimit.core;

/**
 * One key as the fleet has it: what is asked of the others for it. Knows the version of the key's incident that its worker knows. Its methods
 * may be called from any thread and with the key's lock held: answers come later, on the fleet's thread. Times are nanoseconds of {@link Clock#SYSTEM}.
 */
public interface SharedKey {
    /** Takes an answer. */
    interface Taker {
        /** @param answer null if there was none, or no sensible one: then the fallback holds for who waits */
        void taken(Answer answer);
    }

    /** Takes the fate of a record. */
    interface Writer {
        /**
         * @param written  whether it holds now
         * @param incident the record that holds now, to judge by anew if it is another worker's; null if nobody answered
         */
        void written(boolean written, Incident incident);
    }

    /** The caps that hold beside the bucket: for each its count and its duration in nanoseconds. */
    void windows(long... countsAndDurations);

    /** The incident that its worker knows, by its version; 0: none. */
    long version();

    /** The worker has taken in this version. */
    void known(long version);

    /**
     * Asks for slots.
     *
     * @param interval nanoseconds from a token to the next; may have a fraction
     * @param burst    size of the bucket; may have a fraction
     * @param n        how many are wanted; 0 to hear of the incident alone
     * @param maxWait  longest wait that is accepted, or {@link Long#MAX_VALUE}
     */
    void take(double interval, double burst, int n, long maxWait, Taker taker);

    /**
     * Writes what this worker made of the incident, unless another one was faster. Where the fleet knows none any more, this one holds.
     *
     * @param incident made from the version that is known
     * @param opens    whether what was reserved so far is void, and the bucket empty
     * @param memory   nanoseconds for which counts and trips are remembered
     */
    void write(Incident incident, boolean opens, long memory, Writer writer);

    /**
     * Gives back the last token that was taken, which will not be used; only works if nobody has taken any since.
     *
     * @param given    of the answer that brought it, less what has been given back since
     * @param interval nanoseconds from it to the next
     * @param taken    called if somebody has
     */
    void give(long given, double interval, Runnable taken);

    /** This worker's probe will have no verdict: the next one may go, from anywhere. */
    void release();
}
