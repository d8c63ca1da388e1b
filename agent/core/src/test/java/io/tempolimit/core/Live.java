package io.tempolimit.core;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;

/** What this JVM keeps. */
final class Live {
    /**
     * So many collections in a row: SerialGC leaves gaps and fills them with arrays of numbers, but not at each fourth
     * ({@code -XX:MarkSweepAlwaysCompactCount}). In a heap of 512 MB those were more than the hosts that were to be measured.
     */
    private static final int COMPACTS = 4;

    private Live() {
    }

    /**
     * All objects that are reachable, how many and how many bytes, by class. The JVM walks them, so neither the collector nor the
     * size of the heap matters. Free memory says that only where no other thread allocates, and where the collector gives back
     * what is free.
     */
    static Map<String, long[]> objects() {
        Map<String, long[]> least = histogram();
        for (int i = 1; i < COMPACTS; i++) {
            Map<String, long[]> again = histogram();
            least.replaceAll((type, numbers) -> {
                long[] others = again.getOrDefault(type, new long[2]);
                return others[1] < numbers[1] ? others : numbers;
            });
        }
        return least;
    }

    private static Map<String, long[]> histogram() {
        try {
            ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
            String histogram = (String) ManagementFactory.getPlatformMBeanServer().invoke(commands,
                    "gcClassHistogram", new Object[] {new String[0]}, new String[] {String[].class.getName()});
            Map<String, long[]> live = new TreeMap<>();
            for (String line : histogram.split("\n")) {
                String[] parts = line.trim().split("\\s+"); // "  1:  50000  5200000  io.tempolimit.core.Key (module)"
                if (parts.length >= 4 && parts[0].matches("\\d+:")) {
                    long[] numbers = live.computeIfAbsent(parts[3], type -> new long[2]);
                    numbers[0] += Long.parseLong(parts[1]);
                    numbers[1] += Long.parseLong(parts[2]);
                }
            }
            return live;
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }
}
