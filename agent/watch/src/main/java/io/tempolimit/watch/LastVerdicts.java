package io.tempolimit.watch;

import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The last blocks and the reasons, in a ring of fixed size. Thread-safe, without a lock. */
public final class LastVerdicts implements Listener {
    private static final int SIZE = 100;

    private final AtomicReferenceArray<Seen> ring = new AtomicReferenceArray<>(SIZE);
    private final AtomicLong count = new AtomicLong();

    LastVerdicts() {
    }

    @Override
    public void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) {
        long n = count.getAndIncrement();
        ring.set((int) (n % SIZE), new Seen(n, key.name(), target.url(), finding, consecutive, counts));
    }

    /** Those from this number on, the oldest first, as far as they are kept. */
    public List<Seen> from(long number) {
        List<Seen> found = new ArrayList<>();
        long end = count.get();
        for (long n = Math.max(number, end - SIZE); n < end; n++) {
            Seen seen = ring.get((int) (n % SIZE));
            if (seen == null || seen.number < n) {
                break; // it is being put there; the next call finds it
            }
            if (seen.number == n) {
                found.add(seen);
            }
        }
        return found;
    }

    /** One block. Immutable. */
    public static final class Seen {
        /** Its number, from 0. */
        public final long number;
        /** Milliseconds since 1970. */
        public final long time = System.currentTimeMillis();
        public final String key;
        /** Without user info, query and fragment. */
        public final String url;
        public final Finding finding;
        /** Blocks in a row, this one included. */
        public final int consecutive;
        /** Whether it made the count rise. */
        public final boolean counts;

        Seen(long number, String key, String url, Finding finding, int consecutive, boolean counts) {
            this.number = number;
            this.key = key;
            this.url = url.length() <= Event.LONGEST ? url : url.substring(0, Event.LONGEST) + "...";
            this.finding = finding;
            this.consecutive = consecutive;
            this.counts = counts;
        }
    }
}
