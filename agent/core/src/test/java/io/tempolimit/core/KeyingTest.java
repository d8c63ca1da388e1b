package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Accounts;
import io.tempolimit.core.policy.CurrentRules;
import io.tempolimit.core.policy.Keying;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.Rules;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.request.Egress;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.PageUrl;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Detector;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Keys that are more, or less, than a host. */
class KeyingTest {
    private static final Accounts ACCOUNTS = new Accounts("secret".getBytes(StandardCharsets.UTF_8));
    /** The last two labels. */
    private static final UnaryOperator<String> DOMAINS = host -> host.substring(host.lastIndexOf('.', host.lastIndexOf('.') - 1) + 1);

    private final List<String> heard = new ArrayList<>();
    private final Listener listener = new Listener() {
        @Override
        public void rejected(Key key, Target target, Rejection code) {
            heard.add(key.name() + " " + code);
        }
    };

    /** A target out of a URL, with headers and a proxy. */
    private static final class Request extends Target {
        private final PageUrl url;
        private final Map<String, String> headers = new HashMap<>();
        private String proxy = UNKNOWN;

        Request(String url) {
            this.url = PageUrl.of(url);
        }

        Request header(String name, String value) {
            headers.put(name.toLowerCase(), value);
            return this;
        }

        Request by(String egress) {
            proxy = egress;
            return this;
        }

        @Override
        public String scheme() {
            return url.scheme();
        }

        @Override
        public String host() {
            return url.host();
        }

        @Override
        public int port() {
            return url.port();
        }

        @Override
        public String path() {
            return url.path();
        }

        @Override
        public String header(String name) {
            return headers.get(name.toLowerCase());
        }

        @Override
        public String proxy() {
            return proxy;
        }
    }

    /** One request a second, no burst; shop.example and accounts may have other policies, by name. */
    private static class OfKeys implements Rules {
        private final Keying keying;
        private final Map<String, Policy> policies = new HashMap<>();
        private final Policy general;
        private boolean dryRun;

        OfKeys(Keying keying, Policy general) {
            this.keying = keying;
            this.general = general;
        }

        @Override
        public Policy policy(String host) {
            return policies.containsKey(host) ? policies.get(host) : general;
        }

        @Override
        public Policy policy(String host, String account) {
            return policies.containsKey(account) && policy(host) != null ? policies.get(account) : policy(host);
        }

        @Override
        public Policy shared(String domain, String account) {
            return policies.getOrDefault(account, policies.getOrDefault("*" + domain, general));
        }

        @Override
        public Keying keying() {
            return keying;
        }

        @Override
        public Detector detector() {
            return new Detector(Collections.emptyList());
        }

        @Override
        public boolean enabled() {
            return true;
        }

        @Override
        public boolean dryRun() {
            return dryRun;
        }

        @Override
        public int maxKeys() {
            return 100;
        }

        @Override
        public long keyIdle() {
            return Scene.SECOND;
        }
    }

    private static Keying keying(Keying.Site site, boolean port, boolean proxy, String... headers) {
        return new Keying(site, port, proxy, 0, List.of(headers), null, headers.length == 0 ? null : ACCOUNTS, DOMAINS);
    }

    private static OfKeys rules(Keying keying) {
        return new OfKeys(keying, new Policy.Builder().rate(1).burst(1).reject(true).build());
    }

    private Limiter limiter(Rules rules) {
        return new Limiter(new TurnedClock(0), new Seeded(), rules, listener);
    }

    private static String name(Keying keying, Request request) {
        return keying.of(Hosts.canonical(request.host()), request);
    }

