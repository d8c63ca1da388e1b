package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Hidden;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors inside the agent: the request goes through, and one line tells. Made by putting something broken into a copy of the jar. */
class BrokenIT {
    private static final Server SERVER = Server.start();
    private static final String HOOK = "io/tempolimit/clients/huc/hooks/ConnectHook";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** A hook that does not fit: the same as one written for another version of the client. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aHookThatCannotBeLoaded(int java) throws IOException {
        List<String> lines = lettingThrough(java, jarWith(HOOK, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
        assertEquals(3, lines.size(), lines::toString);
        assertTrue(lines.get(0).contains("WARN HttpURLConnection is not paced"), lines::toString);
        assertTrue(lines.get(1).contains("WARN not paced: 127.46."), lines::toString); // and its requests are counted
        assertTrue(lines.get(2).startsWith("Tempolimit: NOT paced: 2 requests to 127.46."), lines::toString);
    }

    /** A hook with an error of its own, at each request. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aHookThatFails(int java) throws IOException {
        Path compiled = Source.compile(8, List.of(hiddenClasses()), """
                package io.tempolimit.clients.huc.hooks;
                public class ConnectHook extends io.tempolimit.weave.Hook {
                    static final io.tempolimit.gate.WeakMap<Object, io.tempolimit.core.Permit> PERMITS = new io.tempolimit.gate.WeakMap<>(null);
                    static final io.tempolimit.gate.WeakMap<Object, io.tempolimit.core.Permit> PREPAID = PERMITS;
                    public ConnectHook(io.tempolimit.weave.Gate gate) { }
                    public Object enter(java.lang.invoke.MethodHandles.Lookup lookup, Object self, Object[] args) {
                        throw new NullPointerException("an error of ours, at http://alice:hunter2@host/?token=topsecret");
                    }
                }""");
        List<String> lines = lettingThrough(java, jarWith(HOOK, Files.readAllBytes(compiled.resolve(HOOK + ".class"))));
        assertEquals(1, lines.stream().filter(l -> l.contains("ERROR") && l.contains("the request went on")).count(), lines::toString);
        assertTrue(lines.stream().noneMatch(l -> l.contains("hunter2") || l.contains("topsecret")), lines::toString);
    }

    /** The weaver itself. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aWeaverThatFails(int java) throws IOException {
        List<String> lines = lettingThrough(java, jarWith("io/tempolimit/weave/Weaver", new byte[100]));
        assertTrue(lines.get(0).contains("WARN HttpURLConnection is not paced: cannot weave"), lines::toString);
        List<String> others = lines.subList(1, lines.size()); // one for each class that this Java writes with
        String counted = "WARN What other clients send is not counted: cannot weave";
        assertTrue(!others.isEmpty() && others.stream().allMatch(l -> l.contains(counted)), lines::toString);
    }

    /** An agent of which next to nothing is left. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aStartThatFails(int java) throws IOException {
        List<String> lines = lettingThrough(java, jarWith("io/tempolimit/core/limiter/Limiter", new byte[100]));
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).startsWith("[tempolimit] the agent could not start, and nothing is paced"), lines::toString);
    }

    /** Two requests with this agent, which must both be answered; gives what it said. */
    private static List<String> lettingThrough(int java, Path agent) {
        Server.Site site = SERVER.site("127.46", Server.Script.status(200));
        try (Scraper scraper = Scraper.start(Jvm.scraper(java).option("-javaagent:" + agent + "=" + Jvm.ONE_TOKEN), "UrlConnection")) {
            assertEquals("200", scraper.get(site.url("/")), scraper.fork::stderr);
            assertEquals("200", scraper.get(site.url("/")), scraper.fork::stderr);
            assertEquals(0, scraper.end(), scraper.fork::stderr);
            return Jvm.lines(scraper.fork.stderr());
        }
    }

    private static Path jarWith(String hiddenClass, byte[] bytes) throws IOException {
        Path copy = Source.folder().resolve("broken-agent.jar");
        assertTrue(Hidden.classes().containsKey(hiddenClass), hiddenClass);
        Hidden.copy(copy, Map.of(hiddenClass, bytes));
        return copy;
    }

    private static Path hiddenClasses() throws IOException {
        Path folder = Source.folder();
        for (Map.Entry<String, byte[]> type : Hidden.classes().entrySet()) {
            if (type.getKey().startsWith("io/tempolimit/")) {
                Path file = folder.resolve(type.getKey() + ".class");
                Files.createDirectories(file.getParent());
                Files.write(file, type.getValue());
            }
        }
        try (JarFile jar = new JarFile(Fork.agentJar().toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().endsWith(".class")) {
                    Path file = folder.resolve(entry.getName());
                    Files.createDirectories(file.getParent());
                    try (InputStream in = jar.getInputStream(entry)) {
                        Files.copy(in, file);
                    }
                }
            }
        }
        return folder;
    }
}
