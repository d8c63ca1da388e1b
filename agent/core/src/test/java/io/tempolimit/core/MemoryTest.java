package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a host costs. */
class MemoryTest {
    private static final int N = 200_000;

    @Test
    void aHostsBucketTakesLessThanAHundredBytes() {
        double bytes = retained(() -> {
            TokenBucket[] buckets = new TokenBucket[N];
            for (int i = 0; i < N; i++) {
                buckets[i] = new TokenBucket(i);
            }
            return buckets;
        });
        System.out.printf("retained per bucket, its reference included: %.1f bytes%n", bytes);
        assertTrue(bytes <= 100, bytes + " bytes");
        assertTrue(bytes >= 16, "measured nothing: " + bytes);
    }

    /** A name of 22 characters: the string, and its bytes. */
    private static final int NAME = 24 + 40;

    /** The whole of it, with map entry and statistics, as the contract has it: its name aside. */
    @Test
    void aHostOfFewRequestsTakesLessThanFourHundredBytes() {
        check("of one request", new Policy.Builder().build(), 1, 400 + NAME);
    }

    @Test
    void aHostWhoseTrafficIsCountedTakesLessThanFourHundredBytes() {
        check("of ten requests", new Policy.Builder().burst(10).build(), 10, 400 + NAME);
    }

    @Test
    void aHostWithAWindowTakesLessThanSevenHundredBytes() {
        check("with windows", new Policy.Builder().burst(10).windows(new WindowLimit(10, 60_000_000_000L)).build(), 10, 700 + NAME);
    }

    private static void check(String what, Policy policy, int requests, int most) {
        double bytes = retained(() -> {
            Limiter limiter = new Limiter(Clock.SYSTEM, new TestRules(h -> policy, true, false, Integer.MAX_VALUE, 1), Listener.NONE);
            for (int i = 0; i < N / 2; i++) {
                for (int j = 0; j < requests; j++) {
                    try {
                        limiter.arrive(new TestTarget("host" + i + ".shop.example")).answered(200);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            }
            assertEquals(N / 2, limiter.keys().size());
            return limiter;
        }) * 2;
        System.out.printf("retained per host %s in all, its name included: %.1f bytes%n", what, bytes);
        assertTrue(bytes <= most, bytes + " bytes");
    }

    /** The least of several measurements: what else runs in this JVM can only add to one. */
    private static double retained(Supplier<Object> maker) {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < 2; i++) {
            long before = used();
            Object kept = maker.get();
            least = Math.min(least, (double) (used() - before) / N);
            if (kept.hashCode() == 42) {
                System.out.println(); // it is in use until here
            }
        }
        return least;
    }

    private static long used() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 2; i++) {
            WeakReference<Object> sentinel = new WeakReference<>(new Object());
            long deadline = System.nanoTime() + 5_000_000_000L;
            do {
                System.gc();
            } while (sentinel.get() != null && System.nanoTime() < deadline);
            Runtime r = Runtime.getRuntime();
            used = Math.min(used, r.totalMemory() - r.freeMemory());
        }
        return used;
    }
}