    @Test
    void aNameHasItsPartsInAFixedOrderAndIsUnambiguous() {
        Request request = new Request("https://www.Shop.example/p").by("10.0.0.1:3128").header("Authorization",
                "Bearer abc").header("X-Api-Key", "k");
        String account = ACCOUNTS.name("Bearer abc");
        assertEquals("www.shop.example:443", name(keying(Keying.Site.HOST, true, false), request));
        assertEquals("shop.example", name(keying(Keying.Site.DOMAIN, false, false), request));
        assertEquals("www.shop.example;proxy=10.0.0.1:3128", name(keying(Keying.Site.HOST, false, true), request));
        assertEquals("shop.example:443;proxy=10.0.0.1:3128;authorization=" + account + ";x-api-key=" + ACCOUNTS.name("k"),
                name(keying(Keying.Site.DOMAIN, true, true, "X-Api-Key", "Authorization"), request));
        assertEquals("port=443", name(keying(Keying.Site.NONE, true, false), request));
        assertEquals("proxy=10.0.0.1:3128;authorization=" + account, name(keying(Keying.Site.NONE, false, true, "authorization"), request));
        assertEquals("www.shop.example;authorization=none", name(keying(Keying.Site.HOST, false, false, "Authorization"),
                new Request("http://www.shop.example/")));
        assertEquals("www.shop.example;proxy=unknown", name(keying(Keying.Site.HOST, false, true),
                new Request("http://www.shop.example/")));
        assertEquals("[2001:db8::1]:8080", name(keying(Keying.Site.HOST, true, false), new Request("http://[2001:DB8:0::1]:8080/")));
        assertEquals("2001:db8::1;authorization=none", name(keying(Keying.Site.HOST, false, false, "Authorization"),
                new Request("http://[2001:db8::1]/")));
        assertEquals("a%3bproxy=direct;proxy=unknown", name(keying(Keying.Site.HOST, false, true), new Request("http://a;proxy=direct/")));
    }

    /** They are not kept beside it. */
    @Test
    void hostAndAccountAreToldFromTheName() {
        String account = ACCOUNTS.name("x");
        for (String host : new String[] {"shop.example", "2001:db8::1", "10.0.0.1"}) {
            for (int parts = 0; parts < 24; parts++) {
                for (Keying.Site site : Keying.Site.values()) {
                    List<String> headers = (parts & 4) == 0 ? List.of("Authorization") : List.of("Aa", "Authorization", "Z");
                    Keying keying = new Keying(site, (parts & 1) > 0, (parts & 2) > 0, parts / 8, headers, "Authorization", ACCOUNTS,
                            DOMAINS);
                    Request request = new Request("https://" + (host.contains("::") ? "[" + host + "]" : host)
                            + "/a/authorization=q;authorization=q").by("p;authorization=q:1").header("Authorization", "x");
                    String name = name(keying, request);
                    assertEquals(site == Keying.Site.NONE ? null : site == Keying.Site.DOMAIN ? DOMAINS.apply(host) : host,
                            keying.host(name), name);
                    assertEquals(account, keying.account(name), name);
                    assertNull(keying(site, true, false, "Authorization").account(name), "none has settings of its own");
                }
            }
        }
    }

    @Test
    void aPathIsItsFirstSegmentsWithoutQueryAndParameters() {
        String[][] paths = {{"", "/", "/"}, {"/", "/", "/"}, {"?q=1", "/", "/"}, {"/search", "/search", "/search"},
            {"/search/", "/search", "/search/"}, {"/search?q=a/b", "/search", "/search"}, {"/api/v1/items", "/api", "/api/v1"},
            {"/api/v1;v=2/items", "/api", "/api/v1"}, {"/list;jsessionid=7/a", "/list", "/list"}, {"/;a", "/", "/"},
            {"/" + "x".repeat(300) + "/y", "/" + "x".repeat(99), "/" + "x".repeat(99)}};
        for (String[] path : paths) {
            for (int depth = 1; depth <= 2; depth++) {
                Keying keying = new Keying(Keying.Site.HOST, false, false, depth, List.of(), null, null, DOMAINS);
                assertEquals("shop.example;path=" + path[depth], name(keying, new Request("https://shop.example" + path[0])));
            }
        }
    }

