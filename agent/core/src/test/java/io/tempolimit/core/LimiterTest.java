package io.tempolimit.core;

import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Clock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The keys: their making, their settings, and how they are forgotten. */
class LimiterTest {
    private final TurnedClock clock = new TurnedClock(Long.MAX_VALUE - 100 * SECOND); // passes the overflow on the way
    private final List<String> heard = new ArrayList<>();
    private final Listener listener = new Listener() {
        @Override
        public void evicted(Key key) {
            heard.add(key.name());
        }

        @Override
        public void nearlyFull(int keys, int maxKeys) {
            heard.add("nearly full " + keys + "/" + maxKeys);
        }
    };

    private static Policy.Builder policy() {
        return new Policy.Builder().rate(1).burst(2).cooldownThreshold(1).cooldownDuration(3600 * SECOND, 3600 * SECOND);
    }

    private static TestRules rules(Policy policy, int maxKeys) {
        return new TestRules(host -> policy, true, false, maxKeys, 86_400 * SECOND);
    }

    private static Set<String> names(Limiter limiter) {
        return limiter.keys().stream().map(Key::name).collect(Collectors.toSet());
    }

    @Test
    void oneKeyForAllSpellingsOfAHost() throws Exception {
        Limiter limiter = new Limiter(clock, new Seeded(), TestRules.of(policy().build()), listener);
        Key key = limiter.arrive(new TestTarget("a.example")).key();
        assertSame(key, limiter.arrive(new TestTarget("A.EXAMPLE.")).key());
        assertSame(key, limiter.key("a.example"));
        assertEquals(1, limiter.keys().size());
        assertNull(limiter.arrive(new TestTarget(null)));
        assertNull(limiter.arrive(new TestTarget("")));
        assertNull(limiter.key("b.example"));
    }

    @Test
    void hostsDoNotShareBucketsOrCooldowns() throws Exception {
        Limiter limiter = new Limiter(clock, new Seeded(), TestRules.of(policy().build()), listener);
        for (int i = 0; i < 2; i++) {
            limiter.arrive(new TestTarget("a.example")).answered(429);
        }
        assertEquals("cooling_down", limiter.key("a.example").stats().state);
        assertTrue(limiter.arrive(new TestTarget("b.example")).granted());
        assertTrue(limiter.arrive(new TestTarget("www.a.example")).granted());
    }

    /** In the contract's order: idle, normal ones used the longest ago, resting ones; never one with waiters or in flight. */
    @Test
    void whatIsForgottenFirst() throws Exception {
        Policy quick = policy().build();
        Policy slow = policy().rate(0.001).build();
        Limiter limiter = new Limiter(clock, new Seeded(),
                new TestRules(h -> h.startsWith("idle") ? quick : slow, true, false, 8, 86_400 * SECOND),
                listener);
        String[] hosts = {"resting", "flying", "waiting", "normal1", "normal2", "idle1", "idle2", "idle3"};
        for (String host : hosts) {
            Permit p = limiter.arrive(new TestTarget(host));
            if (host.equals("resting")) {
                p.answered(429);
            } else if (!host.equals("flying")) {
                p.answered(200);
            }
            clock.turn(2 * SECOND); // enough for the bucket of an idle one, though it was used later, and for no other's
        }
        limiter.arrive(new TestTarget("waiting")).answered(200);
        Permit waiter = limiter.arrive(new TestTarget("waiting"));
        assertTrue(waiter.waiting());
        heard.clear();
        for (int i = 0; i < 6; i++) {
            limiter.arrive(new TestTarget("new" + i));
        }
        assertEquals(Arrays.asList("idle1", "idle2", "idle3", "normal1", "normal2", "resting"), heard);
        assertEquals(6, limiter.evictions());
        limiter.arrive(new TestTarget("one-more"));
        assertEquals(6, limiter.evictions(), "all others are in use");
        assertTrue(names(limiter).contains("waiting") && names(limiter).contains("flying"));
        waiter.cancel();
        limiter.arrive(new TestTarget("another"));
        assertEquals("waiting", heard.get(6));
    }

    @Test
    void aHundredThousandInventedHosts() throws Exception {
        long took25 = flood(25_000);
        long took100 = flood(100_000);
        System.out.printf("100,000 invented hosts took %.2f s of processor time%n", took100 / 1e9);
        assertTrue(took100 < 10 * SECOND, "took " + took100 / 1e9 + " s");
        assertTrue(took100 < 16 * took25, took25 + " ns for 25,000, " + took100 + " ns for 100,000"); // a square would be more
    }

