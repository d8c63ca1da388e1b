package io.tempolimit.benchmarks;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.redis.Server;
import io.tempolimit.redis.Servers;
import io.tempolimit.redis.Worker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * A limit that several JVMs share through a Redis on this machine: one key, eight threads, a rate that never limits.
 * Also what one request adds where there is no hurry.
 */
final class RedisCost {
    private static final int THREADS = 8;
    private static final int RATE = 1_000_000;
    private static final long SPAN = TimeUnit.SECONDS.toNanos(3);
    private static final String KEY = "shop.example";

    private RedisCost() {
    }

    /** Takes a token, or waits for it. */
    private interface Limiter {
        void acquire() throws Exception;
    }

    /** The medians of the rounds. */
    private static final class Figures {
        final List<Double> perSecond = new ArrayList<>();
        final List<Double> p50 = new ArrayList<>();
        final List<Double> p99 = new ArrayList<>();
        final List<Double> calls = new ArrayList<>();
        final List<Double> cpu = new ArrayList<>();

        static double median(List<Double> values) {
            return Benchmarks.median(values.stream().mapToDouble(v -> v).toArray());
        }
    }

    static boolean measure(int rounds) throws Exception {
        String binary = Servers.ALL.getOrDefault("redis-7", Servers.first());
        try (Server server = Server.start(binary);
             Worker leasing = new Worker(settings(server).lease(FleetSettings.AUTO).prefix("auto"), RATE, RATE);
             Worker single = new Worker(settings(server).lease(FleetSettings.OFF).prefix("off"), RATE, RATE)) {
            Config config = new Config();
            config.useSingleServer().setAddress(server.uri());
            RedissonClient redisson = Redisson.create(config);
            RedisClient lettuce = RedisClient.create(server.uri());
            try {
                RRateLimiter limiter = redisson.getRateLimiter(KEY);
                limiter.trySetRate(RateType.OVERALL, RATE, Duration.ofSeconds(1));
                BucketProxy bucket = Bucket4jLettuce.casBasedBuilder(lettuce).build().builder()
                        .build("bucket4j".getBytes(StandardCharsets.UTF_8),
                        () -> BucketConfiguration.builder()
                                .addLimit(l -> l.capacity(RATE).refillGreedy(RATE, Duration.ofSeconds(1))).build());
                Map<String, Limiter> all = new LinkedHashMap<>();
                all.put("Tempolimit", () -> leasing.acquire(KEY));
                all.put("Tempolimit, redis.lease=off", () -> single.acquire(KEY));
                all.put("Redisson RRateLimiter", limiter::acquire);
                all.put("Bucket4j on lettuce, exact", () -> bucket.asBlocking().consume(1));
                Map<String, Figures> figures = new LinkedHashMap<>();
                for (int round = 0; round <= rounds; round++) {
                    System.err.println(round == 0 ? "warming up" : "round " + round + " of " + rounds);
                    for (Map.Entry<String, Limiter> e : all.entrySet()) {
                        Figures f = round == 0 ? new Figures() : figures.computeIfAbsent(e.getKey(), n -> new Figures());
                        run(e.getValue(), server, f);
                        if (e.getKey().startsWith("Redisson")) {
                            // megabytes
                            server.ask("EVAL", "for _, k in ipairs(redis.call('KEYS', '*:permits')) do redis.call('DEL', k) end", "0");
                        }
                    }
                }
                double[] calm = calm(single);
                return report(figures, calm);
            } finally {
                redisson.shutdown();
                lettuce.shutdown();
            }
        }
    }

    private static FleetSettings settings(Server server) {
        return new FleetSettings(server.uri(), null, false).timeout(TimeUnit.SECONDS.toNanos(5)).start(TimeUnit.SECONDS.toNanos(60));
    }

