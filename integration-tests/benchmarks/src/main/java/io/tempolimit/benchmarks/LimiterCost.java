package io.tempolimit.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One acquisition on one thread, beside the clock alone and beside other limiters. In rounds, each with a JVM of its
 * own for each benchmark, so that whatever else goes on in the machine meets all of them alike. What counts is the
 * tenth part of the iterations that was fastest: interference only ever adds.
 */
final class LimiterCost {
    /** One acquisition costs at most this much of the clock alone; the others, at least this much of ours. */
    private static final double BUDGET = 1.4;

    private final Map<String, List<Double>> samples = new TreeMap<>();

    private LimiterCost() {
    }

    static boolean measure(int rounds) throws RunnerException, IOException {
        LimiterCost cost = new LimiterCost();
        for (int i = 1; i <= rounds; i++) {
            System.err.println("round " + i + " of " + rounds + ", about a minute");
            cost.round();
        }
        System.out.println("Java " + System.getProperty("java.version") + ", 1 thread, ns, first decile (median) of "
                + rounds + " x 20 iterations");
        return cost.table("Acquisition", "one limiter") & cost.table("AcquisitionByHost", "its host found among 10,000")
                & WholeRequest.measure(rounds);
    }

    private void round() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                .include("\\.Acquisition(ByHost)?\\.")
                .forks(1).threads(1)
                .warmupIterations(5).warmupTime(TimeValue.milliseconds(300))
                .measurementIterations(20).measurementTime(TimeValue.milliseconds(100))
                .jvmArgs("-Xms512m", "-Xmx512m")
                .verbosity(VerboseMode.SILENT)
                .build()).run();
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            List<Double> all = samples.computeIfAbsent(name.substring(name.indexOf("Acquisition")), n -> new ArrayList<>());
            for (BenchmarkResult fork : result.getBenchmarkResults()) {
                for (IterationResult iteration : fork.getIterationResults()) {
                    all.add(iteration.getPrimaryResult().getScore());
                }
            }
        }
    }

    private boolean table(String group, String what) {
        double ours = cost(group + ".tempolimit");
        Map<String, Double> others = new TreeMap<>();
        for (String name : samples.keySet()) {
            String method = name.substring(name.indexOf('.') + 1);
            if (name.startsWith(group + ".") && !method.equals("tempolimit") && !method.equals("nanoTime")
                    && !method.equals("nothing")) {
                others.put(method, cost(name));
            }
        }
        System.out.printf("%n%-58s %16s %8s%n", "One acquisition, " + what, "ns", "x ours");
        boolean kept = true;
        if (samples.containsKey(group + ".nanoTime")) {
            row(group, "nanoTime", "System.nanoTime() alone", ours);
        } else {
            row(group, "nothing", "(to walk through the hosts alone)", ours);
        }
        row(group, "tempolimit", "Tempolimit", ours);
        others.entrySet().stream().sorted(Map.Entry.comparingByValue()).forEach(e -> row(group, e.getKey(), title(e.getKey()), ours));

        if (samples.containsKey(group + ".nanoTime")) {
            double ratio = ours / cost(group + ".nanoTime");
            kept = ratio <= BUDGET;
            System.out.printf("  ours costs %.2f times System.nanoTime() alone; at most %.1f is allowed: %s%n", ratio,
                    BUDGET, Benchmarks.verdict(kept));
        }
        double fastest = others.values().stream().mapToDouble(d -> d).min().orElseThrow() / ours;
        System.out.printf("  the fastest of the others costs %.2f times ours; at least %.1f is asked: %s%n", fastest,
                BUDGET, Benchmarks.verdict(fastest >= BUDGET));
        if (samples.containsKey(group + ".nanoTime")) {
            double clock = cost(group + ".nanoTime");
            System.out.printf("  (beyond the clock, which each of them has to read: ours %.1f ns, the fastest of the "
                    + "others %.1f ns)%n", ours - clock, fastest * ours - clock);
        }
        return kept & fastest >= BUDGET;
    }

    private void row(String group, String method, String title, double ours) {
        double[] all = all(group + "." + method);
        System.out.printf("  %-56s %7.1f (%6.1f) %8.2f%n", title, Benchmarks.firstDecile(all), Benchmarks.median(all),
                Benchmarks.firstDecile(all) / ours);
    }

    private static String title(String method) {
        return switch (method) {
            case "bucket4jLockFree" -> "Bucket4j, lock-free (its default)";
            case "bucket4jSynchronized" -> "Bucket4j, synchronized";
            case "resilience4j" -> "Resilience4j (by host: its registry)";
            case "guava" -> "Guava RateLimiter";
            case "failsafeBursty" -> "Failsafe, bursty";
            case "failsafeSmooth" -> "Failsafe, smooth";
            default -> method;
        };
    }

    private double cost(String name) {
        return Benchmarks.firstDecile(all(name));
    }

    private double[] all(String name) {
        return samples.get(name).stream().mapToDouble(d -> d).toArray();
    }
}
