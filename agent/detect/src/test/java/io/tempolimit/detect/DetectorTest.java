package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DetectorTest {
    private static final String CHALLENGE = "<title>Just a moment...</title><script>window._cf_chl_opt={};"
            + "a.src='/cdn-cgi/challenge-platform/h/b/orchestrate/x'</script>";
    private static final Detector DETECTOR = new Detector(Collections.emptyList());

    private static DetectRules ignoring(String... names) {
        return DetectRules.builder().ignored(Arrays.asList(names)).build();
    }

    private static Finding judged(Answer answer, DetectRules rules) {
        return answer.judged(DETECTOR, rules, null);
    }

    private static Finding judged(Answer answer, BlockRule... own) {
        return answer.judged(new Detector(Arrays.asList(own)), DetectRules.DEFAULT, null);
    }

    // ---- the catalogue

    @Test
    void theCatalogueSaysOfEachRuleAllThatBelongsToIt() {
        Set<String> names = new HashSet<>();
        for (Rule rule : Catalogue.all().rules) {
            assertTrue(names.add(rule.name), "twice: " + rule.name);
            assertNotNull(rule.kind, rule.name);
            assertTrue(rule.weight != 0, rule.name);
            if (rule.verdict == null) {
                assertTrue(rule.kind.ordinal() > Rule.Kind.WALL.ordinal() && rule.vendor == null, rule.name);
                continue;
            }
            assertTrue(rule.verdict.isBlock(), rule.name);
            assertTrue(rule.kind.ordinal() <= Rule.Kind.PHRASE.ordinal(), rule.name);
            assertTrue(rule.source.startsWith("verified: ") || rule.source.startsWith("second-hand: "), rule.name);
            if (rule.ofHead) {
                assertEquals(100, rule.weight, rule.name + " has no condition on the page, so it decides alone");
                assertTrue(rule.hasHeaders || !rule.addresses.isEmpty(), rule.name + " has no condition but the status");
                assertFalse(rule.hasHeaders && !rule.addresses.isEmpty(), rule.name);
            } else {
                assertTrue(rule.addresses.isEmpty(), rule.name);
            }
            if (rule.kind == Rule.Kind.WIDGET || rule.kind == Rule.Kind.PHRASE) {
                assertTrue(rule.weight < 50, rule.name + " alone is a look-alike");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"vendor x", "rule a\nfoo bar", "rule a\ntype success", "rule a\nkind odd", "rule a\nalone",
        "rule a\ntag,place x", "rule a\nheader x"})
    void aFaultyLineOfTheCatalogueIsTold(String file) {
        assertThrows(IllegalArgumentException.class,
                () -> Preparation.rules(Arrays.asList(file.split("\n")), new DataOutputStream(new ByteArrayOutputStream())));
    }

    @Test
    void namesAreThoseThatMayBeIgnored() {
        Set<String> names = Detector.names();
        assertTrue(names.containsAll(Arrays.asList("captcha", "cloudflare", "cloudflare-challenge-script",
                "403_forbidden", "baseline", "status", "blank_page")));
        assertFalse(names.contains("success"));
    }

    // ---- what is settled by the head

    @ParameterizedTest
    @CsvSource({
        "GET,200,text/html,false", "GET,200,,false", "GET,200,application/json,false", "GET,200,image/png,true",
        "GET,200,text/plain,false", "GET,200,text/event-stream,true",
        "GET,403,text/html,false", "GET,403,application/json,false", "GET,403,image/png,true",
        "GET,429,text/plain,false", "GET,503,text/html,false", "GET,401,text/html,false",
        "GET,404,text/html,true", "GET,410,text/html,true", "GET,204,text/html,true", "GET,206,text/html,true",
        "GET,304,text/html,true", "GET,301,text/html,true", "HEAD,403,text/html,true",
        "HEAD,200,text/html,true", "POST,200,text/html,false", "GET,101,,true"})
    void tapsOnlyBodiesThatCanChangeTheVerdict(String method, int status, String type, boolean settled) {
        Answer answer = new Answer(status).method(method);
        if (type != null) {
            answer.with("content-type", type);
        }
        assertEquals(settled, answer.look(DETECTOR, DetectRules.DEFAULT, null).settled());
    }

    @Test
    void aHeaderThatDecidesSettles() {
        Look look = Answer.html(403, "").with("CF-MITIGATED", "Challenge").look(DETECTOR, DetectRules.DEFAULT, null);
        assertTrue(look.settled());
        assertEquals("header cf-mitigated", look.head().evidence());
        assertEquals("cloudflare", look.head().vendor());
    }

    @Test
    void nothingIsTappedWhereNoBodyIsToBeLookedAt() {
        Look look = Answer.html(200, CHALLENGE).look(DETECTOR, DetectRules.builder().bodyLimit(0).build(), null);
        assertTrue(look.settled());
        assertEquals(Verdict.SUCCESS, look.end(true).verdict());
    }

    @Test
    void aBodyThatWasNotReadLeavesTheHeadsVerdict() {
        Look look = Answer.html(403, CHALLENGE).look(DETECTOR, DetectRules.DEFAULT, null);
        assertFalse(look.settled());
        assertEquals(Verdict.FORBIDDEN, look.end(false).verdict());
        look = Answer.html(200, "").look(DETECTOR, DetectRules.DEFAULT, null);
        assertEquals(Verdict.SUCCESS, look.end(false).verdict());
    }

    @Test
    void aBodyThatWasCutIsNoBlankPageAndHasNoLittleText() {
        Look look = Answer.html(200, "").look(DETECTOR, DetectRules.DEFAULT, null);
        look.add(new byte[] {' '}, 0, 1);
        assertEquals(Verdict.SUCCESS, look.end(false).verdict());
        byte[] begin = "<title>Verify you are human</title><div class=g-recaptcha></div>".getBytes(StandardCharsets.UTF_8);
        look = Answer.html(200, "").look(DETECTOR, DetectRules.DEFAULT, null);
        look.add(begin, 0, begin.length);
        assertEquals(Verdict.SUCCESS, look.end(false).verdict(), "text may have followed");
        byte[] challenge = CHALLENGE.getBytes(StandardCharsets.UTF_8);
        look = Answer.html(200, "").look(DETECTOR, DetectRules.DEFAULT, null);
        look.add(challenge, 0, challenge.length);
        assertEquals(Verdict.CLOUDFLARE_CHALLENGE, look.end(false).verdict(), "what it is built of is enough");
    }

    @Test
    void endIsTheSameTwiceAndNothingIsTakenAfterIt() {
        Look look = Answer.html(200, "").look(DETECTOR, DetectRules.DEFAULT, null);
        ByteBuffer challenge = ByteBuffer.wrap(CHALLENGE.getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer();
        look.add(challenge);
        assertEquals(0, challenge.position());
        Finding first = look.end(true);
        assertEquals(Verdict.CLOUDFLARE_CHALLENGE, first.verdict());
        assertFalse(look.add(new byte[9], 0, 9));
        assertFalse(look.add(ByteBuffer.allocate(9)));
        assertTrue(first == look.end(false));
    }

    @Test
    void readsWhatIsEncoded() throws IOException {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
            out.write(CHALLENGE.getBytes(StandardCharsets.UTF_8));
        }
        assertEquals(Verdict.CLOUDFLARE_CHALLENGE,
                Answer.html(200, "").with("Content-Encoding", "gzip").body(gzip.toByteArray()).judged().verdict());
        assertEquals(Verdict.SUCCESS, Answer.html(200, "").with("Content-Encoding", "zstd").body(gzip.toByteArray())
                .judged().verdict(), "what cannot be read is no blank page");
    }

    @Test
    void aClientsOddHeadDoesNoHarm() {
        Head odd = new Head() {
            @Override
            public int status() {
                return 429;
            }

            @Override
            public void headers(Headers to) {
                to.add(null, "x");
                to.add("x", null);
                to.add("", "");
                throw new IllegalStateException("closed");
            }
        };
        Look look = DETECTOR.look("GET", "h", null, odd, DetectRules.DEFAULT, null);
        assertEquals(Verdict.RATE_LIMITED, look.head().verdict());
        assertTrue(look.settled());
        assertEquals(Verdict.RATE_LIMITED, look.end(true).verdict());
        Head broken = new Head() {
            @Override
            public int status() {
                throw new IllegalStateException();
            }

            @Override
            public void headers(Headers to) { }
        };
        assertEquals(Verdict.NEUTRAL, DETECTOR.look(null, null, null, broken, DetectRules.DEFAULT, null).end(true).verdict());
    }

    // ---- statuses

    @Test
    void theStatusesThatAreBlocksAreTheUsers() {
        DetectRules rules = DetectRules.builder().statuses(Arrays.asList(503, 404)).build();
        assertEquals(Verdict.RATE_LIMITED, judged(Answer.html(503, "<p>x"), rules).verdict());
        assertTrue(judged(Answer.html(404, ""), rules).counts());
        assertEquals(Verdict.NEUTRAL, judged(Answer.html(429, "<p>x"), rules).verdict());
        assertEquals(Verdict.NEUTRAL, judged(Answer.html(403, "<p>x"), rules).verdict());
        assertEquals(Verdict.CLOUDFLARE_CHALLENGE, judged(Answer.html(403, CHALLENGE), rules).verdict());
    }

    @ParameterizedTest
    @CsvSource({"200,success", "201,success", "204,success", "304,success", "404,success", "410,success", "101,success",
        "301,neutral", "400,neutral", "401,neutral", "407,neutral", "451,neutral",
        "403,403_forbidden", "429,429_rate_limited", "418,429_rate_limited", "420,429_rate_limited",
        "509,429_rate_limited", "999,429_rate_limited", "500,server_overload", "502,server_overload",
        "503,server_overload", "520,server_overload", "527,server_overload", "529,server_overload",
        "530,server_overload", "0,neutral", "-1,neutral", "700,neutral"})
    void byStatusAlone(int status, String type) {
        assertEquals(type, new Answer(status).judged().verdict().type());
        assertEquals(type, Verdict.of(status).type());
    }

    // ---- the user's own rules

    @Test
    void ownRuleWantsAllOfItsConditions() {
        BlockRule rule = BlockRule.builder("block_rules[0]").hosts(host -> host.endsWith(".example"))
                .statuses(Arrays.asList(200, 201)).titles(Arrays.asList("Please  Wait", "Moment"))
                .bodyContains(Arrays.asList("Unusual Traffic", "zu viele Zugriffe")).header("X-Deny", "*").build();
        String body = "<title>please\nwait</title><p>The museum shows unusual <b>traffic</b> signs";
        Finding found = judged(Answer.html(200, body).with("x-deny", "7"), rule);
        assertEquals(Verdict.SOFT_BLOCK, found.verdict());
        assertEquals("block_rules[0]", found.rule());
        assertEquals("title: Please  Wait; body: Unusual Traffic", found.evidence());
        assertTrue(found.counts());
        assertEquals(Verdict.SUCCESS, judged(Answer.html(200, body), rule).verdict());
        assertEquals(Verdict.SUCCESS, judged(Answer.html(203, body).with("x-deny", "7"), rule).verdict());
        assertEquals(Verdict.SUCCESS, judged(Answer.html(200, body).with("x-deny", "7").host("shop.test"), rule).verdict());
        assertEquals(Verdict.SUCCESS, judged(Answer.html(200, "<title>please wait now</title>The museum shows unusual traffic signs")
                .with("x-deny", "7"), rule).verdict());
        assertEquals(Verdict.SUCCESS, judged(Answer.html(200, "<title>please wait</title>The museum shows usual traffic signs")
                .with("x-deny", "7"), rule).verdict());
    }

    @Test
    void ownRuleOnTheHeadSettlesAndMayNameItsType() {
        BlockRule rule = BlockRule.builder("r").type(Verdict.CAPTCHA).header("x-deny", "yes").header("x-why", "*").build();
        Look look = Answer.html(200, "").with("X-Deny", "YES").with("X-Why", "")
                .look(new Detector(Collections.singletonList(rule)), DetectRules.DEFAULT, null);
        assertTrue(look.settled());
        assertEquals(Verdict.CAPTCHA, look.head().verdict());
        assertFalse(judged(Answer.html(200, "<p>x").with("X-Deny", "YES"), rule).verdict().isBlock());
        assertFalse(judged(Answer.html(200, "<p>x").with("X-Deny", "yes, really").with("X-Why", "x"), rule).verdict().isBlock());
        assertThrows(IllegalArgumentException.class, () -> BlockRule.builder("r").type(Verdict.SUCCESS));
    }

    @Test
    void ownRuleReachesBodiesThatWouldNotBeRead() {
        BlockRule rule = BlockRule.builder("r").bodyContains(Collections.singletonList("\"blocked\":true")).build();
        assertEquals(Verdict.SOFT_BLOCK, judged(Answer.json(200, "{\"Blocked\":true}"), rule).verdict());
        assertEquals(Verdict.SOFT_BLOCK, judged(Answer.json(404, "{\"blocked\":true}"), rule).verdict());
        assertEquals(Verdict.SUCCESS, judged(Answer.json(200, "{\"blocked\":false}"), rule).verdict());
    }

    @Test
    void ownRuleGoesBeforeTheCatalogueAndTheStatus() {
        BlockRule rule = BlockRule.builder("r").type(Verdict.RATE_LIMITED).statuses(Collections.singletonList(403)).build();
        assertEquals("r", judged(Answer.html(403, CHALLENGE).with("cf-mitigated", "challenge"), rule).rule());
    }

    @Test
    void ownRuleSeesTextInTheDocumentsCharset() {
        BlockRule rule = BlockRule.builder("r").bodyContains(Collections.singletonList("ZUGRIFF GESPERRT für")).build();
        Answer answer = new Answer(200).with("Content-Type", "text/html; charset=iso-8859-1")
                .body("<p>Zugriff gesperrt F\u00dcR heute".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(Verdict.SOFT_BLOCK, judged(answer, rule).verdict());
    }

    // ---- what is ignored

    @ParameterizedTest
    @ValueSource(strings = {"cloudflare", "Cloudflare", "cloudflare_challenge"})
    void whatIsIgnoredOnAGoodStatusIsAPage(String name) {
        Finding found = judged(Answer.html(200, CHALLENGE), ignoring(name));
        assertEquals(Verdict.SUCCESS, found.verdict());
        assertFalse(found.counts());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cloudflare", "cloudflare_challenge"})
    void whatIsIgnoredDoesNotCountByItsStatusInstead(String name) {
        Finding found = judged(Answer.html(403, CHALLENGE), ignoring(name));
        assertEquals(Verdict.FORBIDDEN, found.verdict());
        assertFalse(found.counts());
        assertEquals("cloudflare", found.vendor());
        found = judged(Answer.html(403, CHALLENGE).with("cf-mitigated", "challenge"), ignoring(name));
        assertFalse(found.counts());
    }

    @Test
    void anotherRuleStillFindsWhatOneThatIsIgnoredWould() {
        Finding found = judged(Answer.html(200, CHALLENGE), ignoring("cloudflare-challenge-script"));
        assertEquals("cloudflare-challenge-options", found.rule());
    }

    @ParameterizedTest
    @CsvSource({"403,403_forbidden", "429,429_rate_limited", "429,status", "403,status"})
    void aTypeThatIsIgnoredDoesNotCount(int status, String name) {
        Finding found = judged(Answer.html(status, "<p>x"), ignoring(name));
        assertTrue(found.verdict().isBlock());
        assertFalse(found.counts());
    }

    @Test
    void blankPagesAndOwnRulesCanBeIgnored() {
        assertFalse(judged(Answer.html(200, " "), ignoring("blank_page")).counts());
        BlockRule rule = BlockRule.builder("block_rules[3]").bodyContains(Collections.singletonList("x")).build();
        assertEquals(Verdict.SUCCESS, Answer.html(200, "<p>x")
                .judged(new Detector(Collections.singletonList(rule)), ignoring("block_rules[3]"), null).verdict());
        assertEquals(Verdict.SUCCESS, Answer.html(200, "<p>x")
                .judged(new Detector(Collections.singletonList(rule)), ignoring("soft_block"), null).verdict());
    }

    // ---- addresses

    @ParameterizedTest
    @ValueSource(strings = {"https://www.google.com/sorry/index?continue=x", "https://www.google.co.uk:443/sorry/index",
        "HTTPS://WWW.GOOGLE.DE/sorry/index#x", "https://user:pw@www.google.com/sorry/index",
        "https://www.amazon.de/errors/validateCaptcha?x", "https://www.linkedin.com/authwall?trk=1", "https://concerts.queue-it.net/?c=x"})
    void aBrowserThatEndsOnABlocksAddressIsBlocked(String url) {
        Finding found = DETECTOR.landed(url, DetectRules.DEFAULT);
        assertTrue(found.counts(), url);
        assertNotNull(found.rule());
        assertFalse(found.evidence().contains("continue"));
        assertFalse(DETECTOR.landed(url, ignoring(found.vendor())).counts());
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://www.google.com/search?q=https://www.google.com/sorry/index",
        "https://shop.example/authwall", "https://evil.example/#www.google.com/sorry/index", "about:blank", "", "::::",
        "data:text/html,<p>x", "https://", "//", "https://google.com.example/sorry/x", "https://www.google.com", "file:///errors/x"})
    void otherAddressesSayNothing(String url) {
        assertEquals(Verdict.NEUTRAL, DETECTOR.landed(url, DetectRules.DEFAULT).verdict(), url);
    }

    @Test
    void noAddressAtAllSaysNothing() {
        assertEquals(Verdict.NEUTRAL, DETECTOR.landed(null, DetectRules.DEFAULT).verdict());
    }

    @Test
    void aRedirectIsRelativeToItsHost() {
        assertEquals("google-sorry-address", new Answer(302).host("www.google.com").with("Location", "/sorry/index?q=1").judged().rule());
        assertEquals(Verdict.NEUTRAL, new Answer(302).host("www.shop.example").with("Location", "/sorry/index?q=1").judged().verdict());
        assertEquals(Verdict.SUCCESS, Answer.html(200, "<p>x").with("Location", "https://www.google.com/sorry/index").judged().verdict());
    }

    // ---- why

    @Test
    void aFindingAndItsScoresSayWhy() {
        Answer answer = Answer.html(200, "<title>Verify you are human</title><div class='h-captcha'></div>");
        Look look = answer.look(DETECTOR, DetectRules.DEFAULT, null);
        look.add(answer.body, 0, answer.body.length);
        Finding found = look.end(true);
        assertEquals("captcha-title", found.rule());
        assertEquals("title: verify you are human", found.evidence());
        assertEquals("hcaptcha", found.vendor());
        List<String> scored = new ArrayList<>();
        int sum = 0;
        for (Score s : look.scores()) {
            scored.add(s.rule());
            sum += s.weight();
        }
        assertEquals(Arrays.asList("captcha-title", "hcaptcha", "little-text", "bare-page"), scored);
        assertEquals(sum, look.score());
        assertNull(look.scores().get(2).verdict());
    }

    @Test
    void evidenceNeverHoldsWhatTheSiteSent() {
        Finding found = new Answer(302).with("Location", "https://www.linkedin.com/authwall?session=SECRET").judged();
        assertFalse(found.evidence().contains("SECRET"));
        found = Answer.html(403, "x").with("x-kpsdk-ct", "SECRET").judged();
        assertFalse(found.evidence().contains("SECRET"));
    }

    // ---- fuzz

    @Test
    void nothingThatAnAnswerHoldsThrows() {
        String[] names = {"content-type", "Content-Encoding", "content-length", "location", "retry-after", "date",
                "ratelimit", "x-ratelimit-remaining", "x-ratelimit-reset", "content-disposition", "x-cache",
            "cf-mitigated", "x-datadome", "", "\u0130", "server"};
        String[] values = {"text/html", "text/html; charset=", "gzip", "br, gzip", "deflate", "-1", "0",
                "99999999999999999999999", "//", "://", "http://[", "https://www.google.com/sorry/", "\0", "ü\ud800",
            "Sun, 99 Foo 99999 99:99:99 GMT", "\"a\";r=0;t=9999999999999999999", ";;;===", "attachment", "*", "!",
            "challenge", "application/json"};
        String[] parts = {"<title>", "</title>", "<script>", "</script>", "<!--", "-->", "<a href=\"", "'", ">",
                "window._cf_chl_opt", "/cdn-cgi/challenge-platform/ /orchestrate/", "<div class=g-recaptcha>", "\0", "\u00ff",
            "<input type=password>", "just a moment...", "{", "error code: 1020", "&#x", "&amp", "<", "<plaintext>"};
        Random random = new Random(7);
        Detector detector = new Detector(Collections.singletonList(BlockRule.builder("r")
                .titles(Collections.singletonList("x")).bodyContains(Arrays.asList("error", "a")).header("server", "*")
                .build()));
        Baseline baseline = new Baseline();
        long end = System.nanoTime() + 1_000_000_000L;
        for (int i = 0; i < 40_000 && System.nanoTime() < end; i++) {
            Answer answer = new Answer(random.nextInt(4) == 0 ? random.nextInt() : 200 + random.nextInt(400));
            for (int n = random.nextInt(6); n > 0; n--) {
                answer.with(names[random.nextInt(names.length)], values[random.nextInt(values.length)]);
            }
            StringBuilder body = new StringBuilder();
            for (int n = random.nextInt(12); n > 0; n--) {
                body.append(parts[random.nextInt(parts.length)]);
            }
            answer.body(body.toString()).path(random.nextBoolean() ? null : "/" + random.nextInt(9));
            Finding found = answer.judged(detector, DetectRules.DEFAULT, baseline);
            assertTrue(found.retryAfter() >= -1);
            assertEquals(found.verdict().isBlock() && found.counts(), found.counts());
            detector.landed(values[random.nextInt(values.length)] + parts[random.nextInt(parts.length)], DetectRules.DEFAULT);
        }
    }
}