    /** A search that takes ten a minute held up all other pages. */
    @Test
    void pathsHaveBucketsOfTheirOwnAndTheSettingsOfTheHost() throws Exception {
        OfKeys rules = rules(new Keying(Keying.Site.HOST, false, false, 1, List.of(), null, null, DOMAINS));
        rules.policies.put("slow.example", new Policy.Builder().denied(true).build());
        Limiter limiter = limiter(rules);
        Key search = limiter.arrive(new Request("https://a.example/search?q=1")).key();
        assertThrows(RequestRejectedException.class, () -> limiter.arrive(new Request("https://a.example/search/2")));
        assertTrue(limiter.arrive(new Request("https://a.example/item/1")).granted());
        assertTrue(limiter.arrive(new Request("https://a.example/")).granted());
        assertEquals("a.example;path=/search", search.name());
        assertEquals("a.example", search.host());
        assertEquals(3, limiter.keys().size());
        assertThrows(RequestRejectedException.class, () -> limiter.arrive(new Request("https://slow.example/item/1")));
    }

    @Test
    void aPortThatIsNotNamedIsTheSchemes() {
        Keying ports = keying(Keying.Site.HOST, true, false);
        assertEquals("a.example:80", name(ports, new Request("http://a.example/")));
        assertEquals("a.example:80", name(ports, new Request("http://a.example:80/")));
        assertEquals("a.example:443", name(ports, new Request("https://a.example:443/")));
        assertEquals("a.example:8443", name(ports, new Request("https://a.example:8443/")));
    }

    /** The first 12 hex digits of HMAC-SHA-256, as RFC 4231's second case has it. */
    @Test
    void anAccountIsAnHmacOfTheValue() {
        Accounts jefe = new Accounts("Jefe".getBytes(StandardCharsets.US_ASCII));
        assertEquals("5bdcc146bf60", jefe.name("what do ya want for nothing?"));
        assertEquals("5bdcc146bf60", jefe.name(" what do ya want for nothing?\t"));
        assertNotEquals(ACCOUNTS.name("a"), jefe.name("a"));
        assertEquals("none", jefe.name(null));
        assertEquals("none", jefe.name(" "));
        assertEquals("unknown", jefe.name(Target.UNKNOWN));
        assertNotEquals("unknown", jefe.name(new String("unknown")));
        assertTrue(Accounts.isName("3f9a0c77be21"));
        assertFalse(Accounts.isName("3F9A0C77BE21"));
        assertFalse(Accounts.isName("none"));
        assertEquals(new Accounts(null).name("a").length(), 12);
        assertNotEquals(new Accounts(null).name("a"), new Accounts(null).name("a"), "random");
    }

