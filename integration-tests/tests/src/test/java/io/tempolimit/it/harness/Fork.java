package io.tempolimit.it.harness;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program in a JVM of its own, with the agent or without. It takes commands on its standard input and answers lines on
 * its standard output; all it ever printed is kept. Destroyed when closed, and when this JVM ends. Its temporary files are in
 * a folder of its own, which goes with it.
 *
 * <pre>{@code
 * try (Fork fork = Fork.on(java).agent("rate=20,exclude=-private").classpath(jar).main("shop.Scraper", url).start()) {
 *     fork.ask("next page", Duration.ofSeconds(5));
 *     assertEquals(0, fork.exit(Duration.ofSeconds(10)));
 * }
 * }</pre>
 */
public final class Fork implements AutoCloseable {
    private static final String END = new String("end of output");

    /** Where a JVM that somebody has attached to leaves a socket if it is killed, whatever its temporary folder. */
    private static final Path SOCKETS = Path.of("/tmp");

    private final Process process;
    private final String command;
    private final Path temporary;
    private final Writer input;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final StringBuffer out = new StringBuffer();
    private final StringBuffer err = new StringBuffer();
    private final List<Thread> readers = new ArrayList<>();
    private final Thread destroyer = new Thread(this::destroy);
    /** Null if nothing is recorded. */
    private final Recording recording;

    private Fork(Process process, String command, Path temporary, Recording recording) {
        this.process = process;
        this.command = command;
        this.temporary = temporary;
        this.recording = recording;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        Runtime.getRuntime().addShutdownHook(destroyer);
        read(process.getInputStream(), out, lines);
        read(process.getErrorStream(), err, null);
    }

    /** A program on this Java, yet to be described. */
    public static Builder on(Javas.Java java) {
        return new Builder(java);
    }

    /**
     * The agent's jar: a copy of what the system property {@code tempolimit.agent} names, which Maven sets, or of what lies where the
     * build leaves it. A copy, for a build that replaces it meanwhile would take the classes from under the JVMs that run with it.
     */
    public static Path agentJar() {
        return Copy.JAR;
    }

    private static final class Copy {
        static final Path JAR = make();

