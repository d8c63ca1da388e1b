package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.ClosedPort;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a newcomer sees: a program on this machine, which {@code exclude} leaves out; one whose requests all fail; a
 * Java without the modules of a JDK.
 */
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
class FirstTryIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Nothing was said, and {@code status} said "No request yet". */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#ends")
    void eachRequestThatIsLeftOutIsCountedOnceAndTheFirstIsTold(int java) throws Exception {
        Server.Site site = SERVER.site("127.91", Server.Script.status(200));
        try (Scraper scraper = Scraper.start(Jvm.scraper(java).agent(""), "UrlConnection")) {
            for (int i = 0; i < 3; i++) {
                assertEquals("200", scraper.get(site.url("/" + i)));
            }
            Command json = Command.run("status", scraper.fork.pid(), "--json");
            assertEquals(0, json.exit(), json::err);
            JsonObject all = JsonParser.parseString(json.out()).getAsJsonObject();
            assertEquals(site.arrivals().size(), all.get("excluded_requests").getAsInt(), json::out);
            assertEquals(0, all.get("keys").getAsInt(), json::out);
            Wait.until("the first one is told", scraper.fork, () -> scraper.fork.stderr().contains(" paces it"));
            List<String> lines = Jvm.lines(scraper.fork.stderr()).stream().filter(l -> l.contains("[tempolimit]")).toList();
            assertEquals(1, lines.size(), lines::toString);
            assertTrue(lines.get(0).endsWith("INFO " + site.host() + " is not paced: exclude has private; exclude=-private paces it"),
                    lines::toString);
        }
    }

    /** It was shown as open, with nothing wrong. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aProgramWhoseEveryRequestFailsShowsThat(int java) throws Exception {
        Server.Site ill = SERVER.site("127.91", Server.Script.status(502));
        try (ClosedPort nobody = new ClosedPort(); Scraper scraper = Scraper.start(Jvm.scraper(java)
                .agent("user-agent.check=off,exclude=-private,learn=false"), "UrlConnection")) {
            for (int i = 0; i < 3; i++) {
                assertEquals("java.net.ConnectException", scraper.get("http://127.91.0.250:" + nobody.number() + "/"));
            }
            assertEquals("502", scraper.get(ill.url("/")));
            Wait.until("the answer that nobody has read is judged", scraper.fork,
                    () -> scraper.statistics(ill.host()).get("overloads").getAsInt() == 1);
            Command table = Command.run("status", scraper.fork.pid());
            List<String> rows = table.lines().stream().map(l -> l.replaceAll(" +", " ")).toList();
            assertTrue(rows.contains("host state rate waiting requests failed 5xx"), table::out);
            assertTrue(rows.contains("127.91.0.250 open 3/s 0 3 3 0"), table::out);
            assertTrue(rows.contains(ill.host() + " open 3/s 0 1 0 1"), table::out);
            assertEquals(0, scraper.end());
            assertTrue(scraper.fork.stderr().contains("Tempolimit: 4 requests to 2 hosts; 3 failed; 1 got 5xx."), scraper.fork::stderr);
        }
    }

    /** There was a stack trace. */
    @Test
    void aRuntimeWithoutTheModulesOfAJdkIsOneLineThatSaysWhatToDo() {
        for (String command : List.of("status", "attach")) {
            try (Fork fork = Jvm.on(17).option("--limit-modules=java.base,java.instrument,java.logging").jar(Fork.agentJar(), command, "1")
                    .start()) {
                assertEquals(3, fork.exit(Jvm.LONG), fork::stderr);
                List<String> lines = Jvm.lines(fork.stderr());
                assertEquals(1, lines.size(), fork::stderr);
                assertTrue(lines.get(0).startsWith(command + " needs a JDK: this runtime lacks jdk.attach"), fork::stderr);
            }
        }
    }
}
