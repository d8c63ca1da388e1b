package io.tempolimit.benchmarks;

import io.tempolimit.core.Goodput;
import io.tempolimit.detect.Training;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * {@code java -jar benchmarks.jar limiter [rounds]}, {@code detect [rounds]}, {@code startup [runs]}, {@code requests [sets [client]]},
 * {@code writes [sets]}, {@code redis [rounds]}, {@code scale [rounds]}, {@code goodput [seeds [first [svg]]]} or {@code learn [write]};
 * exits with 1 if a budget is missed.
 */
public final class Benchmarks {
    private Benchmarks() {
    }

    public static void main(String[] arguments) throws Exception {
        String what = arguments.length == 0 ? "" : arguments[0];
        if (what.equals("learn")) {
            Training.run(arguments.length > 1 && arguments[1].equals("write"), System.out);
            return;
        }
        int times = arguments.length < 2 ? 0 : Integer.parseInt(arguments[1]);
        boolean kept;
        switch (what) {
            case "limiter" -> kept = LimiterCost.measure(times == 0 ? 5 : times);
            case "detect" -> kept = DetectionCost.measure(times == 0 ? 3 : times);
            case "startup" -> kept = StartupCost.measure(times == 0 ? 11 : times);
            case "requests" -> kept = RequestCost.measure(times == 0 ? 5 : times, arguments.length < 3 ? "" : arguments[2]);
            case "writes" -> kept = WriteCost.measure(times == 0 ? 3 : times);
            case "scale" -> kept = ScaleCost.measure(times == 0 ? 5 : times);
            case "redis" -> kept = RedisCost.measure(times == 0 ? 3 : times);
            case "goodput" -> {
                goodput(times == 0 ? 4 : times, arguments);
                return;
            }
            default -> {
                System.err.println("java -jar benchmarks.jar limiter [rounds] | detect [rounds] | startup [runs] | requests [sets [client]]"
                        + " | writes [sets] | redis [rounds] | scale [rounds] | goodput [seeds [first [svg]]] | learn [write]");
                System.exit(2);
                return;
            }
        }
        System.out.println(kept ? "All budgets are kept." : "A BUDGET IS MISSED.");
        System.exit(kept ? 0 : 1);
    }

    /** The tables, or with a file's name the picture. */
    private static void goodput(int seeds, String[] arguments) throws Exception {
        int first = arguments.length < 3 ? 0 : Integer.parseInt(arguments[2]);
        if (arguments.length > 3) {
            Files.writeString(Path.of(arguments[3]), Goodput.picture(first));
        } else {
            Goodput.print(System.out, seeds, first);
        }
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    }

    /** What one in ten is not above. */
    static double firstDecile(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 10];
    }

    static double least(double[] values) {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    static String verdict(boolean kept) {
        return kept ? "kept" : "MISSED";
    }
}