        private static Path make() {
            Path jar = Path.of(System.getProperty("tempolimit.agent", "../../agent/target/tempolimit-agent.jar")).toAbsolutePath()
                    .normalize();
            if (!Files.exists(jar)) {
                throw new IllegalStateException("no agent at " + jar + "; build it: mvn -DskipTests package");
            }
            try {
                Path folder = Files.createTempDirectory("tempolimit-it");
                Path copy = Files.copy(jar, folder.resolve(jar.getFileName()));
                folder.toFile().deleteOnExit(); // in reverse order, and only once it is empty
                copy.toFile().deleteOnExit();
                return copy;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** How to start the program. */
    public static final class Builder {
        private final Javas.Java java;
        private final List<String> options = new ArrayList<>();
        private final List<Path> classpath = new ArrayList<>();
        private final List<String> program = new ArrayList<>();
        private final Map<String, String> environment = new TreeMap<>();
        private Path directory;
        private Recording recording;

        private Builder(Javas.Java java) {
            this.java = java;
        }

        /** With the agent, and these arguments (may be empty). */
        public Builder agent(String arguments) {
            return option("-javaagent:" + agentJar() + (arguments.isEmpty() ? "" : "=" + arguments));
        }

        /** The same, and what it lets go is recorded: {@link Fork#recording}. */
        public Builder recordedAgent(String arguments) {
            recording = Recording.create();
            return option(recording.option()).option("-javaagent:" + Recording.agentJar() + (arguments.isEmpty() ? "" : "=" + arguments));
        }

        /** An option of the JVM, in this order. */
        public Builder option(String option) {
            options.add(option);
            return this;
        }

        /** More of the class path. */
        public Builder classpath(Path... entries) {
            classpath.addAll(Arrays.asList(entries));
            return this;
        }

        /** More of the class path: every jar of this folder. */
        public Builder jarsOf(Path folder) {
            try (var files = Files.list(folder)) {
                files.filter(f -> f.toString().endsWith(".jar")).sorted().forEach(classpath::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        /** The class to run, and its arguments. */
        public Builder main(String mainClass, String... arguments) {
            program.add(mainClass);
            program.addAll(Arrays.asList(arguments));
            return this;
        }

        /** The jar to run, and its arguments. */
        public Builder jar(Path jar, String... arguments) {
            program.add("-jar");
            return main(jar.toString(), arguments);
        }

        /** A variable of its environment. Those of the agent and of the JVM's tools are not inherited. */
        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Its working directory. */
        public Builder directory(Path directory) {
            this.directory = directory;
            return this;
        }

        /** Starts it. */
        public Fork start() {
            List<String> command = new ArrayList<>();
            Path temporary = temporary();
            command.add(java.launcher().toString());
            command.add("-Djava.io.tmpdir=" + temporary);
            command.addAll(options);
            if (!classpath.isEmpty()) {
                command.add("-cp");
                command.add(String.join(File.pathSeparator, classpath.stream().map(Path::toString).toList()));
            }
            command.addAll(program);
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().keySet().removeIf(name -> name.startsWith("TEMPOLIMIT_") || name.equals("JAVA_TOOL_OPTIONS")
                    || name.equals("JDK_JAVA_OPTIONS") || name.equals("_JAVA_OPTIONS") || name.equals("CLASSPATH"));
            builder.environment().putAll(environment);
            if (directory != null) {
                builder.directory(directory.toFile());
            }
            try {
                return new Fork(builder.start(), String.join(" ", command), temporary, recording);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("fork");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a command and waits for the next line. */
    public String ask(String request, Duration limit) {
        tell(request);
        return line(limit);
    }

    /** Sends a command. */
    public void tell(String request) {
        try {
            input.write(request + "\n");
            input.flush();
        } catch (IOException e) {
            throw trouble("does not take '" + request + "': " + e.getMessage());
        }
    }

    /** Ends its standard input. */
    public void endInput() {
        try {
            input.close();
        } catch (IOException alreadyGone) {
            // as wished
        }
    }

    /** The next line of its standard output, whenever it comes; null if there are no more. */
    public String next() {
        String line = poll(Duration.ofDays(365));
        return line == END ? null : line;
    }

    /** The next line of its standard output. */
    public String line(Duration limit) {
        String line = poll(limit);
        if (line == null) {
            throw trouble("said nothing for " + limit);
        }
        if (line == END) {
            throw trouble("has ended");
        }
        return line;
    }

    private String poll(Duration limit) {
        try {
            String line = lines.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (line == END) {
                lines.add(END);
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw trouble("was not waited for");
        }
    }

    /** Waits for its end, by itself, and gives its exit code. */
    public int exit(Duration limit) {
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                printStacks();
                throw trouble("has not ended after " + limit);
            }
            for (Thread reader : readers) {
                reader.join(5_000);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw trouble("was not waited for");
        }
    }

    /** Has it print what its threads do, so that a failure tells what it hangs on; nothing where there is no {@code kill}. */
    private void printStacks() throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-QUIT", String.valueOf(pid())).start().waitFor();
        } catch (IOException e) {
            return;
        }
        process.waitFor(3, TimeUnit.SECONDS); // which prints them meanwhile
    }

    /** Whether it still runs. */
    public boolean alive() {
        return process.isAlive();
    }

    /** What its gate lets go; for one that was started with {@link Builder#recordedAgent}. */
    public Recording recording() {
        return recording;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** All of its standard output so far. */
    public String stdout() {
        return out.toString();
    }

    /** All of its standard error so far. */
    public String stderr() {
        return err.toString();
    }

    /** What went wrong, with the command and all that the program printed. */
    public AssertionError trouble(String what) {
        return new AssertionError("The program " + what + "\n--- command\n" + command + "\n--- stdout\n" + tail(out) + "\n--- stderr\n"
                + tail(err));
    }

    private static String tail(StringBuffer text) {
        return text.length() <= 30_000 ? text.toString() : "…" + text.substring(text.length() - 30_000);
    }

    @Override
    public void close() {
        destroy();
        deleteFiles();
        if (recording != null) {
            recording.delete();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(destroyer);
        } catch (IllegalStateException ending) {
            // this JVM ends, and the hook runs or has run
        }
    }

    private void destroy() {
        process.destroyForcibly();
    }

    /** Those that it leaves behind, as it was killed. */
    private void deleteFiles() {
        process.onExit().orTimeout(10, TimeUnit.SECONDS).handle((ended, late) -> ended).join();
        try (Stream<Path> files = Files.walk(temporary)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(SOCKETS.resolve(".java_pid" + pid()));
        } catch (IOException | UncheckedIOException stillInUse) {
            // by a program that it has started; mvn clean takes them
        }
    }

    private void read(InputStream stream, StringBuffer all, LinkedBlockingQueue<String> queue) {
        Thread reader = new Thread(() -> {
            try (BufferedReader r = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line; (line = r.readLine()) != null; ) {
                    all.append(line).append('\n');
                    if (queue != null) {
                        queue.add(line);
                    }
                }
            } catch (IOException destroyed) {
                // no more lines
            }
            if (queue != null) {
                queue.add(END);
            }
        }, "fork-output");
        reader.setDaemon(true);
        readers.add(reader);
        reader.start();
    }
}
