package io.tempolimit.core.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Scene;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order alone, with keys that say what they are told. */
class EvictionOrderTest {
    private static final long SECOND = Scene.SECOND;
    private static final long START = Long.MAX_VALUE - 50 * SECOND;

    private static int looks;

    private static final class Fake extends Evictable {
        long last;
        boolean inUse;
        boolean blocked;
        long rests = START;
        long owes = START;

        Fake(long now) {
            last = now;
        }

        @Override
        public long lastRequest() {
            return last;
        }

        @Override
        public int standing(long now) {
            looks++;
            return is(now);
        }

        int is(long now) {
            return inUse ? IN_USE : blocked ? BLOCKED : rests - now > 0 ? RESTS : owes - now > 0 ? OWES : IDLE;
        }

        @Override
        public long standingEnds(long now) {
            return rests - now > 0 ? rests : owes;
        }
    }

    /** As few keys as are all looked at each time: then the order is exact. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void itIsTheOrderOfTheContract(int seed) {
        Random random = new Random(seed);
        EvictionOrder order = new EvictionOrder(START);
        List<Fake> all = new ArrayList<>();
        long now = START;
        for (int step = 0; step < 20_000; step++) {
            now += 1 + random.nextInt((int) (SECOND / 10));
            Fake any = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
            int what = random.nextInt(10);
            if (any == null || what < 2 && all.size() < 15) {
                any = new Fake(now);
                order.add(any);
                all.add(any);
            } else if (what < 6) {
                any.last = now;
                any.owes = Math.max(any.owes - START, now - START + random.nextInt((int) SECOND)) + START;
                if (random.nextInt(4) == 0) {
                    any.rests = Math.max(any.rests - START, now - START + random.nextInt((int) SECOND)) + START;
                }
                any.blocked |= random.nextInt(50) == 0;
            } else {
                long time = now;
                Comparator<Fake> contract = Comparator.<Fake>comparingInt(f -> f.is(time)).thenComparingLong(f -> f.last - START);
                Fake due = all.stream().min(contract).orElse(null);
                Evictable next = order.next(now);
                if (due != null && due.is(now) == Evictable.IDLE) { // which of several that are idle says the contract not
                    assertEquals(Evictable.IDLE, ((Fake) next).is(now), "step " + step);
                } else {
                    assertSame(due, next, "step " + step);
                }
                if (next != null) {
                    order.remove(next);
                    all.remove(next);
                }
            }
            assertEquals(all.size(), order.size());
        }
    }

    @Test
    void ofThoseThatAreIdleTheLongestUnusedGoesFirst() {
        EvictionOrder order = new EvictionOrder(START);
        List<Fake> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(new Fake(START + i));
            order.add(all.get(i));
        }
        Random random = new Random(1);
        long now = START + 100;
        for (int i = 0; i < 1000; i++) {
            all.get(random.nextInt(30)).last = ++now;
        }
        all.sort(Comparator.comparingLong(f -> f.last - START));
        for (Fake due : all) {
            assertSame(due, order.next(now));
            order.remove(due);
        }
        assertNull(order.next(now));
    }

    /** Each new key sorted all that there were. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void aNewKeyCostsTheSameHoweverManyRest(int n) {
        EvictionOrder order = new EvictionOrder(START);
        long now = START;
        looks = 0;
        for (int i = 0; i < n; i++) {
            Fake resting = new Fake(++now);
            resting.rests = START + 3600 * SECOND;
            order.add(resting);
            order.lookAhead(now);
        }
        for (int i = 0; i < 2 * n; i++) {
            Fake page = new Fake(++now);
            page.owes = now + i % 3;
            order.add(page);
            if (i >= n / 10) {
                Evictable next = order.next(now);
                assertEquals(START, ((Fake) next).rests, "one that rests goes last");
                order.remove(next);
            }
        }
        assertTrue(looks < 5 * 3 * n, looks + " looks for " + 3 * n + " keys");
    }

    @Test
    void thoseInUseAreNeverTakenAndDoNotKeepTheOthersFromIt() {
        EvictionOrder order = new EvictionOrder(START);
        long now = START;
        for (int i = 0; i < 10_000; i++) {
            Fake flying = new Fake(++now);
            flying.inUse = true;
            order.add(flying);
            order.lookAhead(now);
        }
        assertNull(order.next(now));
        Fake idle = new Fake(++now);
        order.add(idle);
        assertSame(idle, order.next(now));
    }
}
