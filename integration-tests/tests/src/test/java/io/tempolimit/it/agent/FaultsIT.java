package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may happen to a program, or is done by it, while the agent is there: no request fails of it, and nothing of the agent's ends. */
class FaultsIT {
    private static final Server SERVER = Server.start();
    private static final String QUIET = "user-agent.check=off,exclude=-private,";

    /** Sends requests, and does what few programs do. */
    private static final Path PROGRAM = Source.compile(8, """
            import java.io.*;
            import java.lang.management.*;
            import java.net.*;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.concurrent.atomic.*;
            public class Faulty {
                public static void main(String[] args) throws Exception {
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                    for (String line; (line = in.readLine()) != null; ) {
                        String[] w = line.split(" ");
                        switch (w[0]) {
                            case "get":
                                System.out.println(get(w[1]));
                                break;
                            case "interrupt": // all threads of the agent
                                for (Thread t : threads()) {
                                    t.interrupt();
                                }
                                System.out.println("done");
                                break;
                            case "spent": // milliseconds of CPU of the agent's threads, within a second
                                long before = spent();
                                Thread.sleep(1000);
                                System.out.println((spent() - before) / 1000000);
                                break;
                            case "crawl": // on so many threads each so many; in the end what became of them
                                ConcurrentMap<String, AtomicInteger> all = new ConcurrentSkipListMap<>();
                                List<Thread> crawlers = new ArrayList<>();
                                for (int i = 0; i < Integer.parseInt(w[2]); i++) {
                                    Thread t = new Thread(() -> {
                                        for (int n = 0; n < Integer.parseInt(w[3]); n++) {
                                            all.computeIfAbsent(get(w[1]), k -> new AtomicInteger()).incrementAndGet();
                                        }
                                    });
                                    crawlers.add(t);
                                    t.start();
                                }
                                new Thread(() -> {
                                    for (Thread t : crawlers) {
                                        try {
                                            t.join();
                                        } catch (InterruptedException e) {
                                            throw new IllegalStateException(e);
                                        }
                                    }
                                    System.out.println(all);
                                }).start();
                                break;
                        }
                    }
                }
                static List<Thread> threads() {
                    List<Thread> found = new ArrayList<>();
                    for (Thread t : Thread.getAllStackTraces().keySet()) {
                        if (t.getName().startsWith("tempolimit") || Arrays.toString(t.getStackTrace()).contains("sun.net.httpserver.")) {
                            found.add(t);
                        }
                    }
                    return found;
                }
                static long spent() {
                    long sum = 0;
                    for (Thread t : threads()) {
                        sum += Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(t.getId()));
                    }
                    return sum;
                }
            """ + Source.GET + "}");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    private static Fork.Builder program(int java, String settings) {
        return Jvm.on(java).agent(QUIET + settings).classpath(PROGRAM).main("Faulty");
    }

    /** Some shut down like that. What the agent does beside the requests went silent, and its timer took a whole processor. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void anApplicationThatInterruptsAllThreadsItFinds(int java) throws Exception {
        Path folder = Source.folder();
        Path config = Files.writeString(folder.resolve("limits.json"), "{\"default_config\":{\"requests_per_second\":3}}");
        Path state = folder.resolve("state");
        Path events = folder.resolve("events.json");
        Server.Site site = SERVER.site("127.73", Server.Script.status(200));
        try (Fork fork = program(java, "admin.port=0,config=" + config + ",state=" + state + ",events=" + events).start()) {
            assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
            Wait.until("the page is served", fork, () -> fork.stderr().contains("The status page is "));
            for (int i = 0; i < 3; i++) {
                assertEquals("done", fork.ask("interrupt", Jvm.LONG));
                assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
            }
            Wait.until("no thread of it spins", fork, () -> Long.parseLong(fork.ask("spent", Jvm.LONG)) < 200);
            Files.writeString(config, "{\"default_config\":{\"requests_per_second\":1000}}");
            Wait.until("the file is read anew", fork, () -> Files.exists(events) && Files.readString(events).contains("config_reloaded"));
            Matcher page = Pattern.compile("http://\\S+").matcher(fork.stderr());
            assertTrue(page.find());
            HttpRequest request = HttpRequest.newBuilder(URI.create(page.group() + "stats.json")).timeout(Jvm.LONG).build();
            Wait.until("the page is served again", fork, () -> serves(request));
            Files.delete(state);
            assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG));
            Wait.until("the state is written again", fork, () -> Files.exists(state));
        }
    }

    private static boolean serves(HttpRequest request) throws InterruptedException {
        try {
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** A program that is stopped for a while does not go on with all that would have gone meanwhile. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aProgramThatStoodStill(int java) throws Exception {
        Server.Site site = SERVER.site("127.74", Server.Script.status(200));
        try (Fork fork = Jvm.on(java).recordedAgent(QUIET + "rate=10,burst=2").classpath(PROGRAM).main("Faulty").start()) {
            assertEquals("200", fork.ask("get " + SERVER.site("127.74", Server.Script.status(200)).url("/"), Jvm.LONG)); // warm
            fork.tell("crawl " + site.url("/") + " 20 2");
            site.await(10, Jvm.LONG);
            signal("-STOP", fork);
            Thread.sleep(2000); // this is what is tested
            signal("-CONT", fork);
            assertEquals("{200=40}", fork.line(Jvm.LONG));
            List<Long> departures = fork.recording().departures(site.host());
            assertEquals(40, departures.size());
            new Pacing(10, 2).checkDepartures(departures);
        }
    }

    private static void signal(String signal, Fork fork) throws Exception {
        assertEquals(0, new ProcessBuilder("kill", signal, String.valueOf(fork.pid())).start().waitFor());
    }

    /** One that lets the program do no more than it has to: what the agent does on its threads is not the program's. */
    @ParameterizedTest
    @ValueSource(ints = {8, 11, 17})
    void aSecurityManagerThatTrustsTheAgentAlone(int java) throws Exception {
        Path folder = Source.folder();
        Path policy = Files.writeString(folder.resolve("policy"), """
                grant codeBase "file:${it.agent}" { permission java.security.AllPermission; };
                grant codeBase "file:${it.program}/" { permission java.net.SocketPermission "*", "connect,resolve"; };
                """);
        Server.Site site = SERVER.site("127.75", Server.Script.inTurn(Server.Script.status(200), Server.Script.status(403)));
        try (Fork fork = program(java, "rate=0.02,burst=2,on-limit=reject,log.file=" + folder.resolve("log") + ",events="
                + folder.resolve("events.json"))
                .option("-Dit.program=" + PROGRAM).option("-Dit.agent=" + Fork.agentJar())
                .option("-Djava.security.manager").option("-Djava.security.policy==" + policy).start()) {
            assertEquals("200", fork.ask("get " + site.url("/"), Jvm.LONG), fork::stderr);
            assertEquals("403", fork.ask("get " + site.url("/"), Jvm.LONG), fork::stderr);
            assertEquals("io.tempolimit.RequestRejectedException", fork.ask("get " + site.url("/"), Jvm.LONG), fork::stderr);
            fork.endInput();
            assertEquals(0, fork.exit(Jvm.LONG));
            assertTrue(fork.stderr().contains("Tempolimit: 3 requests to 1 host; "), fork::stderr);
            assertFalse(fork.stderr().contains("An error inside") || fork.stderr().contains("ccess"), fork::stderr);
            List<String> events = Files.readAllLines(folder.resolve("events.json"));
            assertTrue(events.stream().anyMatch(l -> l.contains("\"rejected\""))
                    && events.stream().anyMatch(l -> l.contains("\"blocked\"")), events::toString);
        }
    }
}