    @Test
    void manyThreadsNameAccountsAlike() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<String>> names = new ArrayList<>();
            Callable<String> naming = () -> {
                String last = ACCOUNTS.name("0");
                for (int i = 0; i < 2_000; i++) {
                    assertEquals(last, ACCOUNTS.name("0"));
                }
                return last;
            };
            for (int i = 0; i < 4; i++) {
                names.add(threads.submit(naming));
            }
            for (Future<String> name : names) {
                assertEquals(ACCOUNTS.name("0"), name.get());
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void anEgressHasNoCredentialsAndOneForm() {
        assertEquals("proxy.example:3128", Egress.of("Proxy.Example.", 3128));
        assertEquals("[::1]:1080", Egress.of("::1", 1080));
        assertEquals("[::1]:1080", Egress.of("[0:0::1]", 1080));
        assertEquals("p.example", Egress.of("p.example", -1));
        assertEquals("unknown", Egress.of((String) null, 1));
        assertEquals("direct", Egress.of(Proxy.NO_PROXY));
        assertEquals("unknown", Egress.of((Proxy) null));
        assertEquals("p.example:80", Egress.of(new Proxy(Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("p.example", 80))));
        assertEquals("p.example:80", Egress.ofUrl("http://me:secret@p.example:80/"));
        assertEquals("p.example:3128", Egress.ofUrl("me:s@cret@p.example:3128"));
        assertEquals("p.example:1080", Egress.ofUrl(" socks5://P.example:1080 "));
        assertEquals("[::1]:1080", Egress.ofUrl("socks5://[::1]:1080"));
        assertEquals("p.example", Egress.ofUrl("https://p.example"));
        assertEquals("unknown", Egress.ofUrl(""));
        assertEquals("unknown", Egress.ofUrl(null));
    }

    @Test
    void subdomainsShareABucketAndDomainsDoNot() throws Exception {
        Limiter limiter = limiter(rules(keying(Keying.Site.DOMAIN, false, false)));
        Key key = limiter.arrive(new Request("https://www.shop.example/")).key();
        RequestRejectedException rejected = assertThrows(RequestRejectedException.class, () ->
                limiter.arrive(new Request("https://api.shop.example/")));
        assertTrue(rejected.getMessage().contains("api.shop.example"), rejected.getMessage());
        assertEquals("shop.example", key.name());
        assertEquals("shop.example", key.host());
        assertTrue(limiter.arrive(new Request("https://www.other.example/")).granted());
        assertEquals(List.of("shop.example RATE_LIMIT_EXCEEDED"), heard);
        assertSame(key, limiter.key("shop.example"));
        assertNull(limiter.key("www.shop.example"));
    }

    @Test
    void accountsAndPortsHaveBucketsOfTheirOwn() throws Exception {
        Limiter limiter = limiter(rules(keying(Keying.Site.HOST, true, false, "X-Key")));
        assertTrue(limiter.arrive(new Request("https://a.example/").header("X-Key", "1")).granted());
        assertTrue(limiter.arrive(new Request("https://a.example/").header("X-Key", "2")).granted());
        assertTrue(limiter.arrive(new Request("https://a.example/")).granted());
        assertTrue(limiter.arrive(new Request("http://a.example/").header("x-key", "1")).granted());
        assertThrows(RequestRejectedException.class, () -> limiter.arrive(new Request("https://a.example:443/").header("X-Key", "1")));
        assertEquals(4, limiter.keys().size());
        for (Key key : limiter.keys()) {
            assertEquals("a.example", key.host());
        }
    }

    /** Which of the hosts that share a key are paced, denied and judged is said of each of them; the rate, of the domain. */
    @Test
    void eachRequestGoesByItsOwnHostAndTheBucketByTheDomain() throws Exception {
        OfKeys rules = rules(keying(Keying.Site.DOMAIN, false, false));
        rules.policies.put("cdn.shop.example", null);
        rules.policies.put("old.shop.example", new Policy.Builder().denied(true).build());
        rules.policies.put("api.shop.example", new Policy.Builder().paths(path -> path.equals("/api")).build());
        rules.policies.put("*shop.example", new Policy.Builder().rate(1).burst(2).reject(true).build());
        Limiter limiter = limiter(rules);
        assertNull(limiter.arrive(new Request("https://cdn.shop.example/")));
        assertEquals(0, limiter.keys().size(), "a host that is left alone makes no key");
        assertTrue(limiter.arrive(new Request("https://www.shop.example/")).granted());
        assertNull(limiter.arrive(new Request("https://cdn.shop.example/")));
        assertNull(limiter.charge(new Request("https://cdn.shop.example/")));
        assertNull(limiter.arrive(new Request("https://api.shop.example/")));
        assertTrue(limiter.arrive(new Request("https://api.shop.example/api")).granted());
        assertThrows(RequestRejectedException.class, () -> limiter.arrive(new Request("https://old.shop.example/")));
        assertThrows(RequestRejectedException.class, () -> limiter.arrive(new Request("https://www.shop.example/")),
                "the domain's burst is used up");
        assertEquals(List.of("shop.example HOST_BLOCKED", "shop.example RATE_LIMIT_EXCEEDED"), heard);
    }

    @Test
    void aDryRunTellsOfADeniedHostAmongThoseThatShareAKey() throws Exception {
        OfKeys rules = rules(keying(Keying.Site.DOMAIN, false, false));
        rules.policies.put("old.shop.example", new Policy.Builder().denied(true).build());
        rules.dryRun = true;
        assertTrue(limiter(rules).arrive(new Request("https://old.shop.example/")).granted());
        assertEquals(List.of("shop.example HOST_BLOCKED"), heard);
    }

    @Test
    void withoutAHostOrADomainAllHostsShareTheKey() throws Exception {
        Limiter limiter = limiter(rules(keying(Keying.Site.NONE, false, true)));
        Key key = limiter.arrive(new Request("https://a.example/").by("10.0.0.1:3128")).key();
        assertEquals("proxy=10.0.0.1:3128", key.name());
        assertNull(key.host());
        assertThrows(RequestRejectedException.class, () -> limiter.arrive(new Request("https://b.example/").by("10.0.0.1:3128")));
        assertTrue(limiter.arrive(new Request("https://b.example/").by("direct")).granted());
    }

    /** It said "per host" of a limit that all hosts of a domain share. */
    @Test
    void aRejectionSaysWhatTheLimitIsFor() throws Exception {
        assertEquals("host", new CurrentRules(TestRules.of(new Policy.Builder().build())).per());
        assertEquals("host and port", new CurrentRules(rules(keying(Keying.Site.HOST, true, false))).per());
        assertEquals("domain, port, proxy and account", new CurrentRules(rules(keying(Keying.Site.DOMAIN, true, true, "a", "b"))).per());
        assertEquals("proxy", new CurrentRules(rules(keying(Keying.Site.NONE, false, true))).per());
        Policy.Builder windows = new Policy.Builder().burst(9).reject(true).windows(new WindowLimit(1, Scene.SECOND));
        Policy.Builder concurrency = new Policy.Builder().burst(9).reject(true).concurrency(1);
        assertEquals("limit: 1 requests/s per domain", hint(new Policy.Builder().rate(1).burst(1).reject(true)));
        assertEquals("limit: 1 requests in 1 s per domain", hint(windows));
        assertEquals("limit: 1 requests in flight per domain", hint(concurrency));
    }

    private String hint(Policy.Builder policy) throws Exception {
        Limiter limiter = limiter(new OfKeys(keying(Keying.Site.DOMAIN, false, false), policy.build()));
        limiter.arrive(new Request("https://a.shop.example/"));
        return assertThrows(RequestRejectedException.class, () -> limiter.arrive(new Request("https://b.shop.example/"))).hint();
    }

    @Test
    void anAccountsSettingsComeBeforeItsHosts() throws Exception {
        Keying keying = new Keying(Keying.Site.HOST, false, false, 0, List.of("Authorization"), "Authorization", ACCOUNTS, null);
        OfKeys rules = rules(keying);
        rules.policies.put(ACCOUNTS.name("slow"), new Policy.Builder().rate(0.1).burst(7).build());
        Limiter limiter = limiter(rules);
        assertEquals(7, limiter.arrive(new Request("https://a.example/").header("Authorization", "slow")).key().policy().limit().burst());
        assertEquals(1, limiter.arrive(new Request("https://a.example/").header("Authorization", "other")).key().policy().limit().burst());
        OfKeys changed = rules(keying);
        changed.policies.put(ACCOUNTS.name("other"), new Policy.Builder().burst(9).build());
        limiter.rules(changed);
        assertEquals(1, limiter.key("a.example;authorization=" + ACCOUNTS.name("slow")).policy().limit().burst());
        assertEquals(9, limiter.key("a.example;authorization=" + ACCOUNTS.name("other")).policy().limit().burst());
    }

    @Test
    void aKeyIsUndecidedWhileItsHeaderMayStillCome() {
        Limiter limiter = limiter(rules(keying(Keying.Site.HOST, false, false, "Authorization")));
        assertTrue(limiter.undecided(new TestTarget("a.example"))); // tells no headers
        assertFalse(limiter.undecided(new Request("https://a.example/")));
        assertFalse(limiter(TestRules.of(new Policy.Builder().build())).undecided(new TestTarget("a.example")));
    }

    @Test
    void aRequestThatGetsAnotherAccountHasAnotherKey() throws Exception {
        Limiter limiter = limiter(rules(keying(Keying.Site.HOST, false, false, "Authorization")));
        Permit permit = limiter.arrive(new Request("https://a.example/"));
        assertTrue(limiter.sameKey(permit, new Request("http://A.example/p")));
        assertFalse(limiter.sameKey(permit, new Request("https://a.example/").header("Authorization", "x")));
        assertFalse(limiter.sameKey(permit, new Request("https://b.example/")));
    }
}
