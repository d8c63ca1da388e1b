package io.tempolimit.benchmarks;

import io.tempolimit.it.harness.Javas;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that does something as often as it is told to, and says how much processor time that took. */
final class Program implements AutoCloseable {
    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    /**
     * @param classpath what it needs beside the benchmarks
     * @param settings  of the agent; null for none
     * @param main      one of {@code io.tempolimit.benchmarks.programs}
     */
    Program(List<Path> classpath, String settings, String main, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(StartupCost.jar().toString()));
        classpath.forEach(path -> all.add(path.toString()));
        List<String> command = new ArrayList<>(List.of(Javas.find(17).orElseThrow().launcher().toString(), "-Xmx256m", "-XX:+UseSerialGC"));
        if (settings != null) {
            command.add(StartupCost.agent() + "=" + settings);
        }
        command.addAll(List.of("-cp", String.join(File.pathSeparator, all), "io.tempolimit.benchmarks.programs." + main));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        in = process.outputWriter();
        out = process.inputReader();
    }

    /** Does it so often; gives nanoseconds of the processor. */
    long run(int count) {
        try {
            in.write(count + "\n");
            in.flush();
            StringBuilder said = new StringBuilder();
            for (String line; (line = out.readLine()) != null; ) {
                if (line.matches("\\d+")) { // and not something that a client or the agent prints
                    return Long.parseLong(line);
                }
                said.append('\n').append(line);
            }
            throw new IllegalStateException("the program has ended: " + said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
