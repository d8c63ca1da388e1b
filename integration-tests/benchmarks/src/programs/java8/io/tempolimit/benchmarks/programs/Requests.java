package io.tempolimit.benchmarks.programs;

import io.tempolimit.it.programs.Adapter;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.HashMap;

/**
 * Sends as many requests as it is told to, one after the other, and says how much processor time the process took for
 * them. Arguments: the client's adapter, and a URL.
 */
public final class Requests {
    private Requests() {
    }

    public static void main(String[] arguments) throws Exception {
        Adapter adapter = (Adapter) Class.forName("io.tempolimit.it.programs." + arguments[0] + "Adapter")
                .getDeclaredConstructor().newInstance();
        Adapter.Http client = adapter.open(new HashMap<>());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        byte[] buffer = new byte[8192];
        for (String line; (line = in.readLine()) != null; ) {
            int count = Integer.parseInt(line);
            long begin = cpu();
            for (int i = 0; i < count; i++) {
                Adapter.Reply reply = client.send(new Adapter.Request("GET", arguments[1], false));
                if (reply.status != 200) {
                    throw new IllegalStateException("status " + reply.status);
                }
                try (InputStream body = reply.body) {
                    while (body.read(buffer) >= 0) {
                        // to its end
                    }
                }
            }
            System.out.println(cpu() - begin);
        }
        System.exit(0);
    }

    /** Of all threads, in nanoseconds. What Java itself tells of the process is in steps of ten milliseconds. */
    private static long cpu() {
        long sum = 0;
        for (File thread : new File("/proc/self/task").listFiles()) {
            try (BufferedReader in = new BufferedReader(new FileReader(new File(thread, "schedstat")))) {
                String line = in.readLine();
                sum += Long.parseLong(line.substring(0, line.indexOf(' ')));
            } catch (IOException ended) {
                // meanwhile, before its file was opened or before it was read
            }
        }
        return sum;
    }
}