    private static void run(Limiter limiter, Server server, Figures into) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        limiter.acquire();
        long calls = server.calls("evalsha") + server.calls("eval");
        double cpu = server.cpu();
        long began = System.nanoTime();
        List<Future<long[]>> running = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            running.add(threads.submit(() -> {
                long[] took = new long[1 << 20];
                int n = 0;
                for (long now = System.nanoTime(); now - began < SPAN && n < took.length; n++) {
                    limiter.acquire();
                    long then = System.nanoTime();
                    took[n] = then - now;
                    now = then;
                }
                return Arrays.copyOf(took, n);
            }));
        }
        long[] all = new long[0];
        for (Future<long[]> r : running) {
            long[] part = r.get();
            int at = all.length;
            all = Arrays.copyOf(all, at + part.length);
            System.arraycopy(part, 0, all, at, part.length);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        threads.shutdown();
        Arrays.sort(all);
        into.perSecond.add(all.length / seconds);
        into.p50.add(all[all.length / 2] / 1e3);
        into.p99.add(all[(int) (all.length * 0.99)] / 1e3);
        into.calls.add((server.calls("evalsha") + server.calls("eval") - calls) / (double) all.length);
        into.cpu.add((server.cpu() - cpu) * 1e6 / all.length);
    }

    /**
     * Median and 99th percentile of what one request in five milliseconds waits, in microseconds: the first decile of
     * stretches of 200, since interference only adds.
     */
    private static double[] calm(Worker worker) throws Exception {
        double[] p50 = new double[15];
        double[] p99 = new double[p50.length];
        for (int stretch = 0; stretch < p50.length; stretch++) {
            long[] took = new long[200];
            for (int i = 0; i < took.length; i++) {
                Thread.sleep(5);
                long began = System.nanoTime();
                worker.acquire("calm.example");
                took[i] = System.nanoTime() - began;
            }
            Arrays.sort(took);
            p50[stretch] = took[took.length / 2] / 1e3;
            p99[stretch] = took[(int) (took.length * 0.99)] / 1e3;
        }
        return new double[] {Benchmarks.firstDecile(p50), Benchmarks.firstDecile(p99)};
    }

    private static boolean report(Map<String, Figures> figures, double[] calm) {
        System.out.printf("Java %s, one key, %d threads, rate %,d/s, medians%n%n", System.getProperty("java.version"), THREADS, RATE);
        System.out.printf("%-30s %12s %9s %9s %18s %20s%n", "", "requests/s", "p50 us", "p99 us", "scripts a request",
                "Redis CPU us/request");
        figures.forEach((name, f) -> System.out.printf(Locale.ROOT, "%-30s %,12.0f %9.0f %9.0f %18.3f %20.1f%n", name,
                Figures.median(f.perSecond), Figures.median(f.p50),
                Figures.median(f.p99), Figures.median(f.calls), Figures.median(f.cpu)));
        System.out.printf(Locale.ROOT, "%nOne request in 5 ms, each with a call: %.0f us, 99th percentile %.0f us%n%n", calm[0], calm[1]);
        Figures auto = figures.get("Tempolimit");
        Figures off = figures.get("Tempolimit, redis.lease=off");
        boolean kept = budget("scripts a request", Figures.median(auto.calls), 0.12);
        kept &= budget("the same without leases", Figures.median(off.calls), 1.01);
        kept &= budget("Redis CPU, of what it takes without leases", Figures.median(auto.cpu) / Figures.median(off.cpu), 0.5);
        kept &= budget("Redisson's requests a second, of ours",
                Figures.median(figures.get("Redisson RRateLimiter").perSecond) / Figures.median(auto.perSecond), 1 / 3.0);
        kept &= budget("Bucket4j's, of ours", Figures.median(figures.get("Bucket4j on "
                + "lettuce, exact").perSecond) / Figures.median(auto.perSecond), 1 / 8.0);
        kept &= budget("a calm request's 99th percentile, in ms", calm[1] / 1000, 1);
        return kept;
    }

    private static boolean budget(String what, double is, double most) {
        System.out.printf(Locale.ROOT, "  %-44s %6.3f; at most %.3f is allowed: %s%n", what, is, most, Benchmarks.verdict(is <= most));
        return is <= most;
    }
}
