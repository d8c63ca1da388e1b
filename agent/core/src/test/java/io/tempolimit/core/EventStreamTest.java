package io.tempolimit.core;

import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.StreamLimits;
import io.tempolimit.core.request.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to answers that are event streams: counted, turned away, closed. */
class EventStreamTest {
    private static final TestHead STREAM = new TestHead(200, "Content-Type", "Text/Event-Stream; charset=utf-8");

    /** Why each was closed, in order. */
    private final List<IOException> closed = new ArrayList<>();

    private static Scene scene(int streams, boolean evicts, long timeout) {
        return new Scene(p -> p.rate(1000).burst(1000).streams(new StreamLimits(streams, StreamLimits.ANY, StreamLimits.ANY, evicts,
                timeout)));
    }

    private Body open(Scene scene) throws RequestRejectedException {
        Body body = scene.arrive().answered(STREAM);
        assertTrue(body.stream());
        body.closeBy(closed::add);
        return body;
    }

    private static Target asking(String accept) {
        return new TestTarget("a.example") {
            @Override
            public String header(String name) {
                return name.equals("Accept") ? accept : super.header(name);
            }
        };
    }

    @Test
    void withoutASettingNoStreamIsCountedOrClosed() throws RequestRejectedException {
        Scene scene = new Scene(p -> p);
        assertNull(scene.arrive().answered(STREAM));
        assertEquals(0, scene.stats().activeStreams);
    }

    @Test
    void otherAnswersAreNoStreams() throws RequestRejectedException {
        Scene scene = scene(1, false, StreamLimits.FOREVER);
        assertNull(scene.arrive().answered(new TestHead(200, "Content-Type", "image/png")));
        assertNull(scene.arrive().answered(new TestHead(200, "Content-Type", "text/event-streams")));
        assertNull(scene.arrive().answered(new TestHead(204, "Content-Type", "text/event-stream")));
        assertFalse(scene.arrive().answered(TestHead.html(200)).stream());
        assertEquals(0, scene.stats().activeStreams);
    }

    @Test
    void whoAsksForOneTooManyIsTurnedAwayBeforeItIsSent() throws RequestRejectedException {
        Scene scene = scene(1, false, StreamLimits.FOREVER);
        Body first = open(scene);
        for (String accept : new String[] {"text/event-stream", "TEXT/EVENT-STREAM, */*"}) {
            RequestRejectedException e = assertThrows(RequestRejectedException.class, () -> scene.limiter.arrive(asking(accept)));
            assertTrue(e.getMessage().contains("SSE_CONCURRENCY_LIMIT_EXCEEDED"), e.getMessage());
        }
        assertTrue(scene.limiter.arrive(asking("application/json, text/event-stream")).granted()); // may be answered with either
        assertTrue(scene.limiter.arrive(asking(null)).granted());
        first.end();
        assertTrue(scene.limiter.arrive(asking("text/event-stream")).granted());
    }

    @Test
    void oneTooManyThatOnlyItsAnswerTellsIsClosedWithTheRejection() throws RequestRejectedException {
        Scene scene = scene(1, false, StreamLimits.FOREVER);
        Body first = open(scene);
        Body second = open(scene);
        IOException why = closed.get(0);
        assertTrue(why instanceof RequestRejectedException && why.getMessage().contains("SSE_CONCURRENCY_LIMIT_EXCEEDED"), why::toString);
        assertSame(why, second.failure(new IOException("Socket closed")));
        assertTrue(second.closed());
        assertFalse(first.closed());
        assertEquals(Collections.singletonList("rejected SSE_CONCURRENCY_LIMIT_EXCEEDED"), scene.heard);
        assertEquals(1, scene.stats().rejectedRequests);
        assertEquals(1, scene.stats().activeStreams);
        second.cut();
        first.cut();
        first.end();
        assertEquals(0, scene.stats().activeStreams);
        open(scene);
        assertEquals(1, closed.size());
    }

    @Test
    void theOldestGivesWayAndItsReaderSeesTheClientsOwnFailure() throws RequestRejectedException {
        Scene scene = scene(2, true, StreamLimits.FOREVER);
        List<Body> bodies = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            bodies.add(open(scene));
            assertEquals(Math.min(2, i + 1), scene.stats().activeStreams);
        }
        assertEquals(2, closed.size());
        assertTrue(closed.get(0).getMessage().contains("stream-policy=evict-oldest"), closed::toString);
        for (int i = 0; i < 4; i++) {
            assertEquals(i < 2, bodies.get(i).closed());
        }
        IOException own = new IOException("Socket closed");
        assertSame(own, bodies.get(0).failure(own));
        assertEquals(0, scene.stats().rejectedRequests);
    }

    @Test
    void oneThatWasToCloseBeforeItsClientHasSaidHowIsClosedThen() throws RequestRejectedException {
        Scene scene = scene(1, true, StreamLimits.FOREVER);
        Body early = scene.arrive().answered(STREAM);
        open(scene);
        assertEquals(0, closed.size());
        early.closeBy(closed::add);
        assertEquals(1, closed.size());
    }

    @Test
    void oneThatIsOpenForTooLongIsClosedOnTime() throws RequestRejectedException {
        Scene scene = scene(StreamLimits.ANY, false, 30 * SECOND);
        assertEquals(Limiter.NEVER, scene.limiter.nextEndOfStream());
        Body first = open(scene);
        scene.pass(10 * SECOND);
        Body second = open(scene);
        Body ended = open(scene);
        scene.pass(19 * SECOND);
        ended.end();
        scene.limiter.endStreams();
        assertEquals(0, closed.size());
        assertEquals(scene.clock.nanos() + SECOND, scene.limiter.nextEndOfStream());
        scene.pass(SECOND);
        scene.limiter.endStreams();
        assertEquals(1, closed.size());
        assertTrue(first.closed());
        assertFalse(second.closed());
        scene.pass(10 * SECOND);
        scene.limiter.endStreams();
        assertEquals(2, closed.size());
        assertEquals(Limiter.NEVER, scene.limiter.nextEndOfStream());
        assertEquals(0, scene.stats().activeStreams);
    }

    @Test
    void aDryRunClosesNothingAndTellsWhatItWouldHaveTurnedAway() throws RequestRejectedException {
        Scene scene = scene(1, false, SECOND);
        scene.limiter.setDryRun(true);
        open(scene);
        open(scene);
        assertTrue(scene.limiter.arrive(asking("text/event-stream")).granted());
        scene.pass(2 * SECOND);
        scene.limiter.endStreams();
        assertEquals(0, closed.size());
        assertEquals(Collections.singletonList("rejected SSE_CONCURRENCY_LIMIT_EXCEEDED"), scene.heard);
        assertEquals(2, scene.stats().activeStreams);
    }
}
