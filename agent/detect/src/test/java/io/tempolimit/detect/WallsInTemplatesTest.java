package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** Block pages that stand in a site's own template, with its links, its search form and its canonical address. */
class WallsInTemplatesTest {
    private static final String TEMPLATE = "<!DOCTYPE html><html><head><title>%s</title><link rel=\"canonical\" href=\"/\">"
            + "<meta property=\"og:title\" content=\"Shop\"></head><body>" + "<a href=\"/a\">a</a>".repeat(25)
            + "<form><input type=\"search\" name=\"q\"><input name=\"a\"><input name=\"b\"></form>%s</body></html>";

    private static Finding judged(String title, String body) {
        return Answer.html(200, String.format(TEMPLATE, title, body)).judged();
    }

    /** Links, form and canonical address took 90 points away of the 90 that the dialogue had. */
    @Test
    void whatOnlyTheVendorsBlockPageHasDecides() {
        Finding duck = judged("DuckDuckGo", "<form id=\"challenge-form\" action=\"//duckduckgo.com/anomaly.js?sv=html\" method=\"POST\">"
                + "<div class=\"anomaly-modal__title\">Unfortunately, bots use DuckDuckGo too.</div></form>");
        assertEquals("duckduckgo-anomaly", duck.rule());
        Finding bing = judged("lamps - Search", "<h1>One last step</h1><script>var c = "
                + "{\"verifyEndpoint\":\"/challenge/verify?partner=7\",\"captchaSuccessPostMessage\":\"done\"}</script>");
        assertEquals("bing-challenge", bing.rule());
        assertEquals(Verdict.CAPTCHA, bing.verdict());
    }

    /** Its sentences stand in it for six languages, all but one of them hidden, which made it a page with much text. */
    @Test
    void theInterruptionOfImpervaIsOneInAnyNumberOfLanguages() {
        Finding finding = judged("", "<script>function showBlockPage() { document.title = 'Pardon Our Interruption' }"
                + "window.onProtectionInitialized = function(p) { showBlockPage(); }</script>"
                + "<div>As you were browsing something about your browser made us think you were a bot. </div>".repeat(30));
        assertEquals("imperva-interruption-page", finding.rule());
    }

    /** The template holds where a site has the same things on its ordinary pages. */
    @Test
    void whatOrdinaryPagesHaveTooDoesNotDecideInATemplate() {
        assertFalse(judged("Shop", "<script src=\"/_fs-ch-1T1wmsGaOgGaSxcX/script.js\"></script><p>Lamps of brass.</p>").counts());
        assertFalse(judged("Shop", "<script>window.onProtectionInitialized = load</script><p>Lamps and chairs of brass.</p>").counts());
    }
}
