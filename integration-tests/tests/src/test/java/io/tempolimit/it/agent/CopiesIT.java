package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Javas;
import io.tempolimit.it.harness.Server;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Odd ways to start with the agent. */
class CopiesIT {
    private static final Server SERVER = Server.start();
    private static final String TWO_TOKENS = "user-agent.check=off,exclude=-private,rate=0.04,burst=2,on-limit=reject";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Twice, with the same settings: each request still takes one token, and there is nothing to warn of. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void twice(int java) throws Exception {
        Path copy = Files.copy(Fork.agentJar(), Source.folder().resolve("another-copy.jar"));
        for (Path second : List.of(Fork.agentJar(), copy)) {
            Server.Site site = SERVER.site("127.35", Server.Script.status(200));
            try (Scraper scraper = Scraper.start(Jvm.scraper(java).agent(TWO_TOKENS)
                    .option("-javaagent:" + second + "=" + TWO_TOKENS), "UrlConnection")) {
                assertEquals("200", scraper.get(site.url("/")));
                assertEquals("200", scraper.get(site.url("/")));
                assertEquals("io.tempolimit.RequestRejectedException", scraper.get(site.url("/")));
                assertEquals(0, scraper.end());
                assertEquals(List.of(), Jvm.lines(scraper.fork.stderr()).stream().filter(l -> l.contains(" WARN ")).toList());
            }
        }
    }

    /**
     * A path with spaces and letters beyond ASCII, and nobody may write there. By a shell, since this JVM may not know
     * such names itself.
     */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void anOddPath(int java) throws Exception {
        Assumptions.assumeTrue(new File("/bin/sh").canExecute(), "SKIPPED: no /bin/sh");
        Path program = Source.compile(8, """
                import java.net.*;
                public class Twice {
                    public static void main(String[] args) throws Exception {
                        for (int i = 0; i < 2; i++) {
                            try {
                                System.out.println(((HttpURLConnection) new URL(args[0]).openConnection()).getResponseCode());
                            } catch (java.io.IOException e) {
                                System.out.println(e.getClass().getName());
                            }
                        }
                    }
                }""");
        Server.Site site = SERVER.site("127.35", Server.Script.status(200));
        // two folders: U+00FC and U+6F22, as UTF-8
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", """
                set -e
                d="$2/$(printf 'gr\\303\\274n + %%41/\\346\\274\\242 b')"
                mkdir -p "$d"
                cp "$1" "$d/my agent#1.jar"
                chmod 444 "$d/my agent#1.jar"
                chmod 555 "$d"
                exec "$3" "-javaagent:$d/my agent#1.jar=$4" -cp "$5" Twice "$6"
                """, "sh", Fork.agentJar().toString(), Source.folder().toString(), Javas.require(java).launcher().toString(), Jvm.ONE_TOKEN,
                program.toString(), site.url("/")).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
        assertEquals("200\nio.tempolimit.RequestRejectedException\n",
                said.substring(0, Math.min(said.length(), said.indexOf("Exception\n") + 10)), said);
    }

    /** A security manager that trusts the program and the agent. */
    @ParameterizedTest
    @ValueSource(ints = {8, 17})
    void aSecurityManager(int java) throws Exception {
        Path policy = Files.writeString(Source.folder().resolve("policy"), """
                grant codeBase "file:${it.programs}/" { permission java.security.AllPermission; };
                grant codeBase "file:${it.agent}" { permission java.security.AllPermission; };
                """);
        Path programs = Path.of(System.getProperty("tempolimit.programs", "../programs/target/classes")).toAbsolutePath().normalize();
        Server.Site site = SERVER.site("127.35", Server.Script.status(200));
        try (Scraper scraper = Scraper.start(Jvm.scraper(java).option("-Dit.programs=" + programs).option("-Dit.agent=" + Fork.agentJar())
                .option("-Djava.security.manager")
                .option("-Djava.security.policy==" + policy).agent(TWO_TOKENS), "UrlConnection")) {
            assertEquals("200", scraper.get(site.url("/")), scraper.fork::stderr);
            assertEquals("200", scraper.get(site.url("/")), scraper.fork::stderr);
            assertEquals("io.tempolimit.RequestRejectedException", scraper.get(site.url("/")), scraper.fork::stderr);
        }
    }
}
