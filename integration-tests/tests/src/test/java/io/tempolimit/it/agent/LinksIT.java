package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Hidden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Type;
import org.junit.jupiter.api.Test;

/**
 * No class of the jar speaks of one that is not there. The libraries in it are cut down to what is used, and a class
 * too few shows only when a program gets to
 * the line that needs it: as a NoClassDefFoundError, in somebody's scraper.
 */
class LinksIT {
    private static final String SHADED = "io/tempolimit/shaded/";
    private static final int CLASS_IN_CONSTANT_POOL = 7;

    /**
     * Classes that may be missing.
     *
     * @param missing beginning of their names
     * @param by      beginning of the names of those who may speak of them
     * @param why     that never fails
     */
    private record Gap(String missing, String by, String why) {
        boolean allows(String missing, String by) {
            return missing.startsWith(this.missing) && by.startsWith(this.by);
        }
    }

    private static final List<Gap> GAPS = List.of(
            new Gap("org/apache/hc/core5/", SHADED + "psl/",
            "arguments of Args's methods for requests, which the public suffix list does not call"),
            new Gap(SHADED + "bytebuddy/agent/", SHADED + "bytebuddy/agent/ByteBuddyAgent",
            "other ways to attach than the JDK's own, which is there from Java 11 on"),
            new Gap(SHADED + "prometheus/metrics/model/registry/MetricType", SHADED
            + "prometheus/metrics/model/snapshots/MetricFamilyDescriptor", "for registries; there is none"),
            new Gap("com/fasterxml/jackson/", SHADED + "lettuce/core/json/", "commands of Redis's JSON module"),
            new Gap("io/micrometer/", SHADED + "reactor/", "asked for by name first"),
            new Gap("sun/misc/", SHADED + "reactor/core/publisher/CallSiteSupplierFactory",
            "of Java 8 alone, which is asked for by name first"),
            new Gap(SHADED + "netty/channel/epoll/", SHADED + "lettuce/core/resource/", "native transports, asked for by name first"),
            new Gap(SHADED + "netty/channel/kqueue/", SHADED + "lettuce/core/resource/", "the same"),
            new Gap(SHADED + "netty/channel/uring/", SHADED + "lettuce/core/resource/", "the same"),
            new Gap(SHADED + "netty/resolver/dns/", SHADED + "lettuce/core/resource/DefaultClientResources",
            "netty's resolver, asked for by name first"),
            new Gap(SHADED + "netty/internal/tcnative/", SHADED + "netty/handler/ssl/", "OpenSSL, asked for by name first"),
            new Gap("org/conscrypt/", SHADED + "netty/handler/ssl/Conscrypt", "the same"),
            new Gap("org/bouncycastle/", SHADED + "netty/handler/ssl/BouncyCastlePemReader", "the same, and only for keys in files"),
            new Gap("org/HdrHistogram/", SHADED + "lettuce/core/metrics/", "latency metrics, asked for by name first"),
            new Gap("org/LatencyUtils/", SHADED + "lettuce/core/metrics/", "the same"),
            new Gap("org/apache/log4j/", SHADED + "netty/util/internal/logging/Log4J", "netty takes slf4j, which is there"),
            new Gap("org/apache/logging/log4j/", SHADED + "netty/util/internal/logging/Log4J2", "the same"),
            new Gap("org/jetbrains/annotations/", SHADED + "netty/util/concurrent/", "annotations, which nobody reads"));

    /** By their names: what the application sees, what the agent's own loader has, and what is in the jar within. */
    private final Map<String, byte[]> visible = new HashMap<>();
    private final Map<String, byte[]> hidden = new HashMap<>();
    private final Map<String, byte[]> redis = new HashMap<>();

    @Test
    void nothingSpeaksOfAClassThatIsNotThere() throws IOException {
        read();
        assertTrue(visible.size() > 4 && hidden.size() > 400
                && redis.size() > 1000, visible.size() + ", " + hidden.size() + ", " + redis.size());
        Set<String> jvm = classesOfTheJvm();
        Set<String> known = new HashSet<>(jvm);
        Set<String> missing = new TreeSet<>();
        Set<Gap> needed = new HashSet<>();
        known.addAll(visible.keySet());
        missing(visible, known, missing, needed);
        known.addAll(hidden.keySet());
        missing(hidden, known, missing, needed);
        known.addAll(redis.keySet());
        missing(redis, known, missing, needed);
        assertEquals(Set.of(), missing);
        assertEquals(List.of(), GAPS.stream().filter(e -> !needed.contains(e)).toList(), "gaps that nothing needs");
    }

    private static void missing(Map<String, byte[]> classes, Set<String> known, Set<String> missing, Set<Gap> needed) {
        classes.forEach((name, bytes) -> {
            boolean hook = name.matches("io/tempolimit/clients/\\w+/hooks/.*"); // sees the client's classes, and is tried on its versions
            for (String other : spokenOf(bytes)) {
                if (known.contains(other) || hook && !other.startsWith("io/tempolimit/")) {
                    continue;
                }
                List<Gap> allowing = GAPS.stream().filter(e -> e.allows(other, name)).toList();
                needed.addAll(allowing);
                if (allowing.isEmpty()) {
                    missing.add(other + " by " + name);
                }
            }
        });
    }

    private static Set<String> spokenOf(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        Set<String> names = new HashSet<>();
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int at = reader.getItem(i); // 0 behind a long or a double
            if (at > 0 && reader.readByte(at - 1) == CLASS_IN_CONSTANT_POOL) {
                Type type = Type.getObjectType(reader.readUTF8(at, buffer));
                Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
                if (element.getSort() == Type.OBJECT) {
                    names.add(element.getInternalName());
                }
            }
        }
        return names;
    }

    private void read() throws IOException {
        hidden.putAll(Hidden.classes());
        try (JarFile jar = new JarFile(Fork.agentJar().toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName();
                if (name.endsWith(".class")) {
                    visible.put(name.substring(0, name.length() - ".class".length()), jar.getInputStream(entry).readAllBytes());
                } else if (name.equals(Hidden.ROOT + "redis.jar")) {
                    readWithin(new JarInputStream(jar.getInputStream(entry)));
                }
            }
        }
    }

    private void readWithin(JarInputStream in) throws IOException {
        try (in) {
            for (JarEntry entry; (entry = in.getNextJarEntry()) != null; ) {
                if (entry.getName().endsWith(".class")) {
                    redis.put(entry.getName().substring(0, entry.getName().length() - ".class".length()), in.readAllBytes());
                }
            }
        }
    }

    private static Set<String> classesOfTheJvm() {
        List<String> names = new ArrayList<>();
        for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
            try (ModuleReader reader = module.open()) {
                reader.list().filter(n -> n.endsWith(".class")).forEach(n -> names.add(n.substring(0, n.length() - ".class".length())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new HashSet<>(names);
    }
}
