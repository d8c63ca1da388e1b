package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Javas;
import io.tempolimit.it.harness.Server;
import io.tempolimit.redis.Servers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a program notices of it that the agent in it talks to Redis: nothing. And what happens when that is not there
 * from the beginning.
 */
@Order(1)
class RedisStartIT {
    private static final Server SITES = Server.start();
    private static final long SECOND = 1_000_000_000L;
    private static final String QUIET = "user-agent.check=off,report=false,exclude=-private,";
    private static final Path PROGRAM = Source.compile(8, """
            import java.net.*;
            import java.util.*;
            public class Uses {
                public static void main(String[] args) throws Exception {
                    Set<Object> before = new TreeSet<>(System.getProperties().keySet());
                    for (int i = Integer.parseInt(args[1]); i > 0; i--) {
                        long begin = System.nanoTime();
                        HttpURLConnection c = (HttpURLConnection) new URL(args[0]).openConnection();
                        System.out.println(c.getResponseCode() + " after " + (System.nanoTime() - begin) / 1000000 + " ms");
                        c.getInputStream().close();
                    }
                    Set<Object> more = new TreeSet<>(System.getProperties().keySet());
                    more.removeAll(before);
                    System.out.println("properties " + more);
                    for (Thread t : Thread.getAllStackTraces().keySet()) {
                        if (t.getName().contains("redis") || t.getName().startsWith("parallel")) {
                            System.out.println(t.getName() + (t.getContextClassLoader() == Uses.class.getClassLoader() ? " keeps the application" : ""));
                        }
                        if (!t.isDaemon() && t != Thread.currentThread() && !t.getName().equals("DestroyJavaVM")) {
                            System.out.println("not a daemon: " + t);
                        }
                    }
                }
            }""", """
            public class Nope extends java.util.logging.LogManager {
                public Nope() {
                    for (StackTraceElement by : new Exception().getStackTrace()) { // who shows statistics by JMX after 2 s wakes it on Java 8
                        if (by.getClassName().startsWith("io.tempolimit.redis") || by.getClassName().startsWith("io.tempolimit.shaded")) {
                            System.out.println("java.util.logging was woken by " + by);
                        }
                    }
                }
            }""");

    private static final Path MANY = Source.compile(8, """
            import java.net.*;
            public class Many {
                public static void main(String[] args) {
                    for (int t = Integer.parseInt(args[1]); t > 0; t--) {
                        new Thread(() -> {
                            for (int i = Integer.parseInt(args[2]); i > 0; i--) {
                                try {
                                    HttpURLConnection c = (HttpURLConnection) new URL(args[0]).openConnection();
                                    c.getResponseCode();
                                    c.getInputStream().close();
                                } catch (java.io.IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            }
                        }).start();
                    }
                }
            }""");

    @AfterAll
    static void end() {
        SITES.close();
    }

    private static String buckets(io.tempolimit.redis.Server redis, Server.Site site) throws Exception {
        return redis.ask("EVAL", "redis.call('SELECT', 2) return redis.call('EXISTS', KEYS[1])", "1", "tempolimit:{" + site.host()
                + "}:bucket");
    }

