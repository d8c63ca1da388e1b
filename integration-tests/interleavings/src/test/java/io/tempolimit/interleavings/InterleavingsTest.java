package io.tempolimit.interleavings;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import org.junit.jupiter.api.Test;

/** What two threads can do to each other at one key. */
class InterleavingsTest {
    /** Lincheck passes over what it is not told to call: then every search is green. */
    @Test
    void aSearchFailsWhereNothingHolds() {
        assertThrows(AssertionError.class, () -> Interleaved.search(NothingHolds.class));
    }

    /** Two requests, and a condition that no order of them meets. */
    public static final class NothingHolds extends Interleaved {
        public NothingHolds() {
            super(policy(1, 1).build());
        }

        @Override
        void one() throws Exception {
            arrive();
        }

        @Override
        void other() throws Exception {
            arrive();
        }

        @Override
        void holds() {
            throw new AssertionError("nothing holds");
        }
    }

    @Test
    void arrivalAgainstNewSettings() throws Exception {
        Interleaved.search(ArrivalAgainstNewSettings.class);
    }

    /** The first token is gone. Whichever rate the second request saw, it waits by the new one. */
    public static final class ArrivalAgainstNewSettings extends Interleaved {
        private Permit permit;

        public ArrivalAgainstNewSettings() throws Exception {
            super(policy(1, 1).build());
            arrive();
        }

        @Override
        void one() throws Exception {
            permit = arrive();
        }

        @Override
        void other() {
            settings(policy(0.1, 1).build());
        }

        @Override
        void holds() {
            same(10.0, wait(permit), "seconds to wait");
        }
    }

    @Test
    void twoArrivalsAgainstOneToken() throws Exception {
        Interleaved.search(TwoArrivals.class);
    }

    /** Of one token, one request goes; the other has the next turn. That is burst + rate x T. */
    public static final class TwoArrivals extends Interleaved {
        private Permit first;
        private Permit second;

        public TwoArrivals() throws Exception {
            super(policy(1, 1).build());
            arrive(); // makes the key
            clock.turn(10 * SECOND); // fills its bucket
        }

        @Override
        void one() throws Exception {
            first = arrive();
        }

        @Override
        void other() throws Exception {
            second = arrive();
        }

        /** Who took the token joins a waiter that it meets behind its back, and that one goes now. */
        @Override
        void holds() {
            double one = first.granted() ? 0 : wait(first);
            double other = second.granted() ? 0 : wait(second);
            same(0.0, Math.min(one, other), "seconds until one goes");
            same(1.0, Math.max(one, other), "seconds until the other goes");
        }
    }

    @Test
    void twoArrivalsThatHaveToWait() throws Exception {
        Interleaved.search(TwoArrivalsThatHaveToWait.class);
    }

    /** The token is gone. Whichever of two is to go first looks late: the other goes a second after that, and not after its turn. */
    public static final class TwoArrivalsThatHaveToWait extends Interleaved {
        private Permit first;
        private Permit second;

        public TwoArrivalsThatHaveToWait() throws Exception {
            super(policy(1, 1).build());
            arrive();
        }

        @Override
        void one() throws Exception {
            first = arrive();
        }

        @Override
        void other() throws Exception {
            second = arrive();
        }

        @Override
        void holds() {
            boolean inOrder = wait(first) < wait(second);
            Permit late = inOrder ? first : second;
            Permit behind = inOrder ? second : first;
            same(1.0, wait(late), "seconds until the turn of one");
            same(2.0, wait(behind), "seconds until the other's");
            clock.turn(SECOND + SECOND / 4);
            late.poll();
            behind.poll();
            same(true, late.granted() != behind.granted(), "one goes");
            same(1.0, wait(late.granted() ? behind : late), "seconds that the other waits then");
        }
    }

    @Test
    void arrivalAgainstOneThatComesMuchLater() throws Exception {
        Interleaved.search(ArrivalAgainstALaterOne.class);
    }

    /** A thread stands still while it arrives, for longer than its turn is away; another one arrives meanwhile. There is one token. */
    public static final class ArrivalAgainstALaterOne extends Interleaved {
        private Permit stuck;
        private Permit later;

