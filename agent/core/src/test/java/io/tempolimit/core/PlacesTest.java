package io.tempolimit.core;

import static io.tempolimit.core.CapsTest.dropped;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.key.Retention;
import io.tempolimit.core.queue.Caps;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Places of requests in flight that nobody gives back: who is lost, dropped, or never answered. */
class PlacesTest {
    /** Sooner than by time alone: a lease takes 60 of these looks, and a request without an answer 300. */
    private static void assertGrantedByCollection(Scene scene, Permit waits) {
        for (int i = 0; i < 50 && waits.waiting(); i++) {
            System.gc();
            scene.pass(Caps.LOOK);
        }
        assertTrue(waits.granted());
    }

    @Test
    void anAnswerThatIsDroppedUnreadAndCollectedFreesItsPlace() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1));
        dropped(scene.arrive());
        Permit waits = scene.arrive();
        assertGrantedByCollection(scene, waits);
    }

    /** From Java 19 on, a thread refers to its task once it has ended, too; and the task refers to the answer. */
    @Test
    void anAnswerIsCollectedAlthoughTheThreadThatAskedRefersToIt() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1));
        asks(scene);
        Permit waits = scene.arrive();
        assertGrantedByCollection(scene, waits);
    }

    private static void asks(Scene scene) throws Exception {
        final class Asks extends Thread {
            private Body answer;

            @Override
            public void run() {
                try {
                    Permit permit = scene.arrive();
                    permit.owner(this);
                    answer = dropped(permit);
                } catch (RequestRejectedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        Asks thread = new Asks();
        thread.start();
        thread.join();
        assertNotNull(thread.answer);
    }

    /** Its hook had an error, or its client forgot it: nobody refers to it any more. */
    @Test
    void aRequestThatIsLostOnItsWayFreesItsPlace() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1));
        scene.limiter.arrive(new TestTarget("a.example"));
        Permit waits = scene.arrive();
        assertGrantedByCollection(scene, waits);
        assertEquals(1, scene.stats().activeRequests);
        waits.abandoned();
        assertTrue(new Retention(Inside.of(scene.key())).idle(scene.clock.nanos()));
    }

    @Test
    void aRequestWithoutAnAnswerKeepsItsPlaceForFiveMinutes() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1));
        Permit silent = scene.arrive();
        Permit waits = scene.arrive();
        scene.pass(300 * SECOND - 1);
        assertTrue(waits.waiting());
        scene.pass(1 + Caps.LOOK);
        assertTrue(waits.granted());
        Permit next = scene.arrive();
        silent.answered(200);
        scene.pass(0);
        assertTrue(next.waiting(), "its place was given on, and is not free twice");
    }

    @Test
    void anAnswerThatNobodyReadsOnKeepsItsPlaceForAMinute() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1));
        Body body = dropped(scene.arrive());
        Permit waits = scene.arrive();
        scene.pass(50 * SECOND);
        body.add(new byte[1], 0, 1);
        scene.pass(59 * SECOND);
        assertTrue(waits.waiting());
        scene.pass(2 * SECOND);
        assertTrue(waits.granted());
        body.end();
        assertEquals(1, scene.limiter.arrive(new TestTarget("a.example")).waiting() ? 1 : 0,
                "its place was given on, and is not free twice");
    }

    @Test
    void aThreadThatHasAPlaceDoesNotWaitForAnother() throws Exception {
        Scene scene = new Scene(b -> b.rate(1000).burst(1000).concurrency(1));
        Thread reader = new Thread();
        scene.arrive().owner(reader);
        List<Permit> others = scene.arrive(2);
        Permit nested = scene.arrive();
        nested.owner(reader);
        scene.pass(0);
        assertTrue(nested.granted());
        assertTrue(others.get(0).waiting() && others.get(1).waiting());
    }
}
