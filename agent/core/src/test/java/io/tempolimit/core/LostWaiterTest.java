package io.tempolimit.core;

import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.SharedKey;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A waiter that nobody waits for, because of an error somewhere, does not hold up a host. */
class LostWaiterTest {
    private static final UnaryOperator<Policy.Builder> RESTS =
            b -> b.rate(10).burst(1).cooldownThreshold(1).cooldownDuration(60 * SECOND, 60 * SECOND);

    private final TurnedClock clock = new TurnedClock(1_000 * SECOND);

    /** It was the first, so nobody went as the probe until somebody reset the key. */
    @Test
    void aRestingHostIsProbedAlthoughItsFirstWaiterIsLost() throws Exception {
        Scene scene = new Scene(RESTS);
        scene.trip(1);
        for (int i = 0; i < 3; i++) {
            assertTrue(scene.limiter.arrive(new TestTarget("a.example")).waiting()); // nobody polls these
        }
        Permit second = scene.arrive();
        Permit third = scene.arrive();
        scene.pass(58 * SECOND);
        assertEquals(5, scene.stats().waitingRequests);
        scene.pass(25 * SECOND);
        assertTrue(second.granted(), "the probe");
        assertTrue(third.waiting());
        second.answered(200);
        scene.pass(SECOND);
        assertTrue(third.granted());
        assertEquals(0, scene.stats().waitingRequests);
    }

    @Test
    void aLostWaiterTakesNoTurnFromTheOthersForLong() throws Exception {
        Scene scene = new Scene(b -> b.rate(10).burst(1));
        scene.arrive();
        scene.limiter.arrive(new TestTarget("a.example"));
        for (int i = 0; i < 100; i++) {
            scene.arrive();
        }
        scene.pass(21 * SECOND);
        assertEquals(0, scene.stats().waitingRequests);
    }

    /** The one whose thread looks late is not lost: it has a thread. */
    @Test
    void whoIsWaitedForIsNotLostHoweverLate() throws Exception {
        Scene scene = new Scene(RESTS);
        scene.trip(1);
        Permit first = scene.arrive();
        Permit second = scene.arrive();
        scene.clock.turn(3600 * SECOND);
        scene.look(scene.sleeper(second));
        assertTrue(first.waiting() && second.waiting());
        scene.look(scene.sleeper(first));
        assertTrue(first.granted() && second.waiting());
    }

    /** Each call of it is an error. */
    @SuppressWarnings("unchecked")
    private static <T> T faulty(Class<T> type, Map<String, Object> answers) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (answers.containsKey(method.getName())) {
                return answers.get(method.getName());
            }
            throw new IllegalStateException("a test: " + method.getName());
        });
    }

    private Limiter limiter(UnaryOperator<Policy.Builder> policy) {
        return new Limiter(clock, new Seeded(), TestRules.of(policy.apply(new Policy.Builder().learn(false)).build()),
                faulty(Listener.class, Collections.emptyMap()));
    }

    /** It threw, and its new permit stayed where it was: as the first. */
    @Test
    void anErrorOfTheListenerInDepartLosesNobody() throws Exception {
        Limiter limiter = limiter(RESTS);
        TestTarget target = new TestTarget("a.example");
        Permit kept = limiter.arrive(target);
        limiter.charge(target).answered(429);
        Permit again = kept.depart();
        assertTrue(again.waiting());
        clock.turn(61 * SECOND);
        assertTrue(again.poll() && again.granted(), "the probe");
    }

    /** Whatever it is told: the pause's end, a trip, a rejection, a wait's end, an operator's pause. */
    @Test
    void anErrorOfTheListenerLosesNoWaiter() throws Exception {
        Limiter limiter = limiter(b -> RESTS.apply(b).maxWait(50 * SECOND));
        TestTarget target = new TestTarget("a.example");
        limiter.arrive(target).answered(200);
        Key key = limiter.key("a.example");
        key.pause(10 * SECOND);
        Permit first = limiter.arrive(target);
        Permit second = limiter.arrive(target);
        clock.turn(11 * SECOND);
        Permit third = limiter.arrive(target);
        assertEquals(3, key.stats().waitingRequests);
        for (Permit each : Arrays.asList(first, second, third)) {
            clock.turn(SECOND);
            assertTrue(each.poll() && each.granted());
        }
        first.answered(429);
        assertThrows(RequestRejectedException.class, () -> limiter.arrive(target));
        key.resume();
        Permit fourth = limiter.arrive(target);
        key.reset();
        clock.turn(SECOND);
        assertTrue(fourth.poll() && fourth.granted());
        assertEquals(0, key.stats().waitingRequests);
    }

    /** An error that leaves the gate lets the request through, so it must not wait as well. */
    @Test
    void anErrorThatLeavesTheGateLeavesNobodyWaiting() throws Exception {
        Map<String, Object> answers = new HashMap<>();
        Map<String, Object> key = new HashMap<>();
        key.put("windows", null);
        key.put("version", 0L);
        key.put("write", null);
        answers.put("shared", true);
        answers.put("workers", 1);
        answers.put("counted", true);
        answers.put("key", faulty(SharedKey.class, key));
        Limiter limiter = limiter(RESTS);
        limiter.join((settings, listener) -> faulty(Fleet.class, answers), FleetScene.settings());
        assertThrows(IllegalStateException.class, () -> limiter.arrive(new TestTarget("a.example")));
        assertEquals(0, limiter.key("a.example").stats().waitingRequests);
        assertEquals(0, limiter.key("a.example").stats().activeRequests);
    }
}
