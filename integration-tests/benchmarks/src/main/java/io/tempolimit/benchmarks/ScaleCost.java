package io.tempolimit.benchmarks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.RandomSource;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What one request, one host and one cancellation cost, with few and with many of them: on one thread, under a clock that the
 * program turns, in processor time. What counts is the least of the rounds: interference only ever adds.
 */
final class ScaleCost {
    private static final long SECOND = 1_000_000_000L;
    private static final int MAX_KEYS = 10_000;
    /** From end to end, one of many costs at most this much of one of few. */
    private static final double BUDGET = 2;

    private long now = System.nanoTime();
    private final Clock clock = () -> now;

    private ScaleCost() {
    }

    /** One kind of cost, for so many. */
    private interface Cost {
        double nanos(int n) throws RequestRejectedException;
    }

    static boolean measure(int rounds) throws RequestRejectedException {
        ScaleCost s = new ScaleCost();
        System.out.printf("Java %s, 1 thread, ns of processor time, the least of %d rounds%n%n",
                System.getProperty("java.version"), rounds);
        int[] calls = {1_000, 10_000, 100_000};
        int[] hosts = {1_000, 10_000, 100_000, 1_000_000};
        boolean kept = row("a request that has to wait, of so many waiting", rounds, calls, s::arrival);
        kept &= row("a request that goes, each 20 ms late", rounds, calls, s::late);
        kept &= row("a cancellation, without a window", rounds, calls, n -> s.cancellation(n, b -> b));
        WindowLimit window = new WindowLimit(10_000, 86_400 * SECOND);
        kept &= row("a cancellation, with window=10000/24h", rounds, calls, n -> s.cancellation(n, b -> b.windows(window)));
        kept &= row("a new host in a full table, of so many", rounds, hosts, n -> s.host(n, 200));
        kept &= row("the same, each host in cooldown", rounds, hosts, n -> s.host(n, 429));
        return kept;
    }

    private static boolean row(String what, int rounds, int[] sizes, Cost cost) throws RequestRejectedException {
        System.out.printf("%-50s", what);
        double least = Double.MAX_VALUE;
        double last = 0;
        for (int i = 0; i < 20; i++) {
            cost.nanos(sizes[1]); // so that it is compiled
        }
        for (int n : sizes) {
            double[] times = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                times[i] = cost.nanos(n);
            }
            last = Benchmarks.least(times);
            least = Math.min(least, last);
            System.out.printf(" %,10d: %7.0f", n, last);
        }
        boolean kept = last <= BUDGET * least;
        System.out.printf("   x %.2f: %s%n", last / least, Benchmarks.verdict(kept));
        return kept;
    }

    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private Limiter limiter(UnaryOperator<Policy.Builder> settings) {
        Policy policy = settings.apply(new Policy.Builder().rate(1000).burst(5).cooldownThreshold(1)
                .retryAfterMax(100 * 86_400 * SECOND)).build();
        return new Limiter(clock, RandomSource.SYSTEM,
                new TestRules(host -> policy, true, false, MAX_KEYS, 86_400 * SECOND), Listener.NONE);
    }

    private static List<Permit> queue(Limiter limiter, int n) throws RequestRejectedException {
        List<Permit> waiting = new ArrayList<>(n);
        Target target = new TestTarget("www.shop.example");
        while (waiting.size() < n) {
            Permit permit = limiter.arrive(target);
            if (permit.waiting()) {
                permit.waitWith(() -> { });
                waiting.add(permit);
            }
        }
        return waiting;
    }

    private double arrival(int n) throws RequestRejectedException {
        Limiter limiter = limiter(b -> b);
        long start = processorTime();
        queue(limiter, n);
        return (double) (processorTime() - start) / n;
    }

    private double late(int n) throws RequestRejectedException {
        List<Permit> waiting = queue(limiter(b -> b), n);
        int some = Math.min(700, n); // so that it stays a long queue
        long start = processorTime();
        for (int i = 0; i < some; i++) {
            now += SECOND / 50;
            if (!waiting.get(i).poll()) {
                throw new AssertionError("its turn has come");
            }
        }
        return (double) (processorTime() - start) / some;
    }

    private double cancellation(int n, UnaryOperator<Policy.Builder> settings) throws RequestRejectedException {
        List<Permit> waiting = queue(limiter(settings), n);
        long start = processorTime();
        for (Permit permit : waiting) {
            now += 1000;
            permit.cancel();
        }
        return (double) (processorTime() - start) / n;
    }

    /** The table is full before: each new host makes the limiter forget another one. */
    private double host(int n, int status) throws RequestRejectedException {
        Limiter limiter = limiter(b -> b);
        hosts(limiter, 0, MAX_KEYS, status);
        long start = processorTime();
        hosts(limiter, MAX_KEYS, MAX_KEYS + n, status);
        return (double) (processorTime() - start) / n;
    }

    private void hosts(Limiter limiter, int from, int to, int status) throws RequestRejectedException {
        for (int i = from; i < to; i++) {
            now += 1000;
            limiter.arrive(new TestTarget("www.shop-" + i + ".example")).answered(status);
        }
    }
}
