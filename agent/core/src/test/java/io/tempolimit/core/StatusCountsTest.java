package io.tempolimit.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.ConnectException;
import org.junit.jupiter.api.Test;

/** The statistics told of blocks and 5xx alone: who crawled 1,000 pages could not see that 900 of them were 404. */
class StatusCountsTest {
    private static String text(StatusCounts counts) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < counts.size(); i++) {
            b.append(i == 0 ? "" : ", ").append(counts.count(i)).append(" x ").append(counts.status(i));
        }
        return b.toString();
    }

    @Test
    void theyAreSortedAndAdded() {
        StatusCounts counts = new StatusCounts();
        for (int status : new int[] {404, 200, 999, 301, 200, 101}) {
            counts.add(status, 1);
        }
        StatusCounts more = new StatusCounts();
        more.add(503, 7);
        more.add(200, 3_000_000_000L);
        counts.add(more);
        assertEquals("1 x 101, 3000000002 x 200, 1 x 301, 1 x 404, 7 x 503, 1 x 999", text(counts));
    }

    @Test
    void eachAnswerIsCountedOnce() throws Exception {
        Scene scene = new Scene(p -> p.rate(1000).burst(1000));
        scene.arrive().answered(200);
        Permit twice = scene.arrive();
        twice.answered(301);
        twice.answered(301);
        Permit informed = scene.arrive();
        informed.answered(103);
        informed.answered(404);
        Body page = scene.arrive().answered(TestHead.html(200)); // its verdict waits for the body, its status does not
        assertEquals("2 x 200, 1 x 301, 1 x 404", text(scene.stats().answers));
        byte[] html = "<html><title>Lamps</title><body>A lamp of brass".getBytes(UTF_8);
        page.add(html, 0, html.length);
        page.end();
        scene.arrive().answered(new TestHead(429, "Retry-After", "1"));
        scene.arrive().failed(new ConnectException("refused"));
        assertEquals("2 x 200, 1 x 301, 1 x 404, 1 x 429", text(scene.stats().answers));
    }

    @Test
    void whatIsAbandonedOrNotSentOrNotKnownIsNoAnswer() throws Exception {
        Scene scene = new Scene(p -> p.rate(1000).burst(1000));
        scene.arrive().abandoned();
        scene.arrive().unused();
        scene.arrive().answered();
        assertEquals("", text(scene.stats().answers));
    }
}
