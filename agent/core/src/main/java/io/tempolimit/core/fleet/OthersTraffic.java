package io.tempolimit.core.fleet;

import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.store.Answer;

/**
 * The requests of a fleet's other workers to one key, as far as the fleet's answers tell of them. They are the site's load as
 * ours are: what is learnt is what the fleet may do. Requests that were given slots before ours have gone when it is our turn.
 * What the others will have reserved when the site blocks is never sent. Guarded by the key's lock.
 */
final class OthersTraffic {
    /** Requests of others, between two of ours, that are counted one by one. */
    private static final long MOST = 10_000;
    private static final long UNKNOWN = -1;

    private final PacedKey key;
    /** How many slots the fleet's bucket has given to anybody, as of the last answer; or {@link #UNKNOWN}. */
    private long given = UNKNOWN;
    /** So many had slots up to this time, and are not counted yet. */
    private int next;
    private long nextBy;
    /** And so many after them, up to this time. */
    private int later;
    private long laterBy;
    /** All up to then are counted. */
    private long countedBy;

    OthersTraffic(PacedKey key, long now) {
        this.key = key;
        countedBy = now;
    }

    /** The fleet has answered. */
    void answered(Answer a, long now) {
        count(now);
        later += (int) Math.max(0, Math.min(MOST, given == UNKNOWN ? before(a, now) : a.given - given - a.count));
        given = a.given;
        long last = a.slot + (a.count - 1) * a.step;
        laterBy = a.count > 0 && last - now > 0 ? last : now;
        if (next == 0) {
            advance();
        }
    }

    /** Slots that others have from now on, before the first of ours: nobody else's can be there, where no window holds it up. */
    private static long before(Answer a, long now) {
        return a.count > 0 && a.window == 0 && a.step > 0 ? Math.round((a.slot - now) / (double) a.step) - 1 : 0;
    }

    /** Counts those whose turn is over. */
    void count(long now) {
        if (next > 0 && now - nextBy >= 0) {
            int n = next;
            long from = countedBy;
            long to = nextBy;
            countedBy = to;
            advance();
            key.othersWent(n, from, to, now);
        }
    }

    private void advance() {
        next = later;
        nextBy = laterBy;
        later = 0;
    }

    /** We have given slots back to the fleet's bucket. */
    void givenBack(int n) {
        given -= n;
    }

    /** The fleet has begun another bucket. */
    void bucketLost() {
        given = UNKNOWN;
    }

    /** Whoever has a slot will not go. */
    void forget() {
        next = 0;
        later = 0;
        given = UNKNOWN;
    }
}