    /** Not the clock on the wall: the machine may be busy. */
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private long flood(int n) throws Exception {
        Limiter limiter = new Limiter(clock, new Seeded(), rules(policy().build(), 10_000), listener);
        long start = processorTime();
        int most = 0;
        for (int i = 0; i < n; i++) {
            limiter.arrive(new TestTarget("host" + i + ".example")).answered(200);
            if (i % 1000 == 0) {
                clock.turn(1000);
                most = Math.max(most, limiter.keys().size());
            }
        }
        long took = processorTime() - start;
        assertTrue(most <= 10_000 && limiter.keys().size() <= 10_000, most + " keys");
        assertEquals(n, limiter.keys().size() + limiter.evictions());
        return took;
    }

    @Test
    void hostsThatAreNotPacedAreBoundedToo() throws Exception {
        TestRules none = new TestRules(host -> null, true, false, 100, 86_400 * SECOND);
        Limiter limiter = new Limiter(clock, new Seeded(), none, listener);
        for (int i = 0; i < 10_000; i++) {
            assertNull(limiter.arrive(new TestTarget("host" + i)));
        }
        assertTrue(limiter.evictions() >= 9_900);
        assertTrue(limiter.keys().isEmpty());
        assertEquals(0, heard.stream().filter(h -> h.startsWith("host")).count(), "nobody is told of a key that was never paced");
    }

