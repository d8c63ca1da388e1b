package io.tempolimit.core;

import io.tempolimit.core.bucket.Window;
import io.tempolimit.core.policy.WindowLimit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What every sliding window has to decide: the rows of {@code windows.txt}, and random ones, decided by remembering everything. */
final class WindowVectors {
    static final long MINUTE = 60_000_000_000L;

    /** One row. */
    static final class Vector {
        final String row;
        /** Counts, and durations in nanoseconds. */
        final List<WindowLimit> windows = new ArrayList<>();
        /** When each arrives and when it leaves, in nanoseconds after the begin. */
        final List<Long> arrivals = new ArrayList<>();
        final List<Long> departures = new ArrayList<>();

        Vector(String row) {
            this.row = row;
            String[] words = row.trim().split(" +");
            for (String window : words[0].split(",")) {
                String[] parts = window.split("/");
                windows.add(new WindowLimit(Integer.parseInt(parts[0]), Long.parseLong(parts[1]) * MINUTE));
            }
            for (int i = 1; i < words.length; i++) {
                String[] parts = words[i].split("[x>]");
                for (int n = parts.length == 2 ? 1 : Integer.parseInt(parts[1]); n > 0; n--) {
                    arrivals.add(Long.parseLong(parts[0]) * MINUTE);
                    departures.add(Long.parseLong(parts[parts.length - 1]) * MINUTE);
                }
            }
        }

        /** How late a departure may be. */
        long late() {
            return windows.stream().filter(w -> w.count > Window.EXACT).mapToLong(w -> w.duration / 30 + 1).max().orElse(0);
        }

        long[] countsAndDurations() {
            return windows.stream().flatMapToLong(w -> java.util.stream.LongStream.of(w.count, w.duration)).toArray();
        }
    }

    private WindowVectors() {
    }

    static List<Vector> rows() throws IOException {
        try (InputStream in = WindowVectors.class.getResourceAsStream("windows.txt")) {
            List<Vector> all = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    all.add(new Vector(line));
                }
            }
            return all;
        }
    }

    /** Up to three windows and some requests; all vectors of one seed have their arrivals at the same times. */
    static List<Vector> random(long seed, int vectors, int requests) {
        Random random = new Random(seed);
        long[] arrivals = new long[requests];
        for (int i = 1; i < requests; i++) {
            arrivals[i] = arrivals[i - 1] + (random.nextBoolean() ? 0 : random.nextInt(20));
        }
        List<Vector> all = new ArrayList<>();
        for (int v = 0; v < vectors; v++) {
            List<WindowLimit> limits = new ArrayList<>();
            StringBuilder row = new StringBuilder();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                int count = 1 + random.nextInt(6);
                int minutes = 1 + random.nextInt(60);
                if (limits.stream().noneMatch(l -> l.count == count && l.duration == minutes * MINUTE)) {
                    limits.add(new WindowLimit(count, minutes * MINUTE));
                    row.append(row.length() == 0 ? "" : ",").append(count).append('/').append(minutes);
                }
            }
            List<Long> gone = new ArrayList<>();
            for (long arrival : arrivals) {
                long time = decide(limits, gone, arrival * MINUTE);
                gone.add(time);
                row.append(' ').append(arrival).append('>').append(time / MINUTE);
            }
            all.add(new Vector(row.toString()));
        }
        return all;
    }

    /** The first time at which none of the spans that end there is full. */
    private static long decide(List<WindowLimit> limits, List<Long> gone, long arrival) {
        int n = gone.size();
        long time = n == 0 ? arrival : Math.max(arrival, gone.get(n - 1));
        for (WindowLimit limit : limits) {
            time = n < limit.count ? time : Math.max(time, gone.get(n - limit.count) + limit.duration);
        }
        return time;
    }
}
