package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.store.Answer;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.SharedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every store that workers share decides of a key that is open: its bucket and its windows. */
public abstract class SharedBucketContract extends SharedStoreCase {
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

    /** As if all that time had passed: the whole burst once more. */
    @Test
    void aClockThatIsSetForwardMakesNoTokens() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        two.take(HOUR, 3, 1, 0);
        one.take(HOUR, 3, 2, 0);
        store.setForward(HOUR + HOUR / 2);
        assertWaits(one.take(HOUR, 3, 1, ANY), HOUR, "the next token is as far away as it was");
        assertWaits(two.take(HOUR, 3, 1, ANY), 2 * HOUR, "for all");
        store.pass(HOUR);
        assertWaits(one.take(HOUR, 3, 1, ANY), 2 * HOUR, "and time goes on");
    }

    @Test
    void aClockThatIsSetForwardEmptiesNoWindow() throws Exception {
        Shop one = new Shop();
        one.key.windows(ANY, 3, 10 * HOUR);
        one.take(SECOND, 10, 3, 0);
        store.setForward(HOUR);
        assertWaits(one.take(SECOND, 10, 1, ANY), 10 * HOUR, "it is as full as it was");
    }

    /** No call of a probe has met the other time: an operator opens the key as it rests, and windows had room for an hour's requests. */
    @Test
    void aClockThatIsSetForwardDuringARestEmptiesNoWindowOfAKeyThatAnOperatorOpens() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.key.windows(ANY, 3, 10 * HOUR);
        two.key.windows(ANY, 3, 10 * HOUR);
        two.take(SECOND, 10, 1, 0);
        one.take(SECOND, 10, 2, 0);
        one.write(cooling(20 * HOUR));
        store.setForward(HOUR);
        one.write(opened(), new Limit(1, 10));
        assertWaits(one.take(SECOND, 10, 1, ANY), 10 * HOUR, "it is as full as it was");
        assertWaits(two.take(SECOND, 10, 1, ANY), 10 * HOUR, "for all");
    }

    /** For so long, but for what calls take. */
    private void assertWaits(Answer a, long expected, String what) {
        assertEquals(1, a.count, what);
        assertEquals(expected, wait(a), HOUR / 60, what);
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
        List<String> odd = List.of("*", "{", "}", "{}", "a}b{c", "{a}:bucket", "a b", "[::1]", "%7D",
                "xn--bcher-kva.example", "\u00fc", ":", "a\nb", "0", "-", "shop.example|3f9a0c77be21");
        Fleet fleet = new Shop().fleet;
        for (String name : odd) {
            SharedKey key = fleet.key(name);
            assertEquals(1, store.answer(take(key, HOUR, 3, 1, 0)).orElseThrow().given, name + " has a bucket of its own");
            CompletableFuture<Boolean> written = new CompletableFuture<>();
            key.write(Incident.NONE, null, MEMORY, (yes, stored) -> written.complete(yes));
            assertTrue(store.answer(written), name);
        }
    }

    @Test
    void whatMayBeUsedLaterCostsThatMuchMore() throws Exception {
        Shop late = new Shop();
        Shop other = new Shop();
        Answer a = late.takeLater(HOUR, 2, MINUTE, 3, ANY);
        assertGoes(a, 3, 0, "the first of a full bucket at once");
        assertTime(HOUR + MINUTE, a.step, "each costs that much more");
        assertGoes(other.take(HOUR, 2, 1, ANY), 1, 2 * HOUR + 3 * MINUTE, "whoever has the next one");
        assertGoes(other.take(HOUR, 2, 1, ANY), 1, 3 * HOUR + 3 * MINUTE, "who is in time pays nothing");
        assertEquals(1, late.takeLater(HOUR, 2, HOUR, 5, 5 * HOUR + 30 * MINUTE).count, "as many as fit into the patience");
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
    void whatMayBeUsedLaterCountsInWindowsAsOfThen() throws Exception {
        Shop late = new Shop();
        late.key.windows(ANY, 3, DAY);
        Shop other = new Shop();
        other.key.windows(ANY, 3, DAY);
        assertGoes(late.takeLater(SECOND, 1, HOUR, 1, 0), 1, 0, "it may go at once");
        assertGoes(other.take(SECOND, 1, 1, ANY), 1, HOUR + SECOND, "behind it");
        assertGoes(late.takeLater(SECOND, 1, HOUR, 1, ANY), 1, HOUR + 2 * SECOND, "and so on");
        assertGoes(other.take(SECOND, 1, 1, ANY), 1, DAY + HOUR, "when the first has left the window");
        Answer next = late.takeLater(SECOND, 1, HOUR, 2, ANY);
        assertGoes(next, 2, DAY + HOUR + SECOND, "the second, which was in time");
        assertTime(HOUR + SECOND, next.step, "and the third");
    }

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
    void whatIsToldCountsInItsPlaceAndOnce() throws Exception {
        Shop shop = new Shop();
        shop.key.windows(ANY, 5, 10 * HOUR, 200, 20 * HOUR);
        shop.take(SECOND, 1000, 1, 0);
        store.pass(2 * HOUR);
        String went = 5 + "/" + 10 * HOUR + ":" + HOUR / 1_000_000 + "x2," + HOUR / 2_000_000 + "x1";
        String more = 200 + "/" + 20 * HOUR + ":" + HOUR / 1_000_000 + "x150";
        assertEquals(Answer.Kind.GO, shop.tell(7, went, more).kind);
        assertEquals(Answer.Kind.GO, shop.tell(7, went, more).kind, "once more under the same number");
        assertGoes(shop.take(SECOND, 1000, 1, ANY), 1, 0, "a fifth");
        assertGoes(shop.take(SECOND, 1000, 1, ANY), 1, 8 * HOUR, "when the first has left");
        assertGoes(shop.take(SECOND, 1000, 1, ANY), 1, 9 * HOUR, "when the next two have, which were told");
        assertGoes(shop.take(SECOND, 1000, 1, ANY), 1, 9 * HOUR, "both of them");
        assertGoes(shop.take(SECOND, 1000, 1, ANY), 1, 9 * HOUR + HOUR / 2, "when the one has that was told last");
        shop.tell(8, 5 + "/" + 10 * HOUR + ":0x1");
        assertGoes(shop.take(SECOND, 1000, 1, ANY), 1, 10 * HOUR, "another number counts");
    }

    @Test
    void nothingIsGivenBeforeWhoKnewTheWindowsHasToldWhatItSent() throws Exception {
        Shop one = new Shop();
        Shop two = new Shop();
        one.key.windows(ANY, 5, 10 * HOUR);
        two.key.windows(ANY, 5, 10 * HOUR);
        one.take(SECOND, 1000, 3, 0);
        two.take(SECOND, 1000, 1, 0);
        store.forget();
        Answer lost = one.takeOrLose(2);
        assertEquals(Answer.Kind.LOST, lost.kind);
        assertEquals(0, lost.count);
        assertTrue(lost.lost);
        assertEquals(Answer.Kind.LOST, one.takeOrLose(2).kind, "as long as it has not told");
        assertEquals(Answer.Kind.GO, one.tell(1, 5 + "/" + 10 * HOUR + ":1000x3").kind);
        assertEquals(Answer.Kind.LOST, two.takeOrLose(2).kind, "the other one has to tell, too");
        assertEquals(Answer.Kind.GO, two.tell(1, 5 + "/" + 10 * HOUR + ":1000x1").kind);
        assertGoes(two.takeOrLose(2), 1, SECOND, "one is free, of a bucket that is empty");
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
}
