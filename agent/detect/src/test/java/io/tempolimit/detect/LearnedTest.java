package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What no rule knows, and the reasons that are given for it. */
class LearnedTest {
    private static final Answer WALL = Answer.html(200,
            "<html lang=sk><head>"
            + "<title>Pr\u00edstup zamietnut\u00fd</title></head><body>"
            + "<h1>Pr\u00edstup zamietnut\u00fd</h1>"
            + "<p>Va\u0161a IP adresa 198.51.100.31 bola zablokovan\u00e1. ID: 8812-aa-01</p></body></html>");
    private static final Answer REFUSAL = Answer.json(200, "{\"error\":\"Too many requests from your network, slow down\"}")
            .with("Content-Length", "58");

    private static Finding judged(Answer answer, String... ignored) {
        DetectRules rules = DetectRules.builder().ignored(java.util.Arrays.asList(ignored)).build();
        return answer.judged(new Detector(Collections.emptyList()), rules, null);
    }

    @Test
    void saysWhyAndIsSilencedAsARuleIs() {
        Finding wall = judged(WALL);
        assertTrue(wall.counts());
        assertEquals("learned", wall.rule());
        assertTrue(wall.evidence().contains("a sentence of walls"), wall.evidence());
        assertFalse(judged(WALL, "learned").counts());
        assertFalse(judged(WALL, wall.verdict().type()).counts());
        assertTrue(Detector.names().contains("learned"));
    }

    @Test
    void readsDataToo() {
        assertEquals(Verdict.RATE_LIMITED, judged(REFUSAL).verdict());
        assertFalse(judged(Answer.json(200,
                "{\"comments\":[{\"text\":\"Too many requests, they say\"}]}").with("Content-Length", "54")).counts());
        assertFalse(judged(Answer.json(403, "{\"error\":\"forbidden\",\"message\":\"You lack the role editor\"}")).counts());
    }

    @Test
    void saysNothingOfPagesWithMoreText() {
        String more = new String(WALL.body, StandardCharsets.UTF_8).replace("</body>",
                "<p>" + String.join(" ", Collections.nCopies(340, "viac slov")) + "</p></body>");
        assertFalse(judged(Answer.html(200, more)).counts());
    }

    @Test
    void dataThatTellsOfNoFailureMaySpeakOfAnything() {
        assertFalse(judged(Answer.json(200, "{\"id\":429,\"name\":\"Too many requests\",\"text\":\"Your IP was blocked\"}")
                .with("Content-Length", "67")).counts());
    }

    /** What stands far apart on a page says less than what stands in one sentence. */
    @Test
    void readsSentences() {
        String[] walls = {"<html><body><h1>403</h1><p>Deine Anfrage wurde von der Firewall blockiert.</p></body></html>",
            "<html><body><h1>403</h1><p>Ваш запрос заблокирован системой защиты.</p></body></html>"};
        for (String wall : walls) {
            assertTrue(judged(Answer.html(200, wall)).counts(), wall);
        }
        assertFalse(judged(Answer.html(200, "<html><body><h1>Hof</h1><p>Deine Blumen blühen. Die Anfrage der Nachbarn kam spät. "
                + "Die Straße ist blockiert. Eine Firewall aus Ziegeln steht.</p></body></html>")).counts());
    }

    /** Signs stand before words and between them, not only ASCII's. */
    @Test
    void signsEndWords() {
        Words words = Learned.all().words;
        String[] texts = {"¿Qué es un captcha?", "«Was ist» ein Captcha", "Qu'est-ce qu'un captcha ?", "Qu’est-ce qu’un captcha ?"};
        for (String text : texts) {
            assertTrue(speaksOf(words, "explained", text), text);
            assertTrue(speaksOf(words, "captcha", text), text);
        }
    }

    /** A line of words that began with "is " was once taken for a subject of its own, and all lines after it for its words. */
    @Test
    void subjectsAreSingleWords() {
        Words words = Learned.all().words;
        for (String name : words.names) {
            assertTrue(name.matches("[a-z]+"), name);
        }
        for (String text : new String[] {"Uw toegang is geblokkeerd", "已被拦截", "truy cập bị chặn", "is rate limiting you"}) {
            assertTrue(speaksOf(words, "refusal", text), text);
        }
    }

