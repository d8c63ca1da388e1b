package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.FleetSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What workers notice of a Redis in trouble: two of them, two threads each, at a rate of 100 and a burst of 20, before, during and after each fault. Prints
 * a table: how many requests went, how many failed, the longest that one waited for an answer of Redis, and by how many tokens the bound was exceeded in the
 * worst span of all.
 */
class FaultsTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final double RATE = 100;
    private static final int BURST = 20;
    /** Not the 50 ms of the default: a busy machine holds up its processes for as long. */
    private static final long TIMEOUT = 200 * MILLI;

    private interface Step {
        void run(Server server, Proxy proxy) throws Exception;
    }

    private static final class Fault {
        final String name;
        final boolean noticed;
        final Step begin;
        final Step end;
        final List<Long> departures = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger failed = new AtomicInteger();
        final List<List<String>> told = new ArrayList<>();
        long longest;
        long recovered;
        double excess;
        long worst;

        Fault(String name, boolean noticed, Step begin, Step end) {
            this.name = name;
            this.noticed = noticed;
            this.begin = begin;
            this.end = end;
        }

        /** By the generic cell rate algorithm, how far the most eager request was ahead of the bound, in tokens. */
        void measure() {
            long interval = (long) (1e9 / RATE);
            long[] times = departures.stream().mapToLong(t -> t).sorted().toArray();
            long full = times[0];
            for (long t : times) {
                full = Math.max(full, t);
                double ahead = (full - (BURST - 1) * interval - t) / (double) interval;
                if (ahead > excess) {
                    excess = ahead;
                    worst = (t - times[0]) / MILLI;
                }
                full += interval;
            }
        }

        void play() throws Exception {
            try (Server server = Server.start(Servers.first(), "--requirepass", "first").as("", "first")) {
                play(server);
            }
        }

        private void play(Server server) throws Exception {
            ExecutorService threads = Executors.newFixedThreadPool(4);
            List<Worker> workers = new ArrayList<>();
            try (Proxy proxy = new Proxy(server.port)) {
                boolean[] over = new boolean[1];
                for (int w = 0; w < 2; w++) {
                    workers.add(new Worker(new FleetSettings("redis://127.0.0.1:" + proxy.port, "first", false).timeout(TIMEOUT).start(60 * SECOND), RATE, BURST));
                }
                for (Worker w : workers) {
                    w.acquire("warm.example"); // what is slow for the first time in a JVM is not the fault's
                    ConnectTest.await(() -> w.fleet.workers() == 2, "they know of each other");
                }
                workers.forEach(w -> w.longest.set(0));
                List<Future<?>> running = new ArrayList<>();
                for (Worker w : workers) {
                    for (int t = 0; t < 2; t++) {
                        running.add(threads.submit(() -> {
                            while (!over[0]) {
                                try {
                                    if (w.acquire("shop.example")) {
                                        departures.add(System.nanoTime());
                                    } else {
                                        failed.incrementAndGet();
                                    }
                                } catch (RuntimeException e) {
                                    failed.incrementAndGet();
                                }
                            }
                        }));
                    }
                }
                Thread.sleep(1500); // how long each phase lasts is what is played, and no synchronisation
                begin.run(server, proxy);
                Thread.sleep(2500);
                end.run(server, proxy);
                long ended = System.nanoTime();
                ConnectTest.await(() -> workers.stream().allMatch(w -> w.fleet.shared() && (!noticed || w.told.contains("restored"))), name + ": it recovers by itself; " + workers.get(0).told + workers.get(1).told);
                recovered = System.nanoTime() - ended;
                Thread.sleep(1500);
                over[0] = true;
                for (Future<?> r : running) {
                    r.get(60, TimeUnit.SECONDS);
                }
                for (Worker w : workers) {
                    told.add(new ArrayList<>(w.told)); // before it is closed, which Redis may be first
                    longest = Math.max(longest, w.longest.get());
                }
            } finally {
                workers.forEach(Worker::close);
                threads.shutdownNow();
            }
            measure();
        }
    }

    private static final String MOVE_CLOCK = "redis.call('SELECT', 2) local a, b, c = string.match(redis.call('GET', KEYS[1]), '^(%S+) (%S+) (%S+)') "
            + "redis.call('SET', KEYS[1], string.format('%.0f %.17g ', a + 3600000000, b + 3600000000) .. c, 'KEEPTTL')";

    private static final Step NOTHING = (server, proxy) -> { };

    private static List<Fault> faults() {
        return Arrays.asList(
                new Fault("none", false, NOTHING, NOTHING),
                new Fault("killed, restarted empty", true, (s, p) -> s.kill(), (s, p) -> s.startAgain()),
                new Fault("paused (SIGSTOP)", true, (s, p) -> s.pause(), (s, p) -> s.resume()),
                new Fault("partitioned (packets dropped)", true, (s, p) -> p.drop(true), (s, p) -> p.drop(false)),
                new Fault("slow, 600 ms", true, (s, p) -> p.delay(300), (s, p) -> p.delay(0)),
                new Fault("emptied (FLUSHALL)", false, (s, p) -> s.ask("FLUSHALL"), NOTHING),
                new Fault("READONLY", true, (s, p) -> s.ask("REPLICAOF", "127.0.0.1", "1"), (s, p) -> s.ask("REPLICAOF", "NO", "ONE")),
                new Fault("OOM", true, (s, p) -> s.ask("CONFIG", "SET", "maxmemory", "1"), (s, p) -> s.ask("CONFIG", "SET", "maxmemory", "0")),
                new Fault("LOADING", true, (s, p) -> {
                    s.ask("DEBUG", "POPULATE", "200", "x", "1000");
                    s.ask("SAVE");
                    s.kill();
                    s.startAgain("--key-load-delay", "20000");
                }, NOTHING),
                new Fault("NOSCRIPT", false, (s, p) -> s.ask("SCRIPT", "FLUSH"), (s, p) -> s.ask("SCRIPT", "FLUSH")),
                new Fault("wrong password later", true, (s, p) -> {
                    s.ask("CONFIG", "SET", "requirepass", "second");
                    s.as("", "second").ask("CLIENT", "KILL", "TYPE", "normal");
                }, (s, p) -> {
                    s.ask("CONFIG", "SET", "requirepass", "first");
                    s.as("", "first");
                }),
                new Fault("clock set back an hour", false, (s, p) -> s.ask("EVAL", MOVE_CLOCK, "1", "tempolimit:{shop.example}:bucket"), NOTHING));
    }

    @Test
    void noRequestFailsOrWaitsAndTheBoundHolds() throws Exception {
        List<Fault> faults = faults();
        List<Throwable> broken = new ArrayList<>();
        ExecutorService some = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> played = new ArrayList<>();
            for (Fault f : faults) {
                played.add(some.submit(() -> {
                    f.play();
                    return null;
                }));
            }
            for (Future<?> p : played) {
                try {
                    p.get(5, TimeUnit.MINUTES);
                } catch (ExecutionException e) {
                    broken.add(e.getCause());
                }
            }
        } finally {
            some.shutdownNow();
        }
        StringBuilder table = new StringBuilder(String.format("%n%-32s %9s %7s %15s %9s %10s%n", "fault", "requests", "failed", "longest added", "excess", "recovered"));
        for (Fault f : faults) {
            table.append(String.format(Locale.ROOT, "%-32s %9d %7d %12.0f ms %9.1f %8.1f s%n", f.name, f.departures.size(), f.failed.get(), f.longest / 1e6, f.excess, f.recovered / 1e9));
        }
        System.out.println(table);
        assertEquals(Collections.emptyList(), broken);
        for (Fault f : faults) {
            assertEquals(0, f.failed.get(), f.name);
            // What a busy machine adds, and that workers may go over and come back at different times: who is alone takes its share, while the other has all.
            assertTrue(f.longest < TIMEOUT + SECOND, f.name + ": waited for Redis for " + f.longest / MILLI + " ms");
            assertTrue(f.excess <= 2 * BURST, f.name + ": " + f.excess + " tokens too many after " + f.worst + " ms; " + f.told);
            for (List<String> told : f.told) {
                List<String> expected = f.noticed ? Arrays.asList("connected", "lost", "restored") : Collections.singletonList("connected");
                List<String> said = new ArrayList<>();
                told.forEach(t -> said.add(t.replaceFirst(": .*", "")));
                assertEquals(expected, said, f.name + ": " + told);
            }
        }
    }
}
