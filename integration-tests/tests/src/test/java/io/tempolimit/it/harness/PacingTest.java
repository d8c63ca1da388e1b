package io.tempolimit.it.harness;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.programs.Hiccups;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What judges the product is judged itself. */
class PacingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final Pacing SLOWEST = new Pacing(0.5, 1);
    private static final Pacing BRISK = new Pacing(20, 5);

    private static List<Long> millis(long... times) {
        return LongStream.of(times).mapToObj(t -> t * MILLI).toList();
    }

    /**
     * At the first call the bucket was full, and after six seconds three more tokens have come in; but three at once
     * were never allowed.
     */
    @Test
    void aHerdThatComesLateIsRefused() {
        List<Long> herd = millis(0, 6000, 6001, 6002);
        assertDoesNotThrow(() -> SLOWEST.checkSince(0, herd), "by the first call alone it looks good");
        assertThrows(AssertionError.class, () -> SLOWEST.checkSince(0, herd, herd));
        assertThrows(AssertionError.class, () -> SLOWEST.checkDepartures(herd));
    }

    @Test
    void departuresAreCheckedToTheNanosecond() {
        List<Long> exact = Stream.iterate(0L, t -> t + 2 * SECOND).limit(5).toList();
        SLOWEST.checkDepartures(exact);
        SLOWEST.checkSince(0, exact, exact);
        for (int i = 1; i < exact.size(); i++) {
            List<Long> early = new ArrayList<>(exact);
            early.set(i, exact.get(i) - 1);
            assertThrows(AssertionError.class, () -> SLOWEST.checkDepartures(early));
        }
    }

    @Test
    void aSpanThatBeginsAnywhereMayHoldTheBurst() {
        List<Long> rested = new ArrayList<>(millis(0, 0, 0, 0, 0, 50, 100, 10_000, 10_000, 10_000, 10_000, 10_000, 10_050));
        BRISK.checkDepartures(rested);
        rested.add(11, 10_000 * MILLI);
        assertThrows(AssertionError.class, () -> BRISK.checkDepartures(rested));
    }

    @Test
    void aRateOfNoWholeNanosecondsIsRoundedUp() {
        Pacing third = new Pacing(3, 1);
        third.checkDepartures(List.of(0L, 333_333_334L, 666_666_668L));
        assertThrows(AssertionError.class, () -> third.checkDepartures(List.of(0L, 333_333_333L)));
    }

    /** Whatever the clock says, it may be negative, and overflow. */
    @Test
    void onlyDifferencesOfTimesCount() {
        List<Long> times = List.of(Long.MAX_VALUE - SECOND, Long.MAX_VALUE - SECOND + 2 * SECOND);
        SLOWEST.checkDepartures(times);
        assertEquals(0, SLOWEST.excess(times), 1e-9);
        assertThrows(AssertionError.class, () -> SLOWEST.checkDepartures(List.of(Long.MAX_VALUE - SECOND, Long.MAX_VALUE)));
    }

    @Test
    void whatArrivedAndNeverLeftTheGateIsSeen() {
        assertThrows(AssertionError.class, () -> BRISK.checkSince(0, millis(1, 2, 3), millis(0, 0)));
        BRISK.checkSince(0, millis(1, 2, 3), millis(0, 0, 0, 50)); // one that is yet to arrive
    }

    private static List<Long> every(long millis) {
        return LongStream.range(0, 60).mapToObj(i -> i < 5 ? 0 : (i - 4) * millis * MILLI).toList();
    }

    private static List<Long> later(List<Long> times, long millis) {
        return times.stream().map(t -> t + millis * MILLI).toList();
    }

    /** A cold connection holds up the first of them, and then several arrive at once. */
    @Test
    void someMayBeLateOnTheirWay() {
        List<Long> departures = every(50);
        List<Long> arrivals = departures.stream().map(t -> Math.max(t, 900 * MILLI)).toList();
        BRISK.checkSeen(departures, arrivals, 0);
    }

    @Test
    void whatArrivesBeforeItHasLeftTheGateIsSeen() {
        List<Long> departures = every(50);
        BRISK.checkSeen(departures, departures, 0);
        List<Long> arrivals = new ArrayList<>(later(departures, 3));
        arrivals.set(40, departures.get(40) - 1);
        assertThrows(AssertionError.class, () -> BRISK.checkSeen(departures, arrivals, 500 * MILLI));
    }

    @Test
    void aHerdBehindTheGateIsSeen() {
        List<Long> departures = every(50);
        List<Long> herds = LongStream.range(0, 60).mapToObj(i -> departures.get((int) Math.min(59, i / 10 * 10 + 9))).toList();
        assertThrows(AssertionError.class, () -> BRISK.checkSeen(departures, herds, 0));
        assertThrows(AssertionError.class, () -> BRISK.checkSeen(departures, later(departures, 60), 34 * MILLI));
        BRISK.checkSeen(departures, later(departures, 60), 35 * MILLI);
        assertThrows(Unjudged.class, () -> BRISK.checkSeen(departures, later(departures, 100), 51 * MILLI));
        assertThrows(AssertionError.class, () -> BRISK.checkSeen(departures, later(departures, 1052), 51 * MILLI));
    }

    @Test
    void aRateThatIsNotReachedIsSeen() {
        List<Long> slow = every(60);
        assertThrows(AssertionError.class, () -> BRISK.checkSeen(slow, slow, 0));
        assertThrows(AssertionError.class, () -> BRISK.checkSeen(slow, slow, 200 * MILLI));
        BRISK.checkSeen(slow, slow, 500 * MILLI);
        assertThrows(Unjudged.class, () -> BRISK.checkSeen(slow, slow, 201 * MILLI)); // the bucket was full meanwhile
        List<Long> held = new ArrayList<>(slow);
        held.set(59, slow.get(59) + 201 * MILLI);
        assertThrows(Unjudged.class, () -> BRISK.checkSeen(slow, held, 0));
    }

    @Test
    void aThreadThatIsWokenLateIsMeasured() {
        ByteBuffer memory = ByteBuffer.allocateDirect(Hiccups.BYTES);
        long begin = System.nanoTime();
        new Hiccups(memory).start();
        while (Hiccups.largest(memory, begin, System.nanoTime()) == 0) { // no thread is ever woken to the nanosecond
            assertTrue(System.nanoTime() - begin < 20 * SECOND, "nothing is measured");
            LockSupport.parkNanos(MILLI);
        }
        assertEquals(0, Hiccups.largest(memory, begin - 10 * SECOND, begin - SECOND));
    }
}
