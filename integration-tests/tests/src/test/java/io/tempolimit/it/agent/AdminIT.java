package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code admin.port} as programs see it: what it tells, its actions, and when there is none. Metrics: {@link
 * MetricsIT}; who is let in: {@link AdminAccessIT}.
 */
class AdminIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#ends")
    void showsWhatJmxShows(int java) throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.inTurn(Server.Script.status(200), Server.Script.status(403),
                Server.Script.status(200)));
        try (AdminProgram running = AdminProgram.start(java, "rate=1,burst=1")) {
            for (String status : List.of("200", "403", "200")) {
                assertEquals(status, running.ask("get " + site.url("/p?secret=hunter2")));
            }
            JsonObject stats = JsonParser.parseString(running.get("/stats.json").body()).getAsJsonObject();
            JsonObject host = stats.getAsJsonArray("domains").get(0).getAsJsonObject();
            assertEquals(site.host(), host.get("domain").getAsString());
            assertEquals(3, host.get("total_requests").getAsInt());
            assertEquals(1, host.getAsJsonObject("blocks_by_type").get("403_forbidden").getAsInt());

            String metrics = running.get("/metrics").body();
            assertTrue(metrics.contains("tempolimit_requests_total{key=\"" + site.host() + "\"} 3.0\n"), metrics);
            assertTrue(metrics.contains("tempolimit_blocks_total{key=\"" + site.host() + "\",type=\"403_forbidden\"} 1.0\n"), metrics);
            assertTrue(metrics.contains("tempolimit_keys{state=\"open\"} 1.0\n"), metrics);
            JsonObject hour = JsonParser.parseString(running.get("/history?" + site.host()).body()).getAsJsonObject();
            assertEquals(hour.getAsJsonArray("requests").size(), hour.getAsJsonArray("blocks").size());
            assertEquals(3, sum(hour.getAsJsonArray("requests")));
            assertEquals(1, sum(hour.getAsJsonArray("blocks")));
            assertTrue(sum(hour.getAsJsonArray("wait_ms")) > 0, hour::toString);
            for (String path : List.of("/", "/stats.json", "/metrics", "/history", "/history?" + site.host())) {
                assertEquals(200, running.get(path).statusCode(), path);
                assertFalse(running.get(path).body().contains("hunter2"), path);
            }
            String threads = running.ask("threads");
            assertTrue(threads.contains("tempolimit-admin") && !threads.contains("!"), threads);
            if (java < 9) {
                assertEquals("sun.net.httpserver.HttpServerImpl", running.ask("own"));
            }
            running.fork.endInput();
            assertEquals(0, running.fork.exit(Jvm.LONG), "the page keeps the program from ending");
        }
    }

    private static int sum(JsonArray numbers) {
        int sum = 0;
        for (var n : numbers) {
            sum += n.getAsInt();
        }
        return sum;
    }

    @Test
    void actionsAskForTheTokenAndComeFromNoOtherPage() throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        try (AdminProgram running = AdminProgram.start(17, "rate=100,burst=100,admin.token=s3cret");
                AdminProgram without = AdminProgram.start(17, "rate=100,burst=100")) {
            assertEquals("200", running.ask("get " + site.url("/")));
            assertEquals("200", without.ask("get " + site.url("/")));
            String pause = "{\"key\":\"" + site.host() + "\",\"seconds\":3600}";
            String[] right = {"Authorization", "Bearer s3cret"};
            assertEquals(403, without.post("/actions/pause", pause, right).statusCode(), "there is no token");
            for (String wrong : List.of("Bearer s3cre", "Bearer s3cret2", "Bearer ", "s3cret", "Basic czNjcmV0", "Bearer S3CRET")) {
                assertEquals(401, running.post("/actions/pause", pause, "Authorization", wrong).statusCode(), wrong);
            }
            assertEquals(401, running.post("/actions/pause", pause).statusCode());
            assertEquals(401, running.post("/actions/pause?token=s3cret", pause).statusCode());
            for (String origin : List.of("http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1", "http://localhost:"
                    + running.port)) {
                assertEquals(403, running.post("/actions/pause", pause, "Authorization", "Bearer s3cret", "Origin", origin)
                        .statusCode(), origin);
            }
            assertEquals("200", running.ask("get " + site.url("/")), "something has paused it");

            assertEquals(200, running.post("/actions/pause", pause, "Authorization", "Bearer s3cret", "Origin", "http://127.0.0.1:"
                    + running.port).statusCode());
            assertEquals("waits", running.ask("begin a " + site.url("/")));
            JsonObject host = host(running);
            assertEquals("cooling_down", host.get("state").getAsString());
            assertEquals("operator", host.get("cooldown_reason").getAsString());
            assertEquals(200, running.post("/actions/resume", "{\"key\":\"" + site.host() + "\"}", right).statusCode());
            assertEquals("200", running.ask("join a"));

            assertEquals(200, running.post("/actions/rate", "{\"key\":\"" + site.host() + "\",\"rate\":0.01,\"burst\":1}", right)
                    .statusCode());
            assertEquals("200", running.ask("get " + site.url("/"))); // the one token there is
            assertEquals("waits", running.ask("begin b " + site.url("/")));
            assertEquals(200, running.post("/actions/reset", "{\"key\":\"" + site.host() + "\"}", right).statusCode());
            assertEquals("200", running.ask("join b"));
            assertEquals(200, running.post("/actions/reset-stats", "{\"key\":\"" + site.host() + "\"}", right).statusCode());
            assertEquals(0, host(running).get("total_requests").getAsInt());

            assertEquals(200, running.post("/actions/pause", pause, right).statusCode());
            assertEquals("waits", running.ask("begin c " + site.url("/")));
            assertEquals(200, running.post("/actions/dry-run", "{\"on\":true}", right).statusCode());
            assertEquals("200", running.ask("join c"));
            assertEquals(200, running.post("/actions/dry-run", "{\"on\":false}", right).statusCode());
            assertEquals(200, running.post("/actions/pause", pause, right).statusCode()); // an answer has ended the other one
            assertEquals("waits", running.ask("begin d " + site.url("/")));
            assertEquals(200, running.post("/actions/enabled", "{\"on\":false}", right).statusCode());
            assertEquals("200", running.ask("join d"));
            assertEquals(200, running.post("/actions/enabled", "{\"on\":true}", right).statusCode());

            for (String bad : List.of("", "{", "[]", "{\"key\":\"no.such.host\",\"seconds\":1}", "{\"key\":\"" + site.host()
                    + "\"}", "{\"seconds\":1}", "{\"key\":5,\"seconds\":\"x\"}",
                    "{\"key\":\"" + site.host() + "\",\"seconds\":-1}", "{\"key\":\"" + site.host() + "\",\"seconds\":1,\"more\":1}", pause
                    + pause)) {
                assertEquals(400, running.post("/actions/pause", bad, right).statusCode(), bad);
            }
            assertEquals(400, running.post("/actions/rate", "{\"key\":\"" + site.host() + "\",\"rate\":0,\"burst\":1}", right)
                    .statusCode());
            for (String burst : List.of("1.5", "1e300", "0", "-1", "2147483648")) { // and not another one than was asked for
                assertEquals(400, running.post("/actions/rate", "{\"key\":\"" + site.host() + "\",\"rate\":1,\"burst\":" + burst
                        + "}", right).statusCode(), burst);
            }
            assertEquals(400, running.post("/actions/enabled", "{}", right).statusCode());
            assertEquals(413, running.post("/actions/pause", " ".repeat(5000) + pause, right).statusCode());
            assertFalse(running.fork.stderr().contains("s3cret"), running.fork::stderr);
        }
    }

    private static JsonObject host(AdminProgram running) throws Exception {
        return JsonParser.parseString(running.get("/stats.json").body()).getAsJsonObject().getAsJsonArray("domains").get(0)
                .getAsJsonObject();
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void anOccupiedPortIsOneWarning(int java) throws Exception {
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            try (Fork fork = Jvm.on(java).agent(AdminProgram.QUIET + "admin.port=" + taken.getLocalPort()).classpath(AdminProgram.CLASSES)
                    .main("Asker").start()) {
                assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
                Wait.until("it warns", fork, () -> fork.stderr().contains("WARN"));
                assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
                assertEquals(1, Jvm.lines(fork.stderr()).size(), fork::stderr);
                int port = taken.getLocalPort();
                assertTrue(fork.stderr().contains("admin.port=" + port + " cannot be opened on 127.0.0.1"), fork::stderr);
                taken.close(); // the program before this one has ended
                Wait.until("there is a page", fork, () -> answers(port));
            }
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void withoutTheJdksServerThereIsOneWarning() throws Exception {
        Path program = Source.compile(17,
                AdminProgram.ASKER.replace("System.out.println(com.sun.net.httpserver.HttpServer.create().getClass().getName());", ""));
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        try (Fork fork = Jvm.on(17).option("--limit-modules=java.base,java.instrument,java.management")
                .agent(AdminProgram.QUIET + "admin.port=0").classpath(program).main("Asker").start()) {
            assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
            Wait.until("it warns", fork, () -> fork.stderr().contains("WARN"));
            assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
            assertEquals(1, Jvm.lines(fork.stderr()).size(), fork::stderr);
            assertTrue(fork.stderr().contains("jdk.httpserver"), fork::stderr);
        }
    }

    @Test
    void withoutAPortNothingOfItIsLoaded() {
        Server.Site site = SERVER.site("127.50", Server.Script.status(200));
        try (Fork fork = Jvm.on(17).option("-Xlog:class+load").agent(AdminProgram.QUIET.substring(0, AdminProgram.QUIET.length() - 1))
                .classpath(AdminProgram.CLASSES).main("Asker").start()) {
            fork.tell("get " + site.url("/"));
            String line;
            do {
                line = fork.line(Jvm.LONG);
            } while (!line.equals("200"));
            assertTrue(fork.stdout().contains(" io.tempolimit.core.limiter.Limiter "), "classes are not told");
            for (String odd : List.of("io.tempolimit.admin", "io.tempolimit.shaded.prometheus", "sun.net.httpserver")) {
                assertFalse(fork.stdout().contains(" " + odd), odd);
            }
        }
    }
}
