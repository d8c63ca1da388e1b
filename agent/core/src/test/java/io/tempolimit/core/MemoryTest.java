package io.tempolimit.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Accounts;
import io.tempolimit.core.policy.Keying;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Clock;
import java.lang.ref.Reference;
import java.util.Collections;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What a host costs, where references take four bytes: with any collector but ZGC, in a heap of less than 32 GB. */
@Isolated("counts all objects of the JVM")
@Tag("long")
class MemoryTest {
    /** With which the map's table is as empty as it ever is. */
    private static final int N = 6_250;

    @Test
    void aHostsBucketTakesLessThanAHundredBytes() {
        double bytes = retained(n -> {
            TokenBucket[] buckets = new TokenBucket[n];
            for (int i = 0; i < n; i++) {
                buckets[i] = new TokenBucket(i);
            }
            return buckets;
        });
        System.out.printf("retained per bucket, its reference included: %.1f bytes%n", bytes);
        assertTrue(bytes <= 100, bytes + " bytes");
        assertTrue(bytes >= 16, "measured nothing: " + bytes);
    }

    private static final WindowLimit MINUTE = new WindowLimit(10, 60_000_000_000L);

    private static final byte[] PAGE = ("<!DOCTYPE html><html><head><title>Lamps</title></head>"
            + "<body><p>A lamp of brass.</p></body></html>").getBytes(UTF_8);

    /** The whole of it, with map entry and statistics, as the contract has it: its name aside. */
    @Test
    void aHostOfFewRequestsTakesLessThanTwoHundredBytes() {
        check("of one request", new Policy.Builder(), null, 1, 190);
    }

    @Test
    void aHostWhoseTrafficIsCountedTakesLessThanThreeHundredAndThirtyBytes() {
        check("of ten requests", new Policy.Builder().burst(10), null, 10, 330);
    }

    /** It was some 800: the account stood there twice, and the window had its full size from the start. */
    @Test
    void aKeyWithAWindowAnAccountAndABaselineTakesLessThanSixHundredAndTenBytes() {
        check("with a window, an account and a baseline", new Policy.Builder().burst(10).windows(MINUTE), accounts(), 10, 610);
    }

    private static Keying accounts() {
        return new Keying(Keying.Site.HOST, false, false, 0, Collections.singleton("Authorization"), "Authorization", new Accounts(null),
                null);
    }

    private static void check(String what, Policy.Builder settings, Keying keying, int requests, int most) {
        Policy policy = settings.build();
        long[] names = {0};
        double bytes = retained(n -> {
            Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(), new TestRules(h -> policy, true, false, Integer.MAX_VALUE, 1) {
                @Override
                public Keying keying() {
                    return keying;
                }

            }, Listener.NONE);
            for (int i = 0; i < n; i++) {
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
            limiter.settleUnread(); // as its timer does a quarter of a second later
            assertEquals(n, limiter.keys().size());
            names[0] = 0;
            for (Key key : limiter.keys()) {
                names[0] += 24 + 16 + (key.name().length() + 7) / 8 * 8; // a string, and its bytes
            }
            return limiter;
        }) - names[0] / (double) N;
        System.out.printf("retained per host %s in all, its name aside: %.1f bytes%n", what, bytes);
        assertTrue(bytes <= most, bytes + " bytes");
        assertTrue(bytes >= 150, "measured nothing: " + bytes);
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

    /** Bytes of what is made, and stays, for each of {@link #N}. */
    private static double retained(IntFunction<Object> maker) {
        maker.apply(100); // what is loaded and made once is there already
        Map<String, long[]> before = Live.objects();
        before = Live.objects(); // counts the first one, as the last one will count this one
        Object kept = maker.apply(N);
        Map<String, long[]> after = Live.objects();
        Reference.reachabilityFence(kept);
        long sum = 0;
        for (Map.Entry<String, long[]> type : after.entrySet()) {
            long[] was = before.getOrDefault(type.getKey(), new long[2]);
            long more = type.getValue()[1] - was[1];
            boolean each = type.getValue()[0] - was[0] >= N / 2;
            if (more >= N / 2 && (each || type.getKey().startsWith("[L"))) { // the rest is the JVM's
                System.out.printf("  %6.1f %s%n", (double) more / N, type.getKey());
                sum += Math.round((double) more / N); // the rest is a few objects that somebody else has made meanwhile
            }
        }
        return sum;
    }
}
