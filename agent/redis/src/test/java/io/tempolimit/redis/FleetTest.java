package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten workers, or four, are one polite client. */
@Tag("long")
class FleetTest {
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(ints = {FleetSettings.AUTO, FleetSettings.OFF, 10})
    void fourWorkersHaveOneBucket(int lease) throws Exception {
        double rate = 100;
        int burst = 20;
        List<Worker> workers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (Server server = Server.start(Servers.first())) {
            for (int w = 0; w < 4; w++) {
                workers.add(new Worker(new FleetSettings(server.uri(), null, false).lease(lease).timeout(5 * SECOND)
                        .start(60 * SECOND), rate, burst));
            }
            for (Worker w : workers) {
                w.acquire("warm.example");
            }
            long calls = server.calls("evalsha");
            AtomicBoolean over = new AtomicBoolean();
            long began = System.nanoTime();
            List<Future<Integer>> running = new ArrayList<>();
            for (Worker w : workers) {
                for (int t = 0; t < 2; t++) {
                    running.add(threads.submit(() -> {
                        int n = 0;
                        while (!over.get()) {
                            assertTrue(w.acquire("shop.example"));
                            n += over.get() ? 0 : 1;
                        }
                        return n;
                    }));
                }
            }
            Thread.sleep(4000); // the span that is counted in
            double span = (System.nanoTime() - began) / 1e9;
            over.set(true);
            span = Math.max(span, (System.nanoTime() - began) / 1e9);
            int admitted = 0;
            for (Future<Integer> r : running) {
                admitted += r.get(60, TimeUnit.SECONDS);
            }
            assertTrue(admitted <= burst + rate * span + 1, admitted + " in " + span + " s");
            assertTrue(admitted >= 0.6 * (burst + rate * span),
                    admitted + " in " + span + " s; 99% where the machine has nothing else to do");
            assertTrue(server.calls("evalsha") - calls <= 1.01 * admitted + 60,
                    "calls: " + (server.calls("evalsha") - calls) + " for " + admitted);
            for (Worker w : workers) {
                assertEquals(List.of("connected"), w.told);
            }
        } finally {
            workers.forEach(Worker::close);
            threads.shutdownNow();
        }
    }

    @Test
    void oneDaemonThreadThatEndsWithTheFleet() throws Exception {
        try (Server server = Server.start(Servers.first())) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            Worker worker = new Worker(new FleetSettings(server.uri(), null, false).timeout(20 * SECOND), 1000, 10);
            assertTrue(worker.acquire("shop.example"));
            assertEquals(List.of("connected"), worker.told);
            List<Thread> threads = new ArrayList<>(Thread.getAllStackTraces().keySet());
            threads.removeAll(before);
            // netty tells of the end of other tests' threads on this one, for a second
            threads.removeIf(t -> t.getName().startsWith("globalEventExecutor"));
            assertEquals(1, threads.size(), threads.toString());
            assertTrue(threads.get(0).isDaemon());
            long from = System.nanoTime();
            worker.close();
            assertTrue(System.nanoTime() - from < 10 * SECOND, "nothing is waited for");
            threads.get(0).join(TimeUnit.SECONDS.toMillis(30));
            assertFalse(threads.get(0).isAlive());
            Server.await(() -> server.said("ZCARD", "tempolimit:workers").equals("0"), "and it is in the list no more");
        }
    }
}
