package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Kinds of walls that were missed, and of pages that were taken for one: a small page of each, and what looks like it. */
class LearnedKindsTest {
    private static final String PAGE = "<html><head><title>%s</title></head><body>%s</body></html>";
    private static final String MORE = "<p>" + String.join(" ", Collections.nCopies(140, "leaf grass")) + "</p>";

    private static boolean counts(Answer answer) {
        return answer.judged(new Detector(Collections.emptyList()), DetectRules.DEFAULT, null).counts();
    }

    private static boolean counts(String title, String body) {
        return counts(Answer.html(200, String.format(PAGE, title, body)));
    }

    private static Answer data(int status, String type, String body) {
        return new Answer(status).with("Content-Type", type).body(body)
                .with("Content-Length", String.valueOf(body.getBytes(StandardCharsets.UTF_8).length));
    }

    private static Answer json(int status, String body) {
        return data(status, "application/json", body);
    }

    private static Answer text(String body) {
        return data(200, "text/plain", body);
    }

    /** Walls with more than 1,000 characters were never judged. */
    @Test
    void aLongWallSaysAtOnceWhatItIs() {
        String wall = "<p>Your IP address 203.0.113.48 was blocked, as it sent too many requests.</p>" + MORE;
        assertTrue(counts("Access denied", wall));
        assertTrue(counts("Zugriff verweigert", "<p>Ihre IP-Adresse wurde gesperrt, da von ihr zu viele Anfragen kamen.</p>" + MORE));
        assertTrue(counts("Доступ ограничен", "<p>Ваш IP-адрес заблокирован: слишком много запросов.</p>" + MORE));
        assertFalse(counts("shop.example", MORE + wall), "what is said later in a long text is no wall");
        assertFalse(counts("Access denied", "<nav><a href=\"/\">Home</a></nav>" + wall), "a site's page");
        assertFalse(counts("Access denied", "<p>Sign in with an account that may open this folder.</p>" + MORE), "a lack of rights");
        assertFalse(counts("Addresses blocked after attack",
                "<p>The library has blocked IP addresses that sent too many requests, a spokesman said.</p>" + MORE), "a report");
    }

    /** The title alone said it, and was never read as a sentence. */
    @Test
    void aWallMaySayItInItsTitleAlone() {
        assertTrue(counts("Your IP address was blocked because of abuse", "<p>403</p>"));
        assertTrue(counts("Accès refusé : trop de requêtes depuis votre adresse IP", "<p>Erreur 9</p>"));
        assertFalse(counts("Request access control for your team", "<div id=root></div><script src=/a.js></script>"), "an application");
        assertFalse(counts("You have been blocked", "<p>anna has blocked you. You cannot see her posts.</p>"), "a person");
        assertFalse(counts("Route 429 - timetable", "<p>Every hour.</p>"), "a number");
    }

    /** An address that is refused was not taken for a network. */
    @Test
    void anAddressIsRefused() {
        assertTrue(counts("", "Sorry, 203.0.113.9 has been banned."));
        assertTrue(counts("", "198.51.100.7 has been banned up to 2026-12-02 03:52:46"));
        assertFalse(counts("", "203.0.113.9 has been online since 2026-12-02 03:52:46"));
        assertFalse(counts("Your IP address", "<h1>203.0.113.4</h1><p>Your connection is not a proxy.</p>"));
    }

    /** "Rate limit exceeded. Try again" and "VPN or proxy detected" name neither requests nor a refusal by themselves. */
    @Test
    void shortTextsRefuseInTheirOwnWords() {
        String[] walls = {"Rate limit exceeded. Try again in 30 seconds.", "Rate exceeded.",
            "VPN or proxy detected. Switch it off and try again.", "API calls quota exceeded! At most 2 in each minute."};
        for (String wall : walls) {
            assertTrue(counts(text(wall)), wall);
        }
        String[] others = {"Each key has a rate limit of 60 requests per minute.", "VPN connection established.",
            "Proxy server started on port 8080. VPN connected.", "Limit reached: no more than five favourites here.",
            "You have read all free articles of this month. Subscribe to go on."};
        for (String other : others) {
            assertFalse(counts(text(other)), other);
        }
    }

    /** Data that spoke of too many of anything was a wall. */
    @Test
    void tooManyOfSomethingElseIsNoWall() {
        String[] others = {"{\"success\":false,\"error\":\"Too many characters in your name\"}",
            "{\"error\":\"too many results, choose a smaller part\"}", "{\"error\":\"The answer would be too many rows\"}",
            "{\"message\":\"The form was sent too quickly\",\"field\":\"trap\"}",
            "{\"error\":\"The daily limit of your card for transfers is reached\"}"};
        for (String other : others) {
            assertFalse(counts(json(200, other)), other);
        }
        String[] walls = {"{\"error\":\"Too many requests\"}", "{\"error\":\"The key is over its limit of queries per second\"}",
            "{\"code\":7,\"msg\":\"操作频繁,请稍后再试\"}", "{\"error\":{\"message\":\"API calls quota exceeded\"}}"};
        for (String wall : walls) {
            assertTrue(counts(json(200, wall)), wall);
        }
    }

    @Test
    void dataRefusesProxiesAndPrograms() {
        assertTrue(counts(json(403, "{\"allowed\":false,\"reason\":\"VPN or proxy detected\"}")));
        assertTrue(counts(json(403, "{\"error\":\"Automated requests from your network were detected.\"}")));
        assertTrue(counts(data(503, "application/xml",
                "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>")));
        assertFalse(counts(json(200, "{\"ip\":\"203.0.113.4\",\"vpn\":true,\"proxy\":false,\"reason\":\"data centre\"}")));
        assertFalse(counts(json(200, "{\"required\":false,\"message\":\"No captcha is due today\"}")));
        assertFalse(counts(json(403, "{\"error\":\"You lack the role of an editor\"}")));
    }

    /** Some interfaces send 400 for a limit, as they do for what is wrong with a request. */
    @Test
    void aLimitMayComeAsAFaultyRequest() {
        assertEquals(Verdict.RATE_LIMITED, json(400,
                "{\"error_id\":11,\"error_message\":\"too many requests from this IP, more in 3456 s\"}").judged().verdict());
        assertFalse(counts(json(400, "{\"error\":\"The rate limit has to be a number between 1 and 1000\"}")));
        assertFalse(counts(json(400, "{\"error\":\"The answer to the captcha is wrong\"}")));
    }

    /** A title that refuses, and a check below it: what else the page says of accounts and examples does not matter. */
    @Test
    void aTitleRefusesAndTheTextChecks() {
        assertTrue(counts("Access to this page has been blocked",
                "<p>Press and hold the button to keep your account safe.</p><p>We need to confirm that you are human.</p>"));
        assertFalse(counts("Access denied", "<p>Your account is not verified yet. Check your e-mail and confirm your address.</p>"));
    }
}
