package io.tempolimit.core;

import static io.tempolimit.core.Scene.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.Clock;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program whose every request failed was shown as one without any trouble. */
class TroubleTest {
    private static Scene scene() {
        return new Scene(p -> p.rate(100).burst(100));
    }

    private static void assertCounted(Scene scene, long failed, long overloads, long blocked) {
        KeyStats s = scene.stats();
        assertEquals(List.of(failed, overloads, blocked), List.of(s.failedRequests, s.overloads, s.blockedRequests()));
    }

    @Test
    void failuresAreCounted() throws Exception {
        Scene scene = scene();
        scene.arrive().failed(new ConnectException("refused"));
        scene.arrive().failed(new SocketTimeoutException("slow"));
        Permit twice = scene.arrive();
        twice.failed(new ConnectException("refused"));
        twice.failed(new ConnectException("refused"));
        assertCounted(scene, 3, 0, 0);
        scene.arrive().answered(200);
        scene.arrive().answered(404);
        scene.arrive().unused();
        scene.arrive().abandoned();
        assertCounted(scene, 3, 0, 0);
    }

    @Test
    void answersOf5xxAreCountedOnceEach() throws Exception {
        Scene scene = scene();
        scene.arrive().answered(500);
        scene.arrive().answered(529);
        scene.arrive().answered(new TestHead(502, "Content-Type", "application/json")).end();
        assertCounted(scene, 0, 3, 0);
        byte[] page = "<html><title>Sorry</title><body>Service unavailable".getBytes(UTF_8);
        Body read = scene.arrive().answered(TestHead.html(503));
        read.add(page, 0, page.length);
        read.end();
        assertCounted(scene, 0, 4, 0);
        scene.arrive().answered(TestHead.html(503)); // nobody reads it
        scene.pass(SECOND);
        assertCounted(scene, 0, 5, 0);
    }

    @Test
    void a503WhosePauseHasBegunByItsHeadIsCountedOnce() throws Exception {
        Scene scene = scene();
        Body body = scene.arrive().answered(new TestHead(503, "Content-Type", "text/html", "Retry-After", "1"));
        body.end();
        assertCounted(scene, 0, 1, 0);
    }

    /** A block is a block, whatever its status. */
    @Test
    void a503WithAChallengeIsNoOverload() throws Exception {
        Scene scene = scene();
        Body body = scene.arrive().answered(TestHead.html(503));
        body.add(AnswerTest.CHALLENGE, 0, AnswerTest.CHALLENGE.length);
        body.end();
        assertCounted(scene, 0, 0, 1);
    }

    @Test
    void resetStatsForgetsThem() throws Exception {
        Scene scene = scene();
        scene.arrive().answered(500);
        scene.arrive().failed(new ConnectException("refused"));
        scene.key().resetStats();
        assertCounted(scene, 0, 0, 0);
    }

    // ---- requests that are left out

    private static final class Told implements Listener {
        final List<String> lines = new ArrayList<>();

        @Override
        public void leftOut(String host, String why) {
            lines.add(host + " " + why);
        }
    }

    private static Limiter limiter(Told told) {
        Policy paced = new Policy.Builder().build();
        return new Limiter(Clock.SYSTEM, new Seeded(),
                new TestRules(host -> host.equals("a.example") ? paced : null, true, false, 100, SECOND) {
            @Override
            public String whyLeftOut(String host) {
                return host.startsWith("10.") ? null : "so";
            }
        }, told);
    }

    /** A newcomer tried localhost, and saw "No request yet". */
    @Test
    void whatIsLeftOutIsCountedAndTheFirstIsTold() throws Exception {
        Told told = new Told();
        Limiter limiter = limiter(told);
        limiter.arrive(new TestTarget("a.example"));
        assertEquals(0, limiter.leftOut());
        for (int i = 0; i < 3; i++) {
            assertNull(limiter.arrive(new TestTarget("LOCALHOST")));
            assertNull(limiter.charge(new TestTarget("localhost")), "a further round of one that was counted");
            assertNull(limiter.arrive(new TestTarget("b.example") {
                @Override
                public boolean arrivesAgain() {
                    return true;
                }
            }));
        }
        assertEquals(3, limiter.leftOut());
        assertEquals(List.of("localhost so"), told.lines);
        assertEquals(1, limiter.keys().size());
    }

    @Test
    void whatIsSentWhileNothingIsPacedIsNotLeftOut() throws Exception {
        Limiter limiter = limiter(new Told());
        limiter.setEnabled(false);
        assertNull(limiter.arrive(new TestTarget("localhost")));
        assertEquals(0, limiter.leftOut());
    }
}
