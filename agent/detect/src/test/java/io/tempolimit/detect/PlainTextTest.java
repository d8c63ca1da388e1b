package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Short plain texts with 200: refusals that no rule knows, and what looks like them. */
class PlainTextTest {
    private static Answer text(String body) {
        return new Answer(200).with("Content-Type", "text/plain; charset=utf-8")
                .with("Content-Length", String.valueOf(body.getBytes(StandardCharsets.UTF_8).length)).body(body);
    }

    @Test
    void aRefusalInPlainTextIsABlock() {
        String[] refusals = {"Too many requests, slow down", "Access denied - bot detected", "Zu viele Anfragen von Ihrer IP-Adresse.",
            "Доступ запрещён. Ваш IP-адрес заблокирован.", "Your IP 203.0.113.9 was blocked:\ntoo many requests.\n"};
        for (String refusal : refusals) {
            assertTrue(text(refusal).judged().counts(), refusal);
        }
        assertEquals(Verdict.RATE_LIMITED, text(refusals[0]).judged().verdict());
    }

    @Test
    void otherTextsAreNone() {
        String[] others = {"OK", "203.0.113.77", "You do not have permission to read this file.",
            "2026-01-02 10:11:12 WARN your IP was blocked: too many requests",
            "# Limits\n\nYour IP is blocked if you send too many requests.",
            "Errors:\n\n403 your IP address is blocked\n429 you sent too many requests\n503 wait",
            "Why was my IP address blocked?\n\nYou have sent too many requests."};
        for (String other : others) {
            assertFalse(text(other).judged().counts(), other);
        }
    }

    /** Most servers send what they compress, or make as they go, without its length: the first 20 of a host were not looked at. */
    @Test
    void aRefusalWhoseLengthNobodyTellsIsABlockToo() {
        String[][] refusals = {{"application/json", "{\"error\":\"rate limit exceeded\"}"}, {"text/plain", "Too many requests, slow down"},
            {"application/xml", "<?xml version=\"1.0\"?><error><code>429</code><message>Too many requests</message></error>"}};
        for (String[] refusal : refusals) {
            assertTrue(new Answer(200).with("Content-Type", refusal[0]).body(refusal[1]).judged().counts(), refusal[1]);
        }
    }

    /** A long one is not read, and neither is what a program asks for. */
    @Test
    void aTextMayBeTooLong() {
        StringBuilder more = new StringBuilder("Too many requests, slow down.\n");
        while (more.length() <= 1000) {
            more.append("Your IP address was blocked. ");
        }
        assertFalse(text(more.toString()).judged().counts());
        assertFalse(text("Too many requests, slow down").path("/robots.txt").judged().counts());
    }

    /** A line that is short ends what it says, a long one goes on in the next. */
    @Test
    void aSentenceMayGoOnInTheNextLine() {
        assertEquals(" access denied\nyour ip \n ", new String(Data.text("Access  denied\r\nYour IP".getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8).replace("ip\n", "ip \n"));
        String wrapped = "As far as we can see the requests that come from the network \nthat you use are blocked";
        assertTrue(new String(Data.text(wrapped.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8).contains("network that"));
    }
}
