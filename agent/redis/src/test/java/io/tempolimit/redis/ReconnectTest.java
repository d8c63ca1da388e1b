package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Bound;
import io.tempolimit.core.policy.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis dies and comes back, again and again: what a dozen workers do to it meanwhile, and what is left of that. */
@Tag("long")
class ReconnectTest {
    private static final int WORKERS = 12;
    private static final int OUTAGES = Boolean.getBoolean("tests.matrix") ? 5 : 3;
    private static final double RATE = 100;
    private static final int BURST = 20;

    /** How many workers' threads there are, but for those that were there before. */
    private static long threads(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> !before.contains(t) && t.getName().startsWith("tempolimit-redis")).count();
    }

    /** Whoever came back first had the whole rate, and the others their parts beside it: 61 tokens too many in four outages. */
    @Test
    void aDozenWorkersKeepTheBoundThroughAStormAndNothingIsLeftOfIt() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        List<Long> departures = Collections.synchronizedList(new ArrayList<>());
        ExecutorService load = Executors.newFixedThreadPool(WORKERS);
        boolean[] over = new boolean[1];
        try (Server server = Server.start(Servers.first()); Proxy way = new Proxy(server.port)) {
            List<Worker> workers = new ArrayList<>();
            try {
                for (int i = 0; i < WORKERS; i++) {
                    workers.add(Worker.connected(way, RATE, BURST));
                }
                Server.await(() -> workers.stream().allMatch(w -> w.fleet.workers() == WORKERS && w.fleet.counted()),
                        "they have counted each other");
                List<Future<?>> running = new ArrayList<>();
                for (Worker w : workers) {
                    running.add(load.submit(() -> {
                        while (!over[0]) {
                            assertTrue(w.acquire("shop.example"));
                            departures.add(System.nanoTime());
                        }
                    }));
                }
                int attemptsBefore = way.attempts();
                for (int i = 0; i < OUTAGES; i++) {
                    Thread.sleep(500); // how long it is there is what is tried
                    way.shut(true);
                    Server.await(() -> workers.stream().noneMatch(w -> w.fleet.shared()), "all are alone");
                    Thread.sleep(1000); // how long it is gone is, too
                    way.shut(false);
                    Server.await(() -> workers.stream().allMatch(w -> w.fleet.shared()), "all are back");
                }
                over[0] = true;
                for (Future<?> r : running) {
                    r.get(60, TimeUnit.SECONDS);
                }
                int attempts = way.attempts() - attemptsBefore;
                double excess = Bound.excess(departures, new Limit(RATE, BURST));
                System.out.printf(Locale.ROOT, "* Redis was gone %d times: %d attempts of %d workers, %d requests, %.1f over the bound%n",
                        OUTAGES, attempts, WORKERS, departures.size(), excess);
                assertTrue(attempts >= OUTAGES * WORKERS * 3, "one that fails, and two that do not: " + attempts);
                assertTrue(excess <= 2 * BURST, excess + " tokens too many"); // what a busy machine adds
                List<String> told = new ArrayList<>(List.of("connected"));
                for (int i = 0; i < OUTAGES; i++) {
                    told.addAll(List.of("lost: not connected", "restored"));
                }
                workers.forEach(w -> assertEquals(told, w.told));
                Server.await(() -> way.connections() == 2 * WORKERS, "each has its two connections");
                assertEquals(WORKERS, threads(before), "each has its thread");
            } finally {
                over[0] = true;
                workers.forEach(Worker::close);
            }
            Server.await(() -> way.connections() == 0, "no connection is left");
            Server.await(() -> threads(before) == 0, "no thread is left");
        } finally {
            load.shutdownNow();
        }
    }
}
