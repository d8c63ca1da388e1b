package io.tempolimit.core;

import static io.tempolimit.core.AnswerTest.CHALLENGE;
import static io.tempolimit.core.AnswerTest.read;
import static io.tempolimit.core.AnswerTest.sent;
import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.request.Target;
import io.tempolimit.detect.DetectRules;
import io.tempolimit.detect.Verdict;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an answer's head does before anybody reads the body, what the body may change of that, and what is kept of what nobody reads. */
class UnreadAnswerTest {
    private static final long PAUSE = 40 * SECOND;

    /** One request after the other, and threads that sleep already: nobody of those asks what was answered before. */
    private static Scene scene() {
        return new Scene(p -> p.rate(10).burst(1).cooldownDuration(PAUSE, PAUSE));
    }

    private static TestHead html(int status, String retryAfter) {
        return new TestHead(status, "Content-Type", "text/html", "Retry-After", retryAfter);
    }

    /** Lets time pass, with each request answered as soon as it goes, and its body left unread; gives how many went. */
    private static int answered(Scene scene, List<Permit> pages, long nanos, TestHead head) {
        int sent = 0;
        for (long passed = 0; passed <= nanos; passed += 100 * MILLI) {
            for (Permit page : pages) {
                if (page.granted()) {
                    assertNotNull(page.answered(head), "a body that nobody could read");
                    sent++;
                }
            }
            scene.pass(100 * MILLI);
        }
        return sent;
    }

    // ---- the head

    @Test
    void blocksWhoseBodiesNobodyReadsStopThoseWhoWait() throws Exception {
        for (int status : new int[] {403, 418, 420, 429, 509, 999}) {
            Scene scene = scene();
            assertEquals(3, answered(scene, scene.arrive(60), 30 * SECOND, TestHead.html(status)), "went to a site that answers with "
                    + status);
        }
    }

    @Test
    void aRetryAfterWhoseBodyNobodyReadsStopsThoseWhoWait() throws Exception {
        for (int status : new int[] {403, 429, 503}) {
            Scene scene = scene();
            List<Permit> pages = scene.arrive(8);
            assertEquals(1, answered(scene, pages, 10 * SECOND, html(status, "10")), "went in spite of " + status);
            assertEquals(1, answered(scene, pages, SECOND, TestHead.html(200)), "the probe, that nobody reads either");
            assertEquals(6, answered(scene, pages, 2 * SECOND, TestHead.html(200)));
        }
    }

    /** Such a limit is nobody's setting: a program that leaves bodies unread stood still for a minute each. */
    @Test
    void bodiesThatNobodyReadsHoldUpNobodyWhereALimitInFlightWasLearnt() throws Exception {
        Scene scene = new Scene(p -> p.rate(100).burst(10).cooldownThreshold(1).learn(true));
        List<Permit> pages = scene.arrive(3);
        for (int status : new int[] {200, 200, 429}) {
            pages.remove(0).answered(new TestHead(status));
        }
        assertEquals(2, scene.key().policy().concurrency());
        scene.pass(60 * SECOND);
        assertEquals(6, answered(scene, scene.arrive(6), 30 * SECOND, TestHead.html(200)));
    }

    @Test
    void aProbesBlockIsTheNextTripBeforeItsBodyIsRead() throws Exception {
        Scene scene = scene();
        scene.trip(3);
        scene.arrive(3);
        scene.pass(PAUSE);
        Body body = scene.awake.get(0).permit.answered(TestHead.html(403));
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(2, scene.stats().cooldowns);
        read(body, CHALLENGE);
        assertEquals(2, scene.stats().cooldowns);
    }

    /** A site that says why in ten kilobytes, and takes its time. */
    @Test
    void aBlockWhoseBodyDripsStopsThoseWhoWait() throws Exception {
        Scene scene = scene();
        List<Permit> pages = scene.arrive(60);
        for (int i = 0; i < 3; i++) {
            Body body = pages.get(i).answered(TestHead.html(429));
            body.add(CHALLENGE, 0, 20);
            scene.pass(100 * MILLI);
        }
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(57, scene.stats().waitingRequests);
    }

    // ---- what the body may change

    @Test
    void theBodyNamesWhatItsHeadHasDone() throws Exception {
        Scene scene = scene();
        scene.trip(2);
        Body body = sent(scene).answered(TestHead.html(403));
        assertEquals("cooling_down", scene.stats().state);
        assertEquals("403_forbidden", scene.stats().cooldownReason);
        assertEquals(Collections.emptyList(), scene.heard);
        read(body, CHALLENGE);
        assertEquals(Arrays.asList("blocked cloudflare_challenge 403 3 true", "cooldown " + PAUSE + " cloudflare_challenge"), scene.heard);
        assertEquals("cloudflare_challenge", scene.stats().cooldownReason);
        assertEquals(1, scene.stats().blocks(Verdict.CLOUDFLARE_CHALLENGE));
        assertEquals(0, scene.stats().blocks(Verdict.FORBIDDEN));
    }

