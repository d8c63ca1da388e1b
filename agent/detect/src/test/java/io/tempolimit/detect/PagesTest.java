package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each rule finds its page, and no look-alike counts: {@code pages.txt}. */
class PagesTest {
    static List<Case> cases(String file) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(PagesTest.class.getResourceAsStream(file),
                StandardCharsets.UTF_8))) {
            return Case.of(in);
        }
    }

    @TestFactory
    Stream<DynamicTest> pages() throws IOException {
        return cases("pages.txt").stream().map(c -> DynamicTest.dynamicTest(c.toString(), () -> judge(c)));
    }

    private static void judge(Case c) {
        Look look = c.looked();
        Finding found = look.end(true);
        String why = found.verdict().type() + " " + found.vendor() + " " + found.rule() + " [" + found.evidence()
                + "] score " + look.score();
        switch (c.verdict) {
            case "ok":
                assertFalse(found.counts(), why);
                assertTrue(!found.verdict().isBlock() || found.verdict() == Verdict.FORBIDDEN || found.evidence().equals("no bytes"), why);
                break;
            case "uncounted":
                assertTrue(found.verdict().isBlock() && !found.counts(), why);
                break;
            default:
                assertEquals(c.verdict, found.verdict().type(), why);
                assertTrue(found.counts(), why);
                if (!c.source.equals(found.rule())) {
                    assertTrue(look.scores().stream().anyMatch(s -> s.rule().equals(c.source)), () -> why + " without " + c.source);
                }
        }
        if (!found.verdict().isBlock()) {
            assertNull(found.rule());
            assertNull(found.evidence());
        }
    }

    @Test
    void eachRuleHasAPage() throws IOException {
        Set<String> found = new HashSet<>();
        for (Case c : cases("pages.txt")) {
            c.looked().scores().forEach(s -> found.add(s.rule()));
        }
        List<String> without = new ArrayList<>();
        for (Rule rule : Catalogue.all().rules) {
            if (!found.contains(rule.name)) {
                without.add(rule.name);
            }
        }
        assertTrue(without.isEmpty(), () -> "no page for " + without);
    }

    /** A rule that decides by itself says whether good pages have the same. */
    @Test
    void eachRuleThatDecidesSaysWhyItMay() {
        List<String> without = new ArrayList<>();
        for (Rule rule : Catalogue.all().rules) {
            if (rule.weight >= 50 && (rule.only == null || !rule.only.matches("(yes|no|no vendor): .{10,}"))) {
                without.add(rule.name);
            }
        }
        assertTrue(without.isEmpty(), () -> "no answer in " + without);
    }

    @Test
    void theVerdictIsTheSameInAnyChunks() throws IOException {
        Detector detector = new Detector(Collections.emptyList());
        for (Case c : cases("pages.txt")) {
            Finding whole = c.looked().end(true);
            Look look = c.answer.look(detector, DetectRules.DEFAULT, null);
            for (int i = 0; i < c.answer.body.length && !look.settled(); i++) {
                look.add(c.answer.body, i, 1);
            }
            Finding bytewise = look.end(true);
            assertEquals(whole.verdict(), bytewise.verdict(), c.toString());
            assertEquals(whole.rule(), bytewise.rule(), c.toString());
            assertEquals(whole.evidence(), bytewise.evidence(), c.toString());
        }
    }
}
