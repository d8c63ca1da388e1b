package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.KeyStats;
import io.tempolimit.detect.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final long SECOND = 1_000_000_000L;

    private static KeyStats key(String domain, long total, long delayed, long waitSeconds) {
        KeyStats s = new KeyStats();
        s.domain = domain;
        s.totalRequests = total;
        s.delayedRequests = delayed;
        s.totalWaitNanos = waitSeconds * SECOND;
        s.state = "open";
        return s;
    }

    private static KeyStats blocked(KeyStats s, long forbidden, long rateLimited, long cooldowns, long cooldownSeconds) {
        s.add(Verdict.FORBIDDEN, forbidden);
        s.add(Verdict.RATE_LIMITED, rateLimited);
        s.cooldowns = cooldowns;
        s.cooldownNanos = cooldownSeconds * SECOND;
        return s;
    }

    private static List<String> lines(String report) {
        List<String> lines = report.lines().toList();
        assertTrue(lines.size() <= 31, lines.size() + " lines");
        for (String line : lines) {
            assertTrue(line.length() <= 100, line.length() + ": " + line);
            assertTrue(line.chars().allMatch(c -> c >= ' ' && c <= '~'), line);
        }
        return lines;
    }

    @Test
    void nothingToTell() {
        assertEquals("", Report.of(List.of(), 0, 0, false));
        assertEquals("", Report.of(List.of(key("shop.example", 10, 0, 0)), 3, 0, false));
    }

    /** Of a program that ended while 236 requests waited, nothing was told of them. */
    @Test
    void whoStillWaitsIsTold() {
        KeyStats shop = key("shop.example", 250, 0, 0);
        shop.waitingRequests = 236;
        assertEquals("Tempolimit: 250 requests to 1 host; 236 still waited at the end.",
                lines(Report.of(List.of(shop), 0, 0, false)).get(1));
    }

    @Test
    void aUsualRun() {
        KeyStats shop = blocked(key("shop.example", 1000, 300, 122), 3, 9, 2, 90);
        String report = Report.of(List.of(key("cdn.example", 4, 0, 0), shop, key("api.example.org", 200, 10, 10)), 0, 0, false);
        assertEquals(List.of(
                "",
                "Tempolimit: 1,204 requests to 3 hosts; 310 waited 2 min 12 s in all; 12 blocked;",
                "  2 cooldowns (1 min 30 s).",
                "Most blocks: shop.example, 9 x 429_rate_limited, 3 x 403_forbidden.",
                "",
                "host             requests  delayed     waited   each  blocked       cooldowns",
                "shop.example        1,000      300  2 min 2 s  0.4 s       12  2 (1 min 30 s)",
                "api.example.org       200       10       10 s    1 s        0               0",
                "cdn.example             4        0          -      -        0               0"), lines(report));
    }

    /** Who crawled 1,000 pages could not see that 900 of them were 404. */
    @Test
    void answersAreToldByStatus() {
        KeyStats shop = key("shop.example", 1204, 300, 122);
        shop.answers.add(200, 1000);
        shop.answers.add(404, 40);
        KeyStats api = key("api.example.org", 200, 0, 0);
        api.answers.add(404, 61);
        api.answers.add(301, 2);
        assertEquals("Answers: 1,000 x 200, 101 x 404, 2 x 301.", lines(Report.of(List.of(shop, api), 0, 0, false)).get(2));
        for (int i = 0; i < 10; i++) {
            shop.answers.add(500 + i, 123_456_789_012L + i);
        }
        assertEquals(List.of("Answers: 123,456,789,021 x 509, 123,456,789,020 x 508, 123,456,789,019 x 507, 123,456,789,018 x 506,",
                "  123,456,789,017 x 505, 8 other statuses."),
                lines(Report.of(List.of(shop, api), 0, 0, false)).subList(2, 4));
    }

    @Test
    void onlyDelays() {
        assertEquals(List.of(
                "",
                "Tempolimit: 1 request to 1 host; 1 waited 3 s in all.",
                "",
                "host          requests  delayed  waited  each",
                "shop.example         1        1     3 s   3 s"), lines(Report.of(List.of(key("shop.example", 1, 1, 3)), 0, 0, false)));
    }

    @Test
    void aDryRun() {
        KeyStats shop = blocked(key("shop.example", 1000, 300, 122), 0, 3, 1, 40);
        shop.rejectedRequests = 2;
        shop.state = "would_cooling_down";
        assertEquals(List.of(
                "",
                "Tempolimit, dry run: 1,000 requests to 1 host; 300 would have waited 2 min 2 s in all; 3 blocked;",
                "  there would have been 1 cooldown (40 s); 2 would have been rejected.",
                "Blocked: 3 x 429_rate_limited.",
                "",
                "host          requests  delayed     waited  blocked  cooldowns  rejected            at the end",
                "shop.example     1,000      300  2 min 2 s        3   1 (40 s)         2  would be in cooldown"),
                lines(Report.of(List.of(shop), 0, 0, true)));
    }

    /** The report said nothing of a program whose every request failed, and nothing of requests that exclude left out. */
    @Test
    void onlyFailures() {
        KeyStats down = key("down.example", 81, 0, 0);
        down.failedRequests = 81;
        KeyStats ill = key("ill.example", 10, 0, 0);
        ill.overloads = 3;
        assertEquals(List.of(
                "",
                "Tempolimit: 92 requests to 3 hosts; 81 failed; 3 got 5xx; 7 more left out by exclude or include.",
                "",
                "host          requests  delayed  waited  each  failed  5xx",
                "down.example        81        0       -     -      81    0",
                "ill.example         10        0       -     -       0    3",
                "good.example         1        0       -     -       0    0"),
                lines(Report.of(List.of(key("good.example", 1, 0, 0), ill, down), 0, 7, false)));
        assertEquals("", Report.of(List.of(key("shop.example", 10, 0, 0)), 0, 7, false), "to be left out is nothing that went wrong");
    }

    @Test
    void manyHosts() {
        List<KeyStats> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(blocked(key("host-" + i + ".example", 100 + i, 10, i), 1, 0, i % 2, i % 2 * 30));
        }
        all.get(9_990).state = "probing";
        all.get(9_998).rejectedRequests = 7;
        all.get(9_999).domain = "a-rather-long-name-of-a-host.in-some-region.eu-central-1.cloud-provider.example.com";
        List<String> lines = lines(Report.of(all, 12, 0, false));
        assertTrue(lines.stream().anyMatch(l -> l.startsWith("9,980 others ")), lines::toString);
        assertTrue(lines.stream().anyMatch(l -> l.startsWith("a-rath") && l.contains("..") && l.contains("example.com")), lines::toString);
        assertEquals(1, lines.stream().filter(l -> l.endsWith("probing")).count());
        String text = String.join(" ", lines);
        assertTrue(text.contains("12 hosts were forgotten meanwhile and not counted."), text);
    }

    /** Of 5,000 hosts one had got a 5xx, and nineteen rows below it told nothing. */
    @Test
    void ofManyHostsThoseWithNothingToTellAreSummed() {
        List<KeyStats> all = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            all.add(key("host-" + i + ".example", 3, 0, 0));
        }
        all.get(7).overloads = 1;
        assertEquals(List.of(
                "host            requests  delayed  waited  each  5xx",
                "host-7.example         3        0       -     -    1",
                "4,999 others      14,997        0       -     -    0"), lines(Report.of(all, 0, 0, false)).subList(3, 6));
    }

    @Test
    void extremes() {
        List<KeyStats> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            KeyStats s = blocked(key("\u00fc\n\"" + "x".repeat(300) + i, 123_456_789L, 99_456_789L, 9_999_999),
                    12_345_678, 1, 12_345, 999_999);
            s.rejectedRequests = 12_345_678;
            s.cancelledRequests = 12_345_678;
            s.failedRequests = 12_345_678;
            s.overloads = 12_345_678;
            s.state = "would_cooling_down";
            all.add(s);
        }
        lines(Report.of(all, 123_456, 12_345_678, true));
    }
}
