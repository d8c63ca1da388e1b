package io.tempolimit.core;

import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.policy.Policy;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A redirect with Retry-After is about the request that follows it, and about no other. */
class RedirectTest {
    /** 20 s as the site asks, and the margin. */
    private static final long ASKED = 22 * SECOND;

    private static Scene scene(UnaryOperator<Policy.Builder> more) {
        return new Scene(p -> more.apply(p.rate(10).burst(5)));
    }

    private static Scene scene() {
        return scene(p -> p);
    }

    private static Permit to(Scene scene, String host, String path) throws RequestRejectedException {
        return scene.enter(scene.limiter.arrive(new TestTarget(host, path)));
    }

    private static Permit redirected(Scene scene, String location) throws RequestRejectedException {
        Permit first = to(scene, "a.example", "/start/page");
        first.answered(new TestHead(302, "Location", location, "Retry-After", "20"));
        return first;
    }

    /** It rested the whole host. */
    @Test
    void onlyTheRequestThatFollowsItWaits() throws Exception {
        for (String location : new String[] {"/queue?id=1", "queue", "https://a.example/queue", "//A.example:443/queue#x"}) {
            Scene scene = scene();
            redirected(scene, location);
            assertEquals("open", scene.stats().state);
            String path = location.equals("queue") ? "/start/queue" : "/queue";
            long start = scene.clock.nanos();
            Permit follows = to(scene, "a.example", path);
            assertTrue(follows.waiting(), location);
            assertEquals(start + ASKED, follows.wakeAt());
            assertTrue(to(scene, "a.example", "/other").granted());
            assertTrue(to(scene, "a.example", path).granted(), "that was another one");
            assertEquals(1, scene.stats().waitingRequests);
            scene.pass(ASKED + SECOND);
            assertEquals(ASKED, scene.end(follows, start));
            assertTrue(follows.granted());
            assertEquals(0, scene.stats().waitingRequests);
            follows.answered(200);
            assertEquals("open", scene.stats().state);
            assertEquals(1, scene.stats().delayedRequests);
        }
    }

    @Test
    void whatAnotherHostAsksForIsItsOwnBusiness() throws Exception {
        Scene scene = scene();
        redirected(scene, "http://b.example:8080/p");
        assertTrue(to(scene, "b.example", "/p").granted(), "another scheme and port");
        redirected(scene, "https://b.example/p");
        assertTrue(to(scene, "b.example", "/p").waiting());
        assertTrue(to(scene, "b.example", "/q").granted());
        assertEquals(0, scene.limiter.key("b.example").stats().cooldowns);
    }

    @Test
    void itTakesItsPlaceBehindThoseWhoWaitThen() throws Exception {
        Scene scene = scene();
        redirected(scene, "/queue");
        Permit follows = to(scene, "a.example", "/queue");
        scene.pass(ASKED - SECOND / 100);
        scene.arrive(5);
        Permit before = scene.arrive();
        long start = scene.clock.nanos();
        scene.pass(SECOND);
        assertTrue(scene.end(before, start) < scene.end(follows, start));
        assertEquals(SECOND / 5, scene.end(follows, start));
    }

    @Test
    void whoCouldNotWaitSoLongIsRejectedAndMayComeAgain() throws Exception {
        for (UnaryOperator<Policy.Builder> policy : Arrays.<UnaryOperator<Policy.Builder>>asList(p -> p.reject(true), p ->
                p.maxWait(ASKED - 1),
                p -> p.retryAfterMax(SECOND))) {
            Scene scene = scene(policy);
            redirected(scene, "/queue");
            for (int i = 0; i < 2; i++) {
                RequestRejectedException e = assertThrows(RequestRejectedException.class, () -> to(scene, "a.example", "/queue"));
                assertEquals("HOST_COOLING_DOWN", e.code());
                assertEquals(22, e.retryAfterSeconds());
                assertNull(e.currentUsage());
            }
            scene.pass(ASKED);
            assertTrue(to(scene, "a.example", "/queue").granted());
        }
    }

    @Test
    void aWaitThatIsCancelledLeavesNothing() throws Exception {
        Scene scene = scene();
        Permit[] all = new Permit[3];
        for (int i = 0; i < 3; i++) {
            redirected(scene, "/queue" + i);
            all[i] = to(scene, "a.example", "/queue" + i);
        }
        for (int i : new int[] {1, 0, 2}) {
            assertTrue(all[i].cancel());
            assertFalse(all[i].cancel());
        }
        scene.pass(0);
        assertTrue(scene.asleep.isEmpty());
        assertEquals(0, scene.stats().waitingRequests);
        assertEquals(3, scene.stats().cancelledRequests);
    }

    @Test
    void newSettingsHoldForWhoWaitsForIt() throws Exception {
        for (int how = 0; how < 4; how++) {
            Scene scene = scene();
            redirected(scene, "/queue");
            Permit follows = to(scene, "a.example", "/queue");
            scene.pass(SECOND);
            if (how == 0) {
                scene.limiter.setEnabled(false);
            } else if (how == 1) {
                scene.limiter.setDryRun(true);
            } else {
                long most = how == 2 ? 0 : 3600 * SECOND;
                scene.policy(p -> p.rate(10).burst(5).retryAfterMax(most));
            }
            scene.pass(0);
            assertEquals(how == 3, follows.waiting());
        }
    }

    @Test
    void whereWaitsAreNotObeyedNeitherIsThis() throws Exception {
        Scene scene = scene(p -> p.retryAfterMax(0));
        redirected(scene, "/queue");
        assertTrue(to(scene, "a.example", "/queue").granted());
    }

    @Test
    void inADryRunItIsTold() throws Exception {
        Scene scene = scene();
        scene.limiter.setDryRun(true);
        redirected(scene, "/queue");
        assertTrue(to(scene, "a.example", "/queue").granted());
        assertEquals("delayed " + ASKED, scene.heard.get(0));
    }

    @Test
    void aKeyThatRestsMeanwhileRests() throws Exception {
        Scene scene = scene(p -> p.cooldownDuration(60 * SECOND, 60 * SECOND));
        redirected(scene, "/queue");
        long start = scene.clock.nanos();
        Permit follows = to(scene, "a.example", "/queue");
        scene.trip(3);
        scene.pass(61 * SECOND);
        assertEquals(60 * SECOND, scene.end(follows, start));
        assertEquals("probing", scene.stats().state);
    }

    /** A thread that holds an answer of the same host must not wait for its own place. */
    @Test
    void withALimitOfRequestsInFlightItPassesOverAsAnyOther() throws Exception {
        Scene scene = scene(p -> p.concurrency(1));
        Permit reading = to(scene, "a.example", "/page");
        reading.owner(Thread.currentThread());
        Inside.redirected(scene.key(), "/queue", ASKED);
        Permit follows = to(scene, "a.example", "/queue");
        follows.owner(Thread.currentThread());
        scene.pass(ASKED);
        assertTrue(follows.granted());
        assertTrue(to(scene, "a.example", "/more").waiting());
        reading.answered(204);
        follows.answered(204);
        scene.pass(SECOND);
        assertEquals(0, scene.stats().waitingRequests);
    }

    @Test
    void redirectsThatNobodyFollowsAreForgotten() throws Exception {
        Scene scene = scene(p -> p.rate(1e9).burst(1000));
        for (int i = 0; i < 300; i++) {
            redirected(scene, "/" + i);
        }
        assertTrue(to(scene, "a.example", "/0").granted(), "the oldest");
        assertTrue(to(scene, "a.example", "/299").waiting());
        scene.pass(ASKED);
        assertTrue(to(scene, "a.example", "/298").granted());
    }
}
