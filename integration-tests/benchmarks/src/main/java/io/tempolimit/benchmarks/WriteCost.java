package io.tempolimit.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the watch for unpaced clients costs a write to a socket: processor time of the thread that writes, with
 * {@code clients=-watch} and without that. JVMs of both kinds take short rounds by turns; of each the round counts that one in ten
 * is not above, for what disturbs only adds.
 */
final class WriteCost {
    /** Nanoseconds of a write that does not begin as a request. */
    private static final double BUDGET = 100;
    private static final int ROUNDS = 40;
    private static final int COUNT = 20_000;
    private static final String SETTINGS = "exclude=-private,user-agent.check=off,report=false,clients=";

    private WriteCost() {
    }

    /** @param sets of JVMs; the median of their differences counts */
    static boolean measure(int sets) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"))) {
            daemon(() -> accept(server));
            System.out.println("Processor time of a write of 500 bytes to a socket, in ns; " + sets + " sets of JVMs, Java 17");
            System.out.printf("%n%-40s %12s %12s%n", "what", "unwatched", "watched: +");
            boolean kept = row("binary", "binary", sets, server) <= BUDGET;
            kept &= row("text", "text", sets, server) <= BUDGET;
            row("text that begins as a request does", "method", sets, server);
            row("a request, which is counted", "request", sets, server);
            System.out.printf("Budget: %.0f ns for binary and text%n", BUDGET);
            return kept;
        }
    }

    private static double row(String name, String what, int sets, ServerSocket server) throws IOException {
        double[] unwatched = new double[sets];
        double[] more = new double[sets];
        for (int set = 0; set < sets; set++) {
            try (Program without = program("-watch", what, server); Program with = program("watch", what, server)) {
                unwatched[set] = compare(without, with, more, set);
            }
        }
        double median = Benchmarks.median(more);
        System.out.printf(Locale.ROOT, "%-40s %12.0f %12.0f%n", name, Benchmarks.median(unwatched), median);
        return median;
    }

    private static Program program(String clients, String what, ServerSocket server) throws IOException {
        return new Program(List.of(), SETTINGS + clients, "Writes", what, "" + server.getLocalPort());
    }

    private static double compare(Program without, Program with, double[] more, int set) {
        double[][] cpu = new double[2][ROUNDS];
        for (int round = -10; round < ROUNDS; round++) { // the compilers work in the background
            double a = without.run(COUNT) / (double) COUNT;
            double b = with.run(COUNT) / (double) COUNT;
            if (round >= 0) {
                cpu[0][round] = a;
                cpu[1][round] = b;
            }
        }
        double least = Benchmarks.firstDecile(cpu[0]);
        more[set] = Benchmarks.firstDecile(cpu[1]) - least;
        return least;
    }

    /** Reads whatever comes. */
    private static void accept(ServerSocket server) {
        List<Socket> all = new ArrayList<>();
        try {
            for (; ; ) {
                Socket connection = server.accept();
                all.add(connection);
                daemon(() -> {
                    byte[] buffer = new byte[1 << 16];
                    try (InputStream in = connection.getInputStream()) {
                        while (in.read(buffer) >= 0) {
                            // to its end
                        }
                    } catch (IOException gone) {
                        // the program was ended
                    }
                });
            }
        } catch (IOException closed) {
            // the measuring is over
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }
}
