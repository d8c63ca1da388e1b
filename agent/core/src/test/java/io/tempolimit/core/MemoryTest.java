package io.tempolimit.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a host costs. */
class MemoryTest {
    private static final int N = 100_000;

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

    private static final WindowLimit MINUTE = new WindowLimit(10, 60_000_000_000L);

    private static final byte[] PAGE = "<!DOCTYPE html><html><head><title>Lamps</title></head><body><p>A lamp of brass.</p></body></html>".getBytes(UTF_8);

    /** The whole of it, with map entry and statistics, as the contract has it: its name aside. */
    @Test
    void aHostOfFewRequestsTakesLessThanFourHundredBytes() {
        check("of one request", new Policy.Builder(), null, 1, 400);
    }

    @Test
    void aHostWhoseTrafficIsCountedTakesLessThanFourHundredBytes() {
        check("of ten requests", new Policy.Builder().burst(10), null, 10, 400);
    }

    /** It was some 800: the account stood there twice, and the window had its full size from the start. */
    @Test
    void aKeyWithAWindowAnAccountAndABaselineTakesLessThanSevenHundredBytes() {
        check("with a window, an account and a baseline", new Policy.Builder().burst(10).windows(MINUTE), accounts(), 10, 700);
    }

    private static Keying accounts() {
        return new Keying(Keying.Site.HOST, false, false, Collections.singleton("Authorization"), "Authorization", new Accounts(null), null);
    }

    private static void check(String what, Policy.Builder settings, Keying keying, int requests, int most) {
        Policy policy = settings.build();
        long[] names = {0};
        double bytes = retained(() -> {
            Limiter limiter = new Limiter(Clock.SYSTEM, new TestRules(h -> policy, true, false, Integer.MAX_VALUE, 1) {
                @Override
                public Keying keying() {
                    return keying;
                }

            }, Listener.NONE);
            for (int i = 0; i < N / 2; i++) {
                Target target = new Account("host" + i + ".shop.example", "user" + i);
                for (int j = 0; j < requests; j++) {
                    try {
                        Permit permit = limiter.arrive(target);
                        if (keying == null) {
                            permit.answered(200);
                        } else {
                            Body body = permit.answered(TestHead.html(200));
                            body.add(PAGE, 0, PAGE.length);
                            body.end();
                        }
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            }
            assertEquals(N / 2, limiter.keys().size());
            names[0] = 0;
            for (Key key : limiter.keys()) {
                names[0] += 24 + 16 + (key.name().length() + 7) / 8 * 8; // a string, and its bytes
            }
            return limiter;
        }) * 2 - names[0] / (N / 2.0);
        System.out.printf("retained per host %s in all, its name aside: %.1f bytes%n", what, bytes);
        assertTrue(bytes <= most, bytes + " bytes");
        assertTrue(bytes >= 200, "measured nothing: " + bytes);
    }

    /** A target whose host is a string of its own each time, as clients have them. */
    private static final class Account extends TestTarget {
        private final String user;

        Account(String host, String user) {
            super(host, "/");
            this.user = user;
        }

        @Override
        public String header(String name) {
            return name.equalsIgnoreCase("Authorization") ? user : null;
        }
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
