package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which source, and which pattern of hosts, decides a setting. */
class PrecedenceTest {
    @TempDir
    Path folder;

    /** For each subset of the sources, the strongest wins; a number is the rate that a source gives, 0 is none. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 3, default",
        "0, 0, 0, 4, 4, config file FILE",
        "0, 0, 5, 0, 5, environment",
        "0, 0, 5, 4, 5, environment",
        "0, 6, 0, 0, 6, system property",
        "0, 6, 0, 4, 6, system property",
        "0, 6, 5, 0, 6, system property",
        "0, 6, 5, 4, 6, system property",
        "7, 0, 0, 0, 7, agent arguments",
        "7, 0, 0, 4, 7, agent arguments",
        "7, 0, 5, 0, 7, agent arguments",
        "7, 0, 5, 4, 7, agent arguments",
        "7, 6, 0, 0, 7, agent arguments",
        "7, 6, 0, 4, 7, agent arguments",
        "7, 6, 5, 0, 7, agent arguments",
        "7, 6, 5, 4, 7, agent arguments"})
    void strongerSourcesWin(int argument, int property, int variable, int json, double rate, String source) throws Exception {
        Path file = folder.resolve("t.json");
        Files.writeString(file, json == 0 ? "{}" : "{\"default_config\":{\"requests_per_second\":" + json + "}}");
        Given given = Given.arguments("config=" + file + (argument == 0 ? "" : ",rate=" + argument));
        given = property == 0 ? given : given.withProperty("tempolimit.rate", "" + property);
        given = variable == 0 ? given : given.withEnvironment("TEMPOLIMIT_RATE", "" + variable);
        Settings s = given.load();
        assertEquals(rate, s.policy("example.com").limit().rate());
        Setting shown = s.describe().stream().filter(x -> x.key().equals("rate")).findFirst().orElseThrow();
        assertEquals(source.replace("FILE", file.toString()), shown.source());
    }

    @Test
    void eachKeyFallsThroughByItself() throws Exception {
        Path file = folder.resolve("t.json");
        Files.writeString(file, "{\"default_config\":{\"requests_per_second\":1, \"burst_capacity\":2, "
                + "\"cooldown_threshold\":9, \"jitter\":0.25}}");
        Settings s = Given.arguments("rate=4").withProperty("tempolimit.burst", "6").withEnvironment("TEMPOLIMIT_COOLDOWN_THRESHOLD", "8")
                .withEnvironment("TEMPOLIMIT_CONFIG", file.toString()).withEnvironment("TEMPOLIMIT_MAX_WAIT", "0").load();
        Policy p = s.policy("example.com");
        assertEquals(4, p.limit().rate());
        assertEquals(6, p.limit().burst());
        assertEquals(8, p.cooldownThreshold());
        assertEquals(0.25, p.jitter());
        assertEquals(0, p.maxWait());
    }

    @Test
    void scopeComesBeforeSource() throws Exception {
        Path file = folder.resolve("t.json");
        Files.writeString(file, """
                { "domains": { "www.example.com": { "requests_per_second": 0.5 },
                               "*.example.com": { "profile": "slow", "burst_capacity": 9 } },
                  "profiles": { "slow": { "rate": 0.1, "burst": 1, "cooldown_threshold": 1, "jitter": 1 } } }""");
        Given given = Given.arguments("rate=7,burst=70,cooldown.threshold=6,config=" + file);
        Settings s = given.load();

        Policy other = s.policy("example.org");
        assertEquals(7, other.limit().rate());

        // the file's domain is stronger than the argument for all hosts
        Policy www = s.policy("www.example.com");
        assertEquals(0.5, www.limit().rate());
        // keys that the exact pattern leaves open come from the wildcard: its own, then its profile's
        assertEquals(9, www.limit().burst());
        assertEquals(1, www.cooldownThreshold());
        assertEquals(1, www.jitter());

        Policy shop = s.policy("shop.example.com");
        assertEquals(0.1, shop.limit().rate());
        assertEquals(9, shop.limit().burst());

        // within one pattern the stronger source wins, its own keys before the profile's
        s = given.withProperty("tempolimit.domain.www.example.com.rate", "2")
                .withProperty("tempolimit.domain.*.example.com.cooldown.threshold", "4").load();
        assertEquals(2, s.policy("www.example.com").limit().rate());
        assertEquals(4, s.policy("www.example.com").cooldownThreshold());
    }

    @Test
    void theMostSpecificPatternWins() throws BadSettings {
        Settings s = Given.arguments("exclude=-private,domain.example.com.rate=1,domain.*.example.com.rate=2,domain.*.b.example.com.rate=4,"
                + "domain.a.b.example.com.rate=5,domain.10.0.0.0/8.rate=6,domain.10.1.0.0/16.rate=7,domain.10.1.2.3.rate=8,"
                + "domain.fc00::/7.rate=9,domain.[fd00::1].rate=10").load();
        assertEquals(1, rate(s, "example.com"));
        assertEquals(2, rate(s, "www.example.com"));
        assertEquals(2, rate(s, "b.example.com"));
        assertEquals(4, rate(s, "x.b.example.com"));
        assertEquals(4, rate(s, "x.y.b.example.com"));
        assertEquals(5, rate(s, "a.b.example.com"));
        assertEquals(6, rate(s, "10.2.0.1"));
        assertEquals(7, rate(s, "10.1.0.1"));
        assertEquals(8, rate(s, "10.1.2.3"));
        assertEquals(9, rate(s, "fd00::2"));
        assertEquals(10, rate(s, "fd00::1"));
        assertEquals(3, rate(s, "notexample.com"));
    }

    @Test
    void domainKeysAreSplitAtTheLongestKeyAtTheEnd() throws BadSettings {
        Settings s = Given.property("tempolimit.domain.rate.example.com.cooldown.threshold", "7")
                .withProperty("tempolimit.domain.max-keys.example.com.on-limit", "reject").load();
        assertEquals(7, s.policy("rate.example.com").cooldownThreshold());
        assertTrue(s.policy("max-keys.example.com").reject());
    }

    @Test
    void hostsOfOnePatternShareAPolicy() throws BadSettings {
        Settings s = Given.arguments("domain.*.example.com.rate=1").load();
        assertSame(s.policy("a.example.com"), s.policy("b.example.com"));
        assertSame(s.policy("a.org"), s.policy("b.org"));
    }

    @Test
    void aDomainMaySayNothingAgain() throws BadSettings {
        Settings s = Given.arguments("exclude-paths=/static/*,max-wait=5s,domain.example.com.exclude-paths=none,"
                + "domain.example.com.max-wait=unlimited").load();
        assertFalse(s.policy("example.org").paths().covers("/static/x"));
        assertTrue(s.policy("example.com").paths().covers("/static/x"));
        assertEquals(Policy.UNLIMITED, s.policy("example.com").maxWait());
    }

    @Test
    void aStrongerSourceMaySayNothing() throws BadSettings {
        Settings s = Given.arguments("events=none,log.file=stderr,include=all").withEnvironment("TEMPOLIMIT_EVENTS", "/tmp/e")
                .withEnvironment("TEMPOLIMIT_LOG_FILE", "/tmp/l").withEnvironment("TEMPOLIMIT_INCLUDE", "example.org").load();
        assertNull(s.events());
        assertNull(s.logFile());
        assertNotNull(s.policy("example.com"));
    }

    private static double rate(Settings s, String host) {
        return s.policy(host).limit().rate();
    }
}
