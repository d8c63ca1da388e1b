package io.tempolimit.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The same, with the host's limiter to be found among those of 10,000 hosts, in random order. Who asks has names of its own, equal to
 * those that are remembered.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AcquisitionByHost {
    private static final int COUNT = 10_000;

    /** Who asks. */
    @State(Scope.Thread)
    public static class Asker {
        private final String[] hosts = shuffled().toArray(new String[0]);
        private int next;

        static List<String> shuffled() {
            List<String> hosts = names();
            Collections.shuffle(hosts, new Random(2));
            return hosts;
        }

        static List<String> names() {
            List<String> hosts = IntStream.range(0, COUNT).mapToObj(i -> "www.shop-" + i + ".example.com").collect(Collectors.toList());
            Collections.shuffle(hosts, new Random(1)); // so that neighbours in memory are not neighbours by name
            return hosts;
        }

        static <T> ConcurrentHashMap<String, T> map(Supplier<T> each) {
            ConcurrentHashMap<String, T> map = new ConcurrentHashMap<>();
            names().forEach(host -> map.put(host, each.get()));
            return map;
        }

        String host() {
            int i = next;
            next = i + 1 == COUNT ? 0 : i + 1;
            return hosts[i];
        }
    }

    // Each has a state of its own, so that only one of them is in the cache.

    /** A map of token buckets. */
    @State(Scope.Benchmark)
    public static class Buckets {
        private final Limit limit = new Limit(Acquisition.PER_SECOND, Acquisition.PER_SECOND);
        private final ConcurrentHashMap<String, TokenBucket> map = Asker.map(() -> new TokenBucket(System.nanoTime()));
    }

    /** Bucket4j. */
    @State(Scope.Benchmark)
    public static class LockFree {
        private final ConcurrentHashMap<String, Bucket> map = Asker.map(() -> Acquisition.bucket4j(SynchronizationStrategy.LOCK_FREE));
    }

    /** Bucket4j. */
    @State(Scope.Benchmark)
    public static class Locking {
        private final ConcurrentHashMap<String, Bucket> map = Asker.map(() -> Acquisition.bucket4j(SynchronizationStrategy.SYNCHRONIZED));
    }

    /** Resilience4j has a map of its own. */
    @State(Scope.Benchmark)
    public static class Resilience4j {
        private final RateLimiterRegistry registry = RateLimiterRegistry.of(Acquisition.resilience4jConfig());

        public Resilience4j() {
            Asker.names().forEach(registry::rateLimiter);
        }
    }

    /** Guava. */
    @State(Scope.Benchmark)
    public static class Guava {
        private final ConcurrentHashMap<String, RateLimiter> map = Asker.map(() -> RateLimiter.create(Acquisition.PER_SECOND));
    }

    /** Failsafe. */
    @State(Scope.Benchmark)
    public static class Bursty {
        private final ConcurrentHashMap<String, dev.failsafe.RateLimiter<Object>> map = Asker.map(Acquisition::newBursty);
    }

    /** Failsafe. */
    @State(Scope.Benchmark)
    public static class Smooth {
        private final ConcurrentHashMap<String, dev.failsafe.RateLimiter<Object>> map = Asker.map(Acquisition::newSmooth);
    }

    @Benchmark
    public String nothing(Asker asker) {
        return asker.host();
    }

    @Benchmark
    public long tempolimit(Asker asker, Buckets state) {
        return state.map.get(asker.host()).reserve(Clock.SYSTEM.nanos(), state.limit, 0, Policy.UNLIMITED);
    }

    @Benchmark
    public boolean bucket4jLockFree(Asker asker, LockFree state) {
        return state.map.get(asker.host()).tryConsume(1);
    }

    @Benchmark
    public boolean bucket4jSynchronized(Asker asker, Locking state) {
        return state.map.get(asker.host()).tryConsume(1);
    }

    @Benchmark
    public boolean resilience4j(Asker asker, Resilience4j state) {
        return state.registry.rateLimiter(asker.host()).acquirePermission();
    }

    @Benchmark
    public boolean guava(Asker asker, Guava state) {
        return state.map.get(asker.host()).tryAcquire();
    }

    @Benchmark
    public boolean failsafeBursty(Asker asker, Bursty state) {
        return state.map.get(asker.host()).tryAcquirePermit();
    }

    @Benchmark
    public boolean failsafeSmooth(Asker asker, Smooth state) {
        return state.map.get(asker.host()).tryAcquirePermit();
    }
}
