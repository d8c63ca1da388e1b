package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When an answer is judged: by its head, its body, or what was read of it; and what it asks for. */
class AnswerTest {
    private static final long PAUSE = 40 * SECOND;
    static final byte[] CHALLENGE = ("<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>"
            + "<script>window._cf_chl_opt={cvId:'3'};</script></body></html>").getBytes(UTF_8);
    private static final byte[] PAGE = page();

    private static byte[] page() {
        StringBuilder s = new StringBuilder("<!DOCTYPE html><html><head><title>Lamps</title></head><body>");
        for (int i = 0; i < 200; i++) {
            s.append("<p>A lamp of brass, with a shade of linen, number ").append(i).append(".</p>");
        }
        return s.append("</body></html>").toString().getBytes(UTF_8);
    }

    private static Scene scene() {
        return new Scene(p -> p.rate(10).burst(5).cooldownDuration(PAUSE, PAUSE));
    }

    static Permit sent(Scene scene) {
        return scene.limiter.charge(new TestTarget("a.example"));
    }

    private static void blocked(Scene scene, int n) {
        for (int i = 0; i < n; i++) {
            sent(scene).answered(429);
        }
        scene.heard.clear();
    }

    static void read(Body body, byte[] all) {
        body.add(all, 0, all.length);
        body.end();
    }

    // ---- when it is judged

    @Test
    void whatNoBodyCanChangeIsJudgedByItsHead() {
        Scene scene = scene();
        assertNull(sent(scene).answered(new TestHead(429, "Content-Type", "image/png")));
        assertNull(sent(scene).answered(new TestHead(200, "Content-Type", "image/png")));
        assertNull(sent(scene).answered(new TestHead(204)));
        assertNull(sent(scene).answered(new TestHead(403, "cf-mitigated", "challenge", "Content-Type", "text/html")));
        assertEquals(Arrays.asList("blocked 429_rate_limited 429 1 true", "blocked cloudflare_challenge 403 1 true"), scene.heard);
        assertEquals(0, scene.stats().activeRequests);
    }

    @Test
    void interimAnswersAreNone() {
        Scene scene = scene();
        Permit permit = sent(scene);
        assertNull(permit.answered(new TestHead(103)));
        assertTrue(permit.granted());
        assertNull(permit.answered(new TestHead(101)));
        assertTrue(permit.done());
    }

    @Test
    void aPageIsJudgedAtItsBodysEnd() {
        Scene scene = scene();
        blocked(scene, 2);
        Body page = sent(scene).answered(TestHead.html(200));
        page.add(ByteBuffer.wrap(PAGE));
        assertEquals(2, scene.stats().consecutiveBlocks);
        page.end();
        assertEquals(0, scene.stats().consecutiveBlocks);
        for (int i = 1; i <= 3; i++) {
            Body body = sent(scene).answered(TestHead.html(200));
            body.add(CHALLENGE, 0, 60);
            assertEquals(i - 1, scene.stats().consecutiveBlocks);
            body.add(CHALLENGE, 60, CHALLENGE.length - 60);
            body.end();
            body.cut(); // what comes after the end is nothing
            body.add(CHALLENGE, 0, 10);
            assertEquals(i, scene.stats().consecutiveBlocks);
        }
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(3, scene.stats().blocks(Verdict.CLOUDFLARE_CHALLENGE));
    }

    @Test
    void aBodyThatIsClosedEarlyIsJudgedByWhatWasRead() {
        Scene scene = scene();
        Body body = sent(scene).answered(TestHead.html(200));
        body.add(CHALLENGE, 0, CHALLENGE.length - 20);
        body.cut();
        assertEquals(1, scene.stats().consecutiveBlocks);
        sent(scene).answered(TestHead.html(200)).cut();
        assertEquals(0, scene.stats().consecutiveBlocks, "by its head it was a page");
    }

    @Test
    void aBlockByItsHeadWhoseBodyNobodyReadsCountsBeforeTheNextRequestPasses() throws Exception {
        Scene scene = scene();
        for (int i = 0; i < 3; i++) {
            assertTrue(scene.arrive().granted());
            assertNotNull(sent(scene).answered(TestHead.html(403)));
        }
        assertTrue(scene.arrive().waiting());
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(3, scene.stats().blocks(Verdict.FORBIDDEN));
    }

