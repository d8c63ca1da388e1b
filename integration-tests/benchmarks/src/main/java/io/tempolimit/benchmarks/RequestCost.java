package io.tempolimit.benchmarks;

import io.tempolimit.it.harness.Javas;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What the agent costs a request that need not wait, through each client: processor time of the process, beside the
 * same program without the agent. A JVM without the agent and one with each setting live side by side, and take short
 * rounds in random turns, so that whatever else goes on in the machine meets all alike; of each the round counts that
 * one in ten is not above, for what disturbs only adds. Over several sets of JVMs, of which no two compile a program in
 * the same way, the mean of the ratios counts, with the interval that holds it in 19 of 20 cases.
 */
final class RequestCost {
    private static final double BUDGET = 1.05;
    private static final int ROUNDS = 60;
    private static final int WARM_UP = 30_000;
    private static final double ROUND_NANOS = 50e6;
    /** Student's t for 95%, by the number of sets. */
    private static final double[] T = {0, 0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26};
    private static final String[] SETTINGS =
            {null, "exclude=-private;127.0.0.1", "exclude=-private,rate=1000000,burst=1000000,user-agent.check=off"};

    /** A client; {@code folder} is empty for one of the JVM itself. */
    private record Client(String name, String folder, String adapter) {
        List<Path> classpath() throws IOException {
            Path tests = StartupCost.jar().resolve("../../..").normalize();
            List<Path> all = new ArrayList<>(List.of(tests.resolve("programs/target/classes")));
            if (!folder.isEmpty()) {
                try (Stream<Path> jars = Files.list(tests.resolve("clients").resolve(folder).resolve("target/lib"))) {
                    jars.forEach(all::add);
                }
            }
            return all;
        }
    }

    private static final List<Client> CLIENTS = List.of(
            new Client("HttpURLConnection", "", "UrlConnection"),
            new Client("JDK HttpClient", "", "Jdk"),
            new Client("OkHttp 5", "okhttp-5-newest", "OkHttp"),
            new Client("Apache HttpClient 4", "apache-4-newest", "Apache4"),
            new Client("Apache HttpAsyncClient 4", "apache-4-async-newest", "Apache4Async"),
            new Client("Apache HttpClient 5", "apache-5-newest", "Apache5"),
            new Client("Apache HttpClient 5 async", "apache-5-newest", "Apache5Async"),
            new Client("Jetty HttpClient 12", "jetty-12-newest", "Jetty12"),
            new Client("Reactor Netty", "reactor-netty-newest", "ReactorNetty"),
            new Client("Armeria", "armeria-newest", "Armeria"),
            new Client("AWS SDK 2 on Netty", "aws-netty-newest", "AwsNetty"),
            new Client("Helidon 4", "helidon-newest", "Helidon"),
            new Client("Pekko HTTP", "pekko-newest", "Pekko"),
            new Client("AsyncHttpClient 3", "async-http-client-3-newest", "AsyncHttpClient"),
            new Client("Vert.x 5", "vertx-5-newest", "Vertx"),
            new Client("Ktor CIO 3", "ktor-3-newest", "KtorCio"));

    private final int sets;
    private final String url;
    private final Random random = new Random(1);

    private RequestCost(int sets, String url) {
        this.sets = sets;
        this.url = url;
    }

    /** @param sets from 2 to 10 */
    static boolean measure(int sets, String only) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"))) {
            daemon(() -> accept(server));
            RequestCost cost = new RequestCost(sets, "http://127.0.0.1:" + server.getLocalPort() + "/");
            System.out.println("Processor time of a request that need not wait, and how many times that "
                    + "with the agent; " + sets + " sets of JVMs, Java 17");
            System.out.printf("%n%-26s %12s %26s %26s%n", "client", "µs without", "host excluded", "rate never reached");
            boolean any = false;
            boolean kept = true;
            for (Client client : CLIENTS) {
                if (client.name.contains(only)) {
                    any = true;
                    kept &= cost.row(client);
                }
            }
            if (!any) {
                throw new IllegalArgumentException("no client's name has '" + only + "' in it");
            }
            System.out.printf("Budget: %.2f times for an excluded host%n", BUDGET);
            return kept;
        }
    }

    private boolean row(Client client) throws IOException {
        double[] micros = new double[sets];
        double[][] logs = new double[SETTINGS.length][sets];
        for (int set = 0; set < sets; set++) {
            List<Program> programs = new ArrayList<>();
            try {
                for (String settings : SETTINGS) {
                    programs.add(new Program(client.classpath(), settings, "Requests", client.adapter, url));
                }
                micros[set] = set(programs, logs, set);
            } finally {
                programs.forEach(Program::close);
            }
        }
        Interval excluded = Interval.of(logs[1]);
        boolean kept = excluded.mean <= BUDGET;
        String verdict = Benchmarks.verdict(kept)
                + (excluded.low <= BUDGET && BUDGET < excluded.high ? ", but for the noise: more sets would tell" : "");
        System.out.printf(Locale.ROOT, "%-26s %12.1f %26s %26s   %s%n", client.name, Benchmarks.median(micros),
                excluded, Interval.of(logs[2]), verdict);
        return kept;
    }

    private double set(List<Program> programs, double[][] logs, int set) {
        double perRequest = 0;
        for (int i = 0; i < 10; i++) { // in turns, for the compilers work in the background
            for (Program program : programs) {
                perRequest = program.run(WARM_UP / 10) / (WARM_UP / 10.0);
            }
        }
        int count = (int) Math.max(100, ROUND_NANOS / perRequest);
        double[][] cpu = new double[programs.size()][ROUNDS];
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
        for (int round = 0; round < ROUNDS; round++) {
            Collections.shuffle(order, random);
            for (int i : order) {
                cpu[i][round] = programs.get(i).run(count) / (double) count;
            }
        }
        for (int i = 1; i < programs.size(); i++) {
            logs[i][set] = Math.log(Benchmarks.firstDecile(cpu[i]) / Benchmarks.firstDecile(cpu[0]));
        }
        return Benchmarks.firstDecile(cpu[0]) / 1000;
    }

    /** The mean of ratios, and what holds it in 19 of 20 cases. */
    private record Interval(double mean, double low, double high) {
        static Interval of(double[] logs) {
            double mean = Arrays.stream(logs).average().orElseThrow();
            double squares = Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
            double half = T[logs.length] * Math.sqrt(squares / (logs.length - 1) / logs.length);
            return new Interval(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "x %.3f (%.3f to %.3f)", mean, low, high);
        }
    }

    private static void accept(ServerSocket server) {
        try {
            for (; ; ) {
                Socket connection = server.accept();
                connection.setTcpNoDelay(true);
                daemon(() -> serve(connection));
            }
        } catch (IOException closed) {
            // the measuring is over
        }
    }

    private static void serve(Socket connection) {
        byte[] answer = ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n"
                + "x".repeat(1000)).getBytes(StandardCharsets.US_ASCII);
        byte[] buffer = new byte[8192];
        try (connection) {
            InputStream in = connection.getInputStream();
            OutputStream out = connection.getOutputStream();
            int newlines = 0; // in a row: two end a head, and there are no bodies
            for (int n; (n = in.read(buffer)) > 0; ) {
                for (int i = 0; i < n; i++) {
                    newlines = buffer[i] == '\n' ? newlines + 1 : buffer[i] == '\r' ? newlines : 0;
                    if (newlines == 2) {
                        newlines = 0;
                        out.write(answer);
                    }
                }
            }
        } catch (IOException gone) {
            // the program was ended
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }
}
