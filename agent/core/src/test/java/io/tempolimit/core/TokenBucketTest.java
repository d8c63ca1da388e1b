package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long FOREVER = Policy.UNLIMITED;

    private static long reserve(TokenBucket bucket, long now, Limit limit) {
        return bucket.reserve(now, limit, 0, FOREVER);
    }

    @Test
    void aFullBucketGivesItsBurstAndThenOneAnInterval() {
        Limit limit = new Limit(10, 3);
        TokenBucket bucket = new TokenBucket(0);
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waits.add(reserve(bucket, 0, limit));
        }
        assertEquals(Arrays.asList(0L, 0L, 0L, SECOND / 10, 2 * SECOND / 10, 3 * SECOND / 10), waits);
    }

    /** golang/go#34861, #46579: 0.9999 tokens refused a request that was due. */
    @Test
    void exactlyOnTheDueInstantIsAdmittedAndANanosecondEarlierIsNot() {
        for (double rate : new double[] {0.2, 1, 3, 7, 10, 333, 1e6}) {
            Limit limit = new Limit(rate, 1);
            TokenBucket bucket = new TokenBucket(0);
            long now = 0;
            for (int i = 0; i < 1000; i++) {
                assertEquals(0, bucket.reserve(now, limit, 0, 0));
                assertEquals(TokenBucket.REFUSED, bucket.reserve(now + limit.interval - 1, limit, 0, 0));
                now += limit.interval;
            }
        }
    }

    /** spring-cloud-gateway#1117: whole seconds, so nothing came in inside one. */
    @Test
    void tokensComeInInsideASecond() {
        Limit limit = new Limit(10, 1);
        TokenBucket bucket = new TokenBucket(0);
        int admitted = 0;
        for (long now = 0; now < SECOND; now += SECOND / 1000) {
            admitted += bucket.reserve(now, limit, 0, 0) == 0 ? 1 : 0;
        }
        assertEquals(10, admitted);
    }

    @Test
    void theBoundHoldsInEveryWindowForRandomArrivals() {
        Random random = new Random(7);
        for (int run = 0; run < 300; run++) {
            Limit limit = new Limit(Math.exp(random.nextDouble() * 14 - 3), 1 + random.nextInt(20));
            TokenBucket bucket = new TokenBucket(0);
            List<Long> due = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 500; i++) {
                if (random.nextInt(3) == 0) {
                    now += (long) (-Math.log(random.nextDouble()) * limit.interval * random.nextInt(2 * limit.burst() + 2));
                }
                long maxWait = random.nextInt(4) == 0 ? random.nextInt(3) * limit.interval : FOREVER;
                long wait = bucket.reserve(now, limit, random.nextInt(2) * random.nextInt((int) Math.min(limit.interval, 1000) + 1),
                        maxWait);
                if (wait != TokenBucket.REFUSED) {
                    assertTrue(wait <= maxWait);
                    due.add(now + wait);
                }
            }
            Bound.check(due, limit, 0);
        }
    }

    @Test
    void aLoadedBucketReachesItsRate() {
        for (double rate : new double[] {0.01, 0.3, 1, 3, 7.7, 100, 12_345, 1e6, 1e7}) {
            Limit limit = new Limit(rate, 5);
            TokenBucket bucket = new TokenBucket(0);
            long last = 0;
            int n = 10_000;
            for (int i = 0; i < n; i++) {
                last = reserve(bucket, 0, limit);
            }
            assertTrue(n / (last / 1e9) >= 0.99 * rate, rate + "/s");
        }
    }

    /** resilience4j#822: rounding to whole cycles let a few more through when several threads asked at once. */
    @Test
    void theBoundHoldsForManyThreadsWithTheRealClock() throws Exception {
        Limit limit = new Limit(1e6, 10);
        TokenBucket bucket = new TokenBucket(System.nanoTime());
        long start = System.nanoTime();
        List<Long> due = inThreads(4, thread -> {
            List<Long> mine = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                long now = System.nanoTime();
                mine.add(now + reserve(bucket, now, limit));
            }
            return mine;
        });
        Bound.check(due, limit, 0);
        long last = due.stream().mapToLong(t -> t).max().getAsLong();
        long fed = bucket.get() - limit.tolerance - limit.interval;
        assertEquals(fed, last, "each token of the bucket belongs to one of them");
        assertTrue(last - start >= (80_000 - 10) * 1000L);
    }

    @Test
    void theBoundHoldsForManyThreadsWithATurnedClock() throws Exception {
        Limit limit = new Limit(1000, 7);
        TurnedClock clock = new TurnedClock(Long.MAX_VALUE - SECOND);
        TokenBucket bucket = new TokenBucket(clock.nanos());
        long origin = clock.nanos();
        List<Long> due = inThreads(4, thread -> {
            Random random = new Random(thread);
            List<Long> mine = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                long now = random.nextInt(3) == 0 ? clock.turn(random.nextInt(2_000_000)) : clock.nanos();
                long wait = bucket.reserve(now, limit, 0, random.nextInt(50) * 1_000_000L);
                if (wait != TokenBucket.REFUSED) {
                    mine.add(now + wait - origin);
                }
            }
            return mine;
        });
        assertTrue(due.size() > 5000, "only " + due.size() + " admitted");
        Bound.check(due, limit, 0);
    }

    private interface Work {
        List<Long> run(int thread) throws Exception;
    }

    private static List<Long> inThreads(int n, Work work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(n);
        try {
            List<Callable<List<Long>>> tasks = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                int thread = i;
                tasks.add(() -> work.run(thread));
            }
            List<Long> all = new ArrayList<>();
            for (Future<List<Long>> f : pool.invokeAll(tasks)) {
                all.addAll(f.get());
            }
            return all;
        } finally {
            pool.shutdownNow();
        }
    }

    /** bucket4j#51: after 12 hours of idleness an overflow made the tokens negative, and everything was refused. */
    @Test
    void idleForANanosecondTo292Years() {
        for (double rate : new double[] {1 / 3600.0, 3, 1e9, 1e15}) {
            for (long start : new long[] {0, Long.MIN_VALUE, Long.MAX_VALUE, -1}) {
                for (int shift = 0; shift < 63; shift++) {
                    Limit limit = new Limit(rate, 4);
                    TokenBucket bucket = new TokenBucket(start);
                    for (int i = 0; i < 4; i++) {
                        assertEquals(0, bucket.reserve(start, limit, 0, 0));
                    }
                    long idle = (1L << shift) - 1 + (1L << shift); // up to Long.MAX_VALUE
                    long now = start + idle;
                    int admitted = 0;
                    while (admitted < 10 && bucket.reserve(now, limit, 0, 0) == 0) {
                        admitted++;
                    }
                    assertEquals(Math.min(4, idle / limit.interval), admitted, rate + "/s, idle for " + idle);
                }
            }
        }
    }

    /** resilience4j PR 66, camunda#6577, pulsar#23930: nanoTime may be negative, overflow, or step back. */
    @Test
    void theClockMayPassLongMaxValue() {
        Limit limit = new Limit(1, 1);
        long now = Long.MAX_VALUE - SECOND / 2;
        TokenBucket bucket = new TokenBucket(now);
        assertEquals(0, reserve(bucket, now, limit));
        assertEquals(SECOND, reserve(bucket, now, limit));
        now += SECOND; // overflows
        assertEquals(SECOND, reserve(bucket, now, limit));
        assertEquals(0.0, bucket.available(now, limit));
        assertEquals(0, reserve(bucket, now + 10 * SECOND, limit));
    }

    /** spring-cloud-gateway#2412, golang/go#56287: going back and forth between two times made tokens. */
    @Test
    void aClockThatStepsBackGivesNothingExtra() {
        Limit limit = new Limit(100, 5);
        Random random = new Random(3);
        TokenBucket bucket = new TokenBucket(0);
        List<Long> due = new ArrayList<>();
        long real = 0;
        for (int i = 0; i < 20_000; i++) {
            real += random.nextInt(5_000_000);
            long now = real - (random.nextBoolean() ? random.nextInt(1_000_000_000) : 0);
            long wait = bucket.reserve(now, limit, 0, random.nextBoolean() ? 0 : SECOND);
            if (wait != TokenBucket.REFUSED) {
                due.add(now + wait);
            }
        }
        assertTrue(due.size() > 1000);
        Bound.check(due, limit, 0);
    }

    /** golang/go#39984, guava#2231, Sentinel#462: tiny rates allowed everything, or overflowed. */
    @Test
    void tinyRates() {
        Limit hourly = new Limit(1 / 3600.0, 1);
        TokenBucket bucket = new TokenBucket(0);
        assertEquals(0, reserve(bucket, 0, hourly));
        assertEquals(3600 * SECOND, reserve(bucket, 0, hourly));
        assertEquals(2 * 3600 * SECOND, reserve(bucket, 0, hourly));

        for (double rate : new double[] {1e-12, 1e-300, Double.MIN_VALUE}) {
            for (int burst : new int[] {1, 5, Integer.MAX_VALUE}) {
                Limit never = new Limit(rate, burst);
                TokenBucket b = new TokenBucket(0);
                assertEquals(0, reserve(b, 0, never));
                int atOnce = 1;
                for (int i = 0; i < 100; i++) {
                    long wait = b.reserve(0, never, 0, 365L * 86_400 * SECOND);
                    assertTrue(wait == 0 || wait == TokenBucket.REFUSED, "waited " + wait);
                    atOnce += wait == 0 ? 1 : 0;
                }
                assertTrue(atOnce <= burst, atOnce + " at once with a burst of " + burst);
                assertTrue(b.available(0, never) >= 0);
            }
        }
    }

    @Test
    void hugeRatesAndBursts() {
        for (double rate : new double[] {1e9, 1e15, Double.MAX_VALUE}) {
            Limit limit = new Limit(rate, Integer.MAX_VALUE);
            TokenBucket bucket = new TokenBucket(Long.MAX_VALUE - 10);
            for (int i = 0; i < 1000; i++) {
                assertEquals(0, bucket.reserve(Long.MAX_VALUE - 10 + i, limit, 0, 0));
            }
        }
        Limit wide = new Limit(1e-3, Integer.MAX_VALUE);
        TokenBucket bucket = new TokenBucket(0);
        for (int i = 0; i < 1000; i++) {
            assertEquals(0, bucket.reserve(i, wide, 0, 0));
        }
    }

    /** guava#1622: tryAcquire(Long.MAX_VALUE) overflowed and refused. */
    @Test
    void waitForEverMeansWaitForEver() {
        Limit limit = new Limit(1 / 3600.0, 1);
        for (long now : new long[] {Long.MAX_VALUE - 5, Long.MIN_VALUE, 0, -1}) {
            TokenBucket bucket = new TokenBucket(now);
            for (int i = 0; i < 1000; i++) {
                assertEquals(i * 3600 * SECOND, bucket.reserve(now, limit, 0, Long.MAX_VALUE));
            }
        }
    }

    /** golang/go#52584: a refused reservation delayed the next one. */
    @Test
    void whoIsRefusedHasTakenNothing() {
        Limit limit = new Limit(2, 1);
        TokenBucket bucket = new TokenBucket(0);
        reserve(bucket, 0, limit);
        long before = bucket.get();
        for (int i = 0; i < 100; i++) {
            assertEquals(TokenBucket.REFUSED, bucket.reserve(0, limit, 0, SECOND / 2 - 1));
        }
        assertEquals(before, bucket.get());
        assertEquals(SECOND / 2, bucket.reserve(0, limit, 0, SECOND / 2), "exactly maxWait is not too long");
    }

    /** guava#1791, Sentinel#462, golang/go#47221: zero, infinite or undefined rates poisoned the state. */
    @Test
    void aRateHasToBeAboveZeroAndFinite() {
        for (double rate : new double[] {0, -0.0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertThrows(IllegalArgumentException.class, () -> new Limit(rate, 1), "rate " + rate);
        }
        assertThrows(IllegalArgumentException.class, () -> new Limit(1, 0));
        assertThrows(IllegalArgumentException.class, () -> new Limit(1, -1));
    }

    @Test
    void jitterLengthensWaitsOnlyAndKeepsOrderAndBound() {
        Limit limit = new Limit(10, 3);
        Random random = new Random(5);
        TokenBucket bucket = new TokenBucket(0);
        List<Long> due = new ArrayList<>();
        long plain = 0;
        for (int i = 0; i < 1000; i++) {
            long extra = (long) (random.nextDouble() * limit.interval / 2);
            long wait = bucket.reserve(0, limit, extra, FOREVER);
            if (i < 3) {
                assertEquals(0, wait, "no delay, no jitter");
            } else {
                plain = due.get(i - 1) + limit.interval;
                assertEquals(plain + extra, wait);
            }
            due.add(wait);
        }
        List<Long> sorted = new ArrayList<>(due);
        sorted.sort(null);
        assertEquals(sorted, due);
        Bound.check(due, limit, 0);
        assertTrue(due.get(999) > 996 * limit.interval * 11 / 10, "jitter lengthens");
    }

    @Test
    void peekAndAvailableTakeNothing() {
        Limit limit = new Limit(1, 4);
        TokenBucket bucket = new TokenBucket(0);
        assertEquals(4.0, bucket.available(0, limit));
        assertEquals(0, bucket.peek(0, limit));
        for (int i = 0; i < 4; i++) {
            reserve(bucket, 0, limit);
        }
        assertEquals(0.0, bucket.available(0, limit));
        assertEquals(SECOND, bucket.peek(0, limit));
        assertEquals(1.5, bucket.available(3 * SECOND / 2, limit));
        assertEquals(4.0, bucket.available(100 * SECOND, limit));
        assertEquals(SECOND, reserve(bucket, 0, limit));
    }

    @Test
    void anEmptiedBucketGivesItsFirstTokenAfterAnInterval() {
        Limit limit = new Limit(1, 4);
        TokenBucket bucket = new TokenBucket(0);
        bucket.empty(100 * SECOND, limit);
        assertEquals(SECOND, reserve(bucket, 100 * SECOND, limit));
        assertEquals(2 * SECOND, reserve(bucket, 100 * SECOND, limit));
    }
}
