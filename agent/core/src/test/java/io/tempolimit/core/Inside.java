package io.tempolimit.core;

import io.tempolimit.core.key.HostKey;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.request.PageUrl;

/** What tests look at that nobody else sees of keys and permits. */
final class Inside {
    private Inside() {
    }

    static HostKey of(Key key) {
        return (HostKey) key;
    }

    static Reservation of(Permit permit) {
        return (Reservation) permit;
    }

    /** An answer of this key has been a redirect to there, which may be followed so many nanoseconds later. */
    static void redirected(Key key, String location, long nanos) {
        HostKey k = of(key);
        k.common.redirects.add(PageUrl.of(location, new TestTarget(key.name()).url()), k.now() + nanos);
    }
}
