package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.PathRules;
import io.tempolimit.core.policy.Policy;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the settings become. */
class SettingsTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

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
        assertEquals(100L << 20, s.logMaxSize());
        assertEquals("info", s.logLevel());
        assertNull(s.logFile());
        assertTrue(s.report());
        for (String client : Settings.clientNames()) {
            assertEquals(!client.equals("unknown"), s.clientEnabled(client), client);
        }
        assertFalse(s.clientEnabled("netscape"));
        assertEquals(List.of(), s.warnings());
        assertEquals(List.of(), s.restartNeeded());

        Policy p = s.policy("example.com");
        assertEquals(3, p.limit().rate());
        assertEquals(5, p.limit().burst());
        assertEquals(0, p.jitter());
        assertFalse(p.reject());
        assertFalse(p.detection().browser());
        assertEquals(Policy.UNLIMITED, p.maxWait());
        assertEquals(3, p.cooldownThreshold());
        assertEquals(30 * SECOND, p.cooldownMin());
        assertEquals(60 * SECOND, p.cooldownMax());
        assertEquals(600 * SECOND, p.cooldownMemory());
        assertSame(PathRules.ALL, p.paths());
    }

    @Test
    void everyKeyReachesItsAccessor() throws BadSettings {
        Settings s = Given.arguments("dry-run=true, max-keys=7 ,key-idle=1h,sweep=500ms,events=stdout,events.max-size=64KB,"
                + "log.max-size=32KB,"
                + "log.level=debug,"
                + "log.file=/tmp/t.log,report=false,clients=-okhttp;-apache4,rate=90/m,burst=2,jitter=0.5,on-limit=reject,max-wait=2m,"
                + "reject-with=exception,key=host,cooldown.threshold=1,cooldown.duration=5s,cooldown.memory=1h,"
                + "detect.browser=true,include-paths=/a/*;/b,exclude-paths=/a/x,").load();
        assertTrue(s.dryRun());
        assertEquals(7, s.maxKeys());
        assertEquals(3600 * SECOND, s.keyIdle());
        assertEquals(SECOND / 2, s.sweep());
        assertEquals("stdout", s.events());
        assertEquals(65536, s.eventsMaxSize());
        assertEquals(32768, s.logMaxSize());
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
        assertTrue(p.detection().browser());
        assertTrue(p.paths().covers("/a/y"));
        assertFalse(p.paths().covers("/a/x"));
        assertFalse(p.paths().covers("/c"));
    }

    private static double rate(Settings s, String host) {
        return s.policy(host).limit().rate();
    }

    @Test
    void includeAndExclude() throws BadSettings {
        Settings s = Given.arguments("include=example.com;*.example.com;8.8.8.0/24,exclude=secret.example.com;"
                + "*.api.example.com;8.8.8.9").load();
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
        Settings s = Given.arguments("domain.EXAMPLE.com..rate=1,domain.*.B\u00fccher.example.rate=2,"
                + "domain.[2001:DB8:0:0::1].rate=4").load();
        assertEquals(1, rate(s, "example.com"));
        assertEquals(2, rate(s, "www.xn--bcher-kva.example"));
        assertEquals(4, rate(s, "2001:db8::1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"enabled=false", "rate=oops,enabled=false", " enabled = false ", "enabled=false,nonsense"})
    void disabledReadsNothingElse(String arguments) {
        assertTrue(Given.arguments(arguments).withProperty("tempolimit.rat", "x").sources().disabled());
    }

    @Test
    void disabledByTheStrongestSource() {
        Given off = Given.environment("TEMPOLIMIT_ENABLED", "false");
        assertTrue(off.sources().disabled());
        assertFalse(off.withProperty("tempolimit.enabled", "true").sources().disabled());
        assertFalse(off.withArguments("enabled=true").withProperty("tempolimit.enabled", "false").sources().disabled());
        assertTrue(off.withArguments("enabled=false").withProperty("tempolimit.enabled", "true").sources().disabled());
        assertFalse(Given.nothing().sources().disabled());
        assertFalse(Given.arguments("include=enabled=false").sources().disabled());
    }

    @ParameterizedTest
    @ValueSource(strings = {"enabled=no", "enabled=False", "enabled=", "enabled=0", "enabled=false,enabled=false", "enabled"})
    void whatIsNotFalseDoesNotDisableAndIsAFault(String arguments) {
        assertFalse(Given.arguments(arguments).sources().disabled());
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

    /** It is added to what is named, and is not one of all. */
    @ParameterizedTest
    @CsvSource({"unknown, true, all;unknown", "all;unknown, true, all;unknown", "-okhttp;unknown, false, ",
        "okhttp;unknown, true, okhttp;watch;unknown", "unknown;-unknown, true, all"})
    void unknownClients(String clients, boolean okhttp, String shown) throws BadSettings {
        Settings s = Given.arguments("clients=" + clients).load();
        assertEquals(okhttp, s.clientEnabled("okhttp"));
        assertTrue(s.clientEnabled("watch"));
        assertEquals(!clients.contains("-unknown"), s.clientEnabled("unknown"));
        if (shown != null) {
            List<String> lines = s.describe().stream().map(Setting::toString).toList();
            assertTrue(lines.contains("clients=" + shown.replace(';', ',') + " (agent arguments)"), lines.toString());
        }
    }

    @Test
    void unknownClientsNeedTheWatch() {
        BadSettings bad = assertThrows(BadSettings.class, () -> Given.arguments("clients=unknown;-watch").load());
        assertTrue(bad.getMessage().contains("'unknown' needs 'watch'"), bad.getMessage());
    }

    @Test
    void describeListsEverythingWithItsSource() throws Exception {
        Path file = folder.resolve("t.json");
        Files.writeString(file, "{\"domains\":{\"example.com\":{\"profile\":\"slow\",\"burst\":2}},"
                + "\"profiles\":{\"slow\":{\"rate\":0.5,\"burst\":1}}}");
        List<String> lines = Given.arguments("rate=90/m,exclude=-services;Example.org,clients=-okhttp")
                .withProperty("tempolimit.config", file.toString())
                .withEnvironment("TEMPOLIMIT_DRY_RUN", "true").load().describe().stream().map(Setting::toString).toList();
        assertTrue(lines.contains("rate=90/m (agent arguments)"), lines.toString());
        assertTrue(lines.contains("exclude=private,example.org (agent arguments)"), lines.toString());
        String others = Settings.clientNames().stream().filter(name -> !List.of("okhttp", "unknown").contains(name))
                .collect(Collectors.joining(","));
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
        String rate = Help.of("rate");
        assertTrue(rate.startsWith("rate                requests a second per host (default: 3; also per domain)\n"), rate);
        assertTrue(rate.contains("\nsystem property     -Dtempolimit.rate=VALUE\nenvironment         TEMPOLIMIT_RATE=VALUE\n"
                + "config file         { \"default_config\": { \"rate\": VALUE } }\n"
                + "per domain          domain.shop.example.rate=VALUE\n"), rate);
        assertTrue(Help.of("exclude").contains("\nagent argument      exclude='VALUE;VALUE'\n"), Help.of("exclude"));
        assertTrue(Help.of("exclude").contains("{ \"exclude\": [\"VALUE\"] }"), Help.of("exclude"));
        assertEquals(rate, Help.of("domain.shop.example.rate"));
        assertTrue(Help.of("domain").contains("domain.shop.example.rate=1"));
        assertEquals(Help.of("domain"), Help.of("domain.shop.example"));
        assertEquals(List.of("cooldown.threshold", "cooldown.duration", "cooldown.memory", "cooldown.scope"),
                Help.of("cooldown").lines().filter(l -> !l.startsWith(" ")).map(l -> l.split(" ")[0]).toList());
        assertEquals(null, Help.of("shop"));
    }

    @Test
    void theFolderThatIsMissing() throws Exception {
        for (Setting s : Given.arguments("events=/no/such-%p/x,log.file=x.log,report=false,state=none").load().describe()) {
            String pid = Long.toString(ProcessHandle.current().pid());
            assertEquals(s.key().equals("events") ? "there is no folder " + new File("/no/such-" + pid) : null, s.fileTrouble(), s.key());
        }
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
        assertEquals("include does not have it; add it there to pace it",
                Given.arguments("include=example.com").load().whyLeftOut("example.org"));
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
        Settings settings = Given.arguments("deny=bad.example;*.worse.example,detect.ignore=shop.example:captcha,"
                + "domain.a.example.deny=a.example").load();
        assertTrue(settings.policy("bad.example").denied());
        assertTrue(settings.policy("x.worse.example").denied());
        assertTrue(settings.policy("a.example").denied());
        assertFalse(settings.policy("worse.example").denied());
        assertFalse(settings.policy("shop.example").denied());
        assertNotSame(settings.policy("shop.example"), settings.policy("other.example"));
        assertSame(settings.policy("another.example"), settings.policy("other.example"));
    }

    @Test
    void theLadder() throws Exception {
        Policy policy = Given.arguments("escalation=cooldown;5m;lifetime,escalation.memory=1h,cooldown.scope=global,"
                + "escalation.on=block;limit,max-wait=1s")
                .load().policy("a.example");
        assertTrue(policy.global());
        assertTrue(policy.blocksClimb() && policy.limitsClimb());
        assertEquals(3_600_000_000_000L, policy.escalationMemory());
    }
}
