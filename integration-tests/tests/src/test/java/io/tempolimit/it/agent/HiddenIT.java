package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Hidden;
import io.tempolimit.it.harness.Server;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The application sees the launcher and one exception, and nothing else of what the agent is made of. */
class HiddenIT {
    private static final Set<String> VISIBLE = Set.of("io/tempolimit/Agent.class", "io/tempolimit/AgentCode.class",
            "io/tempolimit/AgentLoader.class", "io/tempolimit/AgentLoader$1.class", "io/tempolimit/AgentLoader$Classes.class",
            "io/tempolimit/Tools.class", "io/tempolimit/RequestRejectedException.class");
    private static final Server SERVER = Server.start();

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @Test
    void theJarShowsTheLauncherAlone() throws IOException {
        Set<String> shown = new TreeSet<>();
        List<String> odd = new ArrayList<>();
        try (JarFile jar = new JarFile(Fork.agentJar().toFile())) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                String name = entry.getName();
                if (entry.isDirectory() || name.matches("META-INF/(MANIFEST\\.MF|LICENSE|NOTICE|licenses/.*)")) {
                    continue;
                }
                if (!name.startsWith(Hidden.ROOT)) {
                    shown.add(name);
                } else if (name.endsWith(".class")) {
                    odd.add(name);
                }
                if (name.endsWith(".class")) {
                    checkVersion(name, jar.getInputStream(entry).readAllBytes(), odd);
                }
            }
            assertEquals("io.tempolimit.Agent", jar.getManifest().getMainAttributes().getValue("Premain-Class"));
        }
        Map<String, byte[]> hidden = Hidden.classes();
        hidden.forEach((name, bytes) -> checkVersion(name, bytes, odd));
        assertEquals(new TreeSet<>(VISIBLE), shown);
        assertEquals(List.of(), odd);
        assertTrue(hidden.keySet().stream().anyMatch(name -> name.startsWith("io/tempolimit/shaded/bytebuddy/")),
                "no library is in the jar: this test looks in the wrong place");
    }

    /**
     * The jar within holds what talks to Redis, all of it relocated, none of it for a newer Java, and nothing by which
     * libraries find one another.
     */
    @Test
    void theJarWithinHasOnlyOursAndWhatIsRelocated() throws IOException {
        List<String> odd = new ArrayList<>();
        int classes = 0;
        try (JarFile jar = new JarFile(Fork.agentJar().toFile())) {
            JarEntry within = jar.getJarEntry(Hidden.ROOT + "redis.jar");
            assertEquals(ZipEntry.STORED, within.getMethod());
            try (JarInputStream in = new JarInputStream(jar.getInputStream(within))) {
                for (JarEntry entry; (entry = in.getNextJarEntry()) != null; ) {
                    String name = entry.getName();
                    if (entry.isDirectory() || name.matches("io/tempolimit/redis/\\w+\\.lua")) {
                        continue;
                    }
                    byte[] head = in.readNBytes(8);
                    classes++;
                    if (!name.matches("io/tempolimit/(redis|shaded/(lettuce|netty|reactor|reactivestreams|redisclients|slf4j))/.*\\.class")
                            || head[7] > 52) {
                        odd.add(name + ", version " + head[7]);
                    }
                }
            }
        }
        assertEquals(List.of(), odd);
        assertTrue(classes > 1000, classes + " classes");
    }

    private static void checkVersion(String name, byte[] type, List<String> odd) {
        int version = (type[6] & 255) << 8 | type[7] & 255;
        boolean newer = name.contains("/clients/jdk/") || name.contains("/tempolimit/attach/") || name.contains("/tempolimit/jfr/");
        boolean modular = name.endsWith("/ModularBridge") || name.endsWith("/ServerModule");
        if (version > (newer ? 55 : modular ? 53 : 52)) {
            odd.add(name + ": for Java " + (version - 44));
        }
    }

    /** After requests whose user agent was warned of, so that everything is in use. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void nothingCanBeLoaded(int java) throws IOException {
        Server.Site site = SERVER.site("127.31", Server.Script.status(200));
        Path names = Source.folder().resolve("names.txt");
        Files.write(names, hiddenNames());
        Path program = Source.compile(8, """
                import java.io.*;
                import java.net.*;
                public class Search {
                    public static void main(String[] args) throws Exception {
                        for (int i = 0; i < 2; i++) {
                            ((HttpURLConnection) new URL(args[0]).openConnection()).getResponseCode();
                        }
                        ClassLoader[] loaders = {ClassLoader.getSystemClassLoader(), Thread.currentThread().getContextClassLoader(),
                            Search.class.getClassLoader(), ClassLoader.getSystemClassLoader().getParent()};
                        BufferedReader in = new BufferedReader(new FileReader(args[1]));
                        for (String name; (name = in.readLine()) != null; ) {
                            for (ClassLoader loader : loaders) {
                                try {
                                    System.out.println("loaded " + Class.forName(name, false, loader));
                                } catch (ClassNotFoundException asItShould) {
                                }
                                String file = name.replace('.', '/') + ".class";
                                if (loader.getResource(file) != null || loader.getResourceAsStream(file) != null) {
                                    System.out.println("found " + file);
                                }
                            }
                        }
                        System.out.println(Class.forName("io.tempolimit.RequestRejectedException").getSuperclass());
                        System.out.println(org.slf4j.LoggerFactory.whose() + com.google.gson.Gson.whose() + net.bytebuddy.ByteBuddy.whose());
                    }
                }""",
                // The application's own, and very old.
                "package org.slf4j; public class LoggerFactory { public static String whose() { return \"mine,\"; } }".replace("public class", "\npublic class"),
                "package com.google.gson; public class Gson { public static String whose() { return \"mine,\"; } }".replace("public class",
                "\npublic class"),
                "package net.bytebuddy; public class ByteBuddy { public static String whose() { return \"mine\"; } }".replace("public class", "\npublic class"));
        try (Fork fork = Jvm.on(java).agent("exclude=-private,rate=1,burst=1").classpath(program)
                .main("Search", site.url("/"), names.toString()).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("class java.io.InterruptedIOException\nmine,mine,mine\n", fork.stdout());
            // it has logged, so its libraries were at work
            assertTrue(fork.stderr().contains("a user agent that many sites refuse"), fork::stderr);
        }
    }

    private static List<String> hiddenNames() throws IOException {
        List<String> names = new ArrayList<>(List.of("org.slf4j.Logger", "org.slf4j.simple.AgentLogger", "org.slf4j.simple.SimpleLogger",
                "com.google.gson.stream.JsonReader", "net.bytebuddy.jar.asm.ClassReader"));
        Hidden.classes().keySet().stream().map(n -> n.replace('/', '.'))
                .filter(n -> !n.equals("java.lang.TempolimitBridge")) // the one class of the boot loader, which woven code calls
                .forEach(names::add);
        assertTrue(names.contains("io.tempolimit.core.limiter.Limiter") && names.contains("io.tempolimit.shaded.slf4j.Logger"),
                names::toString);
        return names;
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aRejectionTravelsAsAPlainException(int java) throws Exception {
        Server.Site site = SERVER.site("127.31", Server.Script.status(200));
        Path program = Source.compile(8, """
                import java.io.*;
                import java.net.*;
                public class Write {
                    public static void main(String[] args) throws Exception {
                        ((HttpURLConnection) new URL(args[0]).openConnection()).getResponseCode();
                        try {
                            ((HttpURLConnection) new URL(args[0]).openConnection()).getResponseCode();
                        } catch (IOException e) {
                            System.out.println(e.getClass().getName() + " " + e.getMessage());
                            try (ObjectOutputStream out = new ObjectOutputStream(new FileOutputStream(args[1]))) {
                                out.writeObject(e);
                            }
                        }
                    }
                }""");
        Path file = Source.folder().resolve("exception.ser");
        try (Fork fork = Jvm.on(java).agent(Jvm.ONE_TOKEN).classpath(program).main("Write", site.url("/"), file.toString()).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            String expected = "RATE_LIMIT_EXCEEDED: " + site.host() + ", retry after 50 s (Tempolimit)";
            assertEquals("io.tempolimit.RequestRejectedException " + expected + "\n", fork.stdout()
                    .replaceAll("after 4\\d s", "after 50 s"));
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
                Throwable read = (Throwable) in.readObject();
                assertSame(InterruptedIOException.class, read.getClass());
                assertTrue(read.getMessage().startsWith("RATE_LIMIT_EXCEEDED: " + site.host()), read::getMessage);
                assertEquals("Write", read.getStackTrace()[read.getStackTrace().length - 1].getClassName());
            }
        }
    }
}
