package io.tempolimit.benchmarks.programs;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;

/**
 * An agent that looks at the clock: given twice on a command line, it tells what the agent between them took, by the
 * wall and of the processor.
 */
public final class Probe {
    private static long wall;
    private static long cpu;

    private Probe() {
    }

    public static void premain(String arguments) throws IOException {
        if (wall == 0) {
            ofThisThread(); // loads what it needs
            cpu = ofThisThread();
            wall = System.nanoTime();
        } else {
            System.out.println("premain " + (System.nanoTime() - wall));
            System.out.println("premain-cpu " + (ofThisThread() - cpu));
        }
    }

    /** Its processor time in nanoseconds; compilers and collectors have threads of their own. */
    private static long ofThisThread() throws IOException {
        try (BufferedReader in = new BufferedReader(new FileReader("/proc/thread-self/schedstat"))) {
            String line = in.readLine();
            return Long.parseLong(line.substring(0, line.indexOf(' ')));
        }
    }
}
