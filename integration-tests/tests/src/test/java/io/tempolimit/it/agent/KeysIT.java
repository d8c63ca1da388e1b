package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What shares a bucket and what does not, by what reaches the network; each bucket has one token. */
class KeysIT {
    private static final Server SERVER = Server.start();
    private static final Server OTHER_PORT = Server.start();

    /** URLs, each after the value of its header X-Account, or a dash. Prints status or message. */
    private static final Path PROGRAM = Source.compile(8, """
            import java.net.*;
            public class Asker {
                public static void main(String[] args) throws Exception {
                    for (int i = 0; i < args.length; i += 2) {
                        HttpURLConnection c = (HttpURLConnection) new URL(args[i + 1]).openConnection(Proxy.NO_PROXY);
                        if (!args[i].equals("-")) {
                            c.setRequestProperty("X-Account", args[i]);
                        }
                        try {
                            System.out.println(c.getResponseCode());
                        } catch (java.io.IOException e) {
                            System.out.println(e.getMessage());
                        }
                    }
                }
            }""");

    @AfterAll
    static void end() {
        SERVER.close();
        OTHER_PORT.close();
    }

    private static Fork.Builder on(int java, String arguments, String... program) {
        return Jvm.on(java).agent(Jvm.ONE_TOKEN + "," + arguments).classpath(PROGRAM).main("Asker", program);
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurnFrom11")
    void subdomainsShareABucketAndDomainsDoNot(int java) throws IOException {
        Server.Site www = SERVER.named("www.shop.example", Server.Script.status(200));
        Server.Site api = SERVER.named("api.shop.example", Server.Script.status(200));
        Server.Site other = SERVER.named("www.other.example", Server.Script.status(200));
        Path hosts = Files.writeString(Source.folder().resolve("hosts"), "127.0.0.1 www.shop.example api.shop.example www.other.example\n");
        Path events = hosts.resolveSibling("events");
        String[] program = {"-", www.url("/"), "-", api.url("/"), "-", other.url("/"), "-", www.url("/again")};
        try (Fork fork = Jvm.on(java).option("-Djdk.net.hosts.file=" + hosts).agent(Jvm.ONE_TOKEN + ",key=domain,events=" + events)
                .classpath(PROGRAM).main("Asker", program).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> said = Jvm.lines(fork.stdout());
            assertEquals("200", said.get(0));
            assertTrue(said.get(1).contains("RATE_LIMIT_EXCEEDED") && said.get(1).contains("api.shop.example"), said::toString);
            assertEquals("200", said.get(2));
            assertTrue(said.get(3).contains("www.shop.example"), said::toString);
        }
        assertEquals(1, www.arrivals().size());
        assertEquals(0, api.arrivals().size());
        assertEquals(1, other.arrivals().size());
        List<JsonObject> rejected = EventsIT.named(EventsIT.read(events), "rejected");
        assertEquals("shop.example", rejected.get(0).get("key").getAsString());
        assertEquals("api.shop.example", rejected.get(0).get("host").getAsString());
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void twoPortsHaveTwoBuckets(int java) {
        Server.Site here = SERVER.named("127.46.0.1", Server.Script.status(200));
        Server.Site there = OTHER_PORT.named("127.46.0.1", Server.Script.status(200));
        for (String key : new String[] {"host", "port;host"}) {
            int before = there.arrivals().size();
            try (Fork fork = on(java, "key=" + key, "-", here.url("/"), "-", there.url("/"), "-", here.url("/again")).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            }
            assertEquals(key.equals("host") ? 0 : 1, there.arrivals().size() - before, key);
        }
        assertEquals(2, here.arrivals().size());
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void twoPathsHaveTwoBuckets(int java) {
        Server.Site site = SERVER.site("127.49", Server.Script.status(200));
        try (Fork fork = on(java, "key=path:1", "-", site.url("/search?q=1"), "-", site.url("/item/1"), "-", site.url("/search/2"))
                .start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> said = Jvm.lines(fork.stdout());
            assertEquals(List.of("200", "200"), said.subList(0, 2));
            assertTrue(said.get(2).contains("RATE_LIMIT_EXCEEDED"), said::toString);
        }
        assertEquals(2, site.arrivals().size());
    }

    /** And nothing of what is sent, or of the secret, is shown anywhere. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void twoAccountsHaveTwoBuckets(int java) throws IOException {
        Server.Site site = SERVER.site("127.47", Server.Script.status(200));
        Path events = Source.folder().resolve("events");
        Path log = events.resolveSibling("log");
        try (Fork fork = on(java, "key=host;header:X-Account,log.level=debug,events=" + events + ",log.file=" + log,
                "alice-t0ken", site.url("/1"), "bob-t0ken", site.url("/2"), "-", site.url("/3"), "alice-t0ken", site.url("/4"), "-",
                site.url("/5"))
                .environment("TEMPOLIMIT_ACCOUNT_SECRET", "hush-s3cret").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> said = Jvm.lines(fork.stdout());
            assertEquals(List.of("200", "200", "200"), said.subList(0, 3));
            String name = account("account.secret=hush-s3cret", "alice-t0ken\n");
            List<JsonObject> rejected = EventsIT.named(EventsIT.read(events), "rejected");
            assertEquals(site.host() + ";x-account=" + name.trim(), rejected.get(0).get("key").getAsString());
            assertEquals(site.host() + ";x-account=none", rejected.get(1).get("key").getAsString());
            assertEquals(site.host(), rejected.get(0).get("host").getAsString());
            for (String text : new String[] {Files.readString(events), Files.readString(log), fork.stderr(), said.get(3)}) {
                assertFalse(text.contains("t0ken") || text.contains("s3cret"), text);
            }
        }
        assertEquals(3, site.arrivals().size());
    }

    @Test
    void anAccountsProfileHoldsForItAlone() throws IOException {
        Server.Site site = SERVER.site("127.48", Server.Script.status(200));
        String vip = account("account.secret=x", "vip\n").trim();
        Path file = Files.writeString(Source.folder().resolve("t.json"), """
                { "profiles": { "wide": { "burst_capacity": 3 } },
                  "accounts": { "header": "X-Account", "profiles": { "%s": "wide" } } }""".formatted(vip));
        String[] program = new String[16];
        for (int i = 0; i < 16; i += 2) {
            program[i] = i < 8 ? "vip" : "other";
            program[i + 1] = site.url("/" + program[i]);
        }
        try (Fork fork = on(17, "account.secret=x,config=" + file, program).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
        }
        assertEquals(3, site.arrivals().stream().filter(a -> a.path().equals("/vip")).count());
        assertEquals(1, site.arrivals().stream().filter(a -> a.path().equals("/other")).count());
    }

    private static String account(String arguments, String input) {
        try (Fork fork = command(arguments, input)) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            return fork.stdout();
        }
    }

    private static Fork command(String arguments, String input) {
        Fork.Builder builder = Jvm.on(17).jar(Fork.agentJar(), arguments.isEmpty() ? new String[] {"account"}
                : new String[] {"account", arguments});
        Fork fork = builder.start();
        if (!input.isEmpty()) {
            fork.tell(input.substring(0, input.length() - 1));
        }
        fork.endInput();
        return fork;
    }

    /** The HMAC of RFC 4231's second case. */
    @Test
    void theCommandNamesAccounts() throws IOException {
        assertEquals("5bdcc146bf60\n", account("account.secret=Jefe", "what do ya want for nothing?\n"));
        Path file = Files.writeString(Source.folder().resolve("secret"), "Jefe\n");
        assertEquals("5bdcc146bf60\n5bdcc146bf60\n", account("account.secret=@"
                + file, " what do ya want for nothing?\r\n\nwhat do ya want for nothing?\n"));
        try (Fork fork = command("", "Bearer t0ken\n")) {
            assertEquals(1, fork.exit(Jvm.LONG));
            assertTrue(fork.stderr().contains("account.secret is not set"), fork::stderr);
            assertEquals("", fork.stdout());
        }
        try (Fork fork = command("account.secret=@/no/such/file", "Bearer t0ken\n")) {
            assertEquals(1, fork.exit(Jvm.LONG));
            assertTrue(fork.stderr().contains("account.secret=***: names a file that cannot be read"), fork::stderr);
        }
        try (Fork fork = command("account.secret=x", "")) {
            assertEquals(2, fork.exit(Jvm.LONG));
            assertTrue(fork.stderr().contains("no value on standard input"), fork::stderr);
        }
    }
}
