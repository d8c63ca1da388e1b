package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An agent in {@code JAVA_TOOL_OPTIONS} meets every JVM: tools of the JDK and of builds are left alone, programs are paced. The
 * settings are faulty where it should not even look: it would end the JVM.
 */
class ToolsIT {
    private static final String FAULTY = "-javaagent:" + Fork.agentJar() + "=no-such-key=1";

    @ParameterizedTest
    @ValueSource(strings = {"javac -version", "jar --version", "keytool -help", "jps", "javap -version", "jshell --version", "jcmd -l",
            "jlink --version"})
    void toolsOfTheJdk(String tool) throws Exception {
        String[] words = tool.split(" ");
        Path launcher = Path.of(System.getProperty("java.home"), "bin", words[0] + (File.separatorChar == '\\' ? ".exe" : ""));
        Assumptions.assumeTrue(launcher.toFile().canExecute(), () -> "SKIPPED: no " + launcher);
        words[0] = launcher.toString();
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("JAVA_TOOL_OPTIONS", FAULTY);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
        assertEquals(0, process.exitValue(), said);
        assertTrue(said.contains("Picked up JAVA_TOOL_OPTIONS: -javaagent"), said);
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void buildTools(int java) {
        List<String> tools = List.of("org.codehaus.plexus.classworlds.launcher.Launcher",
                "org.gradle.launcher.daemon.bootstrap.GradleDaemon",
                "xsbt.boot.Boot", "org.apache.tools.ant.launch.Launcher", "org.jetbrains.kotlin.daemon.KotlinCompileDaemon");
        for (String name : tools) {
            assertEquals("0 ran\n", runMain(java, name), name);
        }
        assertEquals("1 ", runMain(java, "shop.Scraper"), "a program that is no tool");
    }

    private static String runMain(int java, String name) {
        int dot = name.lastIndexOf('.');
        Path program = Source.compile(8, "package " + name.substring(0, dot) + ";\npublic class " + name.substring(dot + 1) + " {"
                + " public static void main(String[] args) { System.out.println(\"ran\"); } }");
        try (Fork fork = Jvm.on(java).environment("JAVA_TOOL_OPTIONS", FAULTY).classpath(program).main(name, "an", "argument").start()) {
            return fork.exit(Jvm.LONG) + " " + fork.stdout();
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void programs(int java) {
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.34", Server.Script.status(200));
            try (Scraper scraper = Scraper.start(Jvm.scraper(java)
                    .environment("JAVA_TOOL_OPTIONS", "-javaagent:" + Fork.agentJar() + "=" + Jvm.ONE_TOKEN), "UrlConnection")) {
                assertEquals("200", scraper.get(site.url("/")));
                assertEquals("io.tempolimit.RequestRejectedException", scraper.get(site.url("/")));
            }
        }
    }
}
