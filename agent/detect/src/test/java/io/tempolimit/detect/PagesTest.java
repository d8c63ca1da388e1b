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
    static final class Case {
        int line;
        String verdict;
        String rule;
        Answer answer;

        @Override
        public String toString() {
            return "line " + line + ": " + verdict + " " + rule;
        }
    }

    static List<Case> cases(String file) throws IOException {
        List<Case> cases = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(PagesTest.class.getResourceAsStream(file),
                StandardCharsets.UTF_8))) {
            String line = in.readLine();
            int number = 1;
            while (line != null && !line.startsWith("===")) {
                line = in.readLine();
                number++;
            }
            while (line != null) {
                Case c = new Case();
                c.line = number;
                c.verdict = line.split(" ")[1];
                c.rule = line.split(" ")[2];
                String[] first = in.readLine().split(" ");
                c.answer = new Answer(Integer.parseInt(first[0]));
                c.answer.method = first.length > 1 ? first[1] : "GET";
                c.answer.path = first.length > 2 ? first[2] : c.answer.path;
                number++;
                boolean typed = false;
                for (line = in.readLine(), number++; line != null && !line.isEmpty() && !line.startsWith("===");
                        line = in.readLine(), number++) {
                    String[] header = line.split(": ", 2);
                    c.answer.with(header[0], header[1]);
                    typed |= header[0].equals("Content-Type");
                }
                if (!typed) {
                    c.answer.with("Content-Type", "text/html; charset=utf-8");
                }
                StringBuilder body = new StringBuilder();
                boolean hasBody = line != null && line.isEmpty();
                if (hasBody) {
                    for (line = in.readLine(), number++; line != null && !line.startsWith("==="); line = in.readLine(), number++) {
                        body.append(expanded(line)).append('\n');
                    }
                }
                c.answer.body(body.toString().trim().isEmpty() && !body.toString().contains(" ") ? "" : body.toString());
                cases.add(c);
            }
        }
        return cases;
    }

    private static String expanded(String line) {
        if (!line.startsWith("@")) {
            return line;
        }
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < Integer.parseInt(line.split(" ")[1]); i++) {
            s.append(line.startsWith("@words") ? "word" + i % 7 + " " : "<a href=\"/" + i + "\">" + i + "</a>\n");
        }
        return s.toString();
    }

    private static Look looked(Answer answer) {
        Look look = answer.look(new Detector(Collections.emptyList()), DetectRules.DEFAULT, null);
        if (!look.settled()) {
            look.add(answer.body, 0, answer.body.length);
        }
        look.end(true);
        return look;
    }

    @TestFactory
    Stream<DynamicTest> pages() throws IOException {
        return cases("pages.txt").stream().map(c -> DynamicTest.dynamicTest(c.toString(), () -> judge(c)));
    }

    private static void judge(Case c) {
        Look look = looked(c.answer);
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
                if (!c.rule.equals(found.rule())) {
                    assertTrue(look.scores().stream().anyMatch(s -> s.rule().equals(c.rule)), () -> why + " without " + c.rule);
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
            looked(c.answer).scores().forEach(s -> found.add(s.rule()));
        }
        List<String> without = new ArrayList<>();
        for (Rule rule : Catalogue.all().rules) {
            if (!found.contains(rule.name)) {
                without.add(rule.name);
            }
        }
        assertTrue(without.isEmpty(), () -> "no page for " + without);
    }

    @Test
    void theVerdictIsTheSameInAnyChunks() throws IOException {
        Detector detector = new Detector(Collections.emptyList());
        for (Case c : cases("pages.txt")) {
            Finding whole = looked(c.answer).end(true);
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
