package io.tempolimit.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One acquisition that is admitted, of one limiter whose limit never limits: a thousand million a second. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Acquisition {
    static final int PER_SECOND = 1_000_000_000;
    static final Duration SECOND = Duration.ofSeconds(1);

    private final Limit limit = new Limit(PER_SECOND, PER_SECOND);
    private final TokenBucket tokenBucket = new TokenBucket(System.nanoTime());
    private final Bucket lockFree = bucket4j(SynchronizationStrategy.LOCK_FREE);
    private final Bucket locking = bucket4j(SynchronizationStrategy.SYNCHRONIZED);
    private final io.github.resilience4j.ratelimiter.RateLimiter resilience4j =
            io.github.resilience4j.ratelimiter.RateLimiter.of("one", resilience4jConfig());
    private final RateLimiter guava = RateLimiter.create(PER_SECOND);
    private final dev.failsafe.RateLimiter<Object> bursty = newBursty();
    private final dev.failsafe.RateLimiter<Object> smooth = newSmooth();

    static Bucket bucket4j(SynchronizationStrategy strategy) {
        return Bucket.builder().addLimit(l -> l.capacity(PER_SECOND).refillGreedy(PER_SECOND, SECOND))
                .withSynchronizationStrategy(strategy).build();
    }

    static RateLimiterConfig resilience4jConfig() {
        return RateLimiterConfig.custom().limitForPeriod(PER_SECOND).limitRefreshPeriod(SECOND).timeoutDuration(Duration.ZERO).build();
    }

    static dev.failsafe.RateLimiter<Object> newBursty() {
        return dev.failsafe.RateLimiter.burstyBuilder(PER_SECOND, SECOND).build();
    }

    static dev.failsafe.RateLimiter<Object> newSmooth() {
        return dev.failsafe.RateLimiter.smoothBuilder(Duration.ofNanos(1)).build();
    }

    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }

    @Benchmark
    public long tempolimit() {
        return tokenBucket.reserve(Clock.SYSTEM.nanos(), limit, 0, Policy.UNLIMITED);
    }

    @Benchmark
    public boolean bucket4jLockFree() {
        return lockFree.tryConsume(1);
    }

    @Benchmark
    public boolean bucket4jSynchronized() {
        return locking.tryConsume(1);
    }

    @Benchmark
    public boolean resilience4j() {
        return resilience4j.acquirePermission();
    }

    @Benchmark
    public boolean guava() {
        return guava.tryAcquire();
    }

    @Benchmark
    public boolean failsafeBursty() {
        return bursty.tryAcquirePermit();
    }

    @Benchmark
    public boolean failsafeSmooth() {
        return smooth.tryAcquirePermit();
    }
}