    @Test
    void whatItsHeadHasDoneIsToldAfterASecondIfNobodyReadsIt() throws Exception {
        Scene scene = scene();
        scene.trip(2);
        Body body = sent(scene).answered(TestHead.html(403));
        scene.pass(999 * MILLI);
        assertEquals(Collections.emptyList(), scene.heard);
        scene.pass(MILLI);
        List<String> told = Arrays.asList("blocked 403_forbidden 403 3 true", "cooldown " + PAUSE + " 403_forbidden");
        assertEquals(told, scene.heard);
        read(body, CHALLENGE);
        assertEquals(told, scene.heard);
        assertEquals(1, scene.stats().blocks(Verdict.FORBIDDEN));
    }

    /** Who hears of it would take the key for one that rests. */
    @Test
    void theBeginningOfARestIsToldBeforeItsEnd() throws Exception {
        Scene scene = scene();
        scene.trip(2);
        Body body = sent(scene).answered(TestHead.html(403));
        scene.key().resume();
        read(body, CHALLENGE);
        assertEquals(Arrays.asList("blocked 403_forbidden 403 3 true", "cooldown " + PAUSE + " 403_forbidden", "ended"), scene.heard);
    }

    @Test
    void theBeginningOfARestIsToldBeforeTheNextOne() throws Exception {
        Scene scene = scene();
        scene.trip(2);
        Body body = sent(scene).answered(TestHead.html(403));
        scene.key().pause(100 * SECOND);
        assertEquals(Arrays.asList("blocked 403_forbidden 403 3 true", "cooldown " + PAUSE + " 403_forbidden", "cooldown "
                + 100 * SECOND + " operator"), scene.heard);
        body.end();
        assertEquals(3, scene.heard.size());
    }

    @Test
    void aBodyThatShowsAHardBlockWhereItsHeadLookedSoftIsLearntFrom() throws Exception {
        Scene scene = new Scene(p -> p.rate(10).burst(5).learn(true));
        Body body = sent(scene).answered(TestHead.html(403));
        assertEquals("open", scene.stats().state, "one 403 may be a page that is not for everybody");
        read(body, CHALLENGE);
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(0, scene.stats().cooldowns, "a pause, no trip");
        assertEquals(1, scene.stats().consecutiveBlocks);
        assertEquals(2, scene.heard.size());
        assertTrue(scene.heard.get(1).endsWith(" cloudflare_challenge"), scene.heard::toString);
    }

    @Test
    void aBlockThatTheBodyShowsAfterItsHeadHasAskedToWaitCountsOnce() throws Exception {
        Scene scene = scene();
        scene.trip(2);
        Body body = sent(scene).answered(html(503, "20"));
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(0, scene.stats().cooldowns);
        read(body, CHALLENGE);
        assertEquals(3, scene.stats().consecutiveBlocks);
        assertEquals(1, scene.stats().cooldowns);
        assertEquals(Arrays.asList("blocked cloudflare_challenge 503 3 true", "cooldown " + PAUSE + " cloudflare_challenge"), scene.heard,
                "one rest, told once");
    }

    @Test
    void aWaitThatTheHeadOfAnEarlierIncidentAsksForLetsItsBodyCountNothing() throws Exception {
        Scene scene = scene();
        Permit late = sent(scene);
        scene.trip(3);
        Body body = late.answered(html(503, "20"));
        read(body, CHALLENGE);
        assertEquals(3, scene.stats().consecutiveBlocks);
        assertEquals(1, scene.stats().cooldowns);
    }

    @Test
    void aPermissionErrorIsNoBlockUnlessItsBodyShowsOne() throws Exception {
        Scene scene = scene();
        scene.trip(2);
        read(sent(scene).answered(new TestHead(403, "Content-Type", "application/json")), "{\"error\":\"not yours\"}".getBytes(UTF_8));
        sent(scene).answered(new TestHead(403, "Content-Type", "application/json"));
        scene.pass(2 * SECOND);
        assertEquals("open", scene.stats().state);
        assertEquals(2, scene.stats().consecutiveBlocks);
    }

    // ---- a status that a body may excuse

    private static Scene ignoring(String name) {
        DetectRules rules = DetectRules.builder().ignored(Collections.singletonList(name)).build();
        return new Scene(p -> p.rate(10).burst(1).cooldownDuration(PAUSE, PAUSE).detection(rules));
    }

    @Test
    void aBlockThatItsBodyMayExcuseWaitsForTheBody() throws Exception {
        Scene scene = ignoring("cloudflare");
        List<Permit> pages = scene.arrive(10);
        for (int i = 0; i < 10; i++) {
            Body body = pages.get(i).answered(TestHead.html(403));
            assertEquals(0, scene.stats().consecutiveBlocks);
            scene.pass(100 * MILLI);
            read(body, CHALLENGE);
        }
        assertEquals("open", scene.stats().state);
    }

