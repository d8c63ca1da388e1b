package io.tempolimit.it.harness;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * The Java runtimes of this machine: those that the environment variable {@code TEST_JDKS} names
 * ({@code 8=/home,11=/home}), then those in the usual places, then the one that runs the tests. Says once on standard error
 * which it found and, loudly, which it misses.
 */
public final class Javas {
    /** The versions that the product is tested on. */
    public static final List<Integer> SUPPORTED = List.of(8, 11, 17, 21, 25);

    private static final String[] USUAL_PLACES = {
        "/usr/lib/jvm", "/opt/jdks", "/opt/java", "/usr/java", "/Library/Java/JavaVirtualMachines",
        System.getProperty("user.home") + "/.sdkman/candidates/java", System.getProperty("user.home") + "/.jdks",
    };
    private static final Pattern IN_RELEASE_FILE = Pattern.compile("JAVA_VERSION=\"(?:1\\.)?(\\d+)");
    private static final Pattern BY_ITSELF = Pattern.compile("version \"(?:1\\.)?(\\d+)");
    private static final Map<Integer, Java> FOUND = find();

    private Javas() {
    }

    /** A runtime. */
    public record Java(int version, Path home) {
        /** Its launcher. */
        public Path launcher() {
            return launcher(home);
        }

        static Path launcher(Path home) {
            return home.resolve("bin").resolve("java");
        }

        @Override
        public String toString() {
            return "Java " + version;
        }
    }

    /** The runtime of this version, if there is one. */
    public static Optional<Java> find(int version) {
        return Optional.ofNullable(FOUND.get(version));
    }

    /** The runtime of this version; without one the test is skipped, and its report says so. */
    public static Java require(int version) {
        Java java = FOUND.get(version);
        Assumptions.assumeTrue(java != null, () -> "SKIPPED: no Java " + version + " on this machine (set TEST_JDKS=" + version
                + "=/its/home)");
        return java;
    }

    /** All that were found, oldest first. */
    public static List<Java> all() {
        return List.copyOf(FOUND.values());
    }

    private static Map<Integer, Java> find() {
        Map<Integer, Java> found = new TreeMap<>();
        String named = System.getenv("TEST_JDKS");
        if (named != null) {
            for (String entry : named.split(",")) {
                int equals = entry.indexOf('=');
                if (equals > 0) {
                    add(found, Path.of(entry.substring(equals + 1).trim()));
                }
            }
        }
        for (String place : USUAL_PLACES) {
            for (Path home : children(Path.of(place))) {
                add(found, home);
                add(found, home.resolve("Contents/Home"));
            }
        }
        String javaHome = System.getenv("JAVA_HOME");
        if (javaHome != null) {
            add(found, Path.of(javaHome));
        }
        add(found, Path.of(System.getProperty("java.home")));
        say(found);
        return found;
    }

    private static void add(Map<Integer, Java> found, Path home) {
        int version = versionOf(home);
        if (version > 0) {
            found.putIfAbsent(version, new Java(version, home));
        }
    }

    private static List<Path> children(Path directory) {
        List<Path> children = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, Files::isDirectory)) {
                entries.forEach(children::add);
            } catch (IOException unreadable) {
                return children;
            }
        }
        children.sort(null);
        return children;
    }

    private static int versionOf(Path home) {
        if (!Files.isExecutable(Java.launcher(home))) {
            return 0;
        }
        try {
            Path release = home.resolve("release");
            if (Files.exists(release)) {
                Matcher m = IN_RELEASE_FILE.matcher(Files.readString(release));
                if (m.find()) {
                    return Integer.parseInt(m.group(1));
                }
            }
            Process process = new ProcessBuilder(Java.launcher(home).toString(), "-version").redirectErrorStream(true).start();
            Matcher m = BY_ITSELF.matcher(new String(process.getInputStream().readAllBytes()));
            return m.find() ? Integer.parseInt(m.group(1)) : 0;
        } catch (IOException unusable) {
            return 0;
        }
    }

    private static void say(Map<Integer, Java> found) {
        StringBuilder text = new StringBuilder("Java runtimes:");
        found.values().forEach(java -> text.append("\n  ").append(java.version()).append("  ").append(java.home()));
        System.err.println(text.append('\n').append(notTested(found)));
    }

    /** Loudly, which supported versions this machine misses; empty if it has all. */
    public static String notTested() {
        return notTested(FOUND);
    }

    private static String notTested(Map<Integer, Java> found) {
        List<Integer> missing = new ArrayList<>(SUPPORTED);
        missing.removeAll(found.keySet());
        return missing.isEmpty() ? "" : "****************************************************************************"
                + "\n*  NOT TESTED on Java " + missing + ": not found on this machine."
                + "\n*  Name their homes: TEST_JDKS=8=/home/of/8,11=/home/of/11"
                + "\n****************************************************************************\n";
    }
}
