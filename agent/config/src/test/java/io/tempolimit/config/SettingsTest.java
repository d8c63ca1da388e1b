package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.PathRules;
import io.tempolimit.core.Policy;
import java.nio.charset.StandardCharsets;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @Test
    void secretsStandInFilesAndAreNotShown(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("token"), "s3cret\n".getBytes(StandardCharsets.US_ASCII));
        Settings settings = Given.arguments("admin.token=@" + file).load();
        assertEquals("s3cret", settings.adminToken());
        assertFalse(settings.describe().toString().contains("s3cret"));
        assertFalse(settings.describe().toString().contains(file.toString()));
        assertEquals("none", shown(Given.nothing().load(), "admin.token"));
        assertEquals("***", shown(settings, "admin.token"));
        assertEquals(-1, settings.adminPort());
        assertEquals(-1, Given.arguments("admin.port=off").load().adminPort());
        assertEquals(0, Given.arguments("admin.port=0").load().adminPort());
    }

    private static String shown(Settings settings, String key) {
        return settings.describe().stream().filter(s -> s.key().equals(key)).findFirst().orElseThrow().value();
    }

    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    @Test
    void theDefaultsAreTheContracts() throws BadSettings {
        Settings s = Given.nothing().load();
        assertTrue(s.enabled());
        assertFalse(s.dryRun());
        assertNull(s.config());
        assertEquals(10_000, s.maxKeys());
        assertEquals(24 * 3600 * SECOND, s.keyIdle());
        assertEquals(300 * SECOND, s.sweep());
        assertNull(s.events());
        assertEquals(100L << 20, s.eventsMaxSize());
        assertEquals("info", s.logLevel());
        assertNull(s.logFile());
        assertTrue(s.report());
        for (String client : Settings.clientNames()) {
            assertTrue(s.clientEnabled(client), client);
        }
        assertFalse(s.clientEnabled("netscape"));
        assertEquals(List.of(), s.warnings());
        assertEquals(List.of(), s.restartNeeded());

        Policy p = s.policy("example.com");
        assertEquals(3, p.limit().rate());
        assertEquals(5, p.limit().burst());
        assertEquals(0, p.jitter());
        assertFalse(p.reject());
        assertEquals(Policy.UNLIMITED, p.maxWait());
        assertEquals(3, p.cooldownThreshold());
        assertEquals(30 * SECOND, p.cooldownMin());
        assertEquals(60 * SECOND, p.cooldownMax());
        assertEquals(600 * SECOND, p.cooldownMemory());
        assertSame(PathRules.ALL, p.paths());
    }

    @Test
    void everyKeyReachesItsAccessor() throws BadSettings {
        Settings s = Given.arguments("dry-run=true, max-keys=7 ,key-idle=1h,sweep=500ms,events=stdout,events.max-size=64KB,log.level=debug,"
                + "log.file=/tmp/t.log,report=false,clients=-okhttp;-apache4,rate=90/m,burst=2,jitter=0.5,on-limit=reject,max-wait=2m,"
                + "reject-with=exception,key=host,cooldown.threshold=1,cooldown.duration=5s,cooldown.memory=1h,include-paths=/a/*;/b,exclude-paths=/a/x,").load();
        assertTrue(s.dryRun());
        assertEquals(7, s.maxKeys());
        assertEquals(3600 * SECOND, s.keyIdle());
        assertEquals(SECOND / 2, s.sweep());
        assertEquals("stdout", s.events());
        assertEquals(65536, s.eventsMaxSize());
        assertEquals("debug", s.logLevel());
        assertEquals("/tmp/t.log", s.logFile());
        assertFalse(s.report());
        assertFalse(s.clientEnabled("okhttp"));
        assertFalse(s.clientEnabled("apache4"));
        assertTrue(s.clientEnabled("apache5"));
        Policy p = s.policy("example.com");
        assertEquals(1.5, p.limit().rate());
        assertEquals(2, p.limit().burst());
        assertEquals(0.5, p.jitter());
        assertTrue(p.reject());
        assertEquals(120 * SECOND, p.maxWait());
        assertEquals(1, p.cooldownThreshold());
        assertEquals(5 * SECOND, p.cooldownMin());
        assertEquals(5 * SECOND, p.cooldownMax());
        assertEquals(3600 * SECOND, p.cooldownMemory());
        assertTrue(p.paths().covers("/a/y"));
        assertFalse(p.paths().covers("/a/x"));
        assertFalse(p.paths().covers("/c"));
    }

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
        Files.writeString(file, "{\"default_config\":{\"requests_per_second\":1, \"burst_capacity\":2, \"cooldown_threshold\":9, \"jitter\":0.25}}");
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
        s = given.withProperty("tempolimit.domain.www.example.com.rate", "2").withProperty("tempolimit.domain.*.example.com.cooldown.threshold", "4").load();
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

    private static double rate(Settings s, String host) {
        return s.policy(host).limit().rate();
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
        Settings s = Given.arguments("exclude-paths=/static/*,max-wait=5s,domain.example.com.exclude-paths=none,domain.example.com.max-wait=unlimited").load();
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

    @Test
    void includeAndExclude() throws BadSettings {
        Settings s = Given.arguments("include=example.com;*.example.com;8.8.8.0/24,exclude=secret.example.com;*.api.example.com;8.8.8.9").load();
        assertNotNull(s.policy("example.com"));
        assertNotNull(s.policy("www.example.com"));
        assertNotNull(s.policy("api.example.com"));
        assertNotNull(s.policy("8.8.8.8"));
        assertNull(s.policy("example.org"));
        assertNull(s.policy("secret.example.com"));
        assertNull(s.policy("v1.api.example.com"));
        assertNull(s.policy("8.8.8.9"));
        assertNull(s.policy("8.8.4.4"));
        assertNull(s.policy(null));
        assertNull(s.policy(""));
    }

    @Test
    void excludeAddsToItsDefault() throws BadSettings {
        Settings s = Given.property("tempolimit.exclude", "example.org").load();
        assertNull(s.policy("example.org"));
        assertNull(s.policy("localhost"));
        assertNull(s.policy("oauth2.googleapis.com"));
        s = Given.property("tempolimit.exclude", "-private").load();
        assertNotNull(s.policy("localhost"));
        assertNotNull(s.policy("127.0.0.1"));
        assertNull(s.policy("oauth2.googleapis.com"));
        s = Given.property("tempolimit.exclude", "-services, example.org").load();
        assertNull(s.policy("localhost"));
        assertNotNull(s.policy("oauth2.googleapis.com"));
        assertNull(s.policy("example.org"));
        s = Given.property("tempolimit.exclude", "private,-services").load();
        assertNull(s.policy("localhost"));
        s = Given.arguments("include=services,exclude=-services").load();
        assertNotNull(s.policy("oauth2.googleapis.com"));
        assertNull(s.policy("example.org"));
    }

    @Test
    void patternsMayBeWrittenAsPeopleWriteThem() throws BadSettings {
        Settings s = Given.arguments("domain.EXAMPLE.com..rate=1,domain.*.B\u00fccher.example.rate=2,domain.[2001:DB8:0:0::1].rate=4").load();
        assertEquals(1, rate(s, "example.com"));
        assertEquals(2, rate(s, "www.xn--bcher-kva.example"));
        assertEquals(4, rate(s, "2001:db8::1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"enabled=false", "rate=oops,enabled=false", " enabled = false ", "enabled=false,nonsense"})
    void disabledReadsNothingElse(String arguments) {
        assertTrue(Settings.disabled(Given.arguments(arguments).withProperty("tempolimit.rat", "x").sources()));
    }

    @Test
    void disabledByTheStrongestSource() {
        Given off = Given.environment("TEMPOLIMIT_ENABLED", "false");
        assertTrue(Settings.disabled(off.sources()));
        assertFalse(Settings.disabled(off.withProperty("tempolimit.enabled", "true").sources()));
        assertFalse(Settings.disabled(off.withArguments("enabled=true").withProperty("tempolimit.enabled", "false").sources()));
        assertTrue(Settings.disabled(off.withArguments("enabled=false").withProperty("tempolimit.enabled", "true").sources()));
        assertFalse(Settings.disabled(Given.nothing().sources()));
        assertFalse(Settings.disabled(Given.arguments("include=enabled=false").sources()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"enabled=no", "enabled=False", "enabled=", "enabled=0", "enabled=false,enabled=false", "enabled"})
    void whatIsNotFalseDoesNotDisableAndIsAFault(String arguments) {
        assertFalse(Settings.disabled(Given.arguments(arguments).sources()));
        assertThrows(BadSettings.class, () -> Given.arguments(arguments).load());
    }

    @Test
    void clients() throws BadSettings {
        Settings s = Given.arguments("clients=okhttp;apache5").load();
        assertTrue(s.clientEnabled("okhttp"));
        assertFalse(s.clientEnabled("jdk-http-client"));
        s = Given.arguments("clients=all;-okhttp").load();
        assertFalse(s.clientEnabled("okhttp"));
        assertTrue(s.clientEnabled("http-url-connection"));
        assertTrue(Given.arguments("clients=all").load().clientEnabled("okhttp"));
    }

    @Test
    void aBurstThatCannotBeSmallerIsNoWarning() throws BadSettings {
        assertEquals(List.of(), Given.arguments("rate=2/h,burst=1").load().warnings());
        assertEquals(1, Given.arguments("rate=2/h,burst=2").load().warnings().size());
    }

    @Test
    void warnings() throws BadSettings {
        assertEquals(List.of("burst=181 is more than 60 times rate=3: so many requests may leave at once"), Given.arguments("burst=181").load().warnings());
        assertEquals(List.of(), Given.arguments("burst=180").load().warnings());
        assertEquals(List.of("domain example.com: burst=5 is more than 60 times rate=1/h: so many requests may leave at once"),
                Given.arguments("domain.example.com.rate=1/h").load().warnings());
        assertEquals(List.of("domain a.example.com: burst=40 is more than 60 times rate=0.5: so many requests may leave at once"),
                Given.arguments("domain.a.example.com.burst=40,domain.*.example.com.rate=0.5").load().warnings());
    }

    @Test
    void settingsOfHostsThatAreNotPacedAreWarnedAbout() throws BadSettings {
        assertEquals(List.of("settings of domain 10.0.0.5 have no effect: it is excluded by private, which exclude=-private takes out"),
                Given.arguments("domain.10.0.0.5.rate=1").load().warnings());
        assertEquals(List.of(), Given.arguments("domain.10.0.0.5.rate=1,exclude=-private").load().warnings());
        assertEquals(List.of("include=localhost has no effect: it is excluded by private, which exclude=-private takes out"),
                Given.arguments("include=localhost;example.com").load().warnings());
        assertEquals(List.of("settings of domain *.example.com have no effect: it is excluded by a pattern of exclude"),
                Given.arguments("domain.*.example.com.rate=1,exclude=*.example.com").load().warnings());
        assertEquals(List.of("settings of domain example.org have no effect: it is not in include"),
                Given.arguments("domain.example.org.rate=1,domain.*.example.com.rate=1,include=a.example.com").load().warnings());
    }

    /** Services named {@code tempolimit}, {@code tempolimit-admin} and {@code tempolimit-redis}: each container of the namespace gets these. */
    @Test
    void whatKubernetesMakesOfAServiceIsOneWarning() throws BadSettings {
        Given links = Given.environment("TEMPOLIMIT_PORT", "tcp://10.0.0.1:80").withEnvironment("TEMPOLIMIT_SERVICE_HOST", "10.0.0.1")
                .withEnvironment("TEMPOLIMIT_PORT_80_TCP", "tcp://10.0.0.1:80").withEnvironment("TEMPOLIMIT_PORT_80_TCP_ADDR", "10.0.0.1")
                .withEnvironment("TEMPOLIMIT_ADMIN_PORT", "tcp://10.0.0.1:8080").withEnvironment("TEMPOLIMIT_ADMIN_SERVICE_PORT", "8080")
                .withEnvironment("TEMPOLIMIT_ADMIN_SERVICE_PORT_HTTP", "8080").withEnvironment("TEMPOLIMIT_REDIS_PORT_53_UDP_PROTO", "udp");
        assertEquals(List.of(), links.faults());
        Settings s = links.load();
        assertEquals(List.of("environment variables of a Kubernetes service, ignored: TEMPOLIMIT_ADMIN_PORT, TEMPOLIMIT_ADMIN_SERVICE_PORT, TEMPOLIMIT_ADMIN_SERVICE_PORT_HTTP, "
                + "TEMPOLIMIT_PORT, TEMPOLIMIT_PORT_80_TCP, TEMPOLIMIT_PORT_80_TCP_ADDR, TEMPOLIMIT_REDIS_PORT_53_UDP_PROTO, TEMPOLIMIT_SERVICE_HOST. "
                + "enableServiceLinks: false in the pod's spec leaves them out"), s.warnings());
        assertEquals(-1, s.adminPort());
    }

    @Test
    void whatSomebodyWroteIsNoServiceLink() {
        assertEquals(1, Given.environment("TEMPOLIMIT_ADMIN_PORT", "http://10.0.0.1:8080").faults().size());
        assertEquals(1, Given.environment("TEMPOLIMIT_REDIS", "tcp://10.0.0.1:6379").faults().size());
        assertEquals(1, Given.environment("TEMPOLIMIT_ADMIN_PORT", "80800").faults().size());
    }

    /** Templates of containers write {@code TEMPOLIMIT_RATE=""} where they have no value. */
    @Test
    void anEmptyVariableIsUnset() throws BadSettings {
        for (SettingKey key : SettingKey.values()) {
            Given empty = Given.environment("TEMPOLIMIT_" + key.environmentName(), "").withEnvironment("TEMPOLIMIT_WIBBLE", " ");
            assertEquals(List.of(), empty.faults(), key.key);
            assertEquals(List.of(), empty.load().warnings(), key.key);
        }
        assertEquals(2, rate(Given.environment("TEMPOLIMIT_RATE", "\t").withProperty("tempolimit.rate", "2").load(), "example.com"));
        assertFalse(Settings.disabled(Given.environment("TEMPOLIMIT_ENABLED", "").sources()));
        assertEquals(1, Given.property("tempolimit.rate", "").faults().size(), "a property is written by somebody");
    }

    @Test
    void unknownVariablesAreOneWarning() throws BadSettings {
        Settings s = Given.environment("TEMPOLIMIT_RAT", "1")
                .withEnvironment("TEMPOLIMIT_RATEE", "1").withEnvironment("PATH", "/bin").withEnvironment("tempolimit_rate", "1").load();
        assertEquals(List.of("unknown environment variables, ignored: TEMPOLIMIT_RAT (did you mean TEMPOLIMIT_RATE?), "
                + "TEMPOLIMIT_RATEE (did you mean TEMPOLIMIT_RATE?)"), s.warnings());
        assertEquals(3, rate(s, "example.com"));
    }

    @Test
    void describeListsEverythingWithItsSource() throws Exception {
        Path file = folder.resolve("t.json");
        Files.writeString(file, "{\"domains\":{\"example.com\":{\"profile\":\"slow\",\"burst\":2}},\"profiles\":{\"slow\":{\"rate\":0.5,\"burst\":1}}}");
        List<String> lines = Given.arguments("rate=90/m,exclude=-services;Example.org,clients=-okhttp").withProperty("tempolimit.config", file.toString())
                .withEnvironment("TEMPOLIMIT_DRY_RUN", "true").load().describe().stream().map(Setting::toString).toList();
        assertTrue(lines.contains("rate=90/m (agent arguments)"), lines.toString());
        assertTrue(lines.contains("exclude=private,example.org (agent arguments)"), lines.toString());
        String others = Settings.clientNames().stream().filter(name -> !name.equals("okhttp")).collect(Collectors.joining(","));
        assertTrue(lines.contains("clients=" + others + " (agent arguments)"), lines.toString());
        assertTrue(lines.contains("dry-run=true (environment)"), lines.toString());
        assertTrue(lines.contains("burst=5 (default)"), lines.toString());
        assertTrue(lines.contains("include=all (default)"), lines.toString());
        assertTrue(lines.contains("events=none (default)"), lines.toString());
        assertTrue(lines.contains("domain.example.com.burst=2 (config file " + file + ")"), lines.toString());
        assertTrue(lines.contains("domain.example.com.rate=0.5 (config file " + file + ", profile slow)"), lines.toString());
        assertEquals(SettingKey.COUNT + 2, lines.size());
    }

    @Test
    void helpHasEveryKey() {
        String help = Help.all();
        for (int i = 0; i < SettingKey.COUNT; i++) {
            assertTrue(help.contains(SettingKey.at(i).key), SettingKey.at(i).key);
        }
        for (String line : help.split("\n")) {
            assertTrue(line.length() <= 80, line);
        }
    }

    @Test
    void helpOfOneKeyOrOfOneGroup() {
        assertTrue(Help.of("rate").startsWith("rate                tokens per second of each bucket (default: 3; also per\n                    domain)\n"), Help.of("rate"));
        assertEquals(1, Help.of("rate").lines().filter(l -> !l.startsWith(" ")).count());
        assertEquals(List.of("cooldown.threshold", "cooldown.duration", "cooldown.memory", "cooldown.scope"),
                Help.of("cooldown").lines().filter(l -> !l.startsWith(" ")).map(l -> l.split(" ")[0]).toList());
        assertEquals(null, Help.of("shop"));
    }

    /** One configuration for two hundred JVMs: their files overwrote each other. */
    @Test
    void filesOfManyProcessesHaveNamesOfTheirOwn() throws Exception {
        String pid = Long.toString(ProcessHandle.current().pid());
        Settings s = Given.arguments("events=e-%p.json,log.file=/var/log/%h.log,report=100%%-%p.json,state=s-%h-%p").load();
        assertEquals("e-" + pid + ".json", s.events());
        assertTrue(s.logFile().matches("/var/log/[A-Za-z0-9._-]+\\.log"), s.logFile());
        assertEquals("100%-" + pid + ".json", s.reportFile());
        assertTrue(s.state().startsWith("s-") && s.state().endsWith("-" + pid), s.state());
        assertEquals("stdout", Given.arguments("events=stdout").load().events());
        assertTrue(s.describe().stream().anyMatch(e -> e.toString().equals("events=e-%p.json (agent arguments)")), "as it was written");
        assertEquals("state=" + new File("s-%p").getAbsolutePath(), Sources.withAbsoluteFiles("state=s-%p"));
    }

    @Test
    void thePageAndTheMetrics() throws Exception {
        assertEquals(List.of(), Given.nothing().load().adminAllowedHosts());
        assertEquals(100, Given.nothing().load().metricsKeys());
        Settings s = Given.arguments("admin.allowed-hosts=Tempolimit.Example.com;b.example,metrics.keys=0").load();
        assertEquals(List.of("tempolimit.example.com", "b.example"), s.adminAllowedHosts());
        assertEquals(0, s.metricsKeys());
    }

    /** A newcomer tried localhost, and nobody told that it is left out. */
    @Test
    void whyAHostIsLeftOut() throws Exception {
        Settings s = Given.arguments("exclude=*.shop.example;10.9.0.0/16").load();
        assertEquals("exclude has private; exclude=-private paces it", s.whyLeftOut("127.0.0.1"));
        assertEquals("exclude has services; exclude=-services paces it", s.whyLeftOut("sts.amazonaws.com"));
        assertEquals("exclude has *.shop.example; take that out to pace it", s.whyLeftOut("www.shop.example"));
        assertEquals("exclude has 10.9.0.0/16; take that out to pace it", s.whyLeftOut("10.9.1.1"));
        assertEquals(null, s.whyLeftOut("example.com"));
        assertEquals("include does not have it; add it there to pace it", Given.arguments("include=example.com").load().whyLeftOut("example.org"));
    }

    @Test
    void thisJvmsSources() throws BadSettings {
        System.setProperty("tempolimit.burst", "17");
        try {
            assertEquals(17, Settings.load(Sources.ofJvm("rate=2")).policy("example.com").limit().burst());
        } finally {
            System.clearProperty("tempolimit.burst");
        }
    }

    @Test
    void whatIsDeniedOrIgnoredOnOneHostIsNotOnItsNeighbours() throws Exception {
        Settings settings = Given.arguments("deny=bad.example;*.worse.example,detect.ignore=shop.example:captcha,domain.a.example.deny=a.example").load();
        assertTrue(settings.policy("bad.example").denied());
        assertTrue(settings.policy("x.worse.example").denied());
        assertTrue(settings.policy("a.example").denied());
        assertFalse(settings.policy("worse.example").denied());
        assertFalse(settings.policy("shop.example").denied());
        assertNotSame(settings.policy("shop.example"), settings.policy("other.example"));
        assertSame(settings.policy("another.example"), settings.policy("other.example"));
    }

    @Test
    void aLimitThatNobodyRunsIntoCannotClimb() throws Exception {
        String warning = "escalation.on=limit has no effect while requests wait without end: it needs on-limit=reject or max-wait";
        assertEquals(List.of(warning), Given.arguments("escalation.on=block;limit").load().warnings());
        assertEquals(List.of("domain a.example: " + warning), Given.arguments("domain.a.example.escalation.on=limit").load().warnings());
        assertEquals(List.of(), Given.arguments("escalation.on=limit,max-wait=10s").load().warnings());
        assertEquals(List.of(), Given.arguments("escalation.on=limit,on-limit=reject").load().warnings());
        assertEquals(List.of(), Given.arguments("escalation.on=block").load().warnings());
    }

    @Test
    void theLadder() throws Exception {
        Policy policy = Given.arguments("escalation=cooldown;5m;lifetime,escalation.memory=1h,cooldown.scope=global,escalation.on=block;limit,max-wait=1s")
                .load().policy("a.example");
        assertTrue(policy.global());
        assertTrue(policy.blocksClimb() && policy.limitsClimb());
        assertEquals(3_600_000_000_000L, policy.escalationMemory());
    }
}
