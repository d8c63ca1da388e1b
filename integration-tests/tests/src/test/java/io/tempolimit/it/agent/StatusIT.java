package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Javas;
import io.tempolimit.it.harness.Server;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code status}, and what all commands have in common. */
class StatusIT {
    private static final Server SERVER = Server.start();
    private static final Optional<Path> SCRIPT = Browser.find("SCRIPT",
            "*  NOT TESTED on a terminal: no script(1) on this machine.\n*  Debian: apt-get install bsdutils", "script");
    private static final String BLOCKING =
            "user-agent.check=off,exclude=-private,cooldown.threshold=2,cooldown.duration=300s-300s,learn=false";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** One host is in cooldown, a request waits for it; another is open. */
    private static Scraper scene(int java, Server.Site blocked, Server.Site open, String agent) {
        Scraper scraper = Scraper.start(Jvm.scraper(java).agent(agent), "UrlConnection");
        assertEquals("200", scraper.get(open.url("/")));
        assertEquals("429", scraper.get(blocked.url("/secret?q=1")));
        assertEquals("429", scraper.get(blocked.url("/")));
        scraper.parked(scraper.begin(blocked.url("/")));
        return scraper;
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void showsWhichHostIsHeldWhyAndUntilWhen(int java) {
        Server.Site blocked = SERVER.site("127.66", Server.Script.status(429));
        Server.Site open = SERVER.site("127.66", Server.Script.status(200));
        try (Scraper scraper = scene(java, blocked, open, BLOCKING)) {
            Command table = Command.run("status", scraper.fork.pid());
            assertEquals(0, table.exit(), table::err);
            List<String> lines = table.lines();
            assertTrue(lines.get(0).matches("Tempolimit \\S+ in " + scraper.fork.pid() + " \\(io.tempolimit.it.programs.Main\\)"),
                    table::out);
            assertEquals("2 hosts, 1 in cooldown, 1 request waiting", lines.get(1));
            assertTrue(lines.get(2).startsWith("woven: HttpURLConnection "), table::out);
            assertEquals("host state until why rate waiting requests blocked", lines.get(3).replaceAll(" +", " "));
            assertTrue(lines.get(4).matches(blocked.host() + " +cooldown +in 4 min \\d+ s +429_rate_limited +3/s +1 +3 +2"), table::out);
            assertTrue(lines.get(5).matches(open.host() + " +open +3/s +0 +1 +0"), table::out);
            assertFalse(table.out().contains("\033"), table::out);
            assertFalse(table.out().contains("secret"), table::out);

            Command json = Command.run("status", scraper.fork.pid(), "--json");
            assertEquals(0, json.exit(), json::err);
            JsonObject all = JsonParser.parseString(json.out()).getAsJsonObject();
            assertEquals(2, all.getAsJsonArray("domains").size(), json::out);
            assertEquals(1, json.lines().size());
        }
    }

    /** On a terminal: colours, its width, and as many hosts as it has room for, again and again; until the program ends. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurnFrom11")
    void redrawsATerminal(int java) throws Exception {
        Assumptions.assumeTrue(SCRIPT.isPresent(), "SKIPPED: no script(1), which makes a terminal");
        Server.Site blocked = SERVER.site("127.67", Server.Script.status(429));
        Path typescript = Source.folder().resolve("typescript");
        try (Scraper scraper = scene(17, blocked, SERVER.site("127.67", Server.Script.status(200)), BLOCKING)) {
            for (int i = 0; i < 10; i++) {
                assertEquals("200", scraper.get(SERVER.site("127.67", Server.Script.status(200)).url("/")));
            }
            // A runtime that was built for another Linux may be unable to run the helper by which it starts processes.
            String command = "stty rows 9 cols 60; exec " + Javas.require(java).launcher()
                    + " -Djdk.lang.Process.launchMechanism=FORK -jar " + Fork.agentJar() + " status " + scraper.fork.pid() + " --watch";
            Process terminal = new ProcessBuilder(SCRIPT.get().toString(), "-qefc", command, typescript.toString())
                    .redirectInput(new File("/dev/null")).start();
            try {
                Wait.until("the screen is drawn twice", scraper.fork, () -> text(typescript).split("\033\\[H", -1).length > 2);
                assertEquals(0, scraper.end());
                assertTrue(terminal.waitFor(60, TimeUnit.SECONDS), () -> text(typescript));
                assertEquals(0, terminal.exitValue());
            } finally {
                terminal.destroyForcibly();
            }
        }
        String text = text(typescript);
        String screen = text.split("\033\\[H", -1)[1];
        List<String> lines = screen.replaceAll("\033\\[\\d*m", "").replaceAll("\033\\[[KJ]", "").lines().toList();
        assertEquals(8, lines.size(), screen);
        assertTrue(lines.stream().allMatch(l -> l.length() <= 60), screen);
        assertEquals("12 hosts, 1 in cooldown, 1 request waiting", lines.get(1));
        assertEquals("and 10 more hosts", lines.get(7));
        assertTrue(screen.contains("\033[33m" + blocked.host() + " "), screen);
        assertTrue(text.contains("has ended."), text);
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
        } catch (java.io.IOException e) {
            return "";
        }
    }

    /** NO_COLOR, and a pipe: plain text, one table after another; a reader that has enough ends it. */
    @Test
    void behavesInAPipe() throws Exception {
        Assumptions.assumeTrue(SCRIPT.isPresent(), "SKIPPED: no script(1), which makes a terminal");
        try (Scraper scraper = scene(17, SERVER.site("127.68", Server.Script.status(429)),
                SERVER.site("127.68", Server.Script.status(200)), BLOCKING)) {
            String status = Javas.require(17).launcher() + " -jar " + Fork.agentJar() + " status " + scraper.fork.pid();
            assertEquals("", plain("NO_COLOR=1 " + status).replaceAll("[^\033]", ""));
            assertEquals("", plain(status + " | cat").replaceAll("[^\033]", ""));
            assertEquals(2, plain(status + " --watch | head -7").lines().filter(l -> l.startsWith("Tempolimit ") || l.startsWith("host "))
                    .count());
            assertEquals(2, plain(status + " --watch --json | head -2").lines().filter(l -> !l.isBlank()).map(JsonParser::parseString)
                    .count());
        }
    }

    /** Runs a line of the shell in a terminal. */
    private static String plain(String line) throws Exception {
        Path typescript = Source.folder().resolve("typescript");
        Process terminal = new ProcessBuilder(SCRIPT.get().toString(), "-qefc", line, typescript.toString())
                .redirectInput(new File("/dev/null")).start();
        try {
            assertTrue(terminal.waitFor(60, TimeUnit.SECONDS), () -> line + " does not end:\n" + text(typescript));
        } finally {
            terminal.destroyForcibly();
        }
        return text(typescript).lines().filter(l -> !l.startsWith("Script ")).reduce("", (a, b) -> a + b + "\n");
    }

    @Test
    void saysWhatIsWrong() {
        try (Fork plain = Scraper.start(Jvm.scraper(17), "UrlConnection").fork) {
            Command none = Command.run("status", plain.pid());
            assertEquals(3, none.exit());
            assertTrue(none.err().startsWith("There is no Tempolimit in " + plain.pid()
                    + " (io.tempolimit.it.programs.Main); attach starts it."), none::err);
            assertEquals("", plain.stderr());
            Command missing = Command.run("status");
            assertEquals(2, missing.exit());
            assertTrue(missing.err().contains(plain.pid() + "  io.tempolimit.it.programs.Main"), missing::err);
        }
        Command what = Command.run("status", "1", "--yaml");
        assertEquals(2, what.exit());
        assertTrue(what.err().startsWith("status: no such option: --yaml"), what::err);
    }

    /** A JVM that was started without the management modules loads them when it is asked. */
    @Test
    void asksAJvmWithoutTheModule() {
        try (Scraper scraper = Scraper.start(Jvm.scraper(17).option("--limit-modules=java.base,java.net.http,java.instrument")
                .agent("report=false"), "Jdk")) {
            Command status = Command.run("status", scraper.fork.pid());
            assertEquals(0, status.exit(), status::err);
            assertTrue(status.out().contains("No request yet."), status::out);
        }
    }

    @Test
    void everyCommandHasHelp() {
        for (String command : List.of("attach", "status", "check", "judge", "version")) {
            Command help = Command.run(command, "--help");
            assertEquals(0, help.exit(), command);
            assertTrue(help.out().contains("java -jar tempolimit-agent.jar " + command), help::out);
            assertEquals("", help.err());
            assertEquals(help.out(), Command.run("help", command).out());
        }
        Command none = Command.run("shop");
        assertEquals(2, none.exit());
        assertTrue(none.err().startsWith("There is no command shop."), none::err);
        assertEquals(0, Command.run("help").exit());
        assertEquals(1, Command.run("check", "rate=0").exit());
    }
}
