package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code io.tempolimit:type=Limiter}. */
class JmxIT {
    private static final Server SERVER = Server.start();

    /** Sends requests, and is its own JMX console. */
    private static final Path PROGRAM = Source.compile(8, """
            import java.io.*;
            import java.net.*;
            import java.util.*;
            import java.util.concurrent.*;
            import javax.management.*;
            public class Console {
                static ObjectName name;
                public static void main(String[] args) throws Exception {
                    name = new ObjectName("io.tempolimit:type=Limiter");
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                    for (String line; (line = in.readLine()) != null; ) {
                        String[] w = line.split(" ");
                        switch (w[0]) {
                            case "get":
                                System.out.println(get(w[1]));
                                break;
                            case "begin":
                                System.out.println(begin(w[1], w[2]));
                                break;
                            case "join":
                                System.out.println(join(w[1]));
                                break;
                            case "server": // makes one
                                System.out.println(java.lang.management.ManagementFactory.getPlatformMBeanServer() != null);
                                break;
                            case "servers": // looks, and makes none
                                System.out.println(MBeanServerFactory.findMBeanServer(null).size());
                                break;
                            case "await":
                                long begin = System.nanoTime();
                                while (server() == null || !server().isRegistered(name)) {
                                    Thread.sleep(5);
                                }
                                System.out.println((System.nanoTime() - begin) / 1000000);
                                break;
                            case "attribute":
                                Object value = server().getAttribute(name, w[1]);
                                System.out.println(value instanceof Object[] ? Arrays.toString((Object[]) value) : value);
                                break;
                            case "set":
                                server().setAttribute(name, new Attribute(w[1], Boolean.valueOf(w[2])));
                                System.out.println("set");
                                break;
                            case "do":
                                Object[] values = w.length == 3 ? new Object[] {w[2]} : w.length == 4 ? new Object[] {w[2], Long.valueOf(w[3])}
                                        : new Object[] {w[2], Double.valueOf(w[3]), Integer.valueOf(w[4])};
                                String[] types = {"java.lang.String", w.length == 4 ? "long" : "double", "int"};
                                try {
                                    server().invoke(name, w[1], values, Arrays.copyOf(types, values.length));
                                    System.out.println("done");
                                } catch (RuntimeMBeanException e) {
                                    System.out.println(e.getTargetException().getMessage());
                                }
                                break;
                            case "stats":
                                System.out.println(server().invoke(name, "stats", new Object[] {w[1]}, new String[] {"java.lang.String"}));
                                break;
                        }
                    }
                }
                static MBeanServer server() {
                    List<MBeanServer> all = MBeanServerFactory.findMBeanServer(null);
                    return all.isEmpty() ? null : all.get(0);
                }
            """ + Source.CALLS + "}");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Not before 2 s after the first request, since a program that ends sooner never pays for it; and then it tells and obeys. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void tellsAndObeys(int java) throws Exception {
        Server.Site site = SERVER.site("127.37", Server.Script.status(200));
        Server.Site blocking = SERVER.site("127.38", Server.Script.inTurn(Server.Script.status(429), Server.Script.status(403),
                Server.Script.status(200)));
        String rejecting = "domain.127.38.0.0/16.";
        try (Fork fork = start(java, "user-agent.check=off,learn=false,exclude=-private,rate=0.02,burst=1," + rejecting + "burst=2,"
                + rejecting + "rate=0.04," + rejecting + "on-limit=reject")) {
            long begin = System.nanoTime();
            assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
            String servers = fork.ask("servers", Jvm.LONG);
            assertTrue(servers.equals("0") || System.nanoTime() - begin > 2_000_000_000L, "the agent made a server at once");
            fork.ask("await", Jvm.LONG);
            assertTrue(System.nanoTime() - begin > 2_000_000_000L, "registered after " + (System.nanoTime() - begin) / 1_000_000 + " ms");

            assertEquals("429", fork.ask("get " + blocking.url("/"), Jvm.LONG));
            assertEquals("403", fork.ask("get " + blocking.url("/"), Jvm.LONG));
            assertEquals("io.tempolimit.RequestRejectedException", fork.ask("get " + blocking.url("/"), Jvm.LONG));
            assertEquals("waits", fork.ask("begin a " + site.url("/a"), Jvm.LONG));

            assertEquals("[" + site.host() + ", " + blocking.host() + "]", fork.ask("attribute Keys", Jvm.LONG));
            JsonObject all = json(fork.ask("attribute StatsJson", Jvm.LONG));
            assertEquals(2, all.get("keys").getAsInt(), all::toString);
            assertTrue(all.get("enabled").getAsBoolean(), all::toString);
            assertEquals(2, all.getAsJsonObject("keys_per_state").get("open").getAsInt(), all::toString);
            assertEquals("HttpURLConnection", all.getAsJsonArray("woven_clients").get(0).getAsJsonObject().get("name")
                    .getAsString(), all::toString);
            assertEquals(2, all.getAsJsonArray("domains").size(), all::toString);
            JsonObject waiting = json(fork.ask("stats " + site.host(), Jvm.LONG));
            assertEquals(2, waiting.get("total_requests").getAsInt(), waiting::toString);
            assertEquals(1, waiting.get("waiting_requests").getAsInt(), waiting::toString);
            assertEquals(0, waiting.get("active_requests").getAsInt(), waiting::toString);
            JsonObject blocked = json(fork.ask("stats " + blocking.host(), Jvm.LONG));
            assertEquals(3, blocked.get("total_requests").getAsInt(), blocked::toString);
            assertEquals(1, blocked.get("rejected_requests").getAsInt(), blocked::toString);
            assertEquals(33.33, blocked.get("rejection_rate_percent").getAsDouble(), 0.01, blocked::toString);
            assertEquals(2, blocked.get("blocked_requests").getAsInt(), blocked::toString);
            assertEquals(1, blocked.getAsJsonObject("blocks_by_type").get("403_forbidden").getAsInt(), blocked::toString);
            assertEquals(1, blocked.getAsJsonObject("blocks_by_type").get("429_rate_limited").getAsInt(), blocked::toString);
            assertEquals(2, blocked.get("consecutive_blocks").getAsInt(), blocked::toString);
            assertEquals("open", blocked.get("state").getAsString(), blocked::toString);

            fork.ask("set Enabled false", Jvm.LONG);
            assertEquals("200", fork.ask("join a", Jvm.LONG), "the waiter was not released");
            assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
            assertEquals("false", fork.ask("attribute Enabled", Jvm.LONG));
            fork.ask("set Enabled true", Jvm.LONG);
            assertEquals("waits", fork.ask("begin b " + site.url("/b"), Jvm.LONG));
            fork.ask("set DryRun true", Jvm.LONG);
            assertEquals("200", fork.ask("join b", Jvm.LONG), "the waiter was not released");
            assertEquals("true", fork.ask("attribute DryRun", Jvm.LONG));
            assertEquals("200", fork.ask("get " + blocking.url("/"), Jvm.LONG), "rejected in a dry run");
            fork.ask("set DryRun false", Jvm.LONG);
            assertEquals("io.tempolimit.RequestRejectedException", fork.ask("get " + blocking.url("/"), Jvm.LONG));

            assertEquals("done", fork.ask("do setRate " + blocking.host() + " 1000 100", Jvm.LONG));
            Wait.until("a token has come in", fork, () -> fork.ask("get " + blocking.url("/"), Jvm.LONG).equals("200"));
            assertEquals("done", fork.ask("do pause " + blocking.host() + " 600", Jvm.LONG));
            assertEquals("io.tempolimit.RequestRejectedException", fork.ask("get " + blocking.url("/"), Jvm.LONG));
            JsonObject paused = json(fork.ask("stats " + blocking.host(), Jvm.LONG));
            assertEquals("operator", paused.get("cooldown_reason").getAsString(), paused::toString);
            assertEquals("done", fork.ask("do resume " + blocking.host(), Jvm.LONG));
            Wait.until("it goes on", fork, () -> fork.ask("get " + blocking.url("/"), Jvm.LONG).equals("200"));
            assertEquals("done", fork.ask("do resetStats " + blocking.host(), Jvm.LONG));
            assertEquals(0, json(fork.ask("stats " + blocking.host(), Jvm.LONG)).get("total_requests").getAsInt());
            assertEquals("done", fork.ask("do reset " + blocking.host(), Jvm.LONG));
            assertEquals(0.04, json(fork.ask("stats " + blocking.host(), Jvm.LONG)).get("rate").getAsDouble());
            assertEquals("There is no key none", fork.ask("do reset none", Jvm.LONG));
        }
    }