    /** On every Java, by every server there is: it prints what it prints without the agent, and ends as soon. */
    @Test
    void nothingIsPrintedOrWokenOrDelayed() throws Exception {
        List<String> binaries = new ArrayList<>(Servers.ALL.values());
        List<io.tempolimit.redis.Server> servers = new ArrayList<>();
        Map<Integer, Fork> forks = new LinkedHashMap<>();
        Map<Integer, Server.Site> sites = new LinkedHashMap<>();
        try {
            for (String binary : binaries) {
                servers.add(io.tempolimit.redis.Server.start(binary));
            }
            for (Javas.Java java : Javas.all()) {
                if (!Javas.SUPPORTED.contains(java.version())) {
                    continue;
                }
                Server.Site site = SITES.site("127.64", Server.Script.status(200));
                io.tempolimit.redis.Server redis = servers.get(forks.size() % servers.size());
                sites.put(java.version(), site);
                forks.put(java.version(), Jvm.on(java.version()).option("-Djava.util.logging.manager=Nope")
                        .option("-Dio.netty.noUnsafe=maybe").option("-Dreactor.logging.fallback=JDK")
                        .option("-Dslf4j.provider=Nope").agent(QUIET + "redis.start=60s,redis.timeout=1s,redis=" + redis.uri())
                        .classpath(PROGRAM).main("Uses", site.url("/"), "3").start());
            }
            int i = 0;
            for (Map.Entry<Integer, Fork> e : forks.entrySet()) {
                Fork fork = e.getValue();
                String line;
                do {
                    line = fork.line(Jvm.LONG);
                } while (!line.startsWith("tempolimit-redis"));
                assertEquals(0, fork.exit(Duration.ofSeconds(60)), fork::stderr);
                assertEquals("200\n200\n200\nproperties []\ntempolimit-redis\n", fork.stdout().replaceAll(" after \\d+ ms", ""), "Java "
                        + e.getKey());
                assertEquals("", fork.stderr(), "Java " + e.getKey());
                assertEquals("1", buckets(servers.get(i++ % servers.size()), sites.get(e.getKey())), "Java " + e.getKey()
                        + " has not used Redis");
            }
        } finally {
            forks.values().forEach(Fork::close);
            for (io.tempolimit.redis.Server s : servers) {
                s.close();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void withoutRedisNoneOfItIsLoaded(int java) {
        assertEquals(List.of(), loadedOfRedis(java, QUIET.substring(0, QUIET.length() - 1)));
        assertTrue(loadedOfRedis(java, QUIET + "redis.start=0,redis=redis://127.0.0.1:1")
                .contains("io.tempolimit.redis.Redis"), "this test looks for the wrong names");
    }

    /** netty looks whether it is there, which would make it start. */
    @Test
    void flightRecorderIsNotWoken() throws Exception {
        Server.Site site = SITES.site("127.64", Server.Script.status(200));
        try (io.tempolimit.redis.Server redis = io.tempolimit.redis.Server.start(Servers.first());
             Fork fork = Jvm.on(25).option("-verbose:class").agent(QUIET + "redis=redis://127.0.0.1:" + redis.port()).classpath(PROGRAM)
                     .main("Uses", site.url("/"), "1").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertTrue(fork.stdout().contains(".shaded.netty."), "this test looks for the wrong names");
            // a JVM that has taken two seconds has its JMX by then, which does look
            String own = fork.stdout().split("DiagnosticCommandImpl")[0];
            assertFalse(own.contains(" jdk.jfr.FlightRecorder "), fork::stdout);
        }
    }

    private static List<String> loadedOfRedis(int java, String arguments) {
        Server.Site site = SITES.site("127.64", Server.Script.status(200));
        try (Fork fork = Jvm.on(java).option("-verbose:class").agent(arguments).classpath(PROGRAM).main("Uses", site.url("/"), "2")
                .start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            return fork.stdout().lines().map(l -> l.replaceFirst("^.*?(?:Loaded |\\] )(\\S+) .*", "$1"))
                    .filter(n -> n.matches("io\\.tempolimit\\.(redis|start\\.RedisLoader|shaded\\.(lettuce|netty|reactor)).*")).toList();
        }
    }

    /**
     * Requests wait for as long as {@code redis.start} says, and go then, by the fallback: a tenth of the rate and no
     * burst. One line tells why.
     */
    @Test
    void redisIsNotThereAtTheStart() throws Exception {
        Path folder = Source.folder();
        Map<String, Fork> forks = new LinkedHashMap<>();
        Map<String, Server.Site> sites = new LinkedHashMap<>();
        long begin = System.nanoTime();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Map<String, String> uris = Map.of("not connected", "redis://:hunter2@127.0.0.1:" + io.tempolimit.redis.Server.freePort(),
                    "no answer in time", "redis://:hunter2@127.0.0.1:" + silent.getLocalPort());
            for (Map.Entry<String, String> e : uris.entrySet()) {
                Server.Site site = SITES.site("127.64", Server.Script.status(200));
                sites.put(e.getKey(), site);
                // Long enough to hear what is wrong, also for two cold JVMs on a busy machine: what nobody answers is
                // given up after three seconds.
                forks.put(e.getKey(), Jvm.on(17).agent(QUIET + "rate=10,burst=20,redis.start=20s,redis=" + e.getValue() + ",events="
                        + folder.resolve(e.getKey().replace(' ', '-')))
                        .classpath(PROGRAM).main("Uses", site.url("/"), "2").start());
            }
            for (Map.Entry<String, Fork> e : forks.entrySet()) {
                Fork fork = e.getValue();
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                List<String> out = Jvm.lines(fork.stdout());
                assertEquals("tempolimit-redis", out.get(3), fork::stdout);
                assertTrue(out.get(0).startsWith("200 after ") && out.get(1).startsWith("200 after "), fork::stdout);
                List<Long> times = sites.get(e.getKey()).times();
                assertEquals(2, times.size());
                assertTrue(times.get(0) - begin >= 21 * SECOND, "redis.start, and one in a second: " + (times.get(0) - begin));
                assertTrue(times.get(1) - begin >= 22 * SECOND, "and the next one: " + (times.get(1) - begin));
                List<String> told = Jvm.lines(fork.stderr()).stream().filter(l -> l.contains("Redis")).toList();
                assertEquals(1, told.size(), fork::stderr);
                assertTrue(told.get(0).contains("Redis does not answer (" + e.getKey()
                        + "). Until it does, this JVM is alone: it takes a tenth of each rate and no burst"),
                        fork::stderr);
                String all = fork.stdout() + fork.stderr() + Files.readString(folder.resolve(e.getKey().replace(' ', '-')));
                assertTrue(all.contains("\"event\":\"redis_lost\""), all);
                assertFalse(all.contains("hunter2"), all);
            }
        } finally {
            forks.values().forEach(Fork::close);
        }
    }

    /**
     * With a tenth of a processor, six programs took longer than {@code redis.start} to load the client of a Redis
     * that was well, and each took the whole rate.
     */
    @Test
    void aJvmThatHasNoProcessorWhileItLoadsItsClientDoesNotBlameRedis() throws Exception {
        Server.Site site = SITES.site("127.64", Server.Script.status(200));
        try (io.tempolimit.redis.Server redis = io.tempolimit.redis.Server.start(Servers.first());
             Fork fork = Jvm.on(17).option("-verbose:class").agent(QUIET + "redis.start=10s,redis.timeout=5s,redis=redis://127.0.0.1:"
                     + redis.port())
                     .classpath(PROGRAM).main("Uses", site.url("/"), "1").start()) {
            while (!fork.line(Jvm.LONG).contains(" io.tempolimit.redis.Transport$Link ")) { } // the first request waits by then
            signal(fork, "STOP");
            Thread.sleep(11_000); // longer than redis.start: this is what is tried, and no synchronisation
            signal(fork, "CONT");
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals("", fork.stderr(), "it has nothing to say");
            assertEquals("1", buckets(redis, site), "and has used Redis");
        }
    }

    /**
     * Six programs that have a tenth of a processor each for all that they do: they may run for some milliseconds of each hundred. 40
     * requests came in the first two seconds, where 11 may go.
     */
    @EnabledIfSystemProperty(named = "tests.matrix", matches = "true")
    @ParameterizedTest
    @ValueSource(strings = {"", ",redis.workers=6"})
    void sixProgramsWithATenthOfAProcessorEachStartAsOneClient(String setting) throws Exception {
        Server.Site site = SITES.site("127.64", Server.Script.status(200));
        int programs = 6;
        int running = Math.max(10, 10 * programs / Math.min(programs, Runtime.getRuntime().availableProcessors()));
        List<Fork> forks = new ArrayList<>();
        Process duty = null;
        try (io.tempolimit.redis.Server redis = io.tempolimit.redis.Server.start(Servers.first())) {
            StringBuilder pids = new StringBuilder();
            for (int i = 0; i < programs; i++) {
                forks.add(Jvm.on(17).agent(QUIET + "learn=false,rate=3,burst=5,redis=" + redis.uri() + setting)
                        .classpath(MANY).main("Many", site.url("/"), "4", "3").start());
                pids.append(' ').append(forks.get(i).pid());
            }
            duty = new ProcessBuilder("sh", "-c", String.format(Locale.ROOT,
                    "while :; do kill -STOP%1$s 2>&-; sleep %2$.3f; kill -CONT%1$s 2>&-; sleep %3$.3f; done",
                    pids, (100 - running) / 1e3, running / 1e3)).start();
            site.await(programs * 12, Duration.ofMinutes(5));
            List<Long> times = site.times();
            long early = times.stream().filter(t -> t - times.get(0) <= 2 * SECOND).count();
            System.out.println("* Six programs with a tenth of a processor each" + setting + ": " + early
                    + " requests in the first two seconds, of 11 that may go");
            assertTrue(early <= 11 + programs, early + " requests; each program may have held up one on its way to the site");
        } finally {
            if (duty != null) {
                duty.destroy();
                duty.waitFor();
            }
            forks.forEach(Fork::close);
        }
    }

    private static void signal(Fork fork, String name) throws Exception {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, Long.toString(fork.pid())).start().waitFor());
    }

