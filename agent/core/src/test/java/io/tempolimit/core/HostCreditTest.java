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

class HostCreditTest {
    private static final long G = HostCredit.GRACE;

    /** Each request over HTTP/1.1 is seen before it is over, or up to the grace later; over HTTP/2 none is. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatIsSeenHasACreditAndWhatIsOverLeavesNone(long seed) {
        Random random = new Random(seed);
        long now = random.nextLong();
        HostCredit credit = new HostCredit(now);
        List<long[]> ends = new ArrayList<>(); // when it is over, and when it is seen; or 0 if it is not
        for (int step = 0; step < 5_000; step++) {
            now += (long) (random.nextDouble() * G / 10);
            for (int i = ends.size() - 1; i >= 0; i--) {
                long[] one = ends.get(i);
                if (one[1] != 0 && now - one[1] >= 0) {
                    assertTrue(credit.spend(one[1] = now), "step " + step);
                    one[1] = 0;
                }
                if (one[0] != 0 && now - one[0] >= 0) {
                    credit.over(now);
                    one[0] = 0;
                }
                if (one[0] == 0 && one[1] == 0) {
                    ends.remove(i);
                }
            }
            if (random.nextInt(3) == 0) {
                credit.give();
                long over = now + 1 + (long) (random.nextDouble() * 5 * G);
                long seen = now + 1 + (long) (random.nextDouble() * (over - now + G / 2));
                ends.add(new long[] {over, random.nextBoolean() ? seen : 0});
            }
        }
        for (long[] one : ends) {
            if (one[1] != 0) {
                assertTrue(credit.spend(now));
            }
            if (one[0] != 0) {
                credit.over(now);
            }
        }
        assertFalse(credit.has(now + 2 * G));
    }

    /** Half of the requests are seen on the wire, by the thread that sends them; then all are over, while others begin and end. */
    @Test
    void ofManyThreadsNoneLosesACreditAndNoneLeavesOne() throws InterruptedException {
        HostCredit credit = new HostCredit(0);
        int each = 50_000;
        AtomicInteger seen = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    long now = G / 100 * i;
                    credit.give();
                    if (i % 2 == 0) {
                        seen.addAndGet(credit.spend(now) ? 1 : 0);
                    }
                    credit.over(now);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(4 * each / 2, seen.get());
        assertFalse(credit.has(G / 100 * each + 2 * G));
    }
}
