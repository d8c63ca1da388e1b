package io.tempolimit.core;

import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Policy;
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

    private Limiter faulty(boolean[] fails) {
        Policy policy = RESTS.apply(new Policy.Builder().learn(false)).build();
        return new Limiter(clock, TestRules.of(policy), new Listener() {
            @Override
            public Object waits(Key key) {
                if (fails[0]) {
                    throw new StackOverflowError("a test");
                }
                return null;
            }

            @Override
            public void cooldownEnded(Key key) {
                if (fails[0]) {
                    throw new IllegalStateException("a test");
                }
            }
        });
    }

    /** It threw, and its new permit stayed where it was: as the first. */
    @Test
    void anErrorOfTheListenerInDepartLosesNobody() throws Exception {
        boolean[] fails = {false};
        Limiter limiter = faulty(fails);
        TestTarget target = new TestTarget("a.example");
        Permit kept = limiter.arrive(target);
        limiter.charge(target).answered(429);
        fails[0] = true;
        Permit again = kept.depart();
        assertTrue(again.waiting());
        clock.turn(61 * SECOND);
        assertTrue(again.poll() && again.granted(), "the probe");
    }

    /** An error that leaves the gate lets the request through, so it must not wait as well. */
    @Test
    void anErrorThatLeavesTheGateLeavesNobodyWaiting() throws Exception {
        boolean[] fails = {false};
        Limiter limiter = faulty(fails);
        TestTarget target = new TestTarget("a.example");
        limiter.arrive(target);
        Key key = limiter.key("a.example");
        key.pause(10 * SECOND);
        clock.turn(11 * SECOND);
        fails[0] = true;
        assertThrows(IllegalStateException.class, () -> limiter.arrive(target));
        fails[0] = false;
        assertEquals(0, key.stats().waitingRequests);
        clock.turn(SECOND);
        assertTrue(limiter.arrive(target).granted());
    }
}
