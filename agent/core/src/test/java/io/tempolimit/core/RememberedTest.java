package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.key.Retention;
import io.tempolimit.core.memory.Remembered;
import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a key knows, over a restart. */
class RememberedTest {
    private static final long SECOND = Scene.SECOND;

    /** The next run, so many seconds later by the wall clock, under a monotonic clock of its own. */
    private static Scene next(Scene before, double later, UnaryOperator<Policy.Builder> policy) {
        Map<String, Remembered> known = before.limiter.remembered();
        known.replaceAll((name, r) -> new Remembered(r.time() - (long) (later * 1000), r.bucket(), r.circuit(), r.learned(), r.windows()));
        Scene scene = new Scene(policy);
        scene.clock.set(-77 * SECOND);
        scene.limiter.remember(known);
        return scene;
    }

    private static Scene first(UnaryOperator<Policy.Builder> policy) {
        Scene scene = new Scene(policy);
        scene.limiter.remember(Collections.emptyMap());
        return scene;
    }

    @Test
    void aCooldownGoesOnAndAProbeGoesFirst() throws Exception {
        UnaryOperator<Policy.Builder> policy = b -> b.rate(100).burst(100).cooldownThreshold(1).cooldownDuration(60 * SECOND, 60 * SECOND);
        Scene scene = first(policy);
        scene.trip(1);
        scene = next(scene, 20, policy);
        List<Permit> waiting = scene.arrive(3);
        assertEquals("429_rate_limited", scene.stats().cooldownReason);
        scene.pass(39 * SECOND);
        assertTrue(waiting.get(0).waiting());
        scene.pass(2 * SECOND);
        assertTrue(waiting.get(0).granted() && waiting.get(1).waiting(), "one probe");
        waiting.get(0).answered(200);
        scene.pass(SECOND);
        assertTrue(waiting.get(2).granted());
    }

    /** The wall clock stands still here, as one that is set back by as much as has passed: the host waited for all of it anew. */
    @Test
    void aWallClockThatIsSetWhileItRunsHasNoPartInIt() throws Exception {
        UnaryOperator<Policy.Builder> policy = b -> b.rate(100).burst(100).cooldownThreshold(1).cooldownDuration(60 * SECOND, 60 * SECOND);
        Scene scene = first(policy);
        scene.trip(1);
        scene = next(scene, 20, policy);
        scene.pass(30 * SECOND);
        Permit waiting = scene.arrive();
        scene.pass(9 * SECOND);
        assertTrue(waiting.waiting());
        scene.pass(2 * SECOND);
        assertTrue(waiting.granted());
    }

    @ParameterizedTest
    @ValueSource(longs = {-86_400_000, -3_600_000, 0, 3_600_000, 86_400_000})
    void whatWasReadBackIsAsOldWhateverTheWallClockSays(long jump) {
        long wall = 1_800_000_000_000L;
        Remembered before = new Remembered(wall - 20_000, 0, null, null, Collections.emptyList());
        assertEquals(25 * SECOND, before.readBack(wall, 100 * SECOND).ago(wall + jump, 105 * SECOND));
    }

    @Test
    void rungsAreRememberedAndLifetimeEndsWithTheJvm() throws Exception {
        UnaryOperator<Policy.Builder> policy = b -> b.rate(100).burst(100).cooldownThreshold(1).escalation(new Escalation(300 * SECOND,
                Escalation.LIFETIME));
        Scene scene = first(policy);
        scene.trip(1);
        assertEquals("circuit_open", scene.stats().state);
        scene = next(scene, 400, policy);
        scene.arrive().answered(429);
        assertEquals("lifetime_blocked", scene.stats().state, "the second rung");
        scene = next(scene, 1, policy);
        assertTrue(scene.arrive().granted());
        scene.arrive().answered(429);
        assertEquals("lifetime_blocked", scene.stats().state);
    }

    @Test
    void aCountGoesOn() throws Exception {
        UnaryOperator<Policy.Builder> policy = b -> b.rate(100).burst(100);
        Scene scene = first(policy);
        scene.arrive().answered(429);
        scene.arrive().answered(429);
        Scene later = next(scene, 5, policy);
        later.arrive().answered(429);
        assertEquals("cooling_down", later.stats().state);
        Scene muchLater = next(scene, 700, policy);
        muchLater.arrive().answered(429);
        assertEquals("open", muchLater.stats().state, "cooldown.memory is over");
    }