    /** Where the program has a server of its own, no request is waited for. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void atOnceWhereThereIsAServer(int java) {
        try (Fork fork = start(java, "")) {
            fork.ask("server", Jvm.LONG);
            fork.ask("await", Jvm.LONG);
            assertEquals("[]", fork.ask("attribute Keys", Jvm.LONG));
        }
    }

    /** A JVM without java.management: paced, silently without. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurnFrom11")
    void withoutTheModule(int java) throws Exception {
        Server.Site site = SERVER.site("127.37", Server.Script.status(200));
        Path log = Source.folder().resolve("agent.log");
        try (Scraper scraper = Scraper.start(Jvm.scraper(java).option("--limit-modules=java.base,java.net.http,java.instrument")
                .agent(Jvm.ONE_TOKEN + ",report=false,log.level=debug,log.file=" + log), "Jdk")) {
            assertEquals("200", scraper.get(site.url("/")));
            assertEquals("io.tempolimit.RequestRejectedException", scraper.get(site.url("/")));
            Wait.until("JMX is tried in vain", scraper.fork, () -> Files.exists(log) && Files.readString(log).contains("No JMX"));
            assertEquals(0, scraper.end());
            assertEquals("", scraper.fork.stderr());
        }
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    private static Fork start(int java, String agent) {
        return Jvm.on(java).agent(agent).classpath(PROGRAM).main("Console").start();
    }
}
