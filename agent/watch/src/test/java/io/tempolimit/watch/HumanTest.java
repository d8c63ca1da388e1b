package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanTest {
    @ParameterizedTest
    @CsvSource({"0,0 s", "-5,0 s", "100,< 1 ms", "8000000,8 ms", "94999999,95 ms", "95000000,0.1 s", "333000000,0.3 s", "1000000000,1 s",
        "1449999999,1.4 s", "9949999999,9.9 s", "9950000000,10 s", "59499999999,59 s", "59500000000,1 min", "132000000000,2 min 12 s",
        "3600000000000,1 h", "3900000000000,1 h 5 min", "273600000000000,3 d 4 h"})
    void durations(long nanos, String text) {
        assertEquals(text, Human.duration(nanos));
    }

    @Test
    void theLongestDuration() {
        assertEquals("106,751 d 23 h", Human.duration(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @CsvSource({"3,3 requests/s", "0.5,0.5 requests/s", "1,1 request/s", "1.5,1.5 requests/s", "0.016666666,1 request/min",
        "0.000277777,1 request/h", "0.0011111,4 requests/h", "12.3456,12.3 requests/s", "2.572,2.57 requests/s",
        "0.4567,0.457 requests/s", "99.96,100 requests/s", "123.4,123 requests/s", "'1234.5','1,235 requests/s'"})
    void rates(double rate, String text) {
        assertEquals(text, Human.rate(rate));
    }

    @Test
    void largeRates() {
        assertEquals("2,000 requests/s", Human.rate(2000));
        assertEquals("1.0E300 requests/s", Human.rate(1e300));
    }

    @Test
    void counts() {
        assertEquals("0", Human.count(0));
        assertEquals("999", Human.count(999));
        assertEquals("1,204", Human.count(1204));
        assertEquals("-1,204", Human.count(-1204));
        assertEquals("-204", Human.count(-204));
        assertEquals("9,223,372,036,854,775,807", Human.count(Long.MAX_VALUE));
        assertEquals("1 host", Human.count(1, "host"));
        assertEquals("0 hosts", Human.count(0, "host"));
    }

    @Test
    void theSameInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertEquals("1,204", Human.count(1204));
            assertEquals("1.5 requests/s", Human.rate(1.5));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void longNamesLoseTheirMiddle() {
        assertEquals("short.example", Human.fit("short.example", 20));
        String s = Human.fit("a-very-long-subdomain.of.some.shop.example", 20);
        assertEquals("a-very..shop.example", s);
        assertEquals("a?b?c", Human.fit("a\nb\u00fcc", 10));
        assertTrue(Human.fit("x".repeat(100_000), 16).length() == 16);
    }
}
