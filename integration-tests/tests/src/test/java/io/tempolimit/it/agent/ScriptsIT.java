package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent in {@code JAVA_TOOL_OPTIONS} paces what runs a user's script, and leaves its own commands alone. */
class ScriptsIT {
    private static final Server SERVER = Server.start();
    /** Ends a JVM in which the agent looks at it. */
    private static final String FAULTY = "-javaagent:" + Fork.agentJar() + "=no-such-key=1";
    private static final String PACING = "-javaagent:" + Fork.agentJar()
            + "=user-agent.check=off,exclude=-private,rate=1/h,burst=1,on-limit=reject";
    /** A JVM that compiles first takes a minute beside fifty other processes. */
    private static final Duration COMPILING = Jvm.LONG.multipliedBy(3);

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aSourceFileIsPaced(int java) throws IOException {
        Server.Site site = SERVER.site("127.78", Server.Script.status(200));
        Path source = Files.writeString(Source.folder().resolve("Scraper.java"), """
                import java.io.*;
                import java.net.*;
                public class Scraper {
                    public static void main(String[] args) {
                        System.out.println(get(args[0]) + " " + get(args[0]));
                    }
                """ + Source.GET + "}");
        try (Fork fork = Jvm.on(java).environment("JAVA_TOOL_OPTIONS", PACING).main(source.toString(), site.url("/")).start()) {
            assertEquals(0, fork.exit(COMPILING), fork::stderr);
            assertEquals("200 io.tempolimit.RequestRejectedException\n", fork.stdout(), fork::stderr);
        }
        assertEquals(1, site.arrivals().size());
    }

    /** As their start scripts call them; the class is a stand-in. */
    @ParameterizedTest
    @CsvSource({
        "1, org.codehaus.groovy.tools.GroovyStarter, --main groovy.ui.GroovyMain --conf c scraper.groovy",
        "1, org.codehaus.groovy.tools.GroovyStarter, --main org.apache.groovy.groovysh.Main",
        "0, org.codehaus.groovy.tools.GroovyStarter, --main org.codehaus.groovy.tools.FileSystemCompiler Scraper.groovy",
        "1, groovy.ui.GroovyMain, scraper.groovy",
        "1, scala.tools.nsc.MainGenericRunner, scraper.scala",
        "0, scala.tools.nsc.Main, Scraper.scala",
        "1, dotty.tools.MainGenericRunner, -run Scraper",
        "0, dotty.tools.dotc.Main, Scraper.scala",
        "1, org.jetbrains.kotlin.preloading.Preloader, -cp k.jar org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -script scraper.kts",
        "0, org.jetbrains.kotlin.preloading.Preloader, -cp k.jar org.jetbrains.kotlin.cli.jvm.K2JVMCompiler Scraper.kt",
        "1, org.jetbrains.kotlin.runner.Main, ScraperKt",
        "0, org.apache.maven.cli.MavenCli, -script x",
        "1, jdk.jshell.execution.RemoteExecutionControl, 39379",
    })
    void runnersOfScripts(int looked, String main, String arguments) {
        int dot = main.lastIndexOf('.');
        Path program = Source.compile(8, "package " + main.substring(0, dot) + ";\npublic class " + main.substring(dot + 1) + " {"
                + " public static void main(String[] args) { System.out.println(\"ran\"); } }");
        try (Fork fork = Jvm.on(8).environment("JAVA_TOOL_OPTIONS", FAULTY).classpath(program).main(main, arguments.split(" ")).start()) {
            assertEquals(looked, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals(looked == 1 ? "" : "ran\n", fork.stdout());
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void itsOwnCommandsAreLeftAlone(int java) throws IOException {
        Path folder = Files.createDirectory(Source.folder().resolve("a folder"));
        Path named = Files.copy(Fork.agentJar(), folder.resolve("agent 1.jar"));
        List<String> variables = new ArrayList<>(List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"));
        if (java > 8) {
            variables.add("JDK_JAVA_OPTIONS");
        }
        for (String variable : variables) {
            assertEquals("0", run(Jvm.on(java).environment(variable, FAULTY).jar(Fork.agentJar(), "version")), variable);
            assertEquals("0", run(Jvm.on(java).environment(variable, FAULTY).jar(Fork.agentJar(), "check", "rate=2")), variable);
            Fork.Builder main = Jvm.on(java).environment(variable, FAULTY).classpath(Fork.agentJar());
            main.main("io.tempolimit.Agent", "version");
            assertEquals("0", run(main), variable);
        }
        String quoted = "'-javaagent:" + named + "=no-such-key=1'";
        assertEquals("0", run(Jvm.on(java).environment("JAVA_TOOL_OPTIONS", quoted).jar(named, "version")));
    }

    private static String run(Fork.Builder builder) {
        try (Fork fork = builder.start()) {
            return fork.exit(Jvm.LONG) + (fork.stderr().contains("[tempolimit]") ? fork.stderr() : "");
        }
    }

    @Test
    void itsOwnCommandsWriteNoEvents() throws IOException {
        Path events = Source.folder().resolve("events.log");
        String option = "-javaagent:" + Fork.agentJar() + "=events=" + events;
        try (Fork fork = Jvm.on(17).environment("JAVA_TOOL_OPTIONS", option).jar(Fork.agentJar(), "version").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
        }
        assertFalse(Files.exists(events));
    }
}