    @Test
    void aQuotaGoesOnAlsoUnderAnotherOne() throws Exception {
        Scene scene = first(b -> b.rate(1000).burst(1000).windows(new WindowLimit(5, 3600 * SECOND)).reject(true));
        scene.arrive(4);
        scene = next(scene, 600, b -> b.rate(1000).burst(1000).windows(new WindowLimit(6, 7200 * SECOND)).reject(true));
        scene.arrive(2);
        Scene full = scene;
        assertEquals("WINDOW_EXCEEDED", assertThrows(RequestRejectedException.class, full::arrive).code());
    }

    @Test
    void whatWasLearntGoesOn() throws Exception {
        UnaryOperator<Policy.Builder> policy = b -> b.learn(true);
        Scene scene = first(policy);
        GuardedSite site = GuardedSite.bucket(1, 5);
        for (int i = 0; i < 400; i++) {
            Permit p = scene.arrive();
            while (p.waiting()) {
                scene.pass(SECOND / 10);
            }
            p.answered(site.hit(scene.clock.nanos() / 1e9) ? 200 : 429);
        }
        double learned = scene.stats().learnedRate;
        assertTrue(learned > 0.5 && learned < 1.3, "learned " + learned);
        scene = next(scene, 3600, policy);
        scene.arrive();
        assertEquals(learned, scene.stats().learnedRate, 0.4); // a climb is not in it
    }

    @Test
    void theBucketIsNotFullBecauseOfARestart() throws Exception {
        UnaryOperator<Policy.Builder> policy = b -> b.rate(1).burst(5);
        Scene scene = first(policy);
        scene.arrive(5);
        scene = next(scene, 2, policy);
        List<Permit> all = scene.arrive(3);
        assertTrue(all.get(0).granted() && all.get(1).granted() && all.get(2).waiting());
    }

    @Test
    void hostsThatThisRunDoesNotUseStayRemembered() throws Exception {
        Scene scene = first(b -> b.cooldownThreshold(1));
        scene.trip(1);
        Scene unused = next(scene, 1, b -> b);
        assertEquals(scene.limiter.remembered().keySet(), unused.limiter.remembered().keySet());
        unused.arrive();
        assertEquals(1, unused.limiter.remembered().size());
    }

    @Test
    void nothingIsRememberedOfAHostOfWhichNothingIsKnown() throws Exception {
        Scene scene = first(b -> b.rate(1000));
        scene.arrive().answered(200);
        scene.pass(10 * SECOND);
        assertEquals(Collections.emptyMap(), scene.limiter.remembered());
        assertNull(new Retention(Inside.of(scene.key())).save(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1,2,3", "1,0,-1,0,0,0,0,0,0,0,0,", "2,0,0,0,0,0,0,0,0,0,0,",
            "1,0,99999999999999999999,0,0,0,0,0,0,0,0,",
        "1,0,0,0,0,0,0,0,0,0,0,<script>", "1,0,NaN,0,0,0,0,0,0,0,0,"})
    void garbageIsIgnoredAndSaid(String garbage) throws Exception {
        Scene scene = new Scene(b -> b.learn(true).windows(new WindowLimit(5, SECOND)));
        scene.limiter.remember(Map.of("a.example", new Remembered(Long.MIN_VALUE, Long.MIN_VALUE, garbage, garbage, List.of(garbage,
                "5/1:" + garbage))));
        assertTrue(scene.arrive().granted());
        assertEquals(List.of("unreadable a.example"), scene.heard);
        assertEquals("open", scene.stats().state);
    }

    @Test
    void anyChangedCharacterDoesNoHarm() throws Exception {
        UnaryOperator<Policy.Builder> policy = b -> b.learn(true).rate(100).burst(100).cooldownThreshold(1).windows(new WindowLimit(500,
                600 * SECOND));
        Scene scene = first(policy);
        scene.arrive(20).forEach(p -> p.answered(200));
        scene.trip(1);
        Remembered good = scene.limiter.remembered().get("a.example");
        Random random = new Random(1);
        for (int i = 0; i < 3000; i++) {
            Scene other = new Scene(policy);
            other.limiter.remember(Map.of("a.example", new Remembered(good.time(), random.nextLong(), spoilt(good.circuit(), random),
                    spoilt(good.learned(), random),
                    List.of(spoilt(good.windows().get(0), random)))));
            try {
                other.arrive();
            } catch (RequestRejectedException e) {
                assertEquals("HOST_COOLING_DOWN", e.code()); // it may have become a circuit that is open
            }
            other.pass(1);
            other.stats();
        }
    }

    private static String spoilt(String text, Random random) {
        StringBuilder s = new StringBuilder(text);
        s.setCharAt(random.nextInt(s.length()), "0123456789,.-x:/eNa".charAt(random.nextInt(19)));
        return s.toString();
    }
}
