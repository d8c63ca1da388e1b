package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real pages with known verdicts, which are others' work and so no part of this project: read in place where the folder is there. Prints a
 * confusion table.
 */
class FixturesTest {
    private static final Path FOLDER = Paths.get("../../../shared/fixtures");
    /** Walls that ask for a captcha of their own are theirs, as the contract has it. */
    private static final Set<String> WALLS_WITH_CAPTCHAS = new HashSet<>(Arrays.asList("datadome", "perimeterx", "ddos-guard"));

    /** What may be judged either way, and what only a host's other pages tell. */
    private static final Set<String> NOT_BY_ITSELF = new HashSet<>(Arrays.asList("any", "baseline"));

    /** Pages of all kinds; small ones with one difficulty each; ordinary ones that look like blocks. */
    @ParameterizedTest
    @ValueSource(strings = {"", "mini", "trap"})
    void tellsTheFixturesApart(String part) throws IOException {
        Path verdicts = folder().resolve(part).resolve("VERDICTS.tsv");
        if (!Files.exists(verdicts)) {
            System.err.println("SKIPPED: no fixtures at " + verdicts.toAbsolutePath().normalize()
                    + "; the detector was not tried on real pages");
        }
        assumeTrue(Files.exists(verdicts));
        Map<String, Map<String, Integer>> table = new TreeMap<>();
        List<String> falseAlarms = new ArrayList<>();
        List<String> missed = new ArrayList<>();
        List<String> wrongType = new ArrayList<>();
        int blocks = 0;
        int good = 0;
        List<String> lines = Files.readAllLines(verdicts);
        for (String line : lines.subList(1, lines.size())) {
            String[] fields = line.split("\t");
            Answer answer = answer(verdicts.resolveSibling(fields[0] + ".meta"), verdicts.resolveSibling(fields[0] + ".body"));
            Finding finding = answer.judged();
            String found = finding.verdict().isBlock() && !finding.counts() ? finding.verdict().type() + " (no count)"
                    : finding.verdict().type();
            table.computeIfAbsent(fields[1], v -> new TreeMap<>()).merge(found, 1, Integer::sum);
            String said = fields[0] + " (" + fields[1] + "): " + found + " " + finding.vendor() + " " + finding.rule()
                    + " [" + finding.evidence() + "]";
            if (Boolean.getBoolean("verbose")) {
                System.out.println(said);
            }
            if (fields[1].equals("ok")) {
                good++;
                if (finding.counts()) {
                    falseAlarms.add(said);
                }
            } else if (!NOT_BY_ITSELF.contains(fields[1])) {
                blocks++;
                if (!finding.counts()) {
                    missed.add(said);
                } else if (!isRight(fields[1], finding)) {
                    wrongType.add(said);
                }
            }
        }
        StringBuilder out = new StringBuilder("fixtures " + part + ": " + blocks + " blocks, " + good + " good pages\n");
        table.forEach((expected, found) -> out.append(String.format("  %-10s -> %s%n", expected, found)));
        out.append("  false alarms: ").append(falseAlarms).append("\n  missed: ").append(missed)
                .append("\n  another type: ").append(wrongType);
        System.out.println(out);
        assertTrue(falseAlarms.isEmpty(), () -> "false alarms: " + falseAlarms);
        if (missed.size() * 20 > blocks) {
            fail("missed more than one in 20: " + missed);
        }
        int most = part.equals("mini") ? 5 : 20; // small pages show little of what they are
        if (wrongType.size() * most > blocks - missed.size()) {
            fail("more than one in " + most + " of another type: " + wrongType);
        }
    }

    private static Path folder() {
        return Files.exists(FOLDER) ? FOLDER : Paths.get(System.getProperty("fixtures", FOLDER.toString()));
    }

    /** What the fixtures' words mean in the contract's. */
    private static boolean isRight(String expected, Finding finding) {
        switch (expected) {
            case "challenge":
                return finding.verdict() == Verdict.CLOUDFLARE_CHALLENGE
                        || finding.verdict() == Verdict.BOT_WALL && !"cloudflare".equals(finding.vendor());
            case "captcha":
                return finding.verdict() == Verdict.CAPTCHA
                        || finding.verdict() == Verdict.BOT_WALL && WALLS_WITH_CAPTCHAS.contains(finding.vendor());
            case "wall":
                return finding.verdict() == Verdict.BOT_WALL;
            case "rate":
                return finding.verdict() == Verdict.RATE_LIMITED;
            case "blank":
                return finding.verdict() == Verdict.BLANK_PAGE;
            case "soft": // a site's own wall; soft_block is the user's word
                return finding.verdict() == Verdict.BOT_WALL || finding.verdict() == Verdict.SOFT_BLOCK;
            default:
                throw new IllegalArgumentException(expected);
        }
    }

    private static Answer answer(Path meta, Path body) throws IOException {
        List<String> lines = Files.readAllLines(meta);
        Answer answer = new Answer(Integer.parseInt(lines.get(0).trim()));
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                answer.with(line.substring(0, colon), line.substring(colon + 1).trim());
            }
        }
        return answer.body(Files.readAllBytes(body));
    }
}
