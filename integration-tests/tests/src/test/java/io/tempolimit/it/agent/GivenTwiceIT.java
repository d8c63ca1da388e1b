package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent is in {@code JAVA_TOOL_OPTIONS} and on the command line: both settings hold, and of one key the command line's. */
class GivenTwiceIT {
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    private static Scraper start(int java, String environment, String commandLine) {
        String option = "-javaagent:" + Fork.agentJar() + "=" + environment;
        return Scraper.start(Jvm.scraper(java).environment("JAVA_TOOL_OPTIONS", option).agent(commandLine), "UrlConnection");
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void theCommandLineIsAddedToTheEnvironment(int java) {
        Server.Site site = SERVER.site("127.80", Server.Script.status(200));
        try (Scraper scraper = start(java, "user-agent.check=off,exclude=-private,rate=1000,burst=1000",
                "rate=0.02,burst=1,on-limit=reject")) {
            assertEquals("200", scraper.get(site.url("/")), scraper.fork::stderr);
            assertEquals("io.tempolimit.RequestRejectedException", scraper.get(site.url("/")), scraper.fork::stderr);
            assertEquals(0, scraper.end());
            assertEquals(List.of(), Jvm.lines(scraper.fork.stderr()).stream().filter(l -> l.contains(" WARN ")).toList());
        }
    }

    /** What the environment has switched off, the command line switches on, with the settings of both. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void whatWasOffIsBegunByTheCommandLine(int java) {
        Server.Site site = SERVER.site("127.81", Server.Script.status(200));
        try (Scraper scraper = start(java, "enabled=false," + Jvm.ONE_TOKEN, "enabled=true")) {
            assertEquals("200", scraper.get(site.url("/")), scraper.fork::stderr);
            assertEquals("io.tempolimit.RequestRejectedException", scraper.get(site.url("/")), scraper.fork::stderr);
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void whatTheFirstAloneCanSetIsSaid(int java) {
        try (Scraper scraper = start(java, "rate=2/h,burst=4", "clients=-okhttp,concurrency=3")) {
            assertEquals(0, scraper.end());
            List<String> warnings = Jvm.lines(scraper.fork.stderr()).stream().filter(l -> l.contains(" WARN ")).toList();
            assertEquals(2, warnings.size(), scraper.fork::stderr);
            assertTrue(warnings.get(0).contains("burst=4"), scraper.fork::stderr);
            assertTrue(warnings.get(1).contains("cannot set clients:"), scraper.fork::stderr);
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aFaultInTheSecondStopsAsWell(int java) {
        try (Fork fork = Jvm.scraper(java).environment("JAVA_TOOL_OPTIONS", "-javaagent:" + Fork.agentJar() + "=rate=2").agent("rat=1")
                .main("io.tempolimit.it.programs.Main").start()) {
            assertEquals(1, fork.exit(Jvm.LONG));
            assertTrue(fork.stderr().contains("agent arguments: rat=1"), fork::stderr);
        }
    }
}
