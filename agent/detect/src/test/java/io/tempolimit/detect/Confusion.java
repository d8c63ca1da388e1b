package io.tempolimit.detect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What became of pages whose verdicts are known: by their status, and by what decided, a rule that knows the vendor, one that
 * knows none, what was learned, or the status alone.
 */
final class Confusion {
    /** What may be judged either way, and what only a host's other pages tell. */
    private static final Set<String> NOT_BY_ITSELF = new HashSet<>(Arrays.asList("any", "baseline", "uncounted"));
    private static final String[] DECIDERS = {"vendor", "general", "learned", "status"};

    final List<String> falseAlarms = new ArrayList<>();
    final List<String> missed = new ArrayList<>();
    int blocks;
    int good;
    /** Blocks with 2xx, and how many of them were found. */
    int successes;
    int foundSuccesses;
    private final Map<Integer, int[]> byStatus = new TreeMap<>();

    Confusion(List<Case> cases) {
        for (Case c : cases) {
            if (!NOT_BY_ITSELF.contains(c.verdict)) {
                add(c, c.looked());
            }
        }
    }

    private void add(Case c, Look look) {
        Finding finding = look.end(true);
        int[] row = byStatus.computeIfAbsent(c.answer.status, s -> new int[DECIDERS.length + 4]);
        if (c.isGood()) {
            good++;
            row[6]++;
            if (finding.counts()) {
                row[7]++;
                falseAlarms.add(c + " -> " + said(finding, look));
            }
            return;
        }
        boolean success = c.answer.status / 100 == 2;
        blocks++;
        successes += success ? 1 : 0;
        row[0]++;
        if (finding.counts()) {
            foundSuccesses += success ? 1 : 0;
            row[1 + decider(finding)]++;
        } else {
            row[5]++;
            missed.add(c + " -> " + said(finding, look));
        }
    }

    private static int decider(Finding finding) {
        return Look.STATUS.equals(finding.rule()) ? 3 : "learned".equals(finding.rule()) ? 2 : finding.vendor() != null ? 0 : 1;
    }

    static String said(Finding finding, Look look) {
        return finding.verdict().type() + (finding.verdict().isBlock() && !finding.counts() ? " (no count) " : " ") + finding.rule()
                + " [" + finding.evidence() + "] " + look.score();
    }

    /** Part of the blocks that was found. */
    double found() {
        return blocks == 0 ? 1 : 1 - missed.size() / (double) blocks;
    }

    /** The same of those with 2xx. */
    double foundOfSuccesses() {
        return successes == 0 ? 1 : foundSuccesses / (double) successes;
    }

    /** The table. */
    String table(String name) {
        StringBuilder s = new StringBuilder(String.format("%-14s %6s = %6s %7s %7s %6s + %6s | %5s %6s%n", name, "blocks", "vendor",
                "general",
                "learned", "status", "missed", "good", "alarms"));
        byStatus.forEach((status, r) -> s.append(String.format("  status %-5d %6d = %6d %7d %7d %6d + %6d | %5d %6d%n", status,
                r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7])));
        return s.append(String.format("  found: %.1f%% of %d, %.1f%% of %d with 2xx; false alarms: %d of %d%n", 100 * found(), blocks,
                100 * foundOfSuccesses(), successes, falseAlarms.size(), good)).toString();
    }
}