    @Test
    void aBlockByItsHeadWhoseBodyIsBeingReadIsNamedByIt() throws Exception {
        Scene scene = scene();
        Body body = sent(scene).answered(TestHead.html(403));
        body.add(CHALLENGE, 0, 60);
        scene.pass(900 * MILLI);
        scene.arrive();
        assertEquals(1, scene.stats().consecutiveBlocks, "by its head, at once");
        assertEquals(Collections.emptyList(), scene.heard, "who hears of it hears what it is");
        body.add(CHALLENGE, 60, CHALLENGE.length - 60);
        body.end();
        assertEquals(Collections.singletonList("blocked cloudflare_challenge 403 1 true"), scene.heard);
        assertEquals(1, scene.stats().blocks(Verdict.CLOUDFLARE_CHALLENGE));
        assertEquals(0, scene.stats().blocks(Verdict.FORBIDDEN));
        Body slow = sent(scene).answered(TestHead.html(403));
        slow.add(CHALLENGE, 0, 60);
        scene.pass(1000 * MILLI);
        scene.arrive();
        assertEquals(2, scene.stats().consecutiveBlocks, "nobody has read on for a second");
        slow.add(CHALLENGE, 60, CHALLENGE.length - 60);
        slow.end();
        assertEquals(2, scene.stats().consecutiveBlocks, "it has counted");
    }

    @Test
    void aPageThatNobodyReadsResetsTheCountBeforeTheNextBlock() {
        Scene scene = scene();
        blocked(scene, 2);
        sent(scene).answered(TestHead.html(200));
        scene.pass(1000 * MILLI);
        sent(scene).answered(429);
        assertEquals(1, scene.stats().consecutiveBlocks);
    }

    @Test
    void aPageThatNobodyReadsResetsWhatWasBeforeItAndNothingElse() throws Exception {
        Scene scene = scene();
        blocked(scene, 2);
        sent(scene).answered(TestHead.html(200));
        scene.pass(100 * MILLI);
        sent(scene).answered(TestHead.html(403));
        scene.arrive();
        assertEquals(1, scene.stats().consecutiveBlocks, "the page came before it");
        scene.pass(5 * SECOND);
        sent(scene).answered(429);
        assertEquals(2, scene.stats().consecutiveBlocks);
    }

    @Test
    void aPageThatWasLeftHalfReadDoesNotResetBlocksThatCameAfterIt() {
        Scene scene = scene();
        sent(scene).answered(TestHead.html(200)).add(PAGE, 0, 100);
        scene.pass(100 * MILLI);
        sent(scene).answered(429);
        scene.pass(5 * SECOND);
        sent(scene).answered(429);
        assertEquals(2, scene.stats().consecutiveBlocks);
    }

    @Test
    void aPageThatIsReadTooSlowlyAndIsABlockCountsInTheEnd() {
        Scene scene = scene();
        Body body = sent(scene).answered(TestHead.html(200));
        scene.pass(5 * SECOND);
        sent(scene).answered(429);
        assertEquals(1, scene.stats().consecutiveBlocks);
        read(body, CHALLENGE);
        assertEquals(2, scene.stats().consecutiveBlocks);
    }

    @Test
    void manyAnswersWhoseBodyNobodyReadsAreNotKept() {
        Scene scene = scene();
        List<Body> bodies = new ArrayList<>();
        for (int i = 0; i < 65; i++) {
            bodies.add(sent(scene).answered(new TestHead(403, "Content-Type", "application/json")));
        }
        assertEquals(Collections.singletonList("blocked 403_forbidden 403 0 false"), scene.heard, "the oldest");
        bodies.forEach(Body::cut);
        assertEquals(65, scene.heard.size());
        bodies.clear();
        for (int i = 0; i < 65; i++) {
            bodies.add(sent(scene).answered(TestHead.html(403)));
        }
        assertEquals(66, scene.heard.size(), "the oldest");
        bodies.forEach(Body::cut);
        assertEquals(65, scene.stats().blocks(Verdict.FORBIDDEN));
        assertEquals(1, scene.stats().cooldowns);
    }

    /** A stream is closed while another thread reads it. */
    @Test
    void anEndInTheMiddleOfALookIsDealtWithAfterIt() throws Exception {
        for (int i = 0; i < 300; i++) {
            Scene scene = scene();
            Body body = sent(scene).answered(TestHead.html(200));
            Thread reader = new Thread(() -> {
                for (int at = 0; at < CHALLENGE.length; at++) {
                    body.add(CHALLENGE, at, 1);
                }
            });
            reader.start();
            body.cut();
            reader.join();
            assertTrue(body.over());
            assertTrue(scene.stats().consecutiveBlocks <= 1);
        }
    }

    // ---- probes

    private static Permit probe(Scene scene) throws RequestRejectedException {
        scene.arrive(3);
        scene.pass(PAUSE);
        return scene.awake.get(0).permit;
    }

