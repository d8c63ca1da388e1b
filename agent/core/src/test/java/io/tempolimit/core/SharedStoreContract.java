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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What every store that workers share decides: the fake one of the tests here, and the scripts of agent/redis in each server. In
 * this class: rests, probes, records, and what ends.
 */
public abstract class SharedStoreContract extends SharedBucketContract {
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
        assertHolds(Answer.Kind.PROBED, two.take(), 30 * SECOND, "another one's probe is under way");
        assertEquals(Answer.Kind.PROBE, one.take().kind, "its answer may have been late");
        two.key.release();
        assertEquals(Answer.Kind.PROBED, two.take().kind, "only the holder releases it");
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

    /** Nobody else may give it up; and where there was none, there is nothing to hear. */
    @Test
    void aProbeThatIsGivenUpIsToldToTheOthers() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.write(cooling(MINUTE));
        store.pass(MINUTE);
        assertEquals(Answer.Kind.PROBE, one.take().kind);
        two.key.release();
        two.take();
        one.key.release();
        store.await(() -> !two.givenUp.isEmpty(), "it is published");
        one.key.release();
        one.take(SECOND, 1000, 0, ANY);
        assertEquals(Answer.Kind.PROBE, two.take().kind);
        two.key.release();
        store.await(() -> two.givenUp.size() >= 2, "it is published");
        assertEquals(List.of(HOST, HOST), List.copyOf(two.givenUp));
    }

    @Test
    void whatIsToBeDoneLaterIsDoneThen() throws Exception {
        CompletableFuture<Long> done = new CompletableFuture<>();
        Shop shop = new Shop();
        shop.take();
        long begun = store.nanos();
        shop.key.later(SECOND / 20, () -> done.complete(store.nanos()));
        long after = store.answer(done) - begun;
        assertTrue(after >= SECOND / 20, () -> "after " + after);
    }

    /** A probe whose request was given up left its token to the next one, which went at once. */
    @Test
    void aProbeAfterAProbeNeedsATokenOfItsOwn() throws Exception {
        Shop shop = new Shop();
        shop.write(cooling(MINUTE));
        store.pass(MINUTE);
        assertEquals(Answer.Kind.PROBE, shop.take(HOUR, 1, 1, ANY).kind);
        shop.key.release();
        assertHolds(Answer.Kind.CLOSED, shop.take(HOUR, 1, 1, ANY), HOUR, "the first one's token");
        store.pass(HOUR);
        assertEquals(Answer.Kind.PROBE, shop.take(HOUR, 1, 1, ANY).kind);
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

    /** The others' calls made up for those that the replica had not heard of, and who had slots of them kept these. */
    @Test
    void aBucketThatIsBehindIsNoticedByAllWhoHaveSlotsThatItHasNotGiven() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.take(HOUR, 3, 1, 0);
        two.take(HOUR, 3, 1, 0);
        SharedStore.Rollback replica = store.replica();
        one.take(HOUR, 3, 1, ANY);
        two.take(HOUR, 3, 1, ANY);
        replica.happens();
        Answer first = one.take(HOUR, 3, 1, ANY);
        assertTrue(first.lost);
        assertGoes(first, 1, HOUR, "it is taken for empty");
        for (int i = 2; i < 5; i++) {
            Answer next = one.take(HOUR, 3, 1, ANY);
            assertFalse(next.lost);
            assertGoes(next, 1, i * HOUR, "and gives what is new");
        }
        Answer second = two.take(HOUR, 3, 1, ANY);
        assertTrue(second.lost, "what it has was given by the other one");
        assertGoes(second, 1, 5 * HOUR, "it is not emptied once more than it is");
        assertFalse(two.take(HOUR, 3, 1, ANY).lost);
        assertFalse(one.take(HOUR, 3, 1, ANY).lost);
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
        assertEquals(Optional.empty(), store.answer(take(two.key, SECOND, 1000, 1, ANY)), "it goes by its own part");
        assertNull(two.write(cooling(2 * HOUR)));
        assertNull(two.refused, "there is nothing to judge anew by");
        assertEquals(Optional.empty(), store.answer(take(one.key, SECOND, 1000, 1, ANY)), "it is as it was");
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
