package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.store.Answer;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.SharedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every store that workers share decides: the fake one of the tests here, and the scripts of agent/redis in each server. Intervals are long and time is
 * turned, so what really passes while a slow server answers changes no decision; it is the tolerance of each time that is compared.
 */
public abstract class SharedStoreContract {
    protected static final long SECOND = 1_000_000_000L;
    protected static final long ANY = Long.MAX_VALUE;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final String HOST = "shop.example";
    private static final long MEMORY = 2 * HOUR;

    private SharedStore store;

    /** A store in which nothing is. */
    protected abstract SharedStore open() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        store = open();
    }

    @AfterEach
    void end() throws Exception {
        store.close();
    }

    /** One worker, and its view of one key. */
    private final class Shop {
        final Queue<Incident> heard = new ConcurrentLinkedQueue<>();
        final Queue<String> lost = new ConcurrentLinkedQueue<>();
        final Fleet fleet;
        final SharedKey key;

        Shop() throws Exception {
            this(HOST);
        }

        Shop(String name) throws Exception {
            fleet = store.join(new Fleet.Listener() {
                @Override
                public void lost(Fleet.State how, String why) {
                    throw new AssertionError(why);
                }

                @Override
                public void restored(boolean again) {
                }

                @Override
                public void incident(String key, Incident incident) {
                    if (key.equals(name)) {
                        heard.add(incident);
                    }
                }

                @Override
                public void bucketLost(String key) {
                    lost.add(key);
                }

                @Override
                public void warning(String text) {
                }
            });
            key = fleet.key(name);
        }

        Answer take(long interval, double burst, int n, long maxWait) throws Exception {
            return store.answer(SharedStoreContract.take(key, interval, burst, n, maxWait)).orElseThrow(() -> new AssertionError("no answer"));
        }

        /** As after news that the bucket is gone. */
        Answer look() throws Exception {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            key.look(HOUR, 3, answer::complete);
            return store.answer(answer);
        }

        /** One token of a bucket that has as many as are asked for. */
        Answer take() throws Exception {
            return take(SECOND, 1000, 1, ANY);
        }

        /** The record that is there then; null and it was not written: {@code refused}. */
        Incident write(Incident incident, Limit opens) throws Exception {
            CompletableFuture<Incident> stored = new CompletableFuture<>();
            key.write(incident, opens, MEMORY, (written, i) -> {
                refused = written ? null : i;
                stored.complete(written ? i : null);
            });
            return store.answer(stored);
        }

        private Incident refused;

        Incident write(Incident incident) throws Exception {
            return write(incident, null);
        }

        /** Gives back; whether they were taken back. */
        boolean gives(long given, int n, long interval) throws Exception {
            AtomicInteger kept = new AtomicInteger();
            key.give(given, n, interval, kept::incrementAndGet);
            take(SECOND, 1000, 0, ANY); // on the same connection, so the one before is over
            return kept.get() == 0;
        }
    }

    private static CompletableFuture<Optional<Answer>> take(SharedKey key, long interval, double burst, int n, long maxWait) {
        CompletableFuture<Optional<Answer>> answer = new CompletableFuture<>();
        key.take(interval, burst, n, maxWait, a -> answer.complete(Optional.ofNullable(a)));
        return answer;
    }

    private Incident incident(int state, long length, int trips, double interval, int burst, String learned) {
        long now = store.nanos();
        return new Incident(0, 5, state, now + length, length, now, trips > 0, false, trips, now, trips, now, interval, burst, learned, now);
    }

    private Incident cooling(long length) {
        return incident(Incident.COOLING_DOWN, length, 1, 0, 0, "-");
    }

    private Incident opened() {
        return incident(Incident.OPEN, 0, 1, 0, 0, "-");
    }

    /** A wait, or a time between two others, but for what has really passed. */
    private void assertTime(long expected, long actual, String what) {
        long slack = store.elapsed() + 10_000;
        assertTrue(Math.abs(actual - expected) <= slack, what + ": " + actual + " and not " + expected + ", within " + slack);
    }

    private long wait(Answer a) {
        return a.slot - store.nanos();
    }

    private void assertGoes(Answer a, int count, long wait, String what) {
        assertEquals(Answer.Kind.GO, a.kind, what);
        assertEquals(count, a.count, what);
        if (wait > 0) {
            assertTime(wait, wait(a), what);
        } else {
            assertTrue(wait(a) <= 0, what + " goes at once: " + wait(a));
        }
    }

    private void assertHolds(Answer.Kind kind, Answer a, long wait, String what) {
        assertEquals(kind, a.kind, what);
        assertEquals(0, a.count, what);
        assertTime(wait, wait(a), what);
    }

    // ---- the bucket

    @Test
    void aFullBucketGivesItsBurstAndThenTheRate() throws Exception {
        Shop shop = new Shop();
        for (int i = 1; i <= 5; i++) {
            Answer a = shop.take(HOUR, 5, 1, ANY);
            assertGoes(a, 1, 0, "token " + i + " of a full bucket");
            assertEquals(i, a.given);
        }
        for (int i = 1; i <= 3; i++) {
            assertGoes(shop.take(HOUR, 5, 1, ANY), 1, i * HOUR, "token " + i + " after the burst");
        }
    }

    @Test
    void severalAreEvenlySpacedAndAsManyAsFitIntoThePatience() throws Exception {
        Shop shop = new Shop();
        Answer a = shop.take(HOUR, 1, 10, 3 * HOUR + HOUR / 2);
        assertGoes(a, 4, 0, "now, and in one, two and three hours");
        assertEquals(HOUR, a.step);
        assertEquals(4, a.given);
        assertGoes(shop.take(HOUR, 1, 1, ANY), 1, 4 * HOUR, "the next one");
    }

    @Test
    void whatWouldWaitTooLongTakesNothing() throws Exception {
        Shop shop = new Shop();
        shop.take(HOUR, 1, 1, 0);
        Answer no = shop.take(HOUR, 1, 1, HOUR / 2);
        assertHolds(Answer.Kind.REFUSED, no, HOUR, "says when one could go");
        assertEquals(1, no.given);
        assertEquals(0, no.window, "that is the rate");
        assertGoes(shop.take(HOUR, 1, 1, 2 * HOUR), 1, HOUR, "it took nothing");
    }

    @Test
    void aBucketFillsWithTimeAndIsNeverFullerThanItsBurst() throws Exception {
        Shop shop = new Shop();
        shop.take(HOUR, 3, 3, 0);
        store.pass(HOUR + HOUR / 2);
        assertGoes(shop.take(HOUR, 3, 3, 0), 1, 0, "one has come in");
        store.pass(30 * HOUR);
        Shop other = new Shop();
        assertEquals(9, other.take(HOUR, 3, 9, ANY).count);
        assertGoes(other.take(HOUR, 3, 1, ANY), 1, 7 * HOUR, "three at once, and then the rate");
    }

    @Test
    void workersHaveOneBucketAndEachMayAskForAnotherRate() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.take(HOUR, 2, 1, 0);
        assertEquals(2, two.take(HOUR, 2, 1, 0).given, "of all that went");
        assertGoes(one.take(HOUR, 2, 1, ANY), 1, HOUR, "the other one took the last");
        assertGoes(two.take(HOUR, 2.5, 1, ANY), 1, HOUR + HOUR / 2, "half a token more in the bucket");
    }

    @Test
    void whoWantsNothingTakesNothing() throws Exception {
        Shop shop = new Shop();
        Answer a = shop.take(HOUR, 1, 0, ANY);
        assertEquals(Answer.Kind.GO, a.kind);
        assertEquals(0, a.count);
        assertEquals(0, a.given);
        assertGoes(shop.take(HOUR, 1, 1, 0), 1, 0, "it is there still");
    }

    @Test
    void keysAreWhateverTheirNamesAre() throws Exception {
        List<String> odd = List.of("*", "{", "}", "{}", "a}b{c", "{a}:bucket", "a b", "[::1]", "%7D", "xn--bcher-kva.example", "\u00fc", ":", "a\nb", "0", "-",
                "shop.example|3f9a0c77be21");
        Fleet fleet = new Shop().fleet;
        for (String name : odd) {
            SharedKey key = fleet.key(name);
            assertEquals(1, store.answer(take(key, HOUR, 3, 1, 0)).orElseThrow().given, name + " has a bucket of its own");
            CompletableFuture<Boolean> written = new CompletableFuture<>();
            key.write(Incident.NONE, null, MEMORY, (yes, stored) -> written.complete(yes));
            assertTrue(store.answer(written), name);
        }
    }

    // ---- what is given back

    @Test
    void tokensComeBackWhereNobodyTookOneSince() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        Answer mine = one.take(HOUR, 1, 10, ANY);
        for (int i = 0; i < 9; i++) {
            assertTrue(one.gives(mine.given - i, 1, HOUR), "one by one, from the end");
        }
        assertGoes(two.take(HOUR, 1, 1, ANY), 1, HOUR, "the second token");
        assertTrue(!one.gives(mine.given - 9, 1, HOUR), "another one has taken one since");
        assertGoes(two.take(HOUR, 1, 1, ANY), 1, 2 * HOUR, "and it did not come back");
    }

    @Test
    void nothingComesBackWhereThereAreWindows() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.key.windows(ANY, 3, DAY);
        one.take(HOUR, 10, 2, 0);
        long given = two.take(HOUR, 10, 1, 0).given; // a worker without windows
        assertTrue(!two.gives(given, 1, HOUR));
        assertGoes(one.take(HOUR, 10, 2, 0), 1, 0, "the window knows what has gone");
    }

    @Test
    void whatWasTakenBeforeAnOpeningDoesNotComeBack() throws Exception {
        Shop shop = new Shop();
        Answer mine = shop.take(HOUR, 5, 5, 0);
        shop.write(opened(), new Limit(1 / 3600d, 5));
        assertTrue(!shop.gives(mine.given, 5, HOUR));
        assertHolds(Answer.Kind.REFUSED, shop.take(HOUR, 5, 1, 0), HOUR, "the bucket is empty");
    }

    // ---- windows

    @Test
    void aWindowHoldsAndSaysWhichItIsAndForHowLongNobodyWaits() throws Exception {
        Shop shop = new Shop();
        shop.key.windows(HOUR, 100, HOUR, 3, 2 * HOUR);
        assertGoes(shop.take(SECOND, 1000, 10, ANY), 3, 0, "a fourth would have to wait too long");
        Answer no = shop.take(SECOND, 1000, 1, ANY);
        assertHolds(Answer.Kind.REFUSED, no, 2 * HOUR, "until the first has left");
        assertEquals(2, no.window);
        shop.key.windows(3 * HOUR, 100, HOUR, 3, 2 * HOUR);
        assertHolds(Answer.Kind.REFUSED, shop.take(SECOND, 1000, 1, HOUR), 2 * HOUR, "the request's own patience");
        Answer later = shop.take(SECOND, 1000, 1, ANY);
        assertGoes(later, 1, 2 * HOUR, "reserved");
        assertEquals(2, later.window);
        store.pass(2 * HOUR);
        assertGoes(shop.take(SECOND, 1000, 9, ANY), 2, 0, "the three have left, and one of them was taken again");
    }

    @Test
    void slotsOfAWindowAreEvenlySpacedOrFewer() throws Exception {
        Shop shop = new Shop();
        shop.key.windows(ANY, 2, 10 * HOUR);
        shop.take(SECOND, 1000, 1, 0);
        store.pass(HOUR);
        shop.take(SECOND, 1000, 1, 0);
        Answer a = shop.take(SECOND, 1000, 3, ANY);
        assertGoes(a, 2, 9 * HOUR, "in nine hours and in ten, but the next in nineteen");
        assertTime(HOUR, a.step, "from one to the other");
        assertGoes(shop.take(SECOND, 1000, 1, ANY), 1, 19 * HOUR, "the next one");
    }

    @Test
    void otherSettingsKnowWhatHasGoneAndNobodyEmptiesTheWindowsOfOthers() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.key.windows(ANY, 10, 10 * HOUR);
        assertEquals(10, one.take(SECOND, 1000, 10, 0).count);
        two.take(SECOND, 1000, 1, 0); // has none
        assertEquals(Answer.Kind.REFUSED, one.take(SECOND, 1000, 1, 0).kind);
        two.key.windows(ANY, 12, 12 * HOUR);
        assertEquals(2, two.take(SECOND, 1000, 10, 0).count, "new settings know what has gone");
        one.key.windows(ANY, 5, HOUR);
        assertEquals(Answer.Kind.REFUSED, one.take(SECOND, 1000, 1, 0).kind);
        two.key.windows(ANY, 50, 20 * HOUR);
        assertEquals(38, two.take(SECOND, 1000, 100, 0).count);
    }

    @Test
    void windowsDecideAsTheVectorsSay() throws Exception {
        Fleet fleet = new Shop().fleet;
        for (WindowVectors.Vector vector : WindowVectors.rows()) {
            SharedKey key = fleet.key(vector.row);
            key.windows(ANY, vector.countsAndDurations());
            long at = 0;
            for (int i = 0; i < vector.arrivals.size(); i++) {
                store.pass(vector.arrivals.get(i) - at);
                at = vector.arrivals.get(i);
                assertDeparture(vector, i, store.answer(take(key, 1, 1, 1, ANY)));
            }
        }
    }

    /** Hundreds of keys side by side, whose requests arrive together. */
    @Test
    void randomWindowsDecideAsTheModelDoes() throws Exception {
        List<WindowVectors.Vector> vectors = WindowVectors.random(1, 300, 15);
        Fleet fleet = new Shop().fleet;
        List<SharedKey> keys = new ArrayList<>();
        for (WindowVectors.Vector vector : vectors) {
            SharedKey key = fleet.key(keys.size() + " " + vector.row);
            key.windows(ANY, vector.countsAndDurations());
            keys.add(key);
        }
        for (int i = 0; i < vectors.get(0).arrivals.size(); i++) {
            store.pass(vectors.get(0).arrivals.get(i) - (i == 0 ? 0 : vectors.get(0).arrivals.get(i - 1)));
            List<CompletableFuture<Optional<Answer>>> answers = new ArrayList<>();
            keys.forEach(key -> answers.add(take(key, 1, 1, 1, ANY)));
            for (int k = 0; k < answers.size(); k++) {
                assertDeparture(vectors.get(k), i, store.answer(answers.get(k)));
            }
        }
    }

    /** What has really passed makes no request early; it is late by that at the most. */
    private void assertDeparture(WindowVectors.Vector vector, int i, Optional<Answer> answer) {
        String what = vector.row + ": request " + (i + 1);
        Answer a = answer.orElseThrow(() -> new AssertionError(what));
        assertEquals(1, a.count, what);
        long slack = store.elapsed() + 10_000;
        long late = Math.max(0, wait(a)) - (vector.departures.get(i) - vector.arrivals.get(i));
        assertTrue(late >= -slack && late <= vector.late() + slack, what + " is late by " + late + ", within " + slack);
    }

    // ---- rests, probes, and what opens

    @Test
    void aRestClosesTheKeyForAllAndIsToldToWhoeverDoesNotKnowIt() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        two.take();
        Incident written = one.write(cooling(HOUR));
        assertEquals(1, written.version % Incident.NUMBERS);
        assertEquals(written.version, one.key.version());
        store.await(() -> !two.heard.isEmpty(), "it is published");
        Incident heard = two.heard.poll();
        assertEquals(written.version, heard.version);
        assertEquals(5, heard.epoch);
        assertEquals(Incident.COOLING_DOWN, heard.state);
        assertEquals(1, heard.count);
        assertEquals(1, heard.trips);
        assertTrue(heard.tripped);
        assertTime(HOUR, heard.until - store.nanos(), "until when");
        Answer closed = two.take();
        assertHolds(Answer.Kind.CLOSED, closed, HOUR, "for all");
        assertEquals(written.version, closed.incident.version);
        assertTime(HOUR, closed.incident.until - store.nanos(), "until when");
        two.key.known(written.version);
        assertNull(two.take().incident, "it is known");
        assertHolds(Answer.Kind.CLOSED, two.take(HOUR, 1, 0, ANY), HOUR, "for who wants nothing, too");
        store.pass(HOUR / 2);
        assertHolds(Answer.Kind.CLOSED, two.take(), HOUR / 2, "half an hour later");
    }

    @Test
    void anOpenCircuitRestsAsLongAndWhatIsForLifeNeverEnds() throws Exception {
        Shop shop = new Shop();
        shop.write(incident(Incident.CIRCUIT_OPEN, HOUR, 2, 0, 0, "-"));
        assertHolds(Answer.Kind.CLOSED, shop.take(), HOUR, "an open circuit");
        shop.write(incident(Incident.LIFETIME_BLOCKED, 0, 3, 0, 0, "-"));
        store.pass(100 * DAY);
        Answer closed = new Shop().take();
        assertEquals(Answer.Kind.CLOSED, closed.kind, "kept long beyond the memory of trips");
        assertTrue(wait(closed) > 200 * DAY, "it waits for no time: " + wait(closed));
        assertEquals(Incident.LIFETIME_BLOCKED, closed.incident.state);
    }

    @Test
    void oneProbeGoesInTheFleet() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        Shop three = new Shop();
        one.write(cooling(10 * MINUTE));
        store.pass(10 * MINUTE);
        Answer probe = one.take(SECOND, 1000, 3, ANY);
        assertEquals(Answer.Kind.PROBE, probe.kind);
        assertEquals(1, probe.count, "one, whatever is wanted");
        assertHolds(Answer.Kind.CLOSED, two.take(), 30 * SECOND, "another one's probe is under way");
        assertEquals(Answer.Kind.PROBE, one.take().kind, "its answer may have been late");
        two.key.release();
        assertEquals(Answer.Kind.CLOSED, two.take().kind, "only the holder releases it");
        one.key.release();
        one.take(SECOND, 1000, 0, ANY);
        assertEquals(Answer.Kind.PROBE, three.take().kind, "the next one, from anywhere");
        store.pass(30 * SECOND);
        assertEquals(Answer.Kind.PROBE, two.take().kind, "its worker was killed: the lease ends");
        two.key.known(one.key.version());
        two.write(cooling(HOUR));
        assertHolds(Answer.Kind.CLOSED, two.take(), HOUR, "it was blocked, and the pause begins anew");
        store.pass(HOUR);
        assertEquals(Answer.Kind.PROBE, three.take().kind, "whoever had the lease, it is over");
    }

    @Test
    void aProbeNeedsATokenAndWhatWasReservedBeforeThePauseIsVoid() throws Exception {
        Shop shop = new Shop();
        shop.take(HOUR, 3, 10, ANY); // for the next seven hours
        shop.write(cooling(MINUTE));
        store.pass(MINUTE);
        assertHolds(Answer.Kind.CLOSED, shop.take(HOUR, 3, 1, ANY), HOUR - MINUTE, "a token since the pause began");
        store.pass(HOUR);
        assertEquals(Answer.Kind.PROBE, shop.take(HOUR, 3, 1, ANY).kind);
    }

    @Test
    void aProbeNeedsRoomInEachWindow() throws Exception {
        Shop shop = new Shop();
        shop.key.windows(ANY, 3, 2 * HOUR);
        shop.take(SECOND, 1000, 3, 0);
        shop.write(cooling(HOUR));
        store.pass(HOUR);
        assertHolds(Answer.Kind.CLOSED, shop.take(), HOUR, "the window is full");
        store.pass(HOUR);
        assertEquals(Answer.Kind.PROBE, shop.take().kind);
    }

    @Test
    void anOpeningEmptiesTheBucketAndWindowsKeepWhatHasGone() throws Exception {
        Shop shop = new Shop();
        shop.key.windows(ANY, 5, 10 * HOUR);
        assertEquals(2, shop.take(HOUR, 2, 2, 0).count);
        assertEquals(3, shop.take(HOUR, 2, 3, ANY).count, "for the next three hours");
        shop.write(cooling(MINUTE));
        store.pass(HOUR + MINUTE);
        assertEquals(Answer.Kind.PROBE, shop.take(HOUR, 2, 1, ANY).kind);
        shop.write(opened(), new Limit(1 / 3600d, 2));
        assertGoes(shop.take(HOUR, 2, 1, ANY), 1, HOUR, "the bucket was empty");
        assertEquals(Answer.Kind.GO, new Shop().take(HOUR, 2, 1, ANY).kind, "for all");
        Answer full = shop.take(SECOND, 1000, 1, HOUR);
        assertHolds(Answer.Kind.REFUSED, full, 9 * HOUR - MINUTE, "two, the probe, and two since: the first leaves in nine hours");
        assertEquals(1, full.window);
    }

    @Test
    void aSlotThatWasDueAtOnceMayHaveGoneBeforeItsWorkerHeardOfThePause() throws Exception {
        Shop shop = new Shop();
        shop.key.windows(ANY, 2, HOUR);
        long asked = store.nanos();
        Answer before = shop.take(SECOND / 20, 1, 2, ANY); // now, and in 50 ms
        long took = store.nanos() - asked;
        shop.write(opened(), new Limit(20, 1));
        Answer full = shop.take(SECOND, 1000, 2, ANY);
        assertGoes(full, 2, HOUR, "both count still");
        long apart = full.slot + full.step - (before.slot + before.step);
        assertTrue(apart >= HOUR - took - 10_000, "each as late as it may have gone: " + apart);
    }

    @Test
    void aLearntRateHoldsForAllAndNeverMakesFaster() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.write(incident(Incident.OPEN, 0, 0, 2 * HOUR, 1, "1,2.5,3"));
        Answer a = two.take(HOUR, 5, 2, ANY);
        assertGoes(a, 2, 0, "one at once, for the bucket is of one");
        assertEquals(2 * HOUR, a.step);
        assertEquals("1,2.5,3", a.incident.learned);
        assertEquals(2 * HOUR, a.incident.interval);
        assertEquals(1, a.incident.burst);
        assertEquals(3 * HOUR, two.take(3 * HOUR, 1, 2, ANY).step, "settings that are slower still");
    }

    // ---- versions

    @Test
    void ofTwoThatJudgeOneWritesAndTheOtherIsTold() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        long first = one.write(cooling(HOUR)).version;
        assertNull(two.write(cooling(3 * HOUR)), "made from a version that holds no more");
        assertEquals(first, two.refused.version, "to judge anew by it");
        assertTime(HOUR, two.refused.until - store.nanos(), "until when");
        assertEquals(0, two.key.version());
        two.key.known(first);
        assertEquals(first + 1, two.write(cooling(3 * HOUR)).version);
        assertNull(one.write(cooling(HOUR)), "and so for the first one");
        assertHolds(Answer.Kind.CLOSED, one.take(), 3 * HOUR, "what holds");
    }

    @Test
    void whatIsForgottenIsToldAndWrittenAgainUnderALaterNumber() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        Incident first = one.write(cooling(HOUR));
        Incident second = one.write(cooling(2 * HOUR));
        two.key.known(first.version);
        store.forget();
        Answer a = two.take(HOUR, 1, 0, ANY);
        assertEquals(Answer.Kind.GO, a.kind);
        assertSame(0L, a.incident.version, "it is told that there is none");
        long from = store.nanos();
        store.await(() -> store.nanos() - from > 2 * SECOND, "numbers are told apart by the second");
        Incident again = two.write(cooling(3 * HOUR));
        assertTrue(again.version > second.version, "whoever knows more sees that this is newer");
        assertTrue(!again.follows(second.version), "and begun anew");
        assertEquals(again.version, one.take().incident.version);
    }

    @Test
    void whatIsWrittenAgainByWhoKnowsMoreIsLaterThanWhatHeKnows() throws Exception {
        Shop shop = new Shop();
        Incident written = shop.write(cooling(HOUR));
        store.forget();
        assertTrue(shop.write(cooling(HOUR)).version > written.version);
        assertHolds(Answer.Kind.CLOSED, new Shop().take(), HOUR, "and holds for all");
    }

    // ---- what ends

    @Test
    void aRecordIsForgottenAfterTheMemoryOfItsTrips() throws Exception {
        Shop shop = new Shop();
        assertNotNull(shop.write(cooling(HOUR)));
        store.pass(HOUR + MEMORY - MINUTE);
        assertEquals(shop.key.version(), new Shop().take(SECOND, 1000, 0, ANY).incident.version, "a pause, and so long after it");
        store.pass(2 * MINUTE);
        assertNull(new Shop().take(SECOND, 1000, 0, ANY).incident, "there is none, as it knows");
        assertEquals(0, shop.take(SECOND, 1000, 0, ANY).incident.version, "and whoever knew it is told");
    }

    @Test
    void whatWasLearntIsKept() throws Exception {
        Shop shop = new Shop();
        shop.write(incident(Incident.OPEN, 0, 0, HOUR, 1, "1,2"));
        store.pass(100 * DAY);
        assertEquals("1,2", new Shop().take(SECOND, 1, 0, ANY).incident.learned);
    }

    @Test
    void aBucketThatIsFullAgainIsForgottenAfterAMinute() throws Exception {
        Shop shop = new Shop();
        assertEquals(3, shop.take(SECOND, 5, 3, 0).given);
        store.pass(50 * SECOND);
        assertEquals(4, new Shop().take(SECOND, 5, 1, 0).given);
        store.pass(61 * SECOND);
        assertEquals(1, new Shop().take(SECOND, 5, 1, 0).given);
    }

    @Test
    void whoHasTakenFromABucketThatIsGoneTakesItForEmpty() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.take(HOUR, 3, 1, 0);
        store.forget();
        assertHolds(Answer.Kind.REFUSED, one.take(HOUR, 3, 1, 0), HOUR, "what went before is in no bucket");
        assertGoes(one.take(HOUR, 3, 1, ANY), 1, HOUR, "the first one");
        assertHolds(Answer.Kind.REFUSED, two.take(HOUR, 3, 1, 0), 2 * HOUR, "it is empty for all");
    }

    @Test
    void whoeverFindsThatABucketIsGoneTellsTheOthers() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        Shop deaf = new Shop();
        one.take(HOUR, 3, 1, 0);
        two.take(HOUR, 3, 1, 0);
        deaf.take(HOUR, 3, 1, 0);
        assertFalse(two.take(HOUR, 3, 0, ANY).lost);
        store.forget();
        Answer first = one.take(HOUR, 3, 1, ANY);
        assertTrue(first.lost);
        assertGoes(first, 1, HOUR, "what went before is in no bucket");
        store.await(() -> two.lost.contains(HOST) && deaf.lost.contains(HOST), "it is published");
        two.lost.clear();
        assertTrue(two.look().lost, "what it has was given by another bucket");
        assertFalse(two.look().lost, "and what it gets now is not");
        assertFalse(one.take(HOUR, 3, 1, ANY).lost);
        Answer late = deaf.take(HOUR, 3, 1, ANY);
        assertTrue(late.lost, "who hears nothing notices it by himself");
        assertGoes(late, 1, 3 * HOUR, "behind the others: it is not emptied once more than it is");
    }

    @Test
    void whoIsNewBeginsAnotherBucketAndWhoKnewTheOldOneEmptiesIt() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.take(HOUR, 3, 1, 0);
        store.forget();
        assertGoes(two.take(HOUR, 3, 1, 0), 1, 0, "it knows of none");
        assertFalse(two.take(HOUR, 3, 0, ANY).lost);
        Answer a = one.take(HOUR, 3, 1, ANY);
        assertTrue(a.lost);
        assertGoes(a, 1, HOUR, "the bucket had two tokens");
        store.await(() -> two.lost.contains(HOST), "it is published");
        assertFalse(two.look().lost, "what it was given is of this one");
    }

    @Test
    void whatIsGivenBackToABucketThatIsGoneIsNotGivenToTheNext() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        Answer a = one.take(HOUR, 5, 3, 0);
        store.forget();
        Answer next = two.take(HOUR, 5, 3, 0);
        assertEquals(a.given, next.given);
        assertFalse(one.gives(a.given, 3, HOUR));
        assertGoes(two.take(HOUR, 5, 5, ANY), 5, 0, "two of five, and three later: one has emptied nothing by giving back");
    }

    /** Two versions in one fleet, as long as it is brought up to date. */
    @Test
    void whatALaterVersionHasStoredIsNeitherReadNorWrittenOver() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.take();
        Incident written = one.write(cooling(HOUR));
        two.key.known(written.version);
        store.later();
        assertEquals(Optional.empty(), store.answer(SharedStoreContract.take(two.key, SECOND, 1000, 1, ANY)), "it goes by its own part");
        assertNull(two.write(cooling(2 * HOUR)));
        assertNull(two.refused, "there is nothing to judge anew by");
        assertEquals(Optional.empty(), store.answer(SharedStoreContract.take(one.key, SECOND, 1000, 1, ANY)), "it is as it was");
        assertNotNull(new Shop("other.example").take(), "other keys are the fleet's");
    }

    @Test
    void theListOfWorkersHasThoseThatAreThere() throws Exception {
        List<Shop> shops = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            Shop shop = new Shop();
            shops.add(shop);
            shop.take();
            int n = i;
            store.await(() -> shop.fleet.workers() == n && members() == n, "each is counted once: " + n);
        }
        shops.get(1).fleet.close();
        store.await(() -> members() == 2, "who ends is not in it");
        assertTrue(!shops.get(1).fleet.shared());
    }

    private int members() {
        try {
            return store.members();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    // ---- the clock

    @Test
    void aClockThatIsSetBackGivesNoBurstAndNoLongerWait() throws Exception {
        Shop shop = new Shop();
        shop.key.windows(ANY, 4, 3 * HOUR);
        assertEquals(2, shop.take(HOUR, 2, 2, 0).count);
        store.setBack(100 * DAY);
        Answer a = shop.take(HOUR, 2, 2, ANY);
        assertGoes(a, 2, HOUR, "as if no time had passed");
        assertGoes(shop.take(HOUR, 2, 1, ANY), 1, 3 * HOUR, "windows, too");
        shop.write(cooling(HOUR));
        store.setBack(100 * DAY);
        Answer closed = new Shop().take();
        assertHolds(Answer.Kind.CLOSED, closed, HOUR, "a rest");
        assertTime(HOUR, closed.incident.until - store.nanos(), "as it is told");
        assertTime(0, closed.incident.since - store.nanos(), "since when");
    }
}