    @Test
    void aProbeIsJudgedWhenItsBodyHasBeenLookedAt() throws Exception {
        Scene scene = scene();
        blocked(scene, 3);
        Body body = probe(scene).answered(TestHead.html(200));
        for (int i = 0; i < 30; i++) {
            scene.pass(900 * MILLI);
            body.add(PAGE, i, 1);
            assertEquals("probing", scene.stats().state);
            assertEquals(2, scene.stats().waitingRequests);
        }
        body.add(PAGE, 30, PAGE.length - 30);
        body.end();
        assertEquals("open", scene.stats().state);
    }

    @Test
    void aProbeThatShowsABlockIsTheNextTrip() throws Exception {
        Scene scene = scene();
        blocked(scene, 3);
        read(probe(scene).answered(TestHead.html(200)), CHALLENGE);
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(2, scene.stats().cooldowns);
    }

    /** A program that looks at statuses alone must not stand still for ever. */
    @Test
    void aProbeWhoseBodyNobodyReadsIsJudgedByItsHeadAfterASecond() throws Exception {
        Scene scene = scene();
        blocked(scene, 3);
        probe(scene).answered(TestHead.html(200));
        scene.pass(999 * MILLI);
        assertEquals("probing", scene.stats().state);
        scene.pass(MILLI);
        assertEquals("open", scene.stats().state);
        scene.pass(SECOND);
        assertEquals(0, scene.stats().waitingRequests);

        scene = scene();
        blocked(scene, 3);
        probe(scene).answered(TestHead.html(403));
        scene.pass(SECOND);
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(2, scene.stats().cooldowns);
    }

    @Test
    void withNobodyWaitingTheNextToArriveFindsTheUnreadProbesKeyOpen() throws Exception {
        Scene scene = scene();
        blocked(scene, 3);
        scene.pass(PAUSE);
        scene.arrive().answered(TestHead.html(200));
        scene.pass(SECOND);
        Permit next = scene.arrive();
        assertEquals("open", scene.stats().state);
        assertEquals(100 * MILLI, next.wakeAt() - scene.clock.nanos(), "from an empty bucket");
    }

    @Test
    void aProbeWhoseBodyDripsDecidesByItsHeadAfterItsLease() throws Exception {
        Scene scene = scene();
        blocked(scene, 3);
        Body body = probe(scene).answered(TestHead.html(200));
        for (int i = 0; i < 31; i++) {
            scene.pass(990 * MILLI);
            body.add(PAGE, i, 1);
        }
        assertEquals("open", scene.stats().state);
    }

    // ---- what the site asks for

    private static TestHead retryAfter(int status, String value) {
        return new TestHead(status, "Retry-After", value, "Content-Type", "application/octet-stream");
    }

    private static void pausedFor(Scene scene, long least, long most) {
        long left = scene.stats().cooldownRemainingNanos;
        assertTrue(left >= least * SECOND && left <= most * SECOND, left / MILLI + " ms");
    }

    @Test
    void aRetryAfterPausesBelowTheThresholdAndIsNoTrip() throws Exception {
        for (int status : new int[] {429, 503, 403}) {
            Scene scene = scene();
            sent(scene).answered(retryAfter(status, "20"));
            assertEquals("cooling_down", scene.stats().state);
            pausedFor(scene, 20, 23);
            assertEquals(0, scene.stats().cooldowns);
            assertEquals(status == 503 ? 0 : 1, scene.stats().consecutiveBlocks);
            scene.arrive(2);
            scene.pass(23 * SECOND);
            assertEquals("probing", scene.stats().state);
            scene.awake.get(0).permit.answered(retryAfter(503, "5"));
            assertEquals(0, scene.stats().cooldowns, "a 503 climbs nothing");
            pausedFor(scene, 20, 23); // the pause again, for the 503 asks for less
            scene.pass(23 * SECOND);
            scene.awake.get(1).permit.answered(200);
            assertEquals("open", scene.stats().state);
        }
    }

    @Test
    void aTripLastsAsLongAsTheSiteAsks() {
        Scene scene = scene();
        blocked(scene, 2);
        sent(scene).answered(retryAfter(429, "300"));
        assertEquals(1, scene.stats().cooldowns);
        pausedFor(scene, 300, 331);
        scene = scene();
        blocked(scene, 2);
        sent(scene).answered(retryAfter(429, "1"));
        pausedFor(scene, 40, 40);
    }