    private static boolean speaksOf(Words words, String subject, String text) {
        return (words.in(text) & 1L << words.names.indexOf(subject)) != 0;
    }

    /** It may quote any wall. */
    @Test
    void aPageThatExplainsIsNoWall() {
        String wall = "<html><head><title>%s</title></head><body><h1>%s</h1><p>Your IP address 198.51.100.31 was blocked by the firewall, "
                + "as your network sends too many automated requests. Confirm that you are human.</p></body></html>";
        assertTrue(judged(Answer.html(200, String.format(wall, "Access stopped", "Stop"))).counts());
        assertFalse(judged(Answer.html(200, String.format(wall, "What is a firewall?", "Stop"))).counts());
        assertFalse(judged(Answer.html(200, String.format(wall, "shop.example", "How firewalls speak"))).counts());
    }

    /** Programs write letters as numbers, and words as names: in capitals, joined by signs, or with capitals in between. */
    @Test
    void readsDataAsItIsWritten() {
        String[] walls = {"{\"error\":\"\\u0421\\u043b\\u0438\\u0448\\u043a\\u043e\\u043c \\u043c\\u043d\\u043e\\u0433\\u043e "
                + "\\u0437\\u0430\\u043f\\u0440\\u043e\\u0441\\u043e\\u0432\"}",
            "{\"status\":\"error\",\"message\":\"Слишком много запросов, попробуйте позже\"}",
            "{ \"error\" : { \"status\" : 429, \"message\" : \"API rate limit exceeded\" } }",
            "{\"status\":\"0\",\"info\":\"DAILY_QUERY_OVER_LIMIT\",\"infocode\":\"10003\"}",
            "{\"errorType\":\"RequestsThrottled\",\"message\":\"tooManyRequests\"}"};
        for (String wall : walls) {
            assertTrue(judged(Answer.json(200, wall).with("Content-Length", "99")).counts(), wall);
        }
        String[] others = {"{\"bans\":[{\"ip\":\"203.0.113.4\",\"reason\":\"too many requests\"}],\"next\":2}",
            "{\"error\":\"forbidden\",\"message\":\"You do not have permission to see this resource\"}"};
        for (String other : others) {
            assertFalse(judged(Answer.json(200, other).with("Content-Length", "99")).counts(), other);
        }
    }

    /** What would be refused under a condition is not refused. */
    @Test
    void aConditionIsNoWall() {
        String page = "<html><head><title>shop.example</title></head><body><p>%s</p></body></html>";
        assertTrue(judged(Answer.html(200, String.format(page, "Your access is blocked by our firewall."))).counts());
        assertFalse(judged(Answer.html(200, String.format(page, "If your access is blocked by our firewall, write to us."))).counts());
    }

    /** A page may say no more than that one is refused. */
    @Test
    void aRefusalNeedsNoReasons() {
        String page = "<html><head><title>%1$s</title></head><body><h1>%1$s</h1></body></html>";
        for (String refusal : new String[] {"Access Denied", "Zugriff verweigert", "Too Many Requests", "禁止访问", "Доступ запрещен"}) {
            assertTrue(judged(Answer.html(200, String.format(page, refusal))).counts(), refusal);
        }
        for (String other : new String[] {"Blocked users", "Private profile", "Zugriff", "404 Not Found"}) {
            assertFalse(judged(Answer.html(200, String.format(page, other))).counts(), other);
        }
    }

    @Test
    void aPageThatWasCutIsNotJudged() {
        Look look = WALL.look(new Detector(Collections.emptyList()), DetectRules.DEFAULT, null);
        look.add(WALL.body, 0, WALL.body.length - 10);
        assertFalse(look.end(false).counts());
    }

