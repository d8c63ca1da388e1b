package io.tempolimit.benchmarks.programs;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;

/** The most memory that this process ever had. */
final class Memory {
    private Memory() {
    }

    static void print() throws IOException {
        try (BufferedReader status = new BufferedReader(new FileReader("/proc/self/status"))) {
            for (String line; (line = status.readLine()) != null; ) {
                if (line.startsWith("VmHWM:")) {
                    System.out.println("memory " + line.substring(6, line.length() - 2).trim()); // no expressions: these are to be cheap
                }
            }
        }
    }
}
