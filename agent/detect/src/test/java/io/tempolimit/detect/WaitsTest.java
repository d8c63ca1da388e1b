package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a site asks to wait, by its own clock: it says noon, this machine's is 90 s fast. */
class WaitsTest {
    private static final String DATE = "Sun, 15 Nov 2026 12:00:00 GMT";
    private static final long NOON = 1_794_744_000_000L;
    private static final long NOW = NOON + 90_000;

    private static double seconds(long nanos) {
        return nanos < 0 ? -1 : nanos / 1e9;
    }

    private static double retryAfter(String... values) {
        Waits waits = new Waits();
        for (String value : values) {
            waits.retryAfter(value);
        }
        return seconds(waits.asked(DATE, NOW));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
        "120|120", " 120 |120", "120\t|120", "0|0", "00010|10", "1.5|2", "0.1|1", "7.|7",
        "-5|-1", "+5|-1", "1e3|-1", "0x10|-1", "soon|-1", "120 seconds|120", "20 Seconds |20", "6m0s|360",
        "1h 30 min|5400", "250ms|1", "5 apples|-1", "5 5|-1", "s|-1", "''|-1", ".|-1", "1.2.3|-1", "٣|-1", "NaN|-1",
        "Infinity|-1",
        "Sun, 15 Nov 2026 12:02:00 GMT|120", "sun, 15 nov 2026 12:02:00 gmt|120", "Sunday, 15-Nov-26 12:02:00 GMT|120",
        "Sun Nov 15 12:02:00 2026|120",
        "Sun Nov  1 12:02:00 2026|0", "Sun, 15 Nov 2026 11:59:00 GMT|0", "Mon, 15 Nov 2026 12:02:00 GMT|120",
        "Sun, 15 Nov 2026 12:02:00 +0000|120",
        "Sun, 15 Nov 2026 14:02:00 +0200|120", "Sun, 15 Nov 2026 07:02:00 -0500|120",
        "Sun, 15 Nov 2026 12:02:00 CET|-1", "Sun, 15 Nov 2026 12:02:00|-1",
        "Sun, 15 Nov 2026 25:02:00 GMT|-1", "Sun, 99 Nov 2026 12:02:00 GMT|-1", "Sun, 15 Foo 2026 12:02:00 GMT|-1",
        "Sun, 15 anf 2026 12:02:00 GMT|-1",
        "Sun, 15 Nov 99999 12:02:00 GMT|-1", "Sun, 15 Nov 026 12:02:00 GMT|-1",
        "Tue, 29 Feb 2028 00:00:00 GMT|40651200", "Sunday, 15-Nov-77 12:00:00 GMT|0",
        "120, 60|120", "60, 120|120", "soon, 5|5", "Sun, 15 Nov 2026 12:02:00 GMT, 5|120", ", ,|-1"})
    void readsRetryAfter(String value, double expected) {
        assertEquals(expected, retryAfter(value), value);
    }

    @Test
    void takesTheLongerOfTwoHeaders() {
        assertEquals(60, retryAfter("5", "60"));
        assertEquals(60, retryAfter("60", "5"));
    }

    @Test
    void aHugeValueIsTheLongestWaitAndNeverNegative() {
        for (String value : new String[] {"99999999999999999999", "9223372037", "9223372036854775807",
                "9223372036854775808", "4294967296"}) {
            Waits waits = new Waits();
            waits.retryAfter(value);
            long asked = waits.asked(DATE, NOW);
            assertTrue(asked >= 4_294_967_296_000_000_000L, value + ": " + asked);
        }
        Waits waits = new Waits();
        waits.retryAfter(new String(new char[100_000]).replace('\0', '9'));
        assertEquals(Long.MAX_VALUE, waits.asked(DATE, NOW));
    }

    @Test
    void withoutAServersDateThisMachinesClockHasToDo() {
        Waits waits = new Waits();
        waits.retryAfter("Sun, 15 Nov 2026 12:02:00 GMT");
        assertEquals(30, seconds(waits.asked(null, NOW)));
        assertEquals(30, seconds(waits.asked("yesterday", NOW)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "\"default\";r=50;t=30|-1", "\"default\";r=0;t=30|30", "\"a\";r=0;t=5, \"b\";r=0;t=9|9",
        "\"a\";r=7;t=500, \"b\";r=0;t=9|9", "\"a;r=0;t=1\";r=3;t=60|-1",
        "\"a,b\";r=0;t=4|4", "limit=10, remaining=0, reset=5|5", "limit=10, remaining=3, reset=5|-1",
        "default;r=0;t=8|8", "\"default\";r=0;t=x|-1",
        "\"default\";r=-1;t=8|-1", ";;;|-1", "\"|-1", "r=0|-1", "\"default\";t=8|-1"})
    void readsRateLimit(String value, double expected) {
        Waits waits = new Waits();
        waits.rateLimit(value);
        assertEquals(expected, seconds(waits.asked(DATE, NOW)));
    }

    @Test
    void aPolicysShortWindowSaysHowLongWhereTheLimitDoesNot() {
        Waits waits = new Waits();
        waits.rateLimit("\"burst\";r=0");
        waits.policy("\"daily\";q=1000;w=86400, \"burst\";q=100;w=60");
        assertEquals(60, seconds(waits.asked(DATE, NOW)));
        waits = new Waits();
        waits.rateLimit("\"daily\";r=0");
        waits.policy("\"daily\";q=1000;w=86400");
        assertEquals(-1, seconds(waits.asked(DATE, NOW)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", value = {
        "0|30|30", "0.0|247|247", "5|30|-1", "none|30|-1", "0|1794744120|120", "0|1794744120000|120", "0|1794743000|0",
        "-1|30|30", "0|-1484742195|-1", "0|soon|-1",
        "0|Sun, 15 Nov 2026 12:02:00 GMT|120", "0, 100|30|30", "0;w=60|30;w=60|30", "00|1.5|1.5"})
    void readsTheOldForms(String remaining, String reset, double expected) {
        Waits waits = new Waits();
        if (remaining != null) {
            waits.remaining(remaining);
        }
        waits.reset(reset);
        assertEquals(expected, seconds(waits.asked(DATE, NOW)));
    }

    @Test
    void retryAfterWinsAndAFaultyOneDoesNot() {
        Waits waits = new Waits();
        waits.retryAfter("7");
        waits.rateLimit("\"a\";r=0;t=90");
        waits.remaining("0");
        waits.reset("30");
        assertEquals(7, seconds(waits.asked(DATE, NOW)));
        waits = new Waits();
        waits.retryAfter("soon");
        waits.remaining("0");
        waits.reset("30");
        assertEquals(30, seconds(waits.asked(DATE, NOW)));
    }

    private static double told(Answer answer, DetectRules rules) {
        return seconds(answer.judged(new Detector(Collections.emptyList()), rules, null).retryAfter());
    }

    @ParameterizedTest
    @CsvSource({"429,5", "503,5", "403,5", "301,-1", "302,-1", "307,-1", "200,-1", "404,-1", "500,-1", "410,-1", "304,-1"})
    void countsWithTheseStatusesAlone(int status, double expected) {
        assertEquals(expected, told(Answer.html(status, "").with("retry-after", "5"), DetectRules.DEFAULT));
    }

    @Test
    void aLimitOnAGoodAnswerIsNoWait() {
        assertEquals(-1, told(Answer.html(200, "<p>hello").with("X-RateLimit-Remaining", "0")
                .with("X-RateLimit-Reset", "30"), DetectRules.DEFAULT));
        assertEquals(-1, told(Answer.html(429, "").with("X-RateLimit-Remaining", "3").with("X-RateLimit-Reset", "30"),
                DetectRules.DEFAULT));
        assertEquals(30, told(Answer.html(429, "").with("X-Rate-Limit-Remaining", "0").with("X-Rate-Limit-Reset", "30"),
                DetectRules.DEFAULT));
    }

    private static String announced(String status, String... headers) {
        Answer answer = Answer.html(Integer.parseInt(status), "");
        for (int i = 0; i < headers.length; i += 2) {
            answer = answer.with(headers[i], headers[i + 1]);
        }
        Announced says = answer.look(new Detector(Collections.emptyList()), DetectRules.DEFAULT, null).announced();
        return says == null ? "nothing" : says.remaining() + " in " + says.nanos() / 1_000_000_000L + " s";
    }

    @Test
    void aGoodAnswerSaysWhatIsLeft() {
        assertEquals("59 in 60 s", announced("200", "X-RateLimit-Remaining", "59", "X-RateLimit-Reset", "60"));
        assertEquals("595 in 420 s", announced("404", "x-ratelimit-remaining", "595.0", "x-ratelimit-reset", "420"));
        assertEquals("0 in 50 s", announced("200", "RateLimit-Remaining", "0", "RateLimit-Reset", "50"));
        assertEquals("7 in 9 s", announced("200", "RateLimit", "\"a\";r=500;t=10, \"b\";r=7;t=9"), "the tightest of several");
        assertEquals("3 in 5 s", announced("200", "RateLimit", "limit=10, remaining=3, reset=5"));
        assertEquals("9 in 360 s", announced("200", "x-ratelimit-remaining-requests", "9", "x-ratelimit-reset-requests", "6m0s"));
        assertEquals("nothing", announced("429", "X-RateLimit-Remaining", "59", "X-RateLimit-Reset", "60"), "it may ask for a wait itself");
        assertEquals("nothing", announced("200", "X-RateLimit-Remaining", "59"));
        assertEquals("nothing", announced("200", "X-RateLimit-Reset", "60"));
        assertEquals("nothing", announced("200", "X-RateLimit-Remaining", "59", "X-RateLimit-Reset", "0"));
        assertEquals("nothing", announced("200", "X-RateLimit-Remaining", "many", "X-RateLimit-Reset", "soon"));
    }

    @Test
    void readsMillisecondsWhereThereIsNothingElse() {
        assertEquals(0.25, told(Answer.html(429, "").with("Retry-After-Ms", "250"), DetectRules.DEFAULT));
        assertEquals(3, told(Answer.html(429, "").with("Retry-After-Ms", "250").with("Retry-After", "3"), DetectRules.DEFAULT));
        assertEquals(20, told(Answer.html(429, "").with("X-Retry-After", "20 seconds"), DetectRules.DEFAULT));
    }

    /** It is for the one who follows it. */
    @ParameterizedTest
    @CsvSource({"301,5", "302,5", "303,5", "307,5", "308,5", "304,-1", "201,-1", "429,-1"})
    void whatARedirectAsksForIsToldApart(int status, double expected) {
        Look look = new Answer(status).with("Location", "/next").with("Retry-After", "5")
                .look(new Detector(Collections.emptyList()), DetectRules.DEFAULT, null);
        assertEquals(expected, seconds(look.redirectWait()));
        assertEquals(expected > 0 ? "/next" : null, look.location());
        assertEquals(-1, seconds(new Answer(status).with("Retry-After", "5")
                .look(new Detector(Collections.emptyList()), DetectRules.DEFAULT, null).redirectWait()),
                "there is nothing to follow");
    }

    @Test
    void isNotToldWhereTheUserDoesNotWantIt() {
        assertEquals(-1, told(Answer.html(429, "").with("Retry-After", "5"), DetectRules.builder().obeyWaits(false).build()));
    }

    @Test
    void isToldWithAPermissionErrorToo() {
        assertEquals(5, told(Answer.json(403, "{}").with("Retry-After", "5"), DetectRules.DEFAULT));
    }

    @Test
    void fuzz() {
        String[] parts = {"Sun, ", "15 ", "Nov ", "2026 ", "12:02:00 ", "GMT", "-", ",", ";", "=", "\"", "r=0", "t=5",
                "w=60", "999999999999999999999", "0", ".", " ", "\t", "+", "e", "\0", "ü", "Sunday", "a",
            "reset=", "remaining=0"};
        Random random = new Random(42);
        long end = System.nanoTime() + 300_000_000L;
        for (int i = 0; i < 200_000 && System.nanoTime() < end; i++) {
            Waits waits = new Waits();
            waits.retryAfter(text(random, parts));
            waits.rateLimit(text(random, parts));
            waits.policy(text(random, parts));
            waits.remaining(text(random, parts));
            waits.reset(text(random, parts));
            long asked = waits.asked(text(random, parts), random.nextLong() >>> random.nextInt(64));
            assertTrue(asked >= -1);
        }
    }

    private static String text(Random random, String[] parts) {
        StringBuilder s = new StringBuilder();
        for (int n = random.nextInt(9); n > 0; n--) {
            s.append(parts[random.nextInt(parts.length)]);
        }
        return s.toString();
    }
}
