package io.tempolimit.benchmarks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.RandomSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a request costs from its arrival to its verdict, with its permit and statistics, if it need not wait: on one thread, in
 * processor time, its host among 10,000 in random order. Who asks has names of its own, equal to those that are remembered.
 */
final class WholeRequest {
    /** Nanoseconds. */
    private static final double BUDGET = 200;
    private static final int REQUESTS = 20_000;
    private static final int WARM_UP = 200;
    private static final int BATCHES = 300;

    /** An application has them in its hands when it sends a request. */
    private final Target[] targets = AcquisitionByHost.Asker.shuffled().stream().map(TestTarget::new).toArray(Target[]::new);
    private final Limiter limiter;
    private int next;
    /** So that no permit is optimised away. */
    private Permit last;

    private WholeRequest(boolean watched) throws RequestRejectedException {
        Policy everybody = new Policy.Builder().rate(Acquisition.PER_SECOND).burst(Acquisition.PER_SECOND).build();
        limiter = new Limiter(Clock.SYSTEM, RandomSource.SYSTEM,
                new TestRules(host -> everybody, true, false, 2 * targets.length, TimeUnit.DAYS.toNanos(1)), Listener.NONE);
        if (watched) {
            limiter.unseen().begin(0);
        }
        for (String host : AcquisitionByHost.Asker.names()) {
            limiter.arrive(new TestTarget(host)).answered(200);
        }
    }

    /** In rounds, each with a JVM of its own for both. */
    static boolean measure(int rounds) throws IOException {
        List<Double> alone = new ArrayList<>();
        List<Double> watched = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            alone.addAll(costs(false));
            watched.addAll(costs(true));
        }
        System.out.printf("%nA whole request, its host found among 10,000            ns of processor time, first decile (median)%n");
        row("as with clients=-watch", alone);
        row("by default: who looks on is told", watched);
        boolean kept = Benchmarks.firstDecile(array(alone)) <= BUDGET;
        System.out.printf("  at most %.0f ns are allowed with clients=-watch: %s%n", BUDGET, Benchmarks.verdict(kept));
        return kept;
    }

    private static void row(String what, List<Double> costs) {
        double[] all = array(costs);
        System.out.printf("  %-56s %7.1f (%6.1f)%n", what, Benchmarks.firstDecile(all), Benchmarks.median(all));
    }

    private static double[] array(List<Double> costs) {
        return costs.stream().mapToDouble(d -> d).toArray();
    }

    private static List<Double> costs(boolean watched) throws IOException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms512m", "-Xmx512m",
                "-cp", StartupCost.jar().toString(), WholeRequest.class.getName(), "" + watched)
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader out = process.inputReader()) {
            return out.lines().map(Double::valueOf).toList();
        }
    }

    /** Prints what each batch costs. */
    public static void main(String[] arguments) throws RequestRejectedException {
        WholeRequest w = new WholeRequest(Boolean.parseBoolean(arguments[0]));
        for (int i = -WARM_UP; i < BATCHES; i++) {
            double cost = w.batch();
            if (i >= 0) {
                System.out.println(cost);
            }
        }
    }

    /** Nanoseconds a request. */
    private double batch() throws RequestRejectedException {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < REQUESTS; i++) {
            last = limiter.arrive(targets[next]);
            last.answered(200);
            next = next + 1 == targets.length ? 0 : next + 1;
        }
        return (double) (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / REQUESTS;
    }
}
