package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program ends with the agent as it ends without: by itself, by an exception, by an exit in the middle of waiting;
 * and there is a report.
 */
class EndIT {
    private static final Server SERVER = Server.start();
    private static final Path PROGRAM = Source.compile(8, """
            import java.net.*;
            public class End {
                public static void main(String[] args) throws Exception {
                    get(args[1]);
                    switch (args[0]) {
                        case "crash":
                            throw new IllegalStateException("boom");
                        case "exit":
                            System.exit(3);
                        case "exit while one waits":
                            waiting(args[1], true);
                            System.exit(3);
                        case "halt":
                            waiting(args[1], false);
                            Runtime.getRuntime().halt(5);
                        case "daemon":
                            waiting(args[1], true);
                            return;
                        default:
                            get(args[1]);
                    }
                }
                static void get(String url) throws Exception {
                    System.out.println(((HttpURLConnection) new URL(url).openConnection()).getResponseCode());
                }
                static void waiting(String url, boolean daemon) throws Exception {
                    Thread thread = new Thread(() -> {
                        try {
                            get(url);
                        } catch (Exception e) {
                            e.printStackTrace();
                        }
                    });
                    thread.setDaemon(daemon);
                    thread.start();
                    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
                        Thread.sleep(1);
                    }
                    System.out.println(thread.isAlive() ? "one waits" : "none waits");
                }
            }""");

    /** The second request waits for a minute. */
    private static final String SLOW = "user-agent.check=off,exclude=-private,rate=1/m,burst=1";
    /** A program that has ended by then did not wait for that request. */
    private static final Duration SOONER = Duration.ofSeconds(45);
    /** The second request waits, unless the machine takes five seconds for the first one. */
    private static final String REPORTED = "user-agent.check=off,exclude=-private,rate=0.2,burst=1";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void anUncaughtException(int java) {
        Ended plain = run(java, null, "crash");
        assertEquals(1, plain.code);
        assertTrue(plain.err.contains("java.lang.IllegalStateException: boom\n\tat End.main(End.java"), plain.err);
        assertEquals(plain, run(java, SLOW, "crash"));
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void anExit(int java) {
        assertEquals(new Ended(3, "200\n", ""), run(java, SLOW, "exit"));
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void anExitWhileOneWaits(int java) {
        Ended ended = run(java, SLOW, "exit while one waits");
        assertEquals(3, ended.code);
        assertEquals("200\none waits\n", ended.out);
        assertFalse(ended.err.contains("Exception"), ended.err);
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aHaltWhileOneWaits(int java) {
        Ended ended = run(java, SLOW, "halt");
        assertEquals(5, ended.code);
        assertEquals("200\none waits\n", ended.out);
        assertFalse(ended.err.contains("Tempolimit:"), ended.err);
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void nobodyButDaemonsWaits(int java) {
        Ended ended = run(java, SLOW, "daemon");
        assertEquals(0, ended.code);
        assertEquals("200\none waits\n", ended.out);
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aReport(int java) {
        Ended ended = run(java, REPORTED, "two requests");
        assertEquals(0, ended.code);
        assertEquals("200\n200\n", ended.out);
        String[] lines = ended.err.split("\n");
        assertTrue(lines[0].matches(".* \\[tempolimit] INFO 127\\.33\\.\\S+: held to 0\\.2 requests/s \\(burst 1.*; set rate= or domain\\.127\\.33\\S+rate= to change that, .*"), ended.err);
        assertEquals("", lines[1], ended.err);
        assertTrue(lines[2].matches("Tempolimit: 2 requests to 1 host; 1 waited \\S+ m?s in all\\."), ended.err);
        assertEquals("Answers: 2 x 200.", lines[3], ended.err);
        assertTrue(lines[5].matches("host +requests +delayed +waited .*"), ended.err);
        assertTrue(lines[6].matches("127\\.33\\.\\S+ +2 +1 +\\S+ m?s .*"), ended.err);
        assertEquals(7, lines.length, ended.err);
    }

    @Test
    void noReport() {
        Ended ended = run(17, REPORTED + ",report=false", "two requests");
        assertEquals(0, ended.code);
        assertEquals(1, Jvm.lines(ended.err).size(), ended.err);
    }

    private record Ended(int code, String out, String err) {
    }

    private static Ended run(int java, String agent, String mode) {
        Server.Site site = SERVER.site("127.33", Server.Script.status(200));
        Fork.Builder builder = Jvm.on(java).classpath(PROGRAM);
        if (agent != null) {
            builder.agent(agent);
        }
        try (Fork fork = builder.main("End", mode, site.url("/")).start()) {
            int code = fork.exit(SOONER);
            return new Ended(code, fork.stdout(), fork.stderr());
        }
    }
}
