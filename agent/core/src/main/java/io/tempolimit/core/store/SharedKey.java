package io.tempolimit.core.store;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import java.util.List;

/**
 * One key as the fleet has it: what is asked of the others for it. Knows the version of the key's incident that its worker
 * knows. Its methods may be called from any thread and with the key's lock held: answers come later, on the fleet's thread.
 * Times are nanoseconds of the worker's clock.
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

    /**
     * The caps that hold beside the bucket.
     *
     * @param maxWait            longest wait for one of them that is accepted, or {@link Long#MAX_VALUE}
     * @param countsAndDurations for each its count and its duration in nanoseconds
     */
    void windows(long maxWait, long... countsAndDurations);

    /** The incident that its worker knows, by its version; 0: none. */
    long version();

    /** The worker has taken in this version. */
    void known(long version);

    /**
     * Asks for slots. Where the bucket that this worker has been given slots of is gone, the one that is there
     * instead is taken for empty; the answer says so,
     * and other workers are told ({@link Fleet.Listener#bucketLost}). With windows nothing is taken before this worker has told what it
     * has sent ({@link Answer.Kind#LOST}, {@link #tell}).
     *
     * @param interval nanoseconds from a token to the next; may have a fraction
     * @param burst    size of the bucket; may have a fraction
     * @param margin   by so much later than others the slots may be used: each costs so much more, and counts in windows as of then
     * @param n        how many are wanted; 0 to hear of the incident alone
     * @param maxWait  longest wait that is accepted, or {@link Long#MAX_VALUE}
     */
    void take(double interval, double burst, long margin, int n, long maxWait, Taker taker);

    /** The same without a margin. */
    default void take(double interval, double burst, int n, long maxWait, Taker taker) {
        take(interval, burst, 0, n, maxWait, taker);
    }

    /**
     * Tells what went and is not in the windows, of which it takes nothing.
     *
     * @param number another one each time, but where it is not known whether the fleet has heard it: it counts once
     * @param went   for each window {@code count/nanoseconds:}, and then {@code milliseconds ago x how many}, oldest first, with commas
     *               between
     */
    void tell(double interval, double burst, long number, List<String> went, Taker taker);

    /** Asks whether the bucket is gone, as another worker has told: takes nothing, and tells nobody. */
    void look(double interval, double burst, Taker taker);

    /**
     * Writes what this worker made of the incident, unless another one was faster. Where the fleet knows none any more, this one holds.
     *
     * @param incident made from the version that is known
     * @param opens    if what was reserved so far is void, and the bucket empty: the bucket; else null
     * @param memory   nanoseconds for which counts and trips are remembered
     */
    void write(Incident incident, Limit opens, long memory, Writer writer);

    /**
     * Gives back the last tokens that were taken, which will not be used; only works if nobody has taken any since, and not
     * where there are windows.
     *
     * @param given    of the answer that brought them, less what has been given back since
     * @param n        how many
     * @param interval nanoseconds from each to the next
     * @param taken    called if somebody has
     */
    void give(long given, int n, double interval, Runnable taken);

    /**
     * This worker's probe, if it has one, will have no verdict: the next one may go, from anywhere, and other workers are told ({@link
     * Fleet.Listener#probeGivenUp}).
     */
    void release();

    /** Has this run on the fleet's thread after so many nanoseconds. */
    void later(long nanos, Runnable what);
}
