package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How the rules do on pages that they were not made for: {@code unseen.txt}. Prints a confusion table. */
class UnseenTest {
    @Test
    void doesWellOnWhatItWasNotTunedOn() throws IOException {
        Map<String, Map<String, Integer>> table = new TreeMap<>();
        List<String> falseAlarms = new ArrayList<>();
        List<String> missed = new ArrayList<>();
        List<String> wrongType = new ArrayList<>();
        int blocks = 0;
        int good = 0;
        for (Case c : PagesTest.cases("unseen.txt")) {
            Finding finding = c.answer.judged(new Detector(Collections.emptyList()), DetectRules.DEFAULT, null);
            String found = finding.verdict().type() + (finding.verdict().isBlock() && !finding.counts() ? " (no count)" : "");
            table.computeIfAbsent(c.verdict, v -> new TreeMap<>()).merge(found, 1, Integer::sum);
            String said = c + ": " + found + " " + finding.vendor() + " " + finding.rule() + " [" + finding.evidence() + "]";
            if (c.verdict.equals("ok")) {
                good++;
                if (finding.counts()) {
                    falseAlarms.add(said);
                }
            } else {
                blocks++;
                if (!finding.counts()) {
                    missed.add(said);
                } else if (!c.verdict.equals(finding.verdict().type())) {
                    wrongType.add(said);
                }
            }
        }
        StringBuilder out = new StringBuilder("unseen: " + blocks + " blocks, " + good + " good pages\n");
        table.forEach((expected, found) -> out.append(String.format("  %-22s -> %s%n", expected, found)));
        out.append("  false alarms: ").append(falseAlarms).append("\n  missed: ").append(missed)
                .append("\n  another type: ").append(wrongType);
        System.out.println(out);
        assertEquals(Collections.emptyList(), falseAlarms);
        assertTrue(missed.size() * 20 <= blocks, () -> "missed: " + missed);
    }
}
