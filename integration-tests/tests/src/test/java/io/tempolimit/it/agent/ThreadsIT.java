package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent has a thread for time and one for its log, which keep nothing of the application. */
class ThreadsIT {
    /**
     * Gives what could be kept to the thread that sends the first requests, and looks what is left of it. The second
     * request waits for an hour, so
     * the agent has its threads for certain when that wait is interrupted.
     */
    private static final Path PROGRAM = Source.compile(8, """
            import java.io.InterruptedIOException;
            import java.lang.ref.*;
            import java.net.*;
            import java.util.*;
            public class Keeps {
                public static void main(String[] args) throws Exception {
                    ReferenceQueue<Object> collected = new ReferenceQueue<>();
                    Map<Reference<?>, String> kept = new HashMap<>();
                    send(args[0], collected, kept);
                    Set<String> threads = new TreeSet<>();
                    for (Thread t : Thread.getAllStackTraces().keySet()) {
                        if (t.getName().equals("tempolimit-jmx")) {
                            t.join(); // it registers the statistics once, 2 s after the first request
                        } else if (t.getName().startsWith("tempolimit") || String.valueOf(t.getContextClassLoader()).contains("tempolimit")) {
                            threads.add(t.getName() + " daemon=" + t.isDaemon() + " loader=" + t.getContextClassLoader());
                        }
                    }
                    System.out.println(threads);
                    for (int i = 0; i < 100 && !kept.isEmpty(); i++) {
                        System.gc();
                        kept.remove(collected.remove(50));
                    }
                    System.out.println("kept " + kept.values());
                }
                static void send(String url, ReferenceQueue<Object> queue, Map<Reference<?>, String> kept) throws Exception {
                    Thread thread = new Thread(() -> {
                        try {
                            ClassLoader loader = new URLClassLoader(new URL[0], Keeps.class.getClassLoader());
                            kept.put(new WeakReference<Object>(loader, queue), "context loader");
                            Thread.currentThread().setContextClassLoader(loader);
                            InheritableThreadLocal<Object> local = new InheritableThreadLocal<>();
                            Object value = new Object();
                            local.set(value);
                            kept.put(new WeakReference<>(value, queue), "inheritable value");
                            for (int i = 0; i < 2; i++) {
                                HttpURLConnection c = (HttpURLConnection) new URL(url).openConnection();
                                System.out.println(c.getResponseCode());
                                c.getInputStream().close();
                            }
                        } catch (InterruptedIOException e) {
                            System.out.println("interrupted");
                        } catch (Exception e) {
                            e.printStackTrace();
                        }
                    });
                    thread.start();
                    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
                        Thread.sleep(1);
                    }
                    thread.interrupt();
                    thread.join();
                }
            }""");

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void twoThatKeepNothing(int java) {
        // Closes connections: a pooled one has a thread of the JDK's that keeps the context loader.
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.47", exchange -> exchange.header("Connection", "close").send("hello"));
            try (Fork fork = Jvm.on(java).agent("user-agent.check=off,exclude=-private,rate=1/h,burst=1").classpath(PROGRAM)
                    .main("Keeps", site.url("/")).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                assertEquals("200\ninterrupted\n[tempolimit-log daemon=true loader=null, tempolimit-timer daemon=true loader=null]\nkept []\n", fork.stdout(), fork::stderr);
            }
        }
    }
}
