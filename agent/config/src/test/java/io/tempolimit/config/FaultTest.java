package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest {
    /** A bad value, its problem, and what is allowed. */
    private static final String BAD_VALUES = """
            rate=fast            | not a number                            | requests a second above 0
            rate=                | no value                                | requests a second above 0
            rate=0               | not above 0                             | requests a second above 0
            rate=-1              | not above 0                             | requests a second above 0
            rate=NaN             | not a number                            | requests a second above 0
            rate=Infinity        | not a number                            | requests a second above 0
            rate=1e999           | too large                               | requests a second above 0
            rate=1e-999          | not above 0                             | requests a second above 0
            rate=3f              | not a number                            | requests a second above 0
            rate=0x1p3           | not a number                            | requests a second above 0
            rate=1..2            | not a number                            | requests a second above 0
            rate=/m              | not a number                            | requests a second above 0
            rate=90/d            | after the slash comes s, m or h         | requests a second above 0
            rate=10/60s          | after the slash comes s, m or h         | requests a second above 0
            rate=auto:           | not a number                            | requests a second above 0
            rate=auto:0          | not above 0                             | requests a second above 0
            rate=auto:fast       | not a number                            | requests a second above 0
            rate=automatic       | not a number                            | requests a second above 0
            window=10            | not a count, a slash and a duration     | a list of a count and a duration
            window=10/60         | its unit is missing                     | a list of a count and a duration
            window=0/60s         | below 1                                 | a list of a count and a duration
            window=10/0s         | not above 0                             | a list of a count and a duration
            window=10/60s;       | an empty entry in the list              | a list of a count and a duration
            window=/60s          | not a count, a slash and a duration     | a list of a count and a duration
            concurrency=0        | below 1                                 | a whole number from 1
            learn=yes            | neither true nor false                  | true or false
            burst=0              | below 1                                 | a whole number from 1
            burst=-3             | below 1                                 | a whole number from 1
            burst=1.5            | not a whole number                      | a whole number from 1
            burst=2147483648     | too large                               | a whole number from 1
            burst=99999999999999999999999999 | too large                               | a whole number from 1
            burst=-              | not a whole number                      | a whole number from 1
            jitter=1.1           | not between 0 and 1                     | a number from 0 to 1
            jitter=-0.1          | not between 0 and 1                     | a number from 0 to 1
            jitter=NaN           | not a number                            | a number from 0 to 1
            on-limit=wiat        | no such value, did you mean wait?       | wait, reject
            on-limit=fail        | no such value                           | wait, reject
            on-limit=            | no value                                | wait, reject
            max-wait=30          | its unit is missing                     | 0, a whole number and ms, s, m or h
            max-wait=never       | not a duration                          | 0, a whole number and ms, s, m or h
            max-wait=-1s         | not a duration                          | 0, a whole number and ms, s, m or h
            max-wait=1.5s        | not a whole number                      | 0, a whole number and ms, s, m or h
            max-wait=3d          | not a duration                          | 0, a whole number and ms, s, m or h
            max-wait=87601h      | too long                                | at most 87600h
            max-wait=9223372036854775807h | too long                                | at most 87600h
            max-wait=99999999999999999999s | too long                                | at most 87600h
            key-idle=0s          | not above 0                             | above 0
            sweep=0ms            | not above 0                             | above 0
            cooldown.duration=60s-30s | the lower one comes first               | in 30s or 30s-60s
            cooldown.duration=30-60s | its unit is missing                     | in 30s or 30s-60s
            cooldown.duration=30s- | not a duration                          | in 30s or 30s-60s
            cooldown.duration=30s-60s-90s | not a duration                          | in 30s or 30s-60s
            cooldown.duration=0  | not above 0                             | in 30s or 30s-60s
            cooldown.duration=0s | not above 0                             | in 30s or 30s-60s
            redis.timeout=0      | not above 0                             | above 0
            concurrency=unlimited | not a whole number                      | none, or a whole number from 1
            include=             | no value                                | all, or a list of example.com
            admin.port=on        | not a whole number                      | off, or a whole number from 0
            detect.ignore=a.example: | 'a.example:' ends with its colon        | HOST:NAME
            cooldown.memory=soon | not a duration                          | in 500ms, 30s, 5m or 24h
            events.max-size=64XB | not a size                              | KB, MB or GB
            events.max-size=-1   | not a size                              | KB, MB or GB
            events.max-size=0    | below 1                                 | KB, MB or GB
            events.max-size=9999999999999GB | too large                               | KB, MB or GB
            events.max-size=1M   | not a size, did you mean 1MB?           | KB, MB or GB
            detect.body=64k      | not a size, did you mean 64kB?          | KB, MB or GB
            detect.body=-1       | not a size                              | from 0
            detect.body=2GB      | too large                               | at most 1GB
            detect.status=403;abc | not a whole number                      | 400 to 999
            detect.status=200    | below 400                               | 400 to 999
            detect.ignore=capcha | 'capcha' is no block type, vendor or rule, did you mean captcha? | HOST:NAME
            detect.ignore=a b:captcha | 'a b' has a character                   | HOST:NAME
            user-agent.check=on  | no such value                           | warn, reject, off
            retry-after.max=1    | its unit is missing                     | 0, or a whole number
            escalation=5m;forever | not a duration                          | cooldown, a duration (as in 5m), lifetime
            escalation=lifetime;5m | nothing comes after lifetime            | cooldown, a duration (as in 5m), lifetime
            escalation.on=blocks | no such value, did you mean block?      | block, limit
            cooldown.scope=all   | no such value                           | key, global
            deny=http://a.b      | 'http://a.b' is a URL; only its host goes here | a list of example.com
            robots=obey          | no such value                           | off, observe
            reject-with=status   | no such value                           | exception, response
            key=hots             | no such value, did you mean host?       | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            key=host;prot        | no such value, did you mean port?       | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            key=host;;port       | an empty entry in the list              | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            key=path:0           | no number of segments, 1 to 9, after path: | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            key=path:10          | no number of segments, 1 to 9, after path: | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            key=path:            | no number of segments, 1 to 9, after path: | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            key=path             | no such value, did you mean path:1?     | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            key=header:          | no header's name after header:          | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            key=header:X Y       | no header's name after header:          | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            key=header           | no such value                           | a list of host, domain, port, proxy, path:DEPTH, header:NAME
            log.level=warning    | no such value, did you mean warn?       | trace, debug, info, warn, error, off
            report=yes           | neither true nor false, nor a file      | true, false, or a file's path, with a dot or a slash in it
            dry-run=TRUE         | neither true nor false                  | true or false
            clients=okhtp        | no such client 'okhtp', did you mean okhttp? | okhttp, apache4, apache4-async, apache5
            clients=-okhtpp      | no such client 'okhtpp', did you mean okhttp? | okhttp, apache4, apache4-async, apache5
            clients=okhttp;-okhttp | leaves no client: then enabled=false says it | okhttp
            include=a.com;;b.com | an empty entry in the list              | a list of example.com
            include=             | no value                                | a list of example.com
            include=-private     | '-private': only private and services can be taken out, and only of exclude | private, services
            exclude=-example.com | '-example.com': only private and services can be taken out, and only of exclude | private, services
            include=https://a.com | 'https://a.com' is a URL; only its host goes here | a list of example.com
            include=a.com:80     | 'a.com:80' has a port; only a host goes here | a list of example.com
            include=*            | '*' means every host, which leaving the key out says too | a list of example.com
            include=*.           | '*.' is no host pattern                 | a list of example.com
            include=www.*.com    | 'www.*.com' has a * elsewhere than at its start, before a dot | a list of example.com
            include=*a.com       | '*a.com' has a * elsewhere than at its start, before a dot | a list of example.com
            include=a..com       | 'a..com' has an empty label             | a list of example.com
            include=a b.com      | 'a b.com' has a character that no host has: | a list of example.com
            include=300.1.1.1    | '300.1.1.1' is no IPv4 address          | a list of example.com
            include=10.0.1       | '10.0.1' is no IPv4 address             | a list of example.com
            include=*.0.0.1      | '*.0.0.1' is no IPv4 address            | a list of example.com
            include=fe80::zz     | 'fe80::zz' is no IPv6 address           | a list of example.com
            include=10.0.0.0/33  | '10.0.0.0/33' has no prefix length from 0 to 32 after its slash | a list of example.com
            include=fc00::/129   | 'fc00::/129' has no prefix length from 0 to 128 after its slash | a list of example.com
            include=10.0.0.0/x   | '10.0.0.0/x' has no prefix length from 0 to 32 after its slash | a list of example.com
            include=10/8         | '10/8' has no address before its slash  | a list of example.com
            include=a.com/path   | 'a.com/path' has a path; only a host goes here | a list of example.com
            include=a.com/8      | 'a.com/8' has no address before its slash | a list of example.com
            exclude-paths=api/*  | 'api/*' begins with neither / nor *     | globs
            exclude-paths=/\u00e4 | '/\u00e4' is not percent-encoded        | globs
            config=              | no value                                | a file's path
            exclude=none         | 'none' is no host; -private and -services together exclude nothing | private, services
            exclude=all          | 'all' would pace nothing, which enabled=false says | private, services
            exclude=*            | '*' would pace nothing, which enabled=false says | private, services
            exclude=a.com;none   | 'none' is no host;                      | private, services
            include=none         | 'none' is no host; enabled=false paces nothing | a list of example.com
            include=all;a.com    | 'all' means every host, which leaving the key out says too | a list of example.com
            exclude=*.*          | '*.*' would pace nothing, which enabled=false says | private, services
            deny=*.*             | '*.*' would let no request out at all; name the hosts | a list of example.com
            deny=*               | '*' would let no request out at all; name the hosts | a list of example.com
            deny=all             | 'all' would let no request out at all; name the hosts | a list of example.com
            deny=a.com;none      | 'none' stands alone                     | a list of example.com
            domain.*.rate=1      | '*' means every host, which a key without a domain says | example.com, *.example.com
            rate=1 burst=2       | a space does not end a value; commas separate settings | key=value,key=value
            rate=1;burst=2       | a semicolon does not end a value; commas separate settings | key=value,key=value
            include=a.com;domain.a.com.rate = 2 | a semicolon does not end a value; commas separate settings | key=value,key=value
            www.a.com.rate=1     | unknown key, did you mean domain.www.a.com.rate? | requests a second
            domains.a.com.rate=1 | unknown key, did you mean domain.a.com.rate? | requests a second
            on-limit=wait domain.a.example.rate=2 | a space does not end a value; commas separate settings | key=value,key=value
            log.file=/tmp/%d.log | has a % that is followed by neither p (the process id), h (the host name) nor % | a file's path, \
            in which %p
            events=e.json%       | has a % that is followed by neither p   | a file's path, in which %p
            report=r-%d.json     | has a % that is followed by neither p   | in which %p is the process id
            metrics.keys=-1      | below 0                                 | a whole number from 0
            metrics.keys=all     | not a whole number                      | a whole number from 0
            admin.allowed-hosts=*.example.com | '*.example.com' is a pattern; only whole names go here | a list of host names
            admin.allowed-hosts=10.0.0.0/8 | '10.0.0.0/8' is a pattern; only whole names go here | a list of host names
            admin.allowed-hosts=https://t.example.com | 'https://t.example.com' is a URL; only its host goes here | a list of host names
            admin.allowed-hosts=t.example.com:443 | 't.example.com:443' has a port; only a host goes here | a list of host names
            """;

    /** Each line of a bad value: its problem, and what is allowed. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = BAD_VALUES)
    void aBadValueIsOneLine(String argument, String problem, String allowed) {
        List<String> lines = Given.arguments(argument).faults();
        assertEquals(1, lines.size(), lines.toString());
        String line = lines.get(0);
        assertTrue(line.startsWith("agent arguments: " + argument.trim() + ": " + problem), line);
        assertTrue(line.contains(" (allowed: ") && line.contains(allowed) && line.endsWith(")"), line);
    }

    /** The same of every other source, and per domain. */
    @Test
    void theLineNamesTheSourceAndTheKeyAsWritten() {
        String rest = "=fast: not a number (allowed: requests a second above 0, as in 3, 0.5, 90/m or 1000/h, or auto, "
                + "or auto and a ceiling, as in auto:10)";
        assertEquals(List.of("agent arguments: rate" + rest), Given.arguments("rate=fast").faults());
        assertEquals(List.of("system property: tempolimit.rate" + rest), Given.property("tempolimit.rate", "fast").faults());
        assertEquals(List.of("environment: TEMPOLIMIT_RATE" + rest), Given.environment("TEMPOLIMIT_RATE", " fast ").faults());
        assertEquals(List.of("agent arguments: domain.example.com.rate" + rest), Given.arguments("domain.example.com.rate=fast").faults());
        assertEquals(List.of("system property: tempolimit.domain.*.example.com.rate" + rest),
                Given.property("tempolimit.domain.*.example.com.rate", "fast").faults());
    }

    @Test
    void aFaultsParts() {
        BadSettings e = assertThrows(BadSettings.class, () -> Given.property("tempolimit.rat", "1").load());
        Fault f = e.faults().get(0);
        assertEquals("system property", f.source());
        assertEquals("tempolimit.rat", f.key());
        assertEquals("1", f.value());
        assertEquals("unknown key", f.problem());
        assertEquals("tempolimit.rate", f.nearest());
        assertEquals("requests a second above 0, as in 3, 0.5, 90/m or 1000/h, or auto, or auto and a ceiling, as in auto:10", f.allowed());
        assertEquals(f.toString(), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "rat, rate",
        "RATE, rate",
        "Burst, burst",
        "brust, burst",
        "max_wait, max-wait",
        "maxwait, max-wait",
        "on.limit, on-limit",
        "dryrun, dry-run",
        "threshold, cooldown.threshold",
        "cooldown.treshold, cooldown.threshold",
        "cooldown_duration, cooldown.duration",
        "duration, cooldown.duration",
        "loglevel, log.level",
        "level, log.level",
        "requests_per_second, rate",
        "burst_capacity, burst",
        "client, clients",
        "excludes, exclude",
        "exclude-path, exclude-paths",
        "event, events",
        "max-key, max-keys",
        "concurency, concurrency",
        "limit, rate",
        "rps, rate",
        "max-rps, rate",
        "max_rps, rate",
        "qps, rate",
        "delay, rate",
        "ratelimit, rate",
        "permits, rate",
        "threads, concurrency",
        "maxConcurrent, concurrency",
        "max-concurrent, concurrency",
    })
    void anUnknownKeyMeetsTheNearest(String written, String nearest) {
        List<String> lines = Given.arguments(written + "=1").faults();
        assertEquals(1, lines.size());
        assertTrue(lines.get(0).startsWith("agent arguments: " + written + "=1: unknown key, did you mean " + nearest
                + "? (allowed: "), lines.get(0));
    }

    @Test
    void nothingIsNearToNonsense() {
        for (String word : new String[] {"retries", "timeout"}) {
            assertEquals(List.of("agent arguments: " + word + "=1: unknown key (allowed: the keys that help lists)"),
                    Given.arguments(word + "=1").faults());
        }
        assertEquals(List.of("agent arguments: xyzzyplugh=1: unknown key (allowed: the keys that help lists)"),
                Given.arguments("xyzzyplugh=1").faults());
    }

    @Test
    void perDomainKeys() {
        assertEquals(List.of("agent arguments: domain.example.com.rat=1: unknown key, did you mean "
                + "domain.HOST.rate? (allowed: " + Kind.RATE.allowed + ")"),
                Given.arguments("domain.example.com.rat=1").faults());
        assertEquals(List.of("agent arguments: domain.example.com.log.level=info: holds for all hosts, not per domain"),
                Given.arguments("domain.example.com.log.level=info").faults());
        assertEquals(List.of("agent arguments: domain.rate=1: no host before the key (allowed: domain.example.com.rate)"),
                Given.arguments("domain.rate=1").faults());
        assertEquals(List.of("agent arguments: domain.private.rate=1: 'private' goes with include and exclude only "
                + "(allowed: example.com, *.example.com, 10.0.0.0/8, fc00::/7)"), Given.arguments("domain.private.rate=1").faults());
        assertEquals(1, Given.arguments("domain..rate=1").faults().size());
        assertEquals(1, Given.arguments("domain.=1").faults().size());
        String form = ": unknown key (allowed: domain.HOST.SETTING, as in domain.shop.example.rate=1)";
        assertEquals(List.of("agent arguments: domain=1" + form), Given.arguments("domain=1").faults());
        assertEquals(List.of("agent arguments: domain.shop.example=1" + form), Given.arguments("domain.shop.example=1").faults());
        assertTrue(Given.arguments("domain.shop.example.limit=1").faults().get(0).contains("did you mean domain.HOST.rate?"));
        assertEquals(1, Given.arguments("domain.a/b.com.rate=1").faults().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis=redis://u:hunter2@h/x", "redis.password=@hunter2", "redis.pasword=hunter2",
        "admin.token=hunter2 2", "admin.token=@hunter2", "admintoken=hunter2",
        "admin.tokn=hunter2", "account.secret=hunter2 x", "account.secrt=hunter2", "api-token=hunter2",
        "redis=redis://u:hun,hunter2", "redis.pasword=x,hunter2",
        "redis://u:hunter2@h", "domain.redis.password=hunter2", "domain.example.com.account.secret=hunter2", "redi=redis://:hunter2@h"})
    void secretsAreNotPrinted(String arguments) {
        List<String> lines = Given.arguments(arguments).faults();
        assertFalse(lines.isEmpty());
        for (String line : lines) {
            assertFalse(line.contains("hunter2"), line);
            assertTrue(line.contains("***"), line);
        }
        int equals = arguments.indexOf('=');
        if (equals > 0) {
            lines = Given.property("tempolimit." + arguments.substring(0, equals), arguments.substring(equals + 1)).faults();
            assertFalse(lines.toString().contains("hunter2"), lines.toString());
        }
    }

    @Test
    void aPageForOtherMachinesNeedsAToken() {
        String fault = ": is reached from other machines, which needs an admin.token (allowed: 127.0.0.1, ::1, "
                + "localhost; with admin.token any address of this machine)";
        for (String host : new String[] {"0.0.0.0", "::", "10.0.0.5", "scraper-7", "128.0.0.1", "::1:1"}) {
            assertEquals(List.of("agent arguments: admin.host=" + host + fault),
                    Given.arguments("admin.port=9464,admin.host=" + host).faults());
            assertEquals(List.of(), Given.arguments("admin.port=9464,admin.token=x,admin.host=" + host).faults());
            assertEquals(List.of(), Given.arguments("admin.host=" + host).faults(), "nothing is served");
        }
        for (String host : new String[] {"127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"}) {
            assertEquals(List.of(), Given.arguments("admin.port=9464,admin.host=" + host).faults());
        }
        assertEquals(1, Given.arguments("admin.port=65536").faults().size());
        assertEquals(1, Given.arguments("admin.port=9464,admin.host=http://x").faults().size());
    }

    @Test
    void allFaultsAreCollected() {
        List<String> lines = Given.arguments("rate=0,brust=2,on-limit=x").withProperty("tempolimit.jitter", "2")
                .withProperty("tempolimit.nonsense.x", "")
                .withEnvironment("TEMPOLIMIT_BURST", "no").withEnvironment("TEMPOLIMIT_CONFIG", "/no/such/file").faults();
        assertEquals(7, lines.size(), String.join("\n", lines));
        assertTrue(lines.get(6).startsWith("environment: config=/no/such/file: no such file: /no/such/file"), lines.get(6));
    }

    @Test
    void aFaultOfAWeakerSourceCountsToo() {
        assertEquals(1, Given.arguments("rate=2").withEnvironment("TEMPOLIMIT_RATE", "x").faults().size());
    }

    @Test
    void argumentsThatAreNone() {
        String allowed = " (allowed: key=value,key=value. Between the entries of a list write ; and quote it for the shell: "
                + "'include=a.example;b.example')";
        assertEquals(List.of("agent arguments: dry-run: no = after the key, did you mean dry-run=true?" + allowed),
                Given.arguments("dry-run").faults());
        assertEquals(List.of("agent arguments: rate: no = after the key" + allowed), Given.arguments("rate").faults());
        assertEquals(List.of("agent arguments: =3: no key before the =" + allowed), Given.arguments("=3").faults());
        assertEquals(List.of("agent arguments: b.com: no = after the key, did you mean include=a.com;b.com?" + allowed,
                        "agent arguments: c.com: no = after the key, did you mean include=a.com;b.com;c.com?" + allowed),
                Given.arguments("include=a.com,b.com,c.com,rate=1").faults());
        assertEquals(List.of("agent arguments: 5: no = after the key, did you mean rate=1.5?" + allowed),
                Given.arguments("rate=1,5").faults());
        assertEquals(List.of("agent arguments: 000: no = after the key" + allowed), Given.arguments("max-keys=10,000").faults());
        assertEquals(List.of("agent arguments: 5m: no = after the key" + allowed), Given.arguments("escalation=lifetime,5m").faults());
        assertEquals(List.of("agent arguments: rate=2: given twice (allowed: once)"), Given.arguments("rate=1,rate=2").faults());
        assertEquals(List.of("agent arguments: domain.A.com.rate=2: given twice (allowed: once)"),
                Given.arguments("domain.a.com.rate=1,domain.A.com.rate=2").faults());
        assertEquals(List.of(), Given.arguments("").faults());
        assertEquals(List.of(), Given.arguments(" , rate=1,, ").faults());
        assertEquals(1, Given.property("tempolimit.", "x").faults().size());
        assertNull(assertThrows(BadSettings.class, () -> Given.arguments("rate").load()).faults().get(0).value());
    }

    @Test
    void aListOfAPropertyHasCommas() throws BadSettings {
        assertEquals(1, Given.property("tempolimit.include", "a.com;b.com").faults().size());
        Given.property("tempolimit.include", "a.com, b.com").load();
    }

    @Test
    void noValueForgesALine() {
        List<String> lines = Given.property("tempolimit.rate", "1\nagent: all is well\u001b[2J\u2028\u202e" + "x".repeat(5000)).faults();
        assertEquals(1, lines.size());
        assertTrue(lines.get(0).startsWith("system property: tempolimit.rate=1\\u000aagent: all is "
                + "well\\u001b[2J\\u2028\\u202exxx"), lines.get(0));
        assertTrue(lines.get(0).length() < 450);
        assertEquals(1, Given.property("tempolimit.no\nkey", "1").faults().get(0).lines().count());
        assertEquals(1, Given.property("tempolimit.include", "a\nb").faults().get(0).lines().count());
        assertEquals(1, Given.property("tempolimit.config", "/no/a\nb").faults().get(0).lines().count());
    }

    /** {@code cooldown=30s} led to cooldown.threshold, which takes no duration. */
    @ParameterizedTest
    @CsvSource({"cooldown, 30s, cooldown.duration", "cooldown, 3, cooldown.threshold",
        "cooldown, global, cooldown.scope", "log, debug, log.level", "log, agent.log, log.file",
        "admin, 9464, admin.port"})
    void anUnknownKeyMeetsTheOneThatCanHaveItsValue(String written, String value, String nearest) {
        List<String> lines = Given.arguments(written + "=" + value).faults();
        assertTrue(lines.get(0).startsWith("agent arguments: " + written + "=" + value + ": unknown key, did you mean "
                + nearest + "? (allowed: "), lines.get(0));
    }

    /** {@code TEMPOLIMIT_DOMAIN_EXAMPLE_COM_RATE} led to TEMPOLIMIT_RATE, which would have changed all hosts. */
    @Test
    void aVariableForOneDomainIsNotLedToTheKeyOfAll() throws BadSettings {
        assertEquals(List.of("unknown environment variables, ignored: TEMPOLIMIT_DOMAIN_EXAMPLE_COM_RATE (a variable cannot "
                + "hold for one domain; use -Dtempolimit.domain.HOST.KEY= or domains in the file)"),
                Given.environment("TEMPOLIMIT_DOMAIN_EXAMPLE_COM_RATE", "1").load().warnings());
    }

    @Test
    void aSpaceBeforeASecretPrintsNothingOfIt() {
        for (String arguments : new String[] {"rate=1 redis.password=hunter2", "redis.password=hunter2 rate=1",
                "admin.token=hunter2 admin.port=1"}) {
            List<String> lines = Given.arguments(arguments).faults();
            assertEquals(1, lines.size(), lines.toString());
            assertTrue(lines.get(0).contains("=***: a space does not end a value; commas separate settings"), lines.get(0));
        }
    }

    @Test
    void spacesThatSeparateNothingStay() throws BadSettings {
        assertEquals("a file with spaces = odd.log", Given.arguments("log.file=a file with spaces = odd.log").load().logFile());
        assertEquals(2, Given.arguments(" rate = 2 , burst = 4 ").load().policy("a.example").limit().rate());
    }
}
