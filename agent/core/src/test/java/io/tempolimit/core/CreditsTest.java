package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreditsTest {
    private static final long P = Credits.PERIOD;

    /** A list of credits, each with the number of the period in which it was given. */
    private static final class Model {
        private final List<String> hosts = new ArrayList<>();
        private final List<Integer> periods = new ArrayList<>();
        private long since;
        private int period;

        Model(long now) {
            since = now;
        }

        void at(long now) {
            if (now - since >= P) {
                period += now - since < 2 * P ? 1 : 2;
                since = now;
            }
            for (int i = hosts.size() - 1; i >= 0; i--) {
                if (periods.get(i) < period - 1) {
                    hosts.remove(i);
                    periods.remove(i);
                }
            }
        }

        void give(String host) {
            hosts.add(host);
            periods.add(period);
        }

        boolean spend(String host) {
            int i = hosts.indexOf(host);
            if (i >= 0) {
                hosts.remove(i);
                periods.remove(i);
            }
            return i >= 0;
        }
    }

    /** Announcements and requests in any order, over any time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void model(long seed) {
        Random random = new Random(seed);
        long now = random.nextLong();
        Credits credits = new Credits(now);
        Model model = new Model(now);
        for (int step = 0; step < 20_000; step++) {
            now += random.nextInt(50) == 0 ? (long) (random.nextDouble() * 2.5 * P) : random.nextInt(1_000_000_000);
            model.at(now);
            String host = "h" + random.nextInt(20);
            if (random.nextBoolean()) {
                credits.give(host, 10_000, now);
                model.give(host);
            } else {
                assertEquals(model.hosts.contains(host), credits.has(host, now), "step " + step);
                assertEquals(model.spend(host), credits.spend(host, now), "step " + step);
            }
        }
    }

    /** Whenever a period ends. */
    @Test
    void aCreditLivesForOnePeriodAndNotForTwo() {
        Random random = new Random(9);
        for (int round = 0; round < 1_000; round++) {
            long now = random.nextLong();
            Credits credits = new Credits(now);
            now += (long) (random.nextDouble() * 3 * P);
            credits.give("a", 100, now);
            now += (long) (random.nextDouble() * P);
            assertTrue(credits.has("a", now));
            boolean late = random.nextBoolean();
            now += late ? 2 * P : 0;
            assertEquals(!late, credits.spend("a", now));
        }
    }

    @Test
    void soManyHostsAreRemembered() {
        Credits credits = new Credits(0);
        for (int i = 0; i < 10_000; i++) {
            credits.give("h" + i, 100, i);
            assertTrue(credits.size() <= 100, "after " + i + ": " + credits.size());
        }
        assertTrue(credits.spend("h9999", 10_000));
        assertTrue(credits.spend("h9951", 10_000), "the newer half stays");
        assertFalse(credits.spend("h9899", 10_000));
    }

    @Test
    void oneHostMayBeAll() {
        Credits credits = new Credits(0);
        credits.give("a", 1, 0);
        credits.give("b", 1, 0);
        assertTrue(credits.spend("b", 0));
        assertFalse(credits.spend("b", 0));
    }

    /** Many threads at once, and periods that end meanwhile: none is lost within two, and none is spent twice. */
    @Test
    void manyThreads() throws InterruptedException {
        Credits credits = new Credits(0);
        AtomicInteger spent = new AtomicInteger();
        AtomicInteger missed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        int each = 20_000;
        for (int t = 0; t < 4; t++) {
            int from = t;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    String host = "h" + (i + from) % 7;
                    long now = P / 8_000 * i; // two periods and a half in all
                    credits.give(host, 1_000, now);
                    (credits.spend(host, now) ? spent : missed).incrementAndGet();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertTrue(spent.get() <= 4 * each);
        assertEquals(4 * each, spent.get() + missed.get());
    }
}
