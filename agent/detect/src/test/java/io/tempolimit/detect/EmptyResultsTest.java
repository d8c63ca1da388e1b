package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Interfaces that had full lists and answer empty ones. */
class EmptyResultsTest {
    private static final Detector DETECTOR = new Detector(Collections.emptyList());
    private static final String EMPTY = "{\"took\": 3, \"query\": \"chairs\", \"total\": 0, \"hits\": []}";

    private final Baseline baseline = new Baseline();
    private DetectRules rules = DetectRules.DEFAULT;
    private boolean saysLength = true;
    private int answers;

    private Finding json(String path, String body) {
        Answer answer = Answer.json(200, body).path(path);
        return (saysLength ? answer.with("Content-Length", "" + body.length()) : answer).judged(DETECTOR, rules, baseline);
    }

    private Finding json(String body) {
        return json("/search?q=" + answers++, body);
    }

    private static String list(int n) {
        StringBuilder hits = new StringBuilder();
        for (int i = 0; i < n; i++) {
            hits.append(i == 0 ? "" : ", ").append("{\"id\": ").append(i).append(", \"name\": \"Chair no ").append(i).append("\"}");
        }
        return EMPTY.replace("[]", "[" + hits + "]");
    }

    private void full(int n) {
        for (int i = 0; i < n; i++) {
            assertEquals(Verdict.SUCCESS, json(list(3 + i % 40)).verdict());
        }
    }

    /** How many of so many empty ones, each from another address, are blocks. */
    private int blocks(int n) {
        int blocks = 0;
        for (int i = 0; i < n; i++) {
            Finding finding = json(EMPTY.replace("chairs", "word " + i * 7).replace("3,", i + ","));
            blocks += finding.counts() ? 1 : 0;
            assertEquals(finding.counts() ? Verdict.SOFT_BLOCK : Verdict.SUCCESS, finding.verdict());
        }
        return blocks;
    }

    @Test
    void theTenthEmptyResultInARowIsASoftBlock() {
        full(30);
        assertEquals(0, blocks(9));
        Finding tenth = json(EMPTY);
        assertEquals(Verdict.SOFT_BLOCK, tenth.verdict());
        assertEquals("baseline", tenth.rule());
        assertEquals("empty results in a row, as never before on this host", tenth.evidence());
        assertTrue(tenth.counts());
        full(1);
        assertEquals(0, blocks(9));
    }

    @Test
    void soIsOneWhoseLengthIsNotKnownBefore() {
        saysLength = false;
        full(25);
        assertEquals(0, blocks(9));
        assertEquals(3, blocks(3));
    }

    @Test
    void aLongAnswerIsLetGoAfterAThousandBytes() {
        saysLength = false;
        full(25);
        String body = list(1000).replace("Chair", "captcha required");
        Look look = Answer.json(200, body).look(DETECTOR, rules, baseline);
        assertFalse(look.settled());
        assertFalse(look.add(body.getBytes(), 0, 4000));
        assertEquals(Verdict.SUCCESS, look.end(false).verdict(), "what a long list says of captchas is nobody's wall");
    }

    @Test
    void searchesWithoutAMatchAreNoBlocks() {
        for (int i = 0; i < 200; i++) {
            full(1 + i % 3);
            assertEquals(0, blocks(1 + i % 9));
        }
        assertEquals(0, blocks(1000), "that is normal here");
    }

    @Test
    void nothingIsSaidOfAHostThatAlwaysHadEmptyOnes() {
        assertEquals(0, blocks(30));
        full(30);
        assertEquals(0, blocks(30));
    }

    @Test
    void nothingIsSaidBeforeEnoughFullOnes() {
        full(19);
        assertEquals(0, blocks(30));
    }

    @Test
    void oneAddressMayHaveNothingMoreToSay() {
        full(30);
        for (int i = 0; i < 100; i++) {
            assertEquals(Verdict.SUCCESS, json("/queue", EMPTY).verdict());
        }
    }

    @Test
    void shortAnswersWithSomethingInThemAreNoEmptyOnes() {
        full(30);
        for (String answer : List.of("{\"status\": \"ok\"}", "{\"stock\": null, \"price\": 3}", "[1]", "true", "\"[]\"",
                "{\"a\": \"{}\"}")) {
            for (int i = 0; i < 20; i++) {
                assertEquals(Verdict.SUCCESS, json(answer).verdict(), answer);
            }
            full(1);
        }
    }

    @Test
    void emptyOnesThatAreNoShorterThanTheOthersAreUsual() {
        for (int i = 0; i < 100; i++) {
            assertEquals(Verdict.SUCCESS, json("{\"id\": " + i + ", \"tags\": []}").verdict());
        }
    }

    @Test
    void eachSortOfEmptyAnswerIsOne() {
        for (String answer : List.of("[]", " [ ] \n", "{}", "null", "{\"data\":{\"items\":[]}}", "{\"a\":\"]\\\"\",\"b\":{ }}")) {
            Baseline other = new Baseline();
            Finding last = null;
            for (int i = 0; i < 40; i++) {
                String body = i < 30 ? list(9) : answer;
                last = Answer.json(200, body).path("/items/" + i).with("Content-Length", "" + body.length())
                        .judged(DETECTOR, rules, other);
            }
            assertEquals(Verdict.SOFT_BLOCK, last.verdict(), answer);
        }
    }

    /** Whoever counts numbers up comes to where there are no more. */
    @Test
    void aHostThatHasNothingElseAnyMoreIsLetAloneAfterForty() {
        full(30);
        assertEquals(30, blocks(39));
        assertEquals(0, blocks(1000));
    }

    @Test
    void itIsSilencedLikeARule() {
        for (String name : List.of("baseline", "soft_block")) {
            rules = DetectRules.builder().ignored(Set.of(name)).build();
            full(30);
            assertEquals(0, blocks(20));
        }
    }

    @Test
    void onlyAnswersToGetWithStatus200AreCounted() {
        full(30);
        for (int i = 0; i < 20; i++) {
            Answer post = Answer.json(200, "[]").path("/p/" + i).method("POST").with("Content-Length", "2");
            assertEquals(Verdict.SUCCESS, post.judged(DETECTOR, rules, baseline).verdict());
            Answer created = Answer.json(201, "[]").path("/p/" + i).with("Content-Length", "2");
            assertEquals(Verdict.SUCCESS, created.judged(DETECTOR, rules, baseline).verdict());
        }
        assertEquals(0, blocks(9));
    }
}