    /** Of another version, with another netty; and its settings of netty are its own. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aProgramHasItsOwnLettuceAndNetty(int java) throws Exception {
        List<Path> jars = Source.jarsOf("lettuce-6");
        Path program = Source.compile(8, jars, """
                import io.lettuce.core.*;
                import java.net.*;
                import java.util.*;
                public class Own {
                    public static void main(String[] args) throws Exception {
                        RedisClient client = RedisClient.create(args[1]);
                        System.out.println(client.connect().sync().set("mine", "1") + " " + client.connect().sync().get("mine"));
                        for (int i = 0; i < 2; i++) {
                            System.out.println(((HttpURLConnection) new URL(args[0]).openConnection()).getResponseCode());
                        }
                        System.out.println(client.connect().sync().get("mine"));
                        System.out.println(file(RedisClient.class) + " " + file(io.netty.channel.Channel.class) + " " + file(reactor.core.publisher.Mono.class)
                                + " " + io.netty.util.ResourceLeakDetector.getLevel());
                        for (String name : new String[] {"io.tempolimit.redis.Redis", "io.tempolimit.shaded.lettuce.core.RedisClient", "io.tempolimit.shaded.netty.channel.Channel"}) {
                            for (ClassLoader loader : new ClassLoader[] {Own.class.getClassLoader(), Thread.currentThread().getContextClassLoader(), ClassLoader.getSystemClassLoader()}) {
                                try {
                                    System.out.println("loaded " + Class.forName(name, false, loader));
                                } catch (ClassNotFoundException asItShould) {
                                }
                            }
                        }
                        if (ClassLoader.getSystemResource("META-INF/tempolimit/redis.jar") == null) {
                            System.out.println("this test looks for the wrong entry");
                        }
                        client.shutdown();
                    }
                    static String file(Class<?> type) {
                        String path = type.getProtectionDomain().getCodeSource().getLocation().getPath();
                        return path.substring(path.lastIndexOf('/') + 1);
                    }
                }""");
        Server.Site site = SITES.site("127.64", Server.Script.status(200));
        try (io.tempolimit.redis.Server redis = io.tempolimit.redis.Server.start(Servers.first());
             Fork fork = Jvm.on(java).option("-Dio.netty.leakDetection.level=PARANOID")
                     .agent(QUIET + "redis.start=60s,redis.timeout=1s,redis=" + redis.uri())
                .classpath(program).classpath(jars.toArray(new Path[0])).main("Own", site.url("/"), redis.uri()).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            Map<String, String> own = new LinkedHashMap<>();
            for (Path jar : jars) {
                own.put(jar.getFileName().toString().replaceFirst("-\\d.*", ""), jar.getFileName().toString());
            }
            assertEquals(List.of("OK 1", "200", "200", "1", own.get("lettuce-core") + " " + own.get("netty-transport") + " "
                    + own.get("reactor-core") + " PARANOID"),
                    Jvm.lines(fork.stdout()), fork::stderr);
            assertEquals("1", buckets(redis, site));
            assertFalse(fork.stderr().contains("tempolimit]"), fork::stderr);
            assertEquals(new TreeSet<>(List.of("mine")), new TreeSet<>(List.of(redis.ask("KEYS", "*"))),
                    "ours are in a database of their own");
        }
    }
}
