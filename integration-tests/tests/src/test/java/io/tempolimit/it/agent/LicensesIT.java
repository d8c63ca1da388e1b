package io.tempolimit.it.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Hidden;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each library in the jar is named there with its licence, and the text of that licence is in the jar, too. */
class LicensesIT {
    private static final String HIDDEN = "META-INF/tempolimit/";
    private static final String SHADED = "io/tempolimit/shaded/";
    private static final Pattern LIBRARY = Pattern.compile("(?m)^([\\w.]+):([\\w.-]+):([\\w.-]+)  (.*)$");

    /** The folders below {@code io.tempolimit.shaded}, and the libraries from which they come. */
    private static final Map<String, List<String>> LIBRARIES = Map.ofEntries(
            Map.entry("brotli", List.of("org.brotli:dec")),
            Map.entry("bytebuddy", List.of("net.bytebuddy:byte-buddy", "net.bytebuddy:byte-buddy-agent")),
            Map.entry("gson", List.of("com.google.code.gson:gson")),
            Map.entry("lettuce", List.of("io.lettuce:lettuce-core")),
            Map.entry("netty", List.of("io.netty:netty-common", "io.netty:netty-transport", "io.netty:netty-handler")),
            Map.entry("prometheus", List.of("io.prometheus:prometheus-metrics-model",
                    "io.prometheus:prometheus-metrics-exposition-textformats")),
            Map.entry("psl", List.of("org.apache.httpcomponents.client5:httpclient5", "org.apache.httpcomponents.core5:httpcore5")),
            Map.entry("reactivestreams", List.of("org.reactivestreams:reactive-streams")),
            Map.entry("reactor", List.of("io.projectreactor:reactor-core")),
            Map.entry("redisclients", List.of("redis.clients.authentication:redis-authx-core")),
            Map.entry("slf4j", List.of("org.slf4j:slf4j-api", "org.slf4j:slf4j-simple")));

    private JarFile jar;

    @BeforeEach
    void open() throws IOException {
        jar = new JarFile(Fork.agentJar().toFile());
    }

    @AfterEach
    void close() throws IOException {
        jar.close();
    }

    @Test
    void everyLibraryHasALicense() throws IOException {
        Map<String, String> licenses = new TreeMap<>();
        Matcher named = LIBRARY.matcher(text("META-INF/NOTICE"));
        while (named.find()) {
            licenses.put(named.group(1) + ":" + named.group(2), named.group(4));
        }
        List<String> missing = new ArrayList<>();
        for (String folder : shaded()) {
            List<String> libraries = LIBRARIES.get(folder);
            if (libraries == null) {
                missing.add(folder + ": this test does not know which library that is");
            } else {
                libraries.stream().filter(l -> !licenses.containsKey(l)).forEach(l -> missing.add(l + ": not in META-INF/NOTICE"));
            }
        }
        licenses.forEach((library, license) -> {
            String artifact = library.substring(library.indexOf(':') + 1);
            boolean text = has("META-INF/licenses/" + artifact + "-LICENSE") || has("META-INF/licenses/" + license);
            if (!license.equals("Apache-2.0") && (license.isEmpty() || !text)) {
                missing.add(library + ": no text of its license, " + license);
            }
        });
        assertEquals(List.of(), missing);
        assertTrue(text("META-INF/LICENSE").contains("Version 2.0, January 2004"), "Apache's license");
    }

    /** ASM and the public suffix list have licences of their own, within libraries that have another. */
    @Test
    void whatLibrariesContainHasALicense() throws IOException {
        assertTrue(text("META-INF/licenses/byte-buddy-ASM").contains("Redistributions in binary form must reproduce"));
        assertTrue(text("META-INF/NOTICE").contains("public suffix list, MPL-2.0"));
        assertTrue(text(HIDDEN + "org/publicsuffix/list/effective_tld_names.dat").contains("https://mozilla.org/MPL/2.0/"));
    }

    /** The folders of the libraries, in the jar and in the jar within. */
    private TreeSet<String> shaded() throws IOException {
        TreeSet<String> folders = new TreeSet<>();
        Hidden.classes().keySet().forEach(name -> shaded(name, folders));
        try (JarInputStream within = new JarInputStream(jar.getInputStream(jar.getEntry(HIDDEN + "redis.jar")))) {
            for (JarEntry entry; (entry = within.getNextJarEntry()) != null; ) {
                shaded(entry.getName(), folders);
            }
        }
        return folders;
    }

    private static void shaded(String name, TreeSet<String> folders) {
        if (name.startsWith(SHADED) && !name.endsWith("/")) {
            folders.add(name.substring(SHADED.length(), name.indexOf('/', SHADED.length())));
        }
    }

    private boolean has(String name) {
        return jar.getEntry(name) != null;
    }

    private String text(String name) throws IOException {
        assertTrue(has(name), () -> name + " is not in the jar");
        return new String(jar.getInputStream(jar.getEntry(name)).readAllBytes(), UTF_8);
    }
}