    @Test
    void whatWasInFlightMayAskForALongerPauseAndNothingElse() {
        Scene scene = scene();
        Permit late = sent(scene);
        Permit later = sent(scene);
        blocked(scene, 3);
        late.answered(retryAfter(429, "100"));
        pausedFor(scene, 100, 111);
        assertEquals(1, scene.stats().cooldowns);
        assertEquals(3, scene.stats().consecutiveBlocks);
        later.answered(retryAfter(429, "50"));
        pausedFor(scene, 100, 111);
    }

    @Test
    void aDemandBeyondTheMaximumOpensTheCircuit() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(2).cooldownDuration(PAUSE, PAUSE).retryAfterMax(60 * SECOND));
        List<Permit> all = scene.arrive(4);
        all.get(0).answered(retryAfter(429, "7200"));
        scene.pass(0);
        assertEquals("circuit_open", scene.stats().state);
        assertEquals("HOST_COOLING_DOWN", all.get(2).rejection().code());
        assertEquals("HOST_COOLING_DOWN", all.get(3).rejection().code());
        RequestRejectedException e = assertThrows(RequestRejectedException.class, scene::arrive);
        assertTrue(e.retryAfterSeconds() >= 7200 && e.retryAfterSeconds() <= 8000, e.getMessage());
        assertTrue(scene.heard.stream().anyMatch(h -> h.startsWith("circuit open ")), scene.heard.toString());
        scene.pass(8000 * SECOND);
        Permit probe = scene.arrive();
        assertTrue(probe.granted());
        assertEquals("probing", scene.stats().state);
        probe.answered(200);
        assertEquals("open", scene.stats().state);
    }

    @Test
    void whereItIsSwitchedOffNothingIsObeyed() {
        Scene scene = new Scene(p -> p.retryAfterMax(0));
        sent(scene).answered(retryAfter(429, "20"));
        assertEquals("open", scene.stats().state);
        assertEquals(1, scene.stats().consecutiveBlocks);
    }

    @Test
    void aPermissionErrorNeitherClimbsNorResetsAndOpensAfterAPause() throws Exception {
        Scene scene = scene();
        blocked(scene, 2);
        Body body = sent(scene).answered(new TestHead(403, "Content-Type", "application/json"));
        read(body, "{\"error\":\"not yours\"}".getBytes(UTF_8));
        assertEquals(2, scene.stats().consecutiveBlocks);
        assertEquals(0, scene.stats().blocks(Verdict.FORBIDDEN));
        assertEquals(Collections.singletonList("blocked 403_forbidden 403 2 false"), scene.heard);
        blocked(scene, 1);
        scene.pass(PAUSE);
        read(scene.arrive().answered(new TestHead(403, "Content-Type", "application/json")), "{}".getBytes(UTF_8));
        assertEquals("open", scene.stats().state);
    }

    // ---- user agents

    private static Target browserless(String agent) {
        return new TestTarget("a.example") {
            @Override
            public String header(String name) {
                return name.equalsIgnoreCase("User-Agent") ? agent : null;
            }
        };
    }

    @Test
    void aSuspiciousUserAgentIsToldOnceAndRejectedWhereThatIsAsked() throws Exception {
        Scene scene = new Scene(p -> p.burst(50));
        for (int i = 0; i < 3; i++) {
            scene.limiter.arrive(browserless("my-bot/1.0"));
            scene.limiter.arrive(browserless(null));
            scene.limiter.arrive(browserless("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"));
            scene.limiter.arrive(new TestTarget("a.example"));
        }
        assertEquals(2, scene.heard.size(), scene.heard.toString());
        assertTrue(scene.heard.get(0).startsWith("suspicious "));
        assertFalse(scene.heard.get(0).contains("my-bot"), "nothing of a header's value is told");
        scene.policy(p -> p.burst(50).userAgentCheck(Policy.UserAgentCheck.REJECT));
        RequestRejectedException e = assertThrows(RequestRejectedException.class, () -> scene.limiter.arrive(browserless("my-bot/1.0")));
        assertEquals("SUSPICIOUS_USER_AGENT", e.code());
        assertEquals(-1, e.retryAfterSeconds());
        scene.policy(p -> p.burst(50).userAgentCheck(Policy.UserAgentCheck.OFF));
        assertTrue(scene.limiter.arrive(browserless("other-bot/1.0")).granted());
        assertEquals(3, scene.heard.size(), scene.heard.toString());
    }

    @Test
    void userAgentsThatAreMadeUpDoNotFillTheHeap() throws Exception {
        Scene scene = new Scene(p -> p.rate(1e9).burst(1_000_000));
        for (int i = 0; i < 5_000; i++) {
            scene.limiter.arrive(browserless("bot number " + i));
        }
        assertEquals(1_000, scene.heard.stream().filter(h -> h.startsWith("suspicious ")).count());
    }
}