        public ArrivalAgainstALaterOne() throws Exception {
            super(policy(1, 1).build());
            arrive();
            clock.turn(SECOND / 2);
        }

        @Override
        void one() throws Exception {
            stuck = arrive();
        }

        @Override
        void other() throws Exception {
            clock.turn(2 * SECOND);
            later = arrive();
        }

        @Override
        void holds() {
            stuck.poll();
            later.poll();
            same(true, stuck.granted() != later.granted(), "one goes");
            same(1.0, wait(stuck.granted() ? later : stuck), "seconds that the other waits");
        }
    }

    @Test
    void arrivalAgainstATrip() throws Exception {
        Interleaved.search(ArrivalAgainstATrip.class);
    }

    /** A request goes before the trip, and then its answer opens nothing; or it waits for the pause's end. */
    public static final class ArrivalAgainstATrip extends Interleaved {
        private final Permit sent;
        private Permit permit;

        public ArrivalAgainstATrip() throws Exception {
            super(policy(1, 5).cooldownThreshold(2).cooldownDuration(60 * SECOND, 60 * SECOND).build());
            sent = arrive();
            arrive().answered(429); // so that there is a circuit, and it is open
        }

        @Override
        void one() throws Exception {
            permit = arrive();
        }

        @Override
        void other() {
            sent.answered(429);
        }

        @Override
        void holds() {
            boolean before = permit.granted();
            same(before, !permit.waiting(), "was granted before the trip");
            if (!before) {
                same(60.0, wait(permit), "seconds to wait");
                return;
            }
            permit.answered(200);
            same("cooling_down", stats().state, "state after an answer to what went before the trip");
        }
    }

    @Test
    void cancelAgainstGrant() throws Exception {
        Interleaved.search(CancelAgainstGrant.class);
    }

    /** The turn goes to one: to the request, or to the one behind it. */
    public static final class CancelAgainstGrant extends Interleaved {
        private final Permit permit;
        private final Permit behind;
        private boolean cancelled;

        public CancelAgainstGrant() throws Exception {
            super(policy(1, 1).build());
            arrive();
            permit = arrive();
            behind = arrive();
            clock.turn(SECOND);
        }

        @Override
        void one() {
            permit.poll();
        }

        @Override
        void other() {
            cancelled = permit.cancel();
        }

        @Override
        void holds() {
            same(cancelled, permit.cancelled(), "was cancelled");
            same(!cancelled, permit.granted(), "was granted");
            same(cancelled ? 0.0 : 1.0, wait(behind), "seconds that the next one waits");
            same(1, stats().waitingRequests, "requests that wait");
        }
    }

    @Test
    void cancelAgainstCancel() throws Exception {
        Interleaved.search(CancelAgainstCancel.class);
    }

    /** One of the two cancels, and one token goes back. */
    public static final class CancelAgainstCancel extends Interleaved {
        private final Permit permit;
        private final Permit behind;
        private boolean one;
        private boolean other;

        public CancelAgainstCancel() throws Exception {
            super(policy(1, 1).build());
            arrive();
            arrive();
            permit = arrive();
            behind = arrive();
        }

        @Override
        void one() {
            one = permit.cancel();
        }

        @Override
        void other() {
            other = permit.cancel();
        }

        @Override
        void holds() throws Exception {
            same(true, one != other, "one has cancelled");
            same(1L, stats().cancelledRequests, "cancelled requests");
            same(2.0, wait(behind), "seconds that the one behind waits");
            same(3.0, wait(arrive()), "seconds that the next to come waits");
        }
    }

    @Test
    void cancelAgainstArrival() throws Exception {
        Interleaved.search(CancelAgainstArrival.class);
    }

    /** The one that comes has the turn of the one that leaves. */
    public static final class CancelAgainstArrival extends Interleaved {
        private final Permit permit;
        private Permit next;

        public CancelAgainstArrival() throws Exception {
            super(policy(1, 1).build());
            arrive();
            permit = arrive();
        }

        @Override
        void one() throws Exception {
            next = arrive();
        }

