package io.tempolimit.interleavings;

import io.tempolimit.core.Permit;
import org.junit.jupiter.api.Test;

/** A token that comes back, beside what takes one without the lock. */
class ReturnInterleavingsTest {
    @Test
    void returnAgainstArrival() throws Exception {
        Interleaved.search(ReturnAgainstArrival.class);
    }

    /** One that waited and went is not sent after all, while another goes at once: five may be sent in these two seconds. */
    public static final class ReturnAgainstArrival extends Interleaved {
        private final Permit unsent;

        public ReturnAgainstArrival() throws Exception {
            super(policy(1, 3).build());
            for (int i = 0; i < 3; i++) {
                arrive();
            }
            unsent = arrive();
            clock.turn(SECOND);
            unsent.poll();
            clock.turn(SECOND);
        }

        @Override
        void one() {
            unsent.unused();
        }

        @Override
        void other() throws Exception {
            same(true, arrive().granted(), "it goes at once");
        }

        @Override
        void holds() throws Exception {
            same(true, arrive().granted(), "the fifth goes");
            same(1.0, wait(arrive()), "seconds until the sixth goes");
        }
    }
}
