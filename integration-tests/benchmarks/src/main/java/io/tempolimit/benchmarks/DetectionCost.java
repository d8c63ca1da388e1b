package io.tempolimit.benchmarks;

import java.util.ArrayList;
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
import org.openjdk.jmh.util.Statistics;

/**
 * What it costs to judge an answer, on one thread, in rounds. What counts is what one call in ten is not above:
 * interference only ever adds, and a page takes long enough for a busy machine to come between.
 */
final class DetectionCost {
    private static final double MEGABYTES_A_SECOND = 300;
    private static final double MICROS_A_PAGE = 1000;
    /** "Nothing measurable" beside a request, which takes 20 microseconds at the least. */
    private static final double MICROS_WITHOUT_HTML = 2;

    private DetectionCost() {
    }

    static boolean measure(int rounds) throws RunnerException {
        Map<String, List<Statistics>> samples = new TreeMap<>();
        for (int i = 1; i <= rounds; i++) {
            System.err.println("round " + i + " of " + rounds + ", about a minute and a half");
            for (RunResult result : new Runner(new OptionsBuilder()
                    .include("\\.Detection\\.")
                    .forks(1).threads(1)
                    .warmupIterations(10).warmupTime(TimeValue.seconds(1))
                    .measurementIterations(20).measurementTime(TimeValue.milliseconds(100))
                    .jvmArgs("-Xms256m", "-Xmx256m")
                    .verbosity(VerboseMode.SILENT)
                    .build()).run()) {
                String name = result.getParams().getBenchmark();
                List<Statistics> all = samples.computeIfAbsent(name.substring(name.lastIndexOf('.') + 1), n -> new ArrayList<>());
                for (BenchmarkResult fork : result.getBenchmarkResults()) {
                    for (IterationResult iteration : fork.getIterationResults()) {
                        all.add(iteration.getPrimaryResult().getStatistics());
                    }
                }
            }
        }
        System.out.printf("Java %s, 1 thread, first decile (median) of the calls in %d x 20 iterations%n%n",
                System.getProperty("java.version"), rounds);
        System.out.printf("%-58s %18s %8s%n", "One answer of " + Detection.PAGE / 1000 + " KB judged", "us", "MB/s");
        row(samples, "html", "HTML");
        row(samples, "htmlInGzip", "HTML in gzip");
        row(samples, "gunzip", "(the JDK's GZIPInputStream alone, for comparison)");
        row(samples, "htmlRussian", "HTML, half of it Cyrillic");
        row(samples, "htmlRussianInWindows1251", "HTML, half of it Cyrillic, in windows-1251");
        row(samples, "json", "JSON, status 200");
        row(samples, "image", "image");
        double rate = Detection.PAGE / cost(samples, "html");
        System.out.printf("  HTML: %.0f MB/s; at least %.0f is asked: %s%n", rate, MEGABYTES_A_SECOND,
                Benchmarks.verdict(rate >= MEGABYTES_A_SECOND));
        double slowest = samples.keySet().stream().filter(n -> n.startsWith("html")).mapToDouble(n -> cost(samples, n)).max().orElseThrow();
        System.out.printf("  the slowest page: %.0f us; at most %.0f is allowed: %s%n", slowest, MICROS_A_PAGE,
                Benchmarks.verdict(slowest <= MICROS_A_PAGE));
        double other = Math.max(cost(samples, "json"), cost(samples, "image"));
        System.out.printf("  what is no HTML: %.2f us; at most %.0f is allowed: %s%n", other, MICROS_WITHOUT_HTML,
                Benchmarks.verdict(other <= MICROS_WITHOUT_HTML));
        return rate >= MEGABYTES_A_SECOND && slowest <= MICROS_A_PAGE && other <= MICROS_WITHOUT_HTML;
    }

    private static void row(Map<String, List<Statistics>> samples, String name, String title) {
        double cost = cost(samples, name);
        System.out.printf("  %-56s %8.2f (%7.2f) %8s%n", title, cost, Benchmarks.median(percentiles(samples, name, 50)),
                cost > 10 ? String.valueOf(Math.round(Detection.PAGE / cost)) : "");
    }

    private static double cost(Map<String, List<Statistics>> samples, String name) {
        return Benchmarks.firstDecile(percentiles(samples, name, 10));
    }

    private static double[] percentiles(Map<String, List<Statistics>> samples, String name, int percent) {
        return samples.get(name).stream().mapToDouble(s -> s.getPercentile(percent)).toArray();
    }
}