        @Override
        void other() {
            permit.cancel();
        }

        @Override
        void holds() throws Exception {
            same(1.0, wait(next), "seconds to wait");
            same(2.0, wait(arrive()), "seconds that the next to come waits");
        }
    }

    @Test
    void departureAgainstAPause() throws Exception {
        Interleaved.search(DepartureAgainstAPause.class);
    }

    /** A request leaves its client's queue before the pause, or waits for the pause's end. */
    public static final class DepartureAgainstAPause extends Interleaved {
        private final Permit permit;
        private Permit gone;

        public DepartureAgainstAPause() throws Exception {
            super(policy(1, 5).build());
            permit = arrive();
            arrive().answered(429); // so that there is a circuit
        }

        @Override
        void one() throws Exception {
            gone = permit.depart();
        }

        @Override
        void other() {
            key().pause(60 * SECOND);
        }

        @Override
        void holds() {
            boolean before = gone == permit;
            same(before, gone.granted(), "has gone");
            same(before ? 1 : 0, stats().activeRequests, "requests on their way");
            if (!before) {
                same(60.0, wait(gone), "seconds to wait");
            }
        }
    }

    @Test
    void departureAgainstTheEndOfItsClient() throws Exception {
        Interleaved.search(DepartureAgainstTheEndOfItsClient.class);
    }

    /** Of a late request whose client is closed: it ends, or another waits in its place, and not both. */
    public static final class DepartureAgainstTheEndOfItsClient extends Interleaved {
        private final Permit permit;
        private Permit gone;

        public DepartureAgainstTheEndOfItsClient() throws Exception {
            super(policy(1, 1).concurrency(1).build());
            permit = arrive();
            clock.turn(10 * SECOND);
        }

        @Override
        void one() throws Exception {
            gone = permit.depart();
        }

        @Override
        void other() {
            permit.abandoned();
        }

        @Override
        void holds() throws Exception {
            same(0, stats().activeRequests, "requests on their way");
            same(gone == permit ? 0 : 1, stats().waitingRequests, "requests that wait");
            same(true, gone == permit || gone.poll(), "goes, for the place is free");
        }
    }

    @Test
    void releaseAgainstGrantOfAPlace() throws Exception {
        Interleaved.search(ReleaseAgainstGrant.class);
    }

    /** A place that is given back by two goes to one. */
    public static final class ReleaseAgainstGrant extends Interleaved {
        private final Permit inFlight;
        private final Permit second;
        private final Permit third;

        public ReleaseAgainstGrant() throws Exception {
            super(policy(1000, 10).concurrency(1).build());
            inFlight = arrive();
            second = arrive();
            third = arrive();
        }

        @Override
        void one() {
            inFlight.answered(200);
            second.poll();
        }

        @Override
        void other() {
            inFlight.abandoned();
            third.poll();
        }

        @Override
        void holds() {
            clock.turn(2 * SECOND);
            second.poll();
            third.poll();
            same(true, second.granted() != third.granted(), "one has the place");
            (second.granted() ? second : third).answered(200);
            second.poll();
            third.poll();
            same(true, second.granted() || third.granted(), "the other has it afterwards");
            same(0, stats().waitingRequests, "requests that wait");
            same(1, stats().activeRequests, "requests on their way");
        }
    }

    @Test
    void whatIsTiedToAnObjectIsTakenOnce() throws Exception {
        Interleaved.search(WeakMapTakenTwice.class);
    }

    /** A call that ends on two threads has its value taken by one of them. */
    public static final class WeakMapTakenTwice extends Interleaved {
        private final WeakMap<Object, String> map = new WeakMap<>();
        private final Object call = new Object();
        private String one;
        private String other;

        public WeakMapTakenTwice() {
            super(policy(1, 1).build());
        }

        @Override
        void before() {
            map.put(call, "permit");
        }

        @Override
        void one() {
            one = map.remove(call);
        }

        @Override
        void other() {
            other = map.remove(call);
        }

        @Override
        void holds() {
            same(true, one == null != (other == null), "taken once");
        }
    }
}
