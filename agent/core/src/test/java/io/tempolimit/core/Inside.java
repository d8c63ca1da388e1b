package io.tempolimit.core;

import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.request.PageUrl;

/** What tests look at that nobody else sees of keys and permits. */
final class Inside {
    private Inside() {
    }

    static PacedKey of(Key key) {
        return (PacedKey) key;
    }

    static Reservation of(Permit permit) {
        return (Reservation) permit;
    }

    /** An answer of this key has been a redirect to there, which may be followed so many nanoseconds later. */
    static void redirected(Key key, String location, long nanos) {
        PacedKey k = of(key);
        k.common.redirects.add(PageUrl.of(location, new TestTarget(key.name()).url()), k.now() + nanos);
    }
}