    /** Walls say that the visitor's own access or address is refused. Reports on others do not, nor does a lack of rights. */
    @Test
    void theVisitorIsSpokenTo() {
        String page = "<html><head><title>shop.example</title></head><body><h1>%s</h1><p>%s</p></body></html>";
        String[] walls = {"Your access was refused, as your address is on a blacklist.",
            "Ihr Zugriff wurde abgelehnt, da Ihre IP gesperrt ist.", "Akses Anda ditolak, alamat IP Anda diblokir.",
            "Jūsų prieiga užblokuota, nes jūsų IP adresas uždraustas."};
        for (String wall : walls) {
            assertTrue(judged(Answer.html(200, String.format(page, "403", wall))).counts(), wall);
        }
        String[] others = {"The council has blocked access to the bridge, a spokesman said.",
            "Your manager has denied your request for leave.", "You do not have permission to open this folder.",
            "Many visitors are here, the servers are very busy."};
        for (String other : others) {
            assertFalse(judged(Answer.html(200, String.format(page, "403", other))).counts(), other);
        }
    }

    /** A title that asks something is answered below, unless it asks what walls ask. */
    @Test
    void aQuestionIsNoWall() {
        String page = "<html><head><title>%s</title></head><body>"
                + "<p>Your access was refused, as your IP address is on a blacklist.</p></body></html>";
        assertTrue(judged(Answer.html(200, String.format(page, "Access refused"))).counts());
        assertFalse(judged(Answer.html(200, String.format(page, "Is your access refused?"))).counts());
        assertTrue(judged(Answer.html(200, String.format(page, "Are you a robot?"))).counts());
    }

    /** Contacts, a way home and numbers stand on walls as on any page. */
    @Test
    void aWallMayGoOnAsAnyPageDoes() {
        String page = "<html><head><title>shop.example</title></head><body><h1>%s</h1><p>%s</p><p>%s</p><p>Ray: 8d21f0a97c3b5e44</p>"
                + "<p>IP: 203.0.113.21</p><a href=\"/\">Home</a></body></html>";
        String[][] walls = {
            {"Access denied", "Your request has been blocked.", "If the problem persists, contact the owner of the site."},
            {"Zugriff gesperrt", "Unsere Firewall hat Ihre Anfrage abgewiesen.", "Wenn das Problem bleibt, schreiben Sie uns."},
            {"Доступ ограничен", "Ваш запрос заблокирован системой безопасности.", "Если проблема повторяется, напишите нам."}};
        for (String[] wall : walls) {
            assertTrue(judged(Answer.html(200, String.format(page, (Object[]) wall))).counts(), wall[0]);
        }
        String[][] others = {
            {"Error 500", "Something went wrong on our side.", "If the problem persists, contact the owner of the site."},
            {"Nicht gefunden", "Diese Seite gibt es nicht.", "Wenn das Problem bleibt, schreiben Sie uns."},
            {"Ошибка 502", "Сервер временно недоступен.", "Если проблема повторяется, напишите нам."}};
        for (String[] other : others) {
            assertFalse(judged(Answer.html(200, String.format(page, (Object[]) other))).counts(), other[0]);
        }
    }

    /** A panel of a guard tells of other visitors, in tables. */
    @Test
    void aTableIsNoWall() {
        assertFalse(judged(Answer.html(200, "<html><head><title>Attacks</title></head><body><h1>Attacks</h1><p>203.0.113.4 blocked: "
                + "too many requests</p><p>203.0.113.9 blocked: bot</p></body></html>")).counts());
        assertFalse(judged(Answer.html(200, "<html><head><title>WAF</title></head><body><p>Requests 9100</p><p>Attacks blocked 31</p>"
                + "<p>Bots blocked 7</p><p>Rate limited 80</p></body></html>")).counts());
        Numbers wall = new Numbers(" error 429 wait 30 seconds 203.0.113.4 8d21f0a97c3b5e44 203.0.113.4 10:11:12 ".getBytes(
                StandardCharsets.US_ASCII));
        assertEquals(1, wall.addresses);
        assertEquals(2, wall.figures);
        assertTrue(wall.number);
        assertEquals(2, new Numbers(" 203.0.113.4 203.0.113.9 10.0.0.1 ".getBytes(StandardCharsets.US_ASCII)).addresses);
    }
}
