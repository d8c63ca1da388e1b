package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Accounts;
import io.tempolimit.core.policy.Policy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings {@code key} and {@code account.secret}, and the file's {@code accounts}. */
class KeysTest {
    private static final String FILE = """
            { "default_config": { "requests_per_second": 2, "burst_capacity": 4 },
              "domains": { "shop.example": { "requests_per_second": 1, "cooldown_threshold": 7 } },
              "profiles": { "slow": { "requests_per_second": 0.2 } },
              "accounts": { "header": "Authorization", "profiles": { "3f9a0c77be21": "slow" } } }""";

    @TempDir
    Path folder;

    private String shown(String arguments) throws BadSettings {
        return value(Given.arguments(arguments).load(), "key");
    }

    private static String value(Settings settings, String key) {
        return settings.describe().stream().filter(s -> s.key().equals(key)).findFirst().map(Setting::value).orElse(null);
    }

    @Test
    void aHostAloneNeedsNoKeying() throws Exception {
        assertNull(Given.nothing().load().keying());
        assertNull(Given.arguments("key=host").load().keying());
        assertNull(Given.arguments("key=host;domain").load().keying(), "the finer one holds");
        assertNotNull(Given.arguments("key=domain").load().keying());
        assertNotNull(Given.arguments("key=host;port").load().keying());
        assertNotNull(Given.arguments("key=port").load().keying());
        assertNotNull(Given.arguments("key=proxy").load().keying());
        assertNotNull(Given.arguments("key=header:Cookie").load().keying());
        assertNotNull(Given.arguments("key=host;path:1").load().keying());
    }

    @Test
    void theOrderOfTheListDoesNotMatter() throws Exception {
        assertEquals("host", value(Given.nothing().load(), "key"));
        assertEquals("domain,port,proxy,header:Authorization,header:X-Key",
                shown("key=proxy;header:X-Key;port;header:Authorization;domain;port"));
        assertEquals("port", shown("key=port"));
        assertEquals("domain,path:2,header:X", shown("key=header:X;path:2;domain"));
        assertEquals("host,path:1", shown("key=path:1"), "a path without its host says nothing");
        assertEquals("host", shown("key=domain;host"));
    }

    @Test
    void aSecretIsATextOrAFile() throws Exception {
        assertNull(Given.nothing().load().accountSecret());
        assertEquals("random", value(Given.nothing().load(), "account.secret"));
        assertArrayEquals("s3cret".getBytes(StandardCharsets.UTF_8),
                Given.environment("TEMPOLIMIT_ACCOUNT_SECRET", "s3cret").load().accountSecret());
        Path file = Files.writeString(folder.resolve("secret"), "fr0m-a-file\n");
        Settings s = Given.arguments("account.secret=@" + file).load();
        assertArrayEquals("fr0m-a-file".getBytes(StandardCharsets.UTF_8), s.accountSecret());
        assertEquals("***", value(s, "account.secret"));
        Files.writeString(file, " \n");
        assertEquals(List.of("agent arguments: account.secret=***: the file is empty (allowed: a text of printable ASCII "
                + "characters without spaces, or @FILE for a file that holds one)"),
                Given.arguments("account.secret=@" + file).faults());
    }

    private Settings load(String json) throws Exception {
        return Given.arguments("account.secret=s,config=" + Files.writeString(folder.resolve("t.json"), json)).load();
    }

    @Test
    void anAccountComesBeforeTheDomainAndThatBeforeTheDefault() throws Exception {
        Settings s = load(FILE);
        Policy p = s.policy("shop.example", "3f9a0c77be21");
        assertEquals(0.2, p.limit().rate());
        assertEquals(4, p.limit().burst());
        assertEquals(7, p.cooldownThreshold());
        assertSame(p, s.policy("shop.example", "3f9a0c77be21"), "made once");
        assertEquals(3, s.policy("other.example", "3f9a0c77be21").cooldownThreshold());
        assertEquals(0.2, s.policy("other.example", "3f9a0c77be21").limit().rate());
        assertEquals(1, s.policy("shop.example", "none").limit().rate());
        assertSame(s.policy("shop.example"), s.policy("shop.example", "000000000000"));
        assertNull(s.policy("localhost", "3f9a0c77be21"), "who is paced at all, no account decides");
        assertEquals(0.2, s.shared(null, "3f9a0c77be21").limit().rate());
        assertEquals(1, s.shared("shop.example", null).limit().rate());
        assertEquals(List.of(), s.warnings());
    }

