package io.tempolimit.benchmarks;

import com.sun.net.httpserver.HttpServer;
import io.tempolimit.it.harness.Javas;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * What the agent costs small programs: processor time, memory, and time before {@code main}. On each Java that is found, with and without
 * the agent in turn, so that whatever else goes on in the machine meets both alike; medians count. Needs Linux.
 */
final class StartupCost {
    private static final double MEMORY_BUDGET_MIB = 30;
    private static final double PREMAIN_BUDGET_MS = 60;
    /** The kernel's unit of processor time. */
    private static final double TICKS_PER_MS = 0.1;
    private static final String PROGRAMS = "io.tempolimit.benchmarks.programs.";

    /** What is run, and how much processor time more it may take with the agent. */
    private enum Program {
        HELLO("hello world", "Hello", 8, 130),
        CONNECTION("HttpURLConnection", "OneConnection", 8, 280),
        CLIENT("JDK HttpClient", "OneRequest", 11, 500);

        final String label;
        final String type;
        final int since;
        final double budgetMillis;

        Program(String label, String type, int since, double budgetMillis) {
            this.label = label;
            this.type = PROGRAMS + type;
            this.since = since;
            this.budgetMillis = budgetMillis;
        }
    }

    private final int runs;
    private final String classpath = jar().toString();
    private final String agent;
    private final String probe;
    private final String url;

    private StartupCost(int runs, Path probe, String url) {
        this.runs = runs;
        this.probe = "-javaagent:" + probe;
        this.url = url;
        this.agent = agent();
    }

    /** The option that gives it. */
    static String agent() {
        return "-javaagent:" + System.getProperty("tempolimit.agent",
                jar().resolve("../../../../agent/target/tempolimit-agent.jar").normalize().toString());
    }

    static boolean measure(int runs) throws IOException, InterruptedException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "hello".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
        Path probe = Files.createTempFile("probe", ".jar");
        try {
            writeProbe(probe);
            StartupCost cost = new StartupCost(runs, probe, "http://127.0.0.1:" + server.getAddress().getPort() + "/");
            System.out.println("Programs without and with the agent, a request each but for hello world; medians of " + runs
                    + " runs each");
            System.out.println("(on a machine that does other work, wall time says little; load average " + load() + ")");
            System.out.printf("%n%-5s %-18s %24s %28s %22s%n", "Java", "program", "CPU ms", "memory MiB", "wall ms");
            boolean kept = true;
            for (Javas.Java java : Javas.all()) {
                for (Program program : Program.values()) {
                    if (java.version() >= program.since) {
                        kept &= cost.row(java, program);
                    }
                }
                kept &= cost.premain(java);
            }
            return kept;
        } finally {
            server.stop(0);
            Files.delete(probe);
        }
    }

    private boolean row(Javas.Java java, Program program) throws IOException, InterruptedException {
        double[][] cpu = new double[2][runs];
        double[][] memory = new double[2][runs];
        double[][] wall = new double[2][runs];
        run(java, program, false); // brings the files into the machine's cache
        run(java, program, true);
        for (int i = 0; i < runs; i++) {
            for (int with = 0; with < 2; with++) {
                Run run = run(java, program, with == 1);
                cpu[with][i] = run.cpuMillis;
                wall[with][i] = run.wallMillis;
                memory[with][i] = run.said("memory") / 1024;
            }
        }
        double c0 = Benchmarks.median(cpu[0]);
        double c1 = Benchmarks.median(cpu[1]);
        double m0 = Benchmarks.median(memory[0]);
        double m1 = Benchmarks.median(memory[1]);
        boolean kept = c1 - c0 <= program.budgetMillis && m1 - m0 <= MEMORY_BUDGET_MIB;
        System.out.printf("%-5s %-18s %6.0f -> %4.0f (+%3.0f, x %.2f) %9.1f -> %5.1f (+%4.1f) %9.0f -> %4.0f   %s%n", java.version(),
                program.label, c0, c1, c1 - c0, c1 / c0, m0, m1, m1 - m0, Benchmarks.median(wall[0]), Benchmarks.median(wall[1]),
                Benchmarks.verdict(kept));
        return kept;
    }

    private Run run(Javas.Java java, Program program, boolean with) throws IOException, InterruptedException {
        return with ? run(java, agent + "=exclude=-private", program.type, url) : run(java, program.type, url);
    }

    private boolean premain(Javas.Java java) throws IOException, InterruptedException {
        double[] wall = new double[runs];
        double[] cpu = new double[runs];
        for (int i = 0; i < runs; i++) {
            Run probed = run(java, probe, agent, probe + "=again", Program.HELLO.type);
            wall[i] = probed.said("premain") / 1e6;
            cpu[i] = probed.said("premain-cpu") / 1e6;
        }
        double median = Benchmarks.median(wall);
        boolean kept = median < PREMAIN_BUDGET_MS;
        System.out.printf("%-5s before main: %.0f ms on the wall (least %.0f), %.0f of this thread's CPU   %s%n", java.version(), median,
                Benchmarks.least(wall), Benchmarks.median(cpu), Benchmarks.verdict(kept));
        return kept;
    }

    private record Run(double cpuMillis, double wallMillis, List<String> lines) {
        double said(String what) {
            return lines.stream().filter(l -> l.startsWith(what + " ")).mapToDouble(l -> Double.parseDouble(l.substring(what.length() + 1)))
                    .findFirst().orElseThrow(() -> new IllegalStateException("no " + what + " in " + lines));
        }
    }

    private Run run(Javas.Java java, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java.launcher().toString(), "-cp", classpath));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("TEMPOLIMIT_")
                || name.equals("JAVA_TOOL_OPTIONS") || name.equals("JDK_JAVA_OPTIONS"));
        double cpu = cpuOfChildren();
        long began = System.nanoTime();
        Process process = builder.start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader out = process.inputReader()) {
            for (String line; (line = out.readLine()) != null; ) {
                lines.add(line);
            }
        }
        int code = process.waitFor();
        double wall = (System.nanoTime() - began) / 1e6;
        if (code != 0) {
            throw new IllegalStateException(command + " ended with " + code + ": " + lines);
        }
        return new Run(cpuOfChildren() - cpu, wall, lines);
    }

    /** User and system time of all processes that have ended under this one. */
    private static double cpuOfChildren() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_PER_MS;
    }

    private static String load() throws IOException {
        String text = Files.readString(Path.of("/proc/loadavg"));
        return text.substring(0, text.indexOf(' '));
    }

    /** Of the benchmarks. */
    static Path jar() {
        try {
            return Path.of(StartupCost.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void writeProbe(Path jar) throws IOException {
        String entry = (PROGRAMS + "Probe").replace('.', '/') + ".class";
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", PROGRAMS + "Probe");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream in = StartupCost.class.getClassLoader().getResourceAsStream(entry)) {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
        }
    }
}
