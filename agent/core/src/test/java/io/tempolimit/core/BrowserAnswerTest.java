package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What is known of a page that a browser has loaded: where it has come to, and what it shows. */
class BrowserAnswerTest {
    private static final String WALL = "<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>"
            + "<p>You are unable to access shop.example<p>Cloudflare Ray ID: 7d1e6b1f2a3c4d5e";

    private static long blocks(Scene scene) {
        return scene.heard.stream().filter(h -> h.contains("blocked")).count();
    }

    // ---- where a browser has come to

    @Test
    void aKnownAddressOfBlocksIsABlockOnce() {
        Scene scene = new Scene(p -> p);
        Permit permit = AnswerTest.sent(scene);
        assertFalse(permit.landed("https://a.example/page"));
        assertTrue(permit.granted());
        permit.answered();
        assertTrue(permit.landed("https://validate.perfdrive.com/x"));
        assertTrue(permit.landed("https://validate.perfdrive.com/x"));
        assertEquals(1, blocks(scene), scene.heard::toString);
    }

    @Test
    void anAddressOfBlocksEndsAPermitThatIsStillOpen() {
        Scene scene = new Scene(p -> p);
        Permit permit = AnswerTest.sent(scene);
        assertTrue(permit.landed("https://validate.perfdrive.com/x"));
        assertTrue(permit.done());
        permit.answered(200);
        assertEquals(1, blocks(scene), scene.heard::toString);
    }

    // ---- what a browser shows

    @Test
    void aBlockPageThatABrowserShowsIsABlockOnce() {
        for (boolean before : new boolean[] {false, true}) {
            Scene scene = new Scene(p -> p);
            Permit permit = AnswerTest.sent(scene);
            if (before) {
                permit.answered();
            }
            permit.showed(WALL);
            permit.showed(WALL);
            permit.answered();
            permit.landed("https://validate.perfdrive.com/x");
            assertEquals(1, blocks(scene), scene.heard::toString);
        }
    }

    @Test
    void aBlockByItsHeadIsNoneAgainByItsDocument() {
        Scene scene = new Scene(p -> p);
        Permit permit = AnswerTest.sent(scene);
        Body body = permit.answered(TestHead.html(403));
        if (body != null) {
            body.cut();
        }
        permit.showed(WALL);
        Permit settled = AnswerTest.sent(scene);
        settled.answered(new TestHead(200, "cf-mitigated", "challenge"));
        settled.showed(WALL);
        assertEquals(2, blocks(scene), scene.heard::toString);
    }

    @Test
    void aDocumentThatIsNoBlockIsAPageIfNothingElseWasKnown() {
        Scene scene = new Scene(p -> p.rate(1e9).burst(1_000_000).cooldownThreshold(2));
        for (int i = 0; i < 20; i++) { // never two in a row
            Permit blocked = AnswerTest.sent(scene);
            blocked.answered();
            blocked.showed(WALL);
            Permit page = AnswerTest.sent(scene);
            page.answered();
            page.showed("<title>Chairs</title><h1>Chairs</h1>Oak, and beech.");
        }
        assertEquals(20, blocks(scene));
        assertTrue(AnswerTest.sent(scene).granted());
        Permit empty = AnswerTest.sent(scene);
        empty.answered();
        empty.showed("<html><head></head><body></body></html>");
        empty.showed("");
        assertEquals(20, blocks(scene), "the browser may be at its beginning");
    }
}
