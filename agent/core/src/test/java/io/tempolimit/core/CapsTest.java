package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.key.Retention;
import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Caps;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Windows and requests in flight, through whole keys. */
class CapsTest {
    private static final long SECOND = Scene.SECOND;

    private static WindowLimit window(int count, double seconds) {
        return new WindowLimit(count, (long) (seconds * SECOND));
    }

    // ---- windows

    @Test
    void aWindowLetsTheNextGoTheMomentTheOldestHasLeftIt() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).windows(window(10, 60)));
        long start = scene.clock.nanos();
        for (int i = 0; i < 10; i++) {
            assertTrue(scene.arrive().granted());
            scene.pass(SECOND);
        }
        List<Permit> waiting = scene.arrive(12);
        scene.pass(200 * SECOND);
        for (int i = 0; i < 12; i++) {
            assertEquals((i < 10 ? 60 + i : 120 + i - 10) * SECOND, scene.end(waiting.get(i), start), "waiter " + i);
        }
    }

    @Test
    void theBucketStillHoldsBetweenThem() throws Exception {
        Scene scene = new Scene(b -> b.rate(1).burst(2).windows(window(3, 10)));
        long start = scene.clock.nanos();
        List<Permit> all = scene.arrive(7);
        scene.pass(60 * SECOND);
        assertTrue(all.get(0).granted() && all.get(1).granted());
        long[] expected = {1, 10, 10, 11, 20};
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i] * SECOND, scene.end(all.get(2 + i), start), 2, "waiter " + i); // the rate is rounded
        }
    }

    @Test
    void aWaitForAWindowBeyondRetryAfterMaxIsARejection() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).windows(window(2, 3600)).retryAfterMax(3600 * SECOND));
        scene.arrive(2);
        scene.pass(SECOND);
        Permit waits = scene.arrive();
        assertTrue(waits.waiting());
        scene.arrive();
        RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
        assertEquals("WINDOW_EXCEEDED", e.code());
        assertEquals(7199, e.retryAfterSeconds());
        scene.pass(4000 * SECOND);
        assertTrue(waits.granted());
    }

    @Test
    void aRejectedRequestTakesNothingAndSaysWhen() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).reject(true).windows(window(2, 10)));
        scene.arrive(2);
        scene.pass(4 * SECOND);
        for (int i = 0; i < 1000; i++) {
            RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
            assertEquals("WINDOW_EXCEEDED", e.code());
            assertEquals(6, e.retryAfterSeconds());
        }
        scene.pass(6 * SECOND);
        scene.arrive(2);
        assertThrows(RequestRejectedException.class, scene::arrive);
    }

    @Test
    void aRunawayProgramClimbsToLifetime() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).windows(window(10, 60)).reject(true).escalationOn(false,
                true).cooldownThreshold(1)
                .escalation(new Escalation(300 * SECOND, Escalation.LIFETIME)));
        scene.arrive(10);
        assertEquals("WINDOW_EXCEEDED", assertThrows(RequestRejectedException.class, scene::arrive).code());
        assertEquals("circuit_open", scene.stats().state);
        scene.pass(300 * SECOND);
        scene.arrive().answered(200);
        scene.pass(2 * SECOND);
        scene.arrive(9);
        assertThrows(RequestRejectedException.class, scene::arrive);
        assertEquals("lifetime_blocked", scene.stats().state);
    }

    @Test
    void whatWasNotSentIsGivenBack() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).windows(window(1, 60)));
        Permit first = scene.arrive();
        Permit second = scene.arrive();
        scene.pass(SECOND);
        first.unused();
        scene.pass(0);
        assertTrue(second.granted(), "its room was given back");
    }

    /** Each that gave up took the token of its far turn with it, so those behind waited an interval longer for each of them. */
    @Test
    void whoGivesUpBeforeTheWindowHasRoomLeavesItsTokenToTheNext() throws Exception {
        Scene scene = new Scene(b -> b.rate(0.1).burst(1).windows(window(1, 600)));
        long start = scene.clock.nanos();
        scene.arrive();
        List<Permit> waiting = scene.arrive(6);
        for (int i = 0; i < 5; i++) {
            scene.pass(20 * SECOND);
            assertTrue(waiting.get(i).cancel());
        }
        scene.pass(600 * SECOND);
        assertEquals(600 * SECOND, scene.end(waiting.get(5), start));
    }

    @Test
    void newSettingsHoldForThoseWhoWait() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).windows(window(1, 600)));
        scene.arrive();
        Permit waits = scene.arrive();
        scene.pass(10 * SECOND);
        scene.policy(b -> b.rate(1000).burst(1000).windows(window(1, 60)));
        scene.pass(49 * SECOND);
        assertTrue(waits.waiting());
        scene.pass(SECOND);
        assertTrue(waits.granted());
        Permit next = scene.arrive();
        scene.policy(b -> b.rate(1000).burst(1000));
        scene.pass(0);
        assertTrue(next.granted());
    }

    @Test
    void aDryRunSaysWhatTheWindowWouldHaveMeant() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).windows(window(1, 60)));
        scene.limiter.setDryRun(true);
        assertTrue(scene.arrive().granted());
        assertTrue(scene.arrive().granted());
        assertEquals(List.of("delayed " + 60 * SECOND, "throttled " + 60 * SECOND), scene.heard);
    }

    // ---- in flight

    @Test
    void aPlaceIsFreeWhenTheAnswerIsOver() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(2));
        Permit first = scene.arrive();
        Permit second = scene.arrive();
        List<Permit> waiting = scene.arrive(3);
        scene.pass(5 * SECOND);
        assertTrue(waiting.get(0).waiting());
        Body body = first.answered(new TestHead(200, "Content-Type", "image/png"));
        scene.pass(0);
        assertTrue(waiting.get(0).waiting(), "its body goes on");
        assertTrue(body.over(), "nothing of it has to be shown");
        body.add(new byte[10], 0, 10);
        body.end();
        body.cut();
        scene.pass(0);
        assertTrue(waiting.get(0).granted());
        assertTrue(waiting.get(1).waiting(), "one place, once");
        second.failed(new java.io.IOException());
        scene.pass(0);
        assertTrue(waiting.get(1).granted());
        assertNull(waiting.get(0).answered(new TestHead(204)), "nothing to end");
        scene.pass(0);
        assertTrue(waiting.get(2).granted());
    }

    @Test
    void eachWayOfEndingFreesThePlaceOnce() throws Exception {
        Scene scene = new Scene(b -> b.rate(1e6).burst(1_000_000).concurrency(1));
        List<java.util.function.Consumer<Permit>> ways = List.of(p -> p.answered(200), Permit::answered, p ->
                p.failed(new java.io.IOException()), Permit::unused,
                Permit::abandoned, p -> over(p.answered(TestHead.html(200)), true), p -> over(p.answered(TestHead.html(200)), false), p ->
                        p.answered(new TestHead(101)),
                p -> p.answered(new TestHead(304)), p -> over(dropped(p), false));
        for (java.util.function.Consumer<Permit> way : ways) {
            Permit first = scene.arrive();
            assertTrue(first.granted());
            List<Permit> waiting = scene.arrive(2);
            way.accept(first);
            way.accept(first);
            scene.pass(0);
            assertTrue(waiting.get(0).granted() && waiting.get(1).waiting());
            waiting.get(0).abandoned();
            scene.pass(0);
            waiting.get(1).abandoned();
        }
    }

    /** The second answer to one request is nobody's. */
    private static void over(Body body, boolean whole) {
        if (body != null && whole) {
            body.end();
        } else if (body != null) {
            body.cut();
        }
    }

    /** The body of an answer that nobody reads. */
    static Body dropped(Permit permit) {
        return permit.answered(new TestHead(200, "Content-Type", "image/png"));
    }

    @Test
    void oneTooManyIsRejectedAndMayTryAgainInASecond() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1).reject(true));
        scene.arrive();
        RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
        assertEquals("CONCURRENCY_LIMIT_EXCEEDED", e.code());
        assertEquals(1, e.retryAfterSeconds());
    }

    @Test
    void patienceEndsWhileOneWaitsForAPlace() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1).maxWait(5 * SECOND));
        scene.arrive();
        Permit waits = scene.arrive();
        scene.pass(5 * SECOND - 1);
        assertTrue(waits.waiting());
        scene.pass(1);
        assertEquals("CONCURRENCY_LIMIT_EXCEEDED", waits.rejection().code());
    }

    @Test
    void aKeyWithAnOpenAnswerIsNotForgotten() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1));
        Body body = dropped(scene.arrive());
        assertFalse(new Retention(Inside.of(scene.key())).idle(scene.clock.nanos()));
        body.end();
        assertTrue(new Retention(Inside.of(scene.key())).idle(scene.clock.nanos()));
    }

    @Test
    void theProbeWaitsForAPlaceToo() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1).cooldownThreshold(1).cooldownDuration(10 * SECOND,
                10 * SECOND));
        Body body = scene.arrive().answered(new TestHead(429, "Content-Type", "application/json"));
        Permit probe = scene.arrive();
        scene.pass(20 * SECOND);
        assertTrue(probe.waiting());
        body.end();
        scene.pass(0);
        assertTrue(probe.granted());
    }

    // ---- whatever comes together

    /** Random arrivals, ends, cancellations, blocks and settings; what must hold: no cap is ever exceeded, and nobody is forgotten. */
    @Test
    void noCapIsEverExceededAndNobodyIsForgotten() throws Exception {
        int granted = 0;
        for (int seed = 0; seed < Integer.getInteger("caps.runs", 400); seed++) {
            try {
                granted += new Run(seed).play();
            } catch (Throwable t) {
                throw new AssertionError("seed " + seed + ": " + t.getMessage(), t);
            }
        }
        assertTrue(granted > 20_000, granted + " requests: too few to mean anything");
    }

    private static final class Run {
        final Random random;
        final Scene scene = new Scene(b -> b);
        final List<Permit> waiting = new ArrayList<>();
        final List<Permit> inFlight = new ArrayList<>();
        /** Answers whose body goes on, with the time at which something of them was last seen. */
        final Map<Body, Long> open = new LinkedHashMap<>();
        final List<Long> left = new ArrayList<>();
        final WindowLimit[] windows;
        final int concurrency;
        final double rate;
        final int burst;

        Run(int seed) {
            random = new Random(seed);
            windows = new WindowLimit[random.nextInt(3)];
            for (int i = 0; i < windows.length; i++) {
                windows[i] = window(1 + random.nextInt(random.nextBoolean() ? 5 : 100), 0.5 + random.nextInt(60));
            }
            concurrency = windows.length == 0 || random.nextBoolean() ? 1 + random.nextInt(4) : Integer.MAX_VALUE;
            rate = new double[] {0.5, 3, 20, 1000}[random.nextInt(4)];
            burst = 1 + random.nextInt(10);
            long maxWait = random.nextInt(3) == 0 ? 1 + random.nextInt(60) * SECOND : Policy.UNLIMITED;
            double jitter = random.nextInt(4) == 0 ? random.nextDouble() : 0;
            scene.policy(b -> b.rate(rate).burst(burst).windows(windows).concurrency(concurrency)
                    .maxWait(maxWait).jitter(jitter).cooldownThreshold(2)
                    .cooldownDuration(SECOND, 20 * SECOND));
        }

        int play() throws Exception {
            for (int step = 0; step < 300; step++) {
                step();
            }
            for (int i = 0; i < 20_000 && !waiting.isEmpty(); i++) {
                scene.pass(SECOND);
                settle();
                for (Permit p : new ArrayList<>(inFlight)) {
                    inFlight.remove(p);
                    p.answered(200);
                }
                open.keySet().forEach(Body::end);
                open.clear();
            }
            assertTrue(waiting.isEmpty(), waiting.size() + " were forgotten");
            check();
            inFlight.forEach(Permit::abandoned);
            open.keySet().forEach(Body::end);
            assertTrue(scene.key() == null || new Retention(Inside.of(scene.key())).idle(scene.clock.nanos()), "counted as in flight: "
                    + scene.stats().activeRequests + " " + scene.stats().waitingRequests + " of " + concurrency);
            return left.size();
        }

        private void step() {
            int what = random.nextInt(100);
            if (what < 45) {
                try {
                    Permit p = scene.arrive();
                    (p.waiting() ? waiting : inFlight).add(p);
                    if (!p.waiting()) {
                        left.add(scene.clock.nanos());
                    }
                } catch (RequestRejectedException e) {
                    // has taken nothing
                }
            } else if (what < 65) {
                scene.pass((long) (Math.exp(random.nextDouble() * 11 - 8) * SECOND));
            } else if (what < 85 && !inFlight.isEmpty()) {
                Permit p = inFlight.remove(random.nextInt(inFlight.size()));
                int way = random.nextInt(10);
                if (way < 7) {
                    Body body = p.answered(new TestHead(way < 5 ? 200 : random.nextBoolean() ? 429 : 204, "Content-Type",
                            random.nextBoolean() ? "text/html" : "image/png"));
                    if (body != null) {
                        open.put(body, scene.clock.nanos());
                    }
                } else if (way < 8) {
                    p.failed(new java.io.IOException());
                } else {
                    p.abandoned();
                }
            } else if (what < 93 && !open.isEmpty()) {
                Body body = new ArrayList<>(open.keySet()).get(random.nextInt(open.size()));
                open.remove(body);
                body.add(new byte[20], 0, 20);
                body.end();
            } else if (what < 97 && !waiting.isEmpty()) {
                Permit p = waiting.remove(random.nextInt(waiting.size()));
                p.cancel();
                scene.asleep.remove(scene.sleeper(p));
            } else if (!scene.asleep.isEmpty()) {
                scene.look(scene.asleep.get(random.nextInt(scene.asleep.size()))); // for nothing
            }
            settle();
            if (concurrency < Integer.MAX_VALUE) {
                open.values().removeIf(seen -> scene.clock.nanos() - seen >= Caps.LEASE);
                assertTrue(inFlight.size() + open.size() <= concurrency, inFlight.size() + " and " + open.size() + " in flight");
            }
        }

        private void settle() {
            for (Permit p : new ArrayList<>(waiting)) {
                if (!p.waiting()) {
                    waiting.remove(p);
                    if (p.granted()) {
                        inFlight.add(p);
                        left.add(scene.sleeper(p).end);
                    }
                }
            }
        }

        private void check() {
            left.sort(null);
            for (WindowLimit w : windows) {
                for (int i = w.count; i < left.size(); i++) {
                    assertTrue(left.get(i) - left.get(i - w.count) >= w.duration, w.count + " in " + w.duration
                            + " exceeded at " + i);
                }
            }
            Limit limit = new Limit(rate, burst);
            for (int i = 0; i < left.size(); i++) {
                for (int j = i + burst; j < left.size() && j < i + burst + 50; j++) {
                    double most = burst + rate * (left.get(j) - left.get(i)) / 1e9;
                    assertTrue(j - i + 1 <= most + 1e-6, "rate exceeded: " + (j - i + 1) + " of " + most + " by " + limit.rate());
                }
            }
        }
    }

    /** The first waits for a place, and once had a turn in the bucket. Who went late behind it left no gap before the next one. */
    @Test
    void whoGoesLateBehindOneWithoutAPlaceKeepsTheNextOneAway() throws Exception {
        Scene scene = new Scene(b -> b.rate(1).burst(1).concurrency(3));
        Thread reader = Thread.currentThread();
        scene.arrive().owner(reader);
        Permit before = scene.arrive();
        scene.arrive();
        scene.policy(b -> b.rate(1).burst(1).concurrency(1));
        before.cancel();
        Permit nested = scene.limiter.arrive(new TestTarget("a.example"));
        nested.owner(reader);
        scene.clock.turn(19 * Scene.SECOND / 10);
        assertTrue(nested.poll());
        Permit next = scene.limiter.arrive(new TestTarget("a.example"));
        next.owner(reader);
        scene.clock.turn(Scene.SECOND / 2);
        assertFalse(next.poll(), "one goes in a second");
        scene.clock.turn(Scene.SECOND / 2);
        assertTrue(next.poll());
    }
}
