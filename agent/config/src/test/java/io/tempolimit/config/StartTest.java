package io.tempolimit.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.runtime.Clock;
import java.io.File;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What loading may not bring into a JVM that has not started its application yet. */
class StartTest {
    /** The program that the test forks. */
    public static final class Program {
        public static void main(String[] args) throws BadSettings {
            Clock.SYSTEM.nanos(); // opens the core's jar, which loads what opening a jar takes
            System.out.println("before");
            Sources sources = Sources.ofJvm(args[0]);
            if (!sources.disabled()) {
                Settings.load(sources);
            }
            System.out.println("after");
        }
    }

    private static List<String> loaded(String arguments) throws Exception {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        Process p = new ProcessBuilder(java, "-verbose:class", "-cp", System.getProperty("java.class.path"),
                "-Dtempolimit.report=false", Program.class.getName(), arguments)
                .redirectErrorStream(true).start();
        String out = new String(p.getInputStream().readAllBytes());
        assertEquals(0, p.waitFor(), out);
        return out.substring(out.indexOf("before"), out.indexOf("after")).lines().toList();
    }

    @Test
    void nothingHeavyIsLoaded() throws Exception {
        List<String> lines = loaded("rate=2,burst=9,max-wait=30s,exclude=example.org;10.0.0.0/8,domain.example.com.rate=1");
        for (String heavy : List.of("java.nio.file", "java.util.regex", "java.util.logging", "java.util.stream", "java.lang.invoke.Lambda",
                "CallSite", "StringConcat", "$$Lambda", "gson", "io.tempolimit.core.policy.Policy",
                "ServiceHosts", "JsonFile", "Nearest", "Fault ")) {
            assertEquals(List.of(), lines.stream().filter(l -> l.contains(heavy)).toList(), heavy);
        }
        Stream<String> own = lines.stream().filter(l -> l.contains("io.tempolimit"));
        assertTrue(own.count() <= 20, String.join("\n", lines));
    }

    @Test
    void disabledLoadsNextToNothing() throws Exception {
        List<String> own = loaded("enabled=false").stream().filter(l -> l.contains("io.tempolimit")).toList();
        assertFalse(own.toString().contains("Loader"), own.toString());
    }
}
