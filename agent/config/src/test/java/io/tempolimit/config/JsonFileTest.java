package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFileTest {
    @TempDir
    Path folder;
    Path file;

    @BeforeEach
    void setUp() {
        file = folder.resolve("t.json");
    }

    private Settings load(String json) throws Exception {
        Files.writeString(file, json);
        return Given.arguments("config=" + file).load();
    }

    /** Without the beginning that all have. */
    private List<String> faults(String json) throws IOException {
        return faults(json.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> faults(byte[] json) throws IOException {
        Files.write(file, json);
        return Given.arguments("config=" + file).faults().stream()
                .map(l -> l.replace("config file " + file, "FILE").replace("=" + file, "=FILE")).toList();
    }

    /** Section 2 of the contract, without accounts and block_rules. */
    @Test
    void theContractsFile() throws Exception {
        Settings s = load("""
                { "version": "1.0",
                  "default_config": { "requests_per_second": 1.0, "burst_capacity": 1, "cooldown_threshold": 2 },
                  "domains": { "example.com":   { "requests_per_second": 2.0, "burst_capacity": 3, "window": ["10000/24h"] },
                               "*.example.org": { "profile": "slow", "exclude_paths": ["/api/*"] } },
                  "profiles": { "slow": { "requests_per_second": 0.2, "cooldown_threshold": 1 } } }""");
        Policy p = s.policy("shop.example");
        assertEquals(1, p.limit().rate());
        assertEquals(1, p.limit().burst());
        assertEquals(2, p.cooldownThreshold());
        p = s.policy("example.com");
        assertEquals(2, p.limit().rate());
        assertEquals(3, p.limit().burst());
        assertEquals(2, p.cooldownThreshold());
        p = s.policy("www.example.org");
        assertEquals(0.2, p.limit().rate());
        assertEquals(1, p.limit().burst());
        assertEquals(1, p.cooldownThreshold());
        assertFalse(p.paths().covers("/api/x"));
        assertTrue(p.paths().covers("/x"));
        assertEquals(1, s.policy("example.org").limit().rate());
        assertEquals(List.of(), s.warnings());
    }

    @Test
    void theFirstForm() throws Exception {
        Settings s = load("""
                {
                  "version": "1.0",
                  "default_config": { "requests_per_second": 1.0, "burst_capacity": 1 },
                  "domains": {
                    "api.example.com": { "requests_per_second": 5.0, "burst_capacity": 10 },
                    "example.org": { "requests_per_second": 0.5, "burst_capacity": 1 }
                  }
                }
                """);
        assertEquals(5, s.policy("api.example.com").limit().rate());
        assertEquals(10, s.policy("api.example.com").limit().burst());
        assertEquals(0.5, s.policy("example.org").limit().rate());
        assertEquals(1, s.policy("example.net").limit().burst());
    }

    @Test
    void everyKindOfValue() throws Exception {
        Settings s = load("""
                { "version": 1.0, "default_config": {
                  "enabled": false, "dry_run": true, "rate": "90/m", "burst": 4.0, "jitter": 0.5, "on_limit": "reject",
                  "max_wait": "5s", "reject_with": "exception", "key": ["host"],
                  "include": ["example.com", "*.example.com"], "exclude": "a.example.com, -private",
                  "include_paths": ["/a,b*"], "exclude_paths": "/x,/y",
                  "cooldown_threshold": 4, "cooldown_duration": "1m-2m", "cooldown_memory": "1h",
                  "max_keys": 10, "key_idle": "1h", "sweep": "1m", "events": "stderr", "events_max_size": "1MB",
                  "log_level": "off", "log_file": "l", "report": false, "clients": ["-okhttp"] } }""");
        assertFalse(s.enabled());
        assertTrue(s.dryRun());
        assertEquals(1.5, s.policy("example.com").limit().rate());
        assertEquals(4, s.policy("example.com").limit().burst());
        assertTrue(s.policy("example.com").reject());
        assertEquals(null, s.policy("a.example.com"));
        assertEquals(null, s.policy("example.org"));
        assertTrue(s.policy("example.com").paths().covers("/a,bc"));
        assertEquals(10, s.maxKeys());
        assertEquals("stderr", s.events());
        assertEquals("off", s.logLevel());
        assertFalse(s.report());
        assertFalse(s.clientEnabled("okhttp"));
    }

    /** {@code "admin_port": 9464} was a number where a number belongs, and refused as one. */
    @Test
    void whatMayBeAWordOrANumberMayBeANumber() throws Exception {
        Settings s = load("""
                { "default_config": { "admin_port": 9464, "redis": "redis://10.0.0.5", "redis_lease": 5, "max_wait": 0, "rate": 2,
                  "retry_after_max": 0, "metrics_keys": 0 } }""");
        assertEquals(9464, s.adminPort());
        assertEquals(5, s.fleet().lease());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"domains\":{}}", "{\"default_config\":{}}", "\ufeff{\"version\":\"1.0\"}",
        "{\"version\":1}", "\n\n{ }\n",
        "{\"domains\":{\"example.com\":{}},\"profiles\":{\"unused\":{}}}"})
    void smallFiles(String json) throws Exception {
        assertEquals(3, load(json).policy("example.com").limit().rate());
    }

    /** What stands in a file, and the line of its only fault. */
    private static final String BAD_FILES = """
                                                 | FILE: config: is empty (allowed: a JSON object, at least {})
            []                                   | FILE line 1 column 2: config: not one JSON object (allowed: { ... })
            3                                    | FILE line 1 column 2: config: not one JSON object (allowed: { ... })
            {"default_config":                   | FILE line 1 column 19: config: not JSON: it ends too early
            {"default_config":{}                 | config: not JSON: it ends too early
            {default_config:{}}                  | FILE line 1 column 3: config: not JSON (allowed: strict JSON: no comments, no \
            trailing commas)
            {"default_config":{},}               | config: not JSON
            {"default_config":{"rate":1,}}       | config: not JSON
            // hello                             | config: not JSON
            {/* */}                              | config: not JSON
            {"default_config":{"rate":NaN}}      | config: not JSON
            {"default_config":{"rate":01}}       | config: not JSON
            {"default_config":{"events":"\\u00zz"}} | config: not JSON
            {} {}                                | config: not JSON
            {} x                                 | config: not JSON
            {"version":"2.0"}                    | FILE line 1 column 11: version=2.0: not a version that is known (allowed: "1.0")
            {"version":true}                     | version=true: not a version that is known
            {"domain":{}}                        | FILE line 1 column 10: domain={...}: unknown key, did you mean domains? (allowed: \
            version, default_config, domains, profiles, accounts, block_rules)
            {"rate":1}                           | rate=1: does not belong here, did you mean default_config.rate? \
            (allowed: in default_config)
            {"redis":"r3d1s://x"}                | redis=***: does not belong here
            {"accounts":{"header":"A"}}          | FILE: accounts: needs account.secret, since accounts would have other names with \
            each start (allowed: account.secret=@FILE
            {"accounts":[]}                      | accounts=[...]: wrong type: an array (allowed: an object)
            {"accounts":{}}                      | accounts: has no header (allowed: "header": "Authorization")
            {"accounts":{"header":1}}            | accounts.header=***: no header's name
            {"accounts":{"header":"Bearer s3cret"}} | accounts.header=***: no header's name
            {"default_config":{"account_secret":"x"},"accounts":{"header":"A","profile":{}}} | accounts.profile: unknown key, did you \
            mean profiles? (allowed: header, profiles)
            {"default_config":{"account_secret":"x"},"accounts":{"header":"A","profiles":[]}} | accounts.profiles=[...]: wrong type: \
            an array (allowed: an object)
            {"default_config":{"account_secret":"x"},"accounts":{"header":"A","profiles":{"Bearer s3cret":"slow"}}} | \
            accounts.profiles.***: no account's name: that has 12 hex digits (allowed: what the command account prints)
            {"default_config":{"account_secret":"x"},"accounts":{"header":"A","profiles":{"3f9a0c77be21":3}}} | \
            accounts.profiles.3f9a0c77be21=3: wrong type: a number (allowed: a profile's name)
            {"default_config":{"account_secret":"x"},"profiles":{"slow":{}},\
            "accounts":{"header":"A","profiles":{"3f9a0c77be21":"slwo"}}} | \
            accounts.profiles.3f9a0c77be21=slwo: no such profile, did you mean slow? (allowed: slow)
            {"default_config":{"account_secret":"@/no/such"},"accounts":{"header":"A"}} | default_config.account_secret=***: names a \
            file that cannot be read
            {"block_rules":{}}                   | block_rules={...}: not a list (allowed: [ {...}, ... ])
            {"block_rules":[3]}                  | block_rules[0]=3: wrong type: a number (allowed: an object)
            {"block_rules":[{"titel":"x","status":[200]}]} | block_rules[0].titel=x: unknown key, did you mean title? (allowed: type, \
            hosts, status, title, body_contains, header)
            {"block_rules":[{"type":"capcha","title":"x"}]} | block_rules[0].type=capcha: no type of block, did you mean captcha? \
            (allowed: cloudflare_challenge,
            {"block_rules":[{"type":"captcha"}]} | block_rules[0]: matches every answer (allowed: at least one of status, title, \
            body_contains, header)
            {"block_rules":[{"hosts":["*.a.b:80"],"title":"x"}]} | block_rules[0].hosts=*.a.b:80: '*.a.b:80' has a port
            {"block_rules":[{"status":["200"]}]} | block_rules[0].status=200: wrong type: a string (allowed: a list of statuses from \
            100 to 999)
            {"block_rules":[{"status":[20]}]}    | block_rules[0].status=20: not a status (allowed: 100 to 999)
            {"block_rules":[{"body_contains":[]}]} | block_rules[0].body_contains: an empty list, which matches nothing
            {"block_rules":[{"body_contains":["\u200b"]}]} | block_rules[0].body_contains=\u200b: cannot be looked for (allowed: a \
            text of 1 to 1000 bytes that can be seen)
            {"block_rules":[{"title":" "}]}      | block_rules[0].title= : an empty text
            {"block_rules":[{"header":{"x-deny":true}}]} | block_rules[0].header.x-deny=true: wrong type: a boolean (allowed: a \
            header's value, or * for any)
            {"domains":[]}                       | domains=[...]: wrong type: an array (allowed: an object)
            {"domains":{"example.com":3}}        | domains.example.com=3: wrong type: a number (allowed: an object)
            {"domains":{"a b":{}}}               | domains.a b: 'a b' has a character that no host has:   (allowed: example.com,
            {"default_config":{"rats":1}}        | default_config.rats=1: unknown key, did you mean rate? (allowed: \
            requests a second
            {"default_config":{"max-wait":"1s"}} | default_config.max-wait=1s: unknown key, did you mean max_wait? (allowed:
            {"default_config":{"config":"x"}}    | default_config.config=x: the config file cannot name another one
            {"default_config":{"window":["10/60"]}} | default_config.window=10/60: its unit is missing
            {"default_config":{"redis_password":["s3cret"]}} | default_config.redis_password=***: wrong type: an array
            {"default_config":{"profile":"slow"}} | default_config.profile=slow: unknown key
            {"default_config":{"rate":true}}     | default_config.rate=true: wrong type: a boolean (allowed: requests a second
            {"default_config":{"rate":null}}     | default_config.rate=null: wrong type: null (allowed: requests a second
            {"default_config":{"rate":[1]}}      | default_config.rate=[...]: wrong type: an array (allowed: requests a second
            {"default_config":{"rate":-1}}       | default_config.rate=-1: not above 0
            {"default_config":{"rate":1e999}}    | default_config.rate=1e999: too large
            {"default_config":{"rate":""}}       | default_config.rate=: no value
            {"default_config":{"rate":"auto:x"}} | default_config.rate=auto:x: not a number
            {"default_config":{"burst":"3"}}     | default_config.burst=3: wrong type: a string (allowed: a whole number
            {"default_config":{"burst":2.5}}     | default_config.burst=2.5: not a whole number
            {"default_config":{"dry_run":"true"}} | default_config.dry_run=true: wrong type: a string (allowed: true or false)
            {"default_config":{"max_wait":30}}   | default_config.max_wait=30: its unit is missing
            {"default_config":{"on_limit":["wait"]}} | default_config.on_limit=[...]: wrong type: an array (allowed: wait, reject)
            {"default_config":{"include":[1]}}   | default_config.include: wrong type: a number in the list (allowed: all, or a list of
            {"default_config":{"include":[]}}    | default_config.include=: no value (allowed: all, or a list of
            {"default_config":{"include":[""]}}  | default_config.include=: no value (allowed: all, or a list of
            {"default_config":{"rate":1,"rate":2}} | default_config.rate: given twice (allowed: once)
            {"default_config":{"rate":1,"requests_per_second":2}} | default_config.requests_per_second=2: given twice (allowed: once)
            {"default_config":{},"default_config":{}} | default_config: given twice (allowed: once)
            {"domains":{"a.com":{},"A.com.":{}}} | domains.A.com.: given twice (allowed: once)
            {"domains":{"a.com":{"log_level":"info"}}} | domains.a.com.log_level: holds for all hosts, not per domain; it goes into \
            default_config
            {"domains":{"a.com":{"include":["b.com"]}}} | domains.a.com.include: holds for all hosts, not per domain; it goes into \
            default_config
            {"domains":{"a.com":{"profile":"slow"}}} | FILE line 1 column 31: domains.a.com.profile=slow: no such profile (allowed: \
            the name of one in profiles)
            {"domains":{"a.com":{"profile":"slo"}},"profiles":{"slow":{},"x":{}}} | domains.a.com.profile=slo: no such profile, did \
            you mean slow? (allowed: slow, x)
            {"domains":{"a.com":{"profile":3}}}  | domains.a.com.profile=3: wrong type: a number (allowed: a profile's name)
            {"profiles":{"slow":{"profile":"x"}}} | profiles.slow.profile=x: unknown key
            {"profiles":{"slow":{},"slow":{}}}   | profiles.slow: given twice (allowed: once)
            {"profiles":{"slow":{"clients":"all"}}} | profiles.slow.clients: holds for all hosts, not per domain; it goes into \
            default_config
            {"profiles":{"slow":{"rate":0}}}     | profiles.slow.rate=0: not above 0
            """;

    /** What stands in the file, the line of its only fault. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = BAD_FILES)
    void faults(String json, String line) throws IOException {
        List<String> lines = faults(json == null ? "" : json);
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(line.startsWith("FILE") ? lines.get(0).startsWith(line)
                : lines.get(0).matches("FILE line \\d+ column \\d+: \\Q" + line + "\\E.*"), lines.get(0));
    }

    /** {@code "exclude": []} was refused as no value. */
    @Test
    void anEmptyListAddsNothing() throws Exception {
        Files.writeString(file, "{\"default_config\":{\"exclude\":[],\"window\":[],\"deny\":[]},"
                + "\"domains\":{\"a.example\":{\"window\":[]}}}");
        Settings s = Given.arguments("config=" + file).load();
        assertNull(s.policy("127.0.0.1"));
        assertNotNull(s.policy("a.example"));
        assertEquals("private,services", s.describe().stream().filter(x -> x.key().equals("exclude")).findFirst().get().value());
        assertEquals(1, faults("{\"default_config\":{\"clients\":[]}}").size(), "no client is no default");
    }

    @Test
    void allFaultsWithTheirLines() throws IOException {
        List<String> lines = faults("""
                {
                  "default_config": {
                    "requests_per_second": 0,
                    "brust": 1
                  },
                  "domains": {
                    "example.com": { "streams": 0 },
                    "*": { "rate": 1 }
                  },
                  "extra": [1, {"a": 2}]
                """);
        assertEquals(6, lines.size(), lines.toString());
        assertTrue(lines.get(0).startsWith("FILE line 3 column 26: default_config.requests_per_second=0: "), lines.get(0));
        assertTrue(lines.get(1).startsWith("FILE line 4 column 12: default_config.brust=1: unknown key, did you mean "
                + "burst?"), lines.get(1));
        assertTrue(lines.get(2).startsWith("FILE line 7 column 31: domains.example.com.streams=0: below 1"), lines.get(2));
        assertTrue(lines.get(3).startsWith("FILE line 8 "), lines.get(3));
        assertTrue(lines.get(4).startsWith("FILE line 10 "), lines.get(4));
        assertTrue(lines.get(5).startsWith("FILE line 11 column 1: config: not JSON: it ends too early"), lines.get(5));
    }

    @Test
    void filesThatCannotBeRead() throws IOException {
        assertEquals(List.of("agent arguments: config=" + folder + ": is a directory (allowed: a file that can be read)"),
                Given.arguments("config=" + folder).faults());
        assertEquals(List.of("system property: config=" + file + ": no such file: " + file + " (allowed: a file that can be read)"),
                Given.property("tempolimit.config", file.toString()).faults());
        Path relative = Path.of("no-such-file.json");
        assertTrue(Given.arguments("config=" + relative).faults().get(0).contains("no such file: " + relative.toAbsolutePath()));
        assertEquals(List.of("FILE: config: is UTF-16 or UTF-32 (allowed: UTF-8)"), faults("\ufeff{}".getBytes(StandardCharsets.UTF_16BE)));
        assertEquals(List.of("FILE: config: is UTF-16 or UTF-32 (allowed: UTF-8)"), faults("{}".getBytes(StandardCharsets.UTF_16LE)));
        assertEquals(List.of("FILE: config: is not UTF-8 (allowed: UTF-8)"),
                faults("{\"\u00e9\":1}".getBytes(StandardCharsets.ISO_8859_1)));
        assertEquals(List.of("FILE: config: is empty (allowed: a JSON object, at least {})"), faults(" \n\t"));
    }

    @Test
    void aVeryLargeOrDeepFileEnds() throws IOException {
        assertEquals(1, faults("{\"x\":" + "[".repeat(100_000)).size());
        Files.write(file, new byte[(16 << 20) + 5000]);
        assertTrue(Given.arguments("config=" + file).faults().get(0).contains("is larger than 16 MB"));
    }
}
