package io.tempolimit.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatusTableTest {
    private static final String OPEN = "{\"domain\":\"api.example.org\",\"state\":\"open\",\"total_requests\":200,"
            + "\"delayed_requests\":0,\"average_wait_time_ms\":0,"
            + "\"rate\":3.0,\"learned_rate\":null,\"waiting_requests\":0,\"blocked_requests\":0,\"rejected_requests\":0,"
            + "\"cooldown_remaining_ms\":0}";
    private static final String RESTING = "{\"domain\":\"shop.example\",\"state\":\"cooling_down\","
            + "\"cooldown_reason\":\"429_rate_limited\",\"total_requests\":1204,"
            + "\"delayed_requests\":300,\"average_wait_time_ms\":400,\"rate\":3,\"learned_rate\":0.8,"
            + "\"waiting_requests\":11,\"blocked_requests\":12,"
            + "\"rejected_requests\":0,\"cooldown_remaining_ms\":42000,\"something_new\":{\"a\":[1]}}";
    private static final String FOR_LIFE = "{\"domain\":\"bad.example\",\"state\":\"lifetime_blocked\","
            + "\"cooldown_reason\":\"403_forbidden\",\"total_requests\":10,"
            + "\"rejected_requests\":4,\"blocked_requests\":3,\"rate\":0.016666666666666666}";

    private static List<String> lines(int width, int height, boolean colours, String... domains) {
        return StatusTable.lines(Snapshot.of("{\"version\":\"1.2\",\"enabled\":true,\"dry_run\":false,"
                + "\"woven_clients\":[{\"name\":\"OkHttp\",\"version\":\"4.12.0\"},"
                + "{\"name\":\"HttpURLConnection\",\"version\":null}],\"domains\":[" + String.join(",", domains)
                + "]}"), "4711 (shop.Scraper)", width, height, colours);
    }

    @Test
    void whatIsHeldComesFirst() {
        assertEquals(List.of(
                "Tempolimit 1.2 in 4711 (shop.Scraper)",
                "3 hosts, 2 in cooldown, 11 requests waiting",
                "woven: OkHttp 4.12.0, HttpURLConnection",
                "",
                "host             state             until    why                       rate  waiting  wait each  "
                        + "requests  blocked  rejected",
                "shop.example     cooldown          in 42 s  429_rate_limited  0.8/s of 3/s       11      0.4 s     "
                        + "1,204       12         0",
                "bad.example      blocked for good  a reset  403_forbidden            1/min        0          -        "
                        + "10        3         4",
                "api.example.org  open                                                  3/s        0          -       "
                        + "200        0         0"),
                lines(140, 100, false, OPEN, FOR_LIFE, RESTING));
    }

    @Test
    void withWhomLimitsAreShared() {
        String json = "{\"version\":\"1.2\",\"enabled\":true,\"redis\":{\"state\":\"shared\",\"workers\":4,\"more\":[]},\"domains\":[]}";
        assertEquals("0 hosts, 0 in cooldown, 0 requests waiting; limits are shared by 4 JVMs through Redis",
                StatusTable.lines(Snapshot.of(json), "x", 140, 100, false).get(1));
        assertEquals("0 hosts, 0 in cooldown, 0 requests waiting; Redis does not answer, this JVM is alone",
                StatusTable.lines(Snapshot.of(json.replace("shared", "alone")), "x", 140, 100, false).get(1));
        String why = json.replace("\"workers\"", "\"alone\":true,\"reason\":\"WRONGPASS at h:6379: so\",\"workers\"");
        assertEquals("0 hosts, 0 in cooldown, 0 requests waiting; Redis does not answer (WRONGPASS at h:6379: so), this JVM is alone",
                StatusTable.lines(Snapshot.of(why.replace("shared", "alone")), "x", 140, 100, false).get(1));
        assertEquals("0 hosts, 0 in cooldown, 0 requests waiting; Redis cannot be used: WRONGPASS at h:6379: so; this JVM is alone",
                StatusTable.lines(Snapshot.of(why.replace("shared", "refused")), "x", 140, 100, false).get(1));
        assertEquals("0 hosts, 0 in cooldown, 0 requests waiting; Redis is not reached yet, this JVM is alone",
                StatusTable.lines(Snapshot.of(why.replace("shared", "connecting")), "x", 140, 100, false).get(1));
        assertEquals("0 hosts, 0 in cooldown, 0 requests waiting; Redis is not reached yet, requests wait for it",
                StatusTable.lines(Snapshot.of(json.replace("shared", "connecting")), "x", 140, 100, false).get(1));
    }

    @Test
    void columnsThatSayNothingAreLeftOut() {
        assertEquals(List.of("host             state  rate  waiting  requests",
                "api.example.org  open    3/s        0       200"), lines(140, 100, false, OPEN).subList(4, 6));
        assertEquals("No request yet.", lines(140, 100, false).get(4));
    }

    /** Only a line of the log said that a site takes so many in flight. */
    @Test
    void aLearnedLimitInFlightStandsBesideTheRate() {
        String two = OPEN.replace("\"learned_rate\":null", "\"learned_rate\":0.8,\"learned_in_flight\":2");
        assertEquals("api.example.org  open   0.8/s of 3/s, 2 in flight        0       200", lines(140, 100, false, two).get(5));
    }

    /** It said "No request yet" where some had been sent. */
    @Test
    void requestsThatAreLeftOutAreRequests() {
        Snapshot s = Snapshot.of("{\"version\":\"1\",\"enabled\":true,\"dry_run\":false,\"excluded_requests\":1200,\"domains\":[]}");
        List<String> lines = StatusTable.lines(s, "1", 100, 100, false);
        assertEquals("0 hosts, 0 in cooldown, 0 requests waiting, 1,200 left out by exclude or include", lines.get(1));
        assertEquals("No request that is paced yet: exclude or include left out 1,200.", lines.get(4));
    }

    /** Nutch with sockets of its own was silent, and nobody knew that nothing was paced. */
    @Test
    void requestsThatNobodyPacesAreNamed() {
        String host = "{\"host\":\"shop.example\",\"requests\":1200,\"by\":\"nutch.HttpResponse\"}";
        String other = "{\"host\":\"b.example\",\"requests\":1,\"by\":\"Raw\"}";
        Snapshot s = Snapshot.of("{\"version\":\"1\",\"enabled\":true,\"dry_run\":false,\"unseen_requests\":1203,\"unseen\":["
                + String.join(",", host, other, other, other) + "],\"domains\":[]}");
        List<String> lines = StatusTable.lines(s, "1", 200, 100, false);
        assertEquals("NOT paced: 1,203 requests to shop.example (1,200, by nutch.HttpResponse), b.example (1, by Raw),"
                + " b.example (1, by Raw) and 1 more host", lines.get(3));
        assertEquals("No request that is paced yet.", lines.get(5));
    }

    /** A program whose every request failed was "open", and nothing else. */
    @Test
    void failuresHaveColumns() {
        String down = OPEN.replace("\"blocked_requests\"", "\"failed_requests\":81,\"overloads\":3,\"blocked_requests\"");
        assertEquals(List.of("host             state  rate  waiting  requests  failed  5xx",
                "api.example.org  open    3/s        0       200      81    3"),
                lines(140, 100, false, down).subList(4, 6));
    }

    @Test
    void aProbeThatIsDueIsSaidToBe() {
        assertTrue(lines(140, 100, false, RESTING.replace("42000", "0")).get(5).contains("cooldown  probe due  429_rate_limited"));
    }

    @Test
    void aNarrowTerminalGoesWithoutTheLeastAndShortensHosts() {
        String longHost = RESTING.replace("shop.example", "a-very-long-name.of-a-shop.example.co.uk");
        for (int width = 60; width < 130; width++) {
            int most = width;
            List<String> lines = lines(width, 100, false, OPEN, longHost, FOR_LIFE);
            assertTrue(lines.stream().allMatch(l -> l.length() <= most), () -> String.join("\n", lines));
        }
        assertEquals("host            state             until    waiting", lines(50, 100, false, OPEN, longHost, FOR_LIFE).get(4));
        assertEquals("a-ve..le.co.uk  cooldown          in 42 s       11", lines(50, 100, false, OPEN, longHost, FOR_LIFE).get(5));
        assertEquals("host             state             until    waiting  requests  blocked",
                lines(70, 100, false, OPEN, longHost, FOR_LIFE).get(4),
                "requests and blocks are what somebody with many hosts looks for");
    }

    @Test
    void aLowTerminalShowsAsManyAsItHasRoomForAndCountsTheRest() {
        List<String> lines = lines(140, 8, false, OPEN, OPEN.replace("api", "b"), OPEN.replace("api", "c"), RESTING);
        assertEquals(8, lines.size());
        assertTrue(lines.get(5).startsWith("shop.example "));
        assertEquals("and 2 more hosts", lines.get(7));
    }

    @Test
    void coloursTakeNoRoom() {
        List<String> lines = lines(140, 100, true, OPEN, FOR_LIFE, RESTING);
        assertTrue(lines.get(5).startsWith("\033[33mshop.example"), lines.get(5));
        assertTrue(lines.get(6).startsWith("\033[31mbad.example"), lines.get(6));
        assertTrue(lines.get(7).startsWith("api.example.org"), lines.get(7));
        assertEquals(lines(140, 100, false, OPEN, FOR_LIFE, RESTING), lines.stream().map(l -> l.replaceAll("\033\\[\\d+m", "")).toList());
    }

    /** Names come from pages. */
    @Test
    void aHostileNameMovesNoCursor() {
        List<String> lines = lines(140, 100, true, OPEN.replace("api.example.org", "\\u001b[2Jx\\u009b31m\\u202e.example"));
        assertTrue(lines.get(5).startsWith("?[2Jx?31m?.example"), lines.get(5));
    }

    @Test
    void tenThousandHostsTakeNoTime() {
        String[] many = new String[10_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = OPEN.replace("api", "api" + i);
        }
        long begin = System.nanoTime();
        assertEquals(10_005, lines(140, Integer.MAX_VALUE, false, many).size());
        assertTrue(System.nanoTime() - begin < 5_000_000_000L);
    }

    @Test
    void saysThatNothingIsPaced() {
        Snapshot s = Snapshot.of("{\"version\":\"1\",\"enabled\":false,\"dry_run\":false,\"domains\":[]}");
        assertEquals("0 hosts, 0 in cooldown, 0 requests waiting; stopped, nothing is paced",
                StatusTable.lines(s, "1", 100, 100, false).get(1));
        s.enabled = true;
        s.dryRun = true;
        assertEquals("0 hosts, 0 in cooldown, 0 requests waiting; a dry run, nothing is held",
                StatusTable.lines(s, "1", 100, 100, false).get(1));
    }

    @Test
    void whatIsNoAnswerIsSaid() {
        for (String text : List.of("", "[]", "{", "{\"domains\":[{\"rate\":\"x\"}]}", "null")) {
            assertThrows(IllegalArgumentException.class, () -> Snapshot.of(text), text);
        }
    }
}
