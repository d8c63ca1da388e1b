package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Redis dies and comes back, again and again, and for long: what a dozen workers do to it meanwhile, and what is left of that. */
@Isolated // it counts threads
@Tag("long")
class ReconnectTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int WORKERS = 12;

    private static List<Worker> workers(Proxy way, int n) {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            workers.add(new Worker(new FleetSettings("redis://127.0.0.1:" + way.port, null, false).timeout(5 * SECOND)
                    .start(60 * SECOND), 1000, 10));
        }
        for (Worker w : workers) {
            assertTrue(w.acquire("shop.example"));
            assertEquals(List.of("connected"), w.told);
        }
        return workers;
    }

    /** The threads that are there because of a worker. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().startsWith("tempolimit-redis")).count();
    }

    /** Each look whether Redis is back began a row of attempts of its own, which never ended: 48 in the first ten seconds, and ever more. */
    @Test
    void whileRedisIsGoneAttemptsGetRarerAndNotMore() throws Exception {
        try (Server server = Server.start(Servers.first()); Proxy way = new Proxy(server.port)) {
            List<Worker> workers = workers(way, 1);
            try {
                int before = way.attempts();
                long from = System.nanoTime();
                way.shut(true);
                Thread.sleep(10_000); // how long it is gone is what is tried
                int attempts = way.attempts() - before;
                double seconds = (System.nanoTime() - from) / 1e9;
                System.out.printf("* Redis was gone for %.1f s: %d attempts of one worker%n", seconds, attempts);
                // at once, after 0.3 s, after 0.6 s more, then each 1.2 s at the soonest
                assertTrue(attempts <= 3 + (seconds - 0.9) / 1.2, attempts + " attempts");
                assertTrue(attempts >= 2, "it does not try again: " + attempts);
                way.shut(false);
                Server.await(() -> workers.get(0).told.contains("restored"), "it is back: " + workers.get(0).told);
            } finally {
                workers.forEach(Worker::close);
            }
        }
    }

    @Test
    void nothingIsLeftOfAStormOfADozenWorkers() throws Exception {
        long threads = threads();
        int outages = 4;
        try (Server server = Server.start(Servers.first()); Proxy way = new Proxy(server.port)) {
            List<Worker> workers = workers(way, WORKERS);
            try {
                int before = way.attempts();
                for (int i = 0; i < outages; i++) {
                    way.shut(true);
                    Server.await(() -> workers.stream().noneMatch(w -> w.fleet.shared()), "all are alone");
                    way.shut(false);
                    Server.await(() -> workers.stream().allMatch(w -> w.fleet.shared()), "all are back");
                }
                for (Worker w : workers) {
                    assertTrue(w.acquire("shop.example"));
                    List<String> told = new ArrayList<>(List.of("connected"));
                    for (int i = 0; i < outages; i++) {
                        told.addAll(List.of("lost: not connected", "restored"));
                    }
                    assertEquals(told, w.told);
                }
                int attempts = way.attempts() - before;
                System.out.println("* Redis was gone " + outages + " times: " + attempts + " attempts of " + WORKERS + " workers");
                assertTrue(attempts >= outages * WORKERS * 3, "one that fails, and two that do not: " + attempts);
                Server.await(() -> way.connections() == 2 * WORKERS, "each has its two connections");
                assertEquals(WORKERS, threads() - threads, "each has its thread");
            } finally {
                workers.forEach(Worker::close);
            }
            Server.await(() -> way.connections() == 0, "no connection is left");
            Server.await(() -> threads() == threads, "no thread is left");
        }
    }
}