    @Test
    void aBlockThatItsBodyMayExcuseCountsAfterASecondIfNobodyReadsIt() throws Exception {
        Scene scene = ignoring("cloudflare");
        int sent = answered(scene, scene.arrive(60), 30 * SECOND, TestHead.html(403));
        assertTrue(sent >= 3 && sent <= 3 + 12, sent + " went");
        assertEquals("cooling_down", scene.stats().state);
    }

    @Test
    void aBlockThatNoBodyCanExcuseDoesNotWaitWhateverElseIsIgnored() {
        Scene scene = ignoring("blank_page");
        sent(scene).answered(TestHead.html(403));
        assertEquals(1, scene.stats().consecutiveBlocks);
    }

    @Test
    void whatASiteAsksForIsObeyedWhateverItsBodyExcuses() throws Exception {
        Scene scene = ignoring("cloudflare");
        Body body = sent(scene).answered(html(429, "20"));
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(0, scene.stats().consecutiveBlocks);
        read(body, CHALLENGE);
        assertEquals("cooling_down", scene.stats().state);
        assertEquals(0, scene.stats().consecutiveBlocks);
        assertEquals(Arrays.asList("blocked 429_rate_limited 429 0 false", "cooldown " + 22 * SECOND + " 429_rate_limited"), scene.heard);
    }

    // ---- what is kept

    /** Whether it is collected once nobody but the limiter can know it, within a minute of the real clock. */
    private static boolean collected(ReferenceQueue<Object> queue, Reference<Object> what) throws InterruptedException {
        for (int i = 0; i < 600; i++) {
            System.gc();
            if (queue.remove(100) == what) {
                return true;
            }
        }
        return false;
    }

    private static Body answer(Scene scene, ReferenceQueue<Object> queue, List<Reference<Object>> requests, String type) throws Exception {
        Target request = new TestTarget("a.example");
        requests.add(new WeakReference<>(request, queue));
        Permit permit = scene.limiter.arrive(request);
        assertTrue(permit.granted());
        permit.owner(Thread.currentThread());
        return permit.answered(new TestHead(200, "Content-Type", type));
    }

    private static void nothingIsKept(Scene scene, String type, long after) throws Exception {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        List<Reference<Object>> requests = new ArrayList<>();
        answer(scene, queue, requests, type);
        scene.pass(after);
        assertTrue(collected(queue, requests.get(0)), "the limiter still refers to a request whose answer nobody can read");
    }

    @Test
    void nothingIsKeptOfAnAnswerThatNobodyReads() throws Exception {
        nothingIsKept(scene(), "text/html", SECOND);
    }

    @Test
    void nothingIsKeptOfAnAnswerThatHoldsAPlaceAndNobodyReads() throws Exception {
        for (String type : new String[] {"text/html", "image/png"}) {
            nothingIsKept(new Scene(p -> p.rate(10).burst(5).concurrency(1)), type, 61 * SECOND);
        }
    }

    /** Who goes on from there may need the place for it: a client that follows it, or asks for a token first. */
    @Test
    void anAnswerThatAsksForAnotherRequestHoldsNoPlace() throws Exception {
        for (TestHead head : new TestHead[] {TestHead.html(401), TestHead.html(407), new TestHead(302, "Location", "/there",
                "Content-Type", "text/html")}) {
            Scene scene = new Scene(p -> p.rate(10).burst(5).concurrency(1));
            Body body = scene.arrive().answered(head);
            Permit token = scene.arrive();
            assertTrue(token.granted(), "waits for an answer that waits for it: " + head.status());
            assertTrue(scene.arrive().waiting());
            if (body != null) {
                body.end();
            }
            assertEquals(1, scene.stats().waitingRequests, "its end gives back a place that it had no more");
            read(token.answered(TestHead.html(200)), "<html><body>a token".getBytes(UTF_8));
            scene.pass(0);
            assertEquals(0, scene.stats().waitingRequests);
        }
    }

    /** Before the time is over after which nobody would read it on. */
    @Test
    void thePlaceOfAnAnswerThatIsCollectedIsFreeWithoutAnotherRequest() throws Exception {
        for (String type : new String[] {"text/html", "image/png"}) {
            Scene scene = new Scene(p -> p.rate(10).burst(5).concurrency(1));
            ReferenceQueue<Object> queue = new ReferenceQueue<>();
            List<Reference<Object>> requests = new ArrayList<>();
            Reference<Object> body = new WeakReference<>(answer(scene, queue, requests, type), queue);
            while (body.get() != null) {
                scene.pass(SECOND / 2);
                System.gc();
                assertTrue(scene.clock.nanos() < 1_050 * SECOND, "the limiter refers to a body");
            }
            scene.pass(SECOND);
            assertTrue(scene.arrive().granted());
        }
    }
}
