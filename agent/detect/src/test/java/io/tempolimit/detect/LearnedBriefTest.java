package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Walls of a few words that were missed, and ordinary pages and answers of a few words that were taken for walls. */
class LearnedBriefTest {
    private static boolean html(String title, String body) {
        return Answer.html(200, "<html><head><title>" + title + "</title></head><body>" + body + "</body></html>").judged().counts();
    }

    private static boolean data(String type, String body) {
        return new Answer(200).with("Content-Type", type).body(body)
                .with("Content-Length", "" + body.getBytes(StandardCharsets.UTF_8).length).judged().counts();
    }

    private static boolean json(String body) {
        return data("application/json", body);
    }

    /** A wall of two words was no sentence of walls. */
    @Test
    void twoWordsMayBeAWall() {
        String[] walls = {"Bot detected", "Robots are not allowed here!", "Captcha required", "Scrapers are not welcome here.",
            "Stop scraping!", "You look like a robot", "Bot erkannt",
            "Bot d\u00e9tect\u00e9", "No se permiten robots", "\u68c0\u6d4b\u5230\u722c\u866b"};
        for (String wall : walls) {
            assertTrue(html("", wall), wall);
            assertTrue(html(wall, "<h1>" + wall + "</h1>"), wall);
            assertTrue(data("text/plain; charset=utf-8", wall), wall);
        }
        String[] others = {"Robots", "Captcha", "Bot started", "Invalid captcha", "Bots detected: a guide", "No robots found",
            "Your account was flagged: bot detected"};
        for (String other : others) {
            assertFalse(html("", other), other);
            assertFalse(data("text/plain; charset=utf-8", other), other);
        }
    }

    @Test
    void aFieldMayBeAWall() {
        String[] walls = {"{\"error\":\"anti-crawler policy triggered\"}", "{\"error\":\"bot_detected\"}",
            "{\"isBot\":true,\"action\":\"block\"}",
            "{\"code\":1015,\"needVerify\":true,\"verifyUrl\":\"/verify?x=1\"}", "{\"reason\":\"crawler detected\",\"allow\":false}",
            "{\"status\":403,\"errors\":[\"Robot check required\"]}"};
        for (String wall : walls) {
            assertTrue(json(wall), wall);
        }
    }

    /** A bot that is blocked, a limit that is told, and an account that is locked were walls. */
    @Test
    void whatIsSaidOfABotOrAnAccountIsNoWall() {
        String[] others = {"{\"ok\":false,\"error_code\":403,\"description\":\"Forbidden: bot was blocked by the user\"}",
            "{\"message\":\"Hello\",\"rate_limit\":{\"limit\":60,\"remaining\":12}}",
            "{\"error\":{\"field\":\"rate_limit\",\"message\":\"has to be a positive number\"}}",
            "{\"error\":\"Suspicious activity detected on your account. Reset your password.\"}",
            "{\"error\":\"Suspicious login. Check your e-mail for a code.\"}", "{\"error\":\"The arm of the robot is blocked\"}",
            "{\"needVerify\":true,\"message\":\"Please verify your phone number\"}"};
        for (String other : others) {
            assertFalse(json(other), other);
        }
    }

    /** "Access denied. Please log in." was a wall by a rule, as it is short. */
    @Test
    void whoHasToLogInIsNotRefused() {
        assertFalse(html("", "Access denied. Please log in."));
        assertTrue(html("", "Access denied"));
    }

    /** Mail addresses are confirmed in a browser, too. */
    @Test
    void whoConfirmsAnAddressIsNotChecked() {
        assertFalse(html("Confirme seu email", "<h1>Confirme seu email</h1><p>Antes de seguir, confirme que este email \u00e9 seu. "
                + "Se o bot\u00e3o n\u00e3o funcionar, copie este caminho no navegador.</p><a href=\"/c\">Confirmar</a>"));
        assertFalse(html("", "<p>We have sent an email to you for verification. Follow the link to finalize the signup process. "
                + "Please contact us if you do not receive it within a few minutes.</p>"));
    }

    /** What is done by itself with requests, and a form that blocks addresses, were walls. */
    @Test
    void whatManagesRequestsIsNoWall() {
        assertFalse(html("Load balancing", "<p>The service spreads requests over several machines automatically.</p>"));
        assertFalse(html("Lista", "<form method=post>Agregar IP bloqueada. Direcci\u00f3n IP: <input name=a> Motivo: "
                + "<input name=b></form>"));
    }

    /** Pages that were said to be "good" instead of "ok" passed for blocks, and the weights were fitted so. */
    @Test
    void aListSaysWhatAPageIsInKnownWordsOnly() {
        assertThrows(IOException.class, () -> Case.of(new BufferedReader(new StringReader("=== good thing\n200\n\nHello\n"))));
    }
}