    /** A key may be used again at any time, also by who hears that another one was forgotten. */
    @Test
    void aKeyThatComesToBeUsedWhileRoomIsMadeIsKept() throws Exception {
        List<Permit> sent = new ArrayList<>();
        Limiter[] limiter = {null};
        limiter[0] = new Limiter(clock, new Seeded(), rules(policy().build(), 100), new Listener() {
            @Override
            public void evicted(Key key) {
                String next = "host" + (Integer.parseInt(key.name().substring(4, key.name().indexOf('.'))) + 1) + ".example";
                try {
                    sent.add(limiter[0].arrive(new TestTarget(next)));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        });
        for (int i = 0; i < 110; i++) {
            limiter[0].arrive(new TestTarget("host" + i + ".example")).answered(200);
            clock.turn(SECOND);
        }
        assertTrue(sent.size() > 1);
        for (Permit permit : sent) {
            assertSame(permit.key(), limiter[0].key(permit.key().name()), "forgotten while its request is in flight");
        }
    }

    @Test
    void oneWarningAtNineTenths() throws Exception {
        for (int max : new int[] {10, 15, 100}) {
            heard.clear();
            Limiter limiter = new Limiter(clock, new Seeded(), rules(policy().build(), max), listener);
            for (int i = 0; i < 3 * max; i++) {
                limiter.arrive(new TestTarget("host" + i));
                int size = i + 1;
                assertEquals(size * 10 > max * 9 ? 1 : 0, heard.stream().filter(h -> h.startsWith("nearly")).count(), size + " of " + max);
            }
        }
    }

    @Test
    void theSweepForgetsWhatWasIdleForLong() throws Exception {
        Policy twoDays = policy().cooldownDuration(172_800 * SECOND, 172_800 * SECOND).build();
        Limiter limiter = new Limiter(clock, new Seeded(), rules(twoDays, 100), listener);
        limiter.arrive(new TestTarget("idle")).answered(200);
        limiter.arrive(new TestTarget("flying"));
        limiter.arrive(new TestTarget("resting")).answered(429);
        for (int i = 0; i < 2; i++) {
            limiter.arrive(new TestTarget("waiting")).answered(200);
        }
        Permit waiter = limiter.arrive(new TestTarget("waiting"));
        clock.turn(86_400 * SECOND);
        limiter.arrive(new TestTarget("used")).answered(200);
        limiter.sweep();
        assertEquals(5, limiter.keys().size(), "not yet");
        clock.turn(1);
        limiter.sweep();
        assertEquals(Arrays.asList("idle", "flying"), heard, "what nobody ends within minutes is lost");
        waiter.cancel();
        limiter.sweep();
        assertEquals(Arrays.asList("idle", "flying", "waiting"), heard);
    }

    @Test
    void theSweepForgetsWhatRestedLongAgo() throws Exception {
        Limiter limiter = new Limiter(clock, new Seeded(), rules(policy().build(), 100), listener);
        limiter.arrive(new TestTarget("rested")).answered(429);
        clock.turn(86_400 * SECOND + 1);
        limiter.sweep();
        assertEquals(Arrays.asList("rested"), heard);
    }

    /** A bucket that is not full yet would be so once forgotten. */
    @Test
    void theSweepKeepsADebt() throws Exception {
        Limiter limiter = new Limiter(clock, new Seeded(), rules(policy().rate(1 / (48 * 3600.0)).build(), 100), listener);
        limiter.arrive(new TestTarget("a.example")).answered(200);
        clock.turn(25 * 3600 * SECOND);
        limiter.sweep();
        assertNotNull(limiter.key("a.example"));
        clock.turn(25 * 3600 * SECOND);
        limiter.sweep();
        assertNull(limiter.key("a.example"));
    }

    @Test
    void aKeyThatIsNotPacedIsNotShown() throws Exception {
        Policy policy = policy().build();
        Limiter limiter = new Limiter(clock, new Seeded(),
                new TestRules(h -> h.startsWith("x") ? null : policy, true, false, 10, SECOND), listener);
        assertNull(limiter.arrive(new TestTarget("x.example")));
        assertNull(limiter.charge(new TestTarget("x.example")));
        assertNull(limiter.key("x.example"));
        limiter.arrive(new TestTarget("a.example"));
        assertEquals(Set.of("a.example"), names(limiter));
        limiter.rules(TestRules.of(policy));
        assertTrue(limiter.arrive(new TestTarget("x.example")).granted(), "new settings hold for it");
    }

    @Test
    void enabledAndDryRunOfTheRulesUnlessAnOperatorOverrulesThem() throws Exception {
        Policy policy = policy().build();
        Limiter limiter = new Limiter(clock, new Seeded(), new TestRules(h -> policy, false, true, 10, SECOND), listener);
        assertNull(limiter.arrive(new TestTarget("a.example")));
        assertTrue(limiter.dryRun());
        limiter.setEnabled(true);
        for (int i = 0; i < 10; i++) {
            assertTrue(limiter.arrive(new TestTarget("a.example")).granted());
        }
        limiter.setDryRun(false);
        limiter.rules(new TestRules(h -> policy, false, true, 10, SECOND));
        assertTrue(limiter.enabled() && !limiter.dryRun());
        assertTrue(limiter.arrive(new TestTarget("a.example")).waiting());
    }

    /** A key that is made while new settings come in must not keep the old ones. */
    @Test
    void newRulesWhileKeysAreMade() throws Exception {
        Policy[] policies = new Policy[64];
        for (int i = 0; i < policies.length; i++) {
            policies[i] = policy().rate(i + 1).build();
        }
        Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(), TestRules.of(policies[0]), Listener.NONE);
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        AtomicInteger host = new AtomicInteger();
        Set<String> made = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 4; i++) {
            boolean setter = i < 2; // two that set rules, two that make keys
            Thread t = new Thread(() -> {
                try {
                    for (int n = 0; !over.get(); n++) {
                        if (setter) {
                            limiter.rules(TestRules.of(policies[n % 64]));
                        } else if (host.get() < 2000) {
                            String name = "host" + host.incrementAndGet();
                            limiter.arrive(new TestTarget(name)).abandoned();
                            made.add(name);
                        }
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            t.start();
            threads.add(t);
        }
        long end = System.nanoTime() + SECOND / 2;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        over.set(true);
        for (Thread t : threads) {
            t.join();
        }
        assertNull(failure.get());
        Policy last = limiter.rules().policy("");
        for (String name : made) {
            assertSame(last, limiter.key(name).policy(), name);
        }
        assertTrue(made.size() > 100);
    }

    @Test
    void theSettingsThatWereSetLastStay() throws Exception {
        Limiter limiter = new Limiter(clock, new Seeded(), TestRules.of(policy().build()), Listener.NONE);
        Permit permit = limiter.arrive(new TestTarget("a.example"));
        for (int round = 0; round < 400; round++) {
            TestRules one = TestRules.of(policy().rate(1).build());
            TestRules other = TestRules.of(policy().rate(2).build());
            Thread t = new Thread(() -> limiter.rules(one));
            t.start();
            limiter.rules(other);
            t.join();
            assertSame(limiter.rules().policy("a.example"), permit.key().policy());
        }
    }

    /** A scraper that follows links out into the world, or a site that invents subdomains: 100 times as many hosts as there may be keys. */
    @Test
    void inventedHostsLeaveTheMemoryBoundedAndTheBlockedOnesBlocked() throws Exception {
        int most = Boolean.getBoolean("tests.matrix") ? 10_000 : 1_000;
        Policy policy = policy().escalation(new Escalation(Escalation.LIFETIME)).build();
        Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(),
                new TestRules(h -> policy, true, false, most, Long.MAX_VALUE), Listener.NONE);
        for (int i = 0; i < 100; i++) {
            limiter.arrive(new TestTarget("blocked" + i + ".example")).answered(429);
        }
        for (int i = 0; i < 100 * most; i++) {
            limiter.arrive(new TestTarget("invented" + i + ".example")).answered(200);
        }
        assertTrue(limiter.keys().size() <= most, limiter.keys().size() + " keys");
        assertTrue(limiter.evictions() >= 99 * most, limiter.evictions() + " evictions");
        for (int i = 0; i < 100; i++) {
            Target blocked = new TestTarget("blocked" + i + ".example");
            assertEquals("HOST_BLOCKED", assertThrows(RequestRejectedException.class, () -> limiter.arrive(blocked)).code());
        }
    }
}