    /** So that accounts have keys that their settings can hold for. */
    @Test
    void accountsMakeTheirHeaderPartOfTheKey() throws Exception {
        assertEquals("host,header:Authorization", value(load(FILE), "key"));
        assertEquals("0.2", value(load(FILE), "account.3f9a0c77be21.requests_per_second".replace("requests_per_second", "rate")));
        Settings s = Given.arguments("key=domain;header:authorization,account.secret=s,config=" + folder.resolve("t.json")).load();
        assertEquals("domain,header:authorization", value(s, "key"));
    }

    @Test
    void accountsNeedASecretFromAnySource() throws Exception {
        Path file = Files.writeString(folder.resolve("t.json"), FILE);
        List<String> faults = Given.arguments("config=" + file).faults();
        assertEquals(1, faults.size());
        assertTrue(faults.get(0).startsWith("config file " + file + ": accounts: needs account.secret"), faults.get(0));
        assertEquals(List.of(), Given.arguments("config=" + file).withEnvironment("TEMPOLIMIT_ACCOUNT_SECRET", "x").faults());
        assertEquals(1, Given.arguments("account.secret=random,config=" + file).faults().size());
        Files.writeString(file, FILE.replace("\"burst_capacity\": 4", "\"burst_capacity\": 4, \"account_secret\": \"x\""));
        assertEquals(List.of(), Given.arguments("config=" + file).faults());
    }

    @Test
    void profilesOfAccountsAreLiveAndTheirHeaderNeedsARestart() throws Exception {
        Settings before = load(FILE);
        Files.writeString(folder.resolve("t.json"), FILE.replace("0.2", "0.5"));
        Settings after = before.reload();
        assertEquals(0.5, after.policy("shop.example", "3f9a0c77be21").limit().rate());
        assertEquals(List.of(), after.restartNeeded());
        Files.writeString(folder.resolve("t.json"), FILE.replace("Authorization", "X-Api-Key"));
        after = after.reload();
        assertEquals(List.of("key"), after.restartNeeded());
        assertEquals("host,header:Authorization", value(after, "key"));
    }

    @Test
    void aSettingThatCannotHoldForASharedBucketIsWarnedOf() throws Exception {
        String domains = ",domain.shop.example.rate=1,domain.www.shop.example.rate=1,"
                + "domain.*.shop.example.deny=x.shop.example,domain.*.co.uk.burst=2"
                + ",domain.www.shop.example.include-paths=/a,domain.10.0.0.0/8.rate=1";
        assertEquals(List.of("rate of domain www.shop.example has no effect: with key=domain its hosts share a bucket "
                + "with others, which is that of shop.example"),
                Given.arguments("exclude=-private,key=domain" + domains).load().warnings());
        assertEquals(List.of(), Given.arguments("exclude=-private" + domains).load().warnings());
        assertEquals(List.of("rate of domain a.example has no effect: with key=port,header:X its hosts share a bucket with others"),
                Given.arguments("key=header:X;port,domain.a.example.rate=1").load().warnings());
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, example.com", "www.example.com, example.com", "a.b.c.example.com, example.com",
        "shop.example.co.uk, example.co.uk", "example.co.uk, example.co.uk", "co.uk, co.uk", "com, com",
        "me.github.io, me.github.io", "docs.me.github.io, me.github.io", "github.io, github.io",
        "bucket.s3.amazonaws.com, bucket.s3.amazonaws.com",
        "www.city.kawasaki.jp, city.kawasaki.jp", "a.b.kawasaki.jp, a.b.kawasaki.jp", "x.a.b.kawasaki.jp, a.b.kawasaki.jp",
        "www.xn--85x722f.xn--55qx5d.cn, xn--85x722f.xn--55qx5d.cn", "a.b.notlisted, b.notlisted",
        "localhost, localhost", "10.0.0.1, 10.0.0.1", "127.1, 127.1", "2001:db8::1, 2001:db8::1", "my_host.example.com, example.com"})
    void theRegistrableDomainOf(String host, String domain) {
        RegistrableDomains domains = new RegistrableDomains();
        assertEquals(domain, domains.apply(host));
        assertEquals(domain, domains.apply(host), "once more, remembered");
        assertEquals(domain, RegistrableDomains.domainOf(host));
        assertFalse(Accounts.isName(domain));
    }

    @Test
    void aFloodOfHostsIsNotRemembered() {
        RegistrableDomains domains = new RegistrableDomains();
        for (int i = 0; i < 50_000; i++) {
            assertEquals("shop" + i + ".example", domains.apply("www.shop" + i + ".example"));
        }
        assertTrue(domains.remembered() <= 10_000, domains.remembered() + "");
    }
}
