package io.tempolimit.benchmarks.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes 500 bytes to a socket as often as it is told to, and says how much processor time its thread took for that. Arguments:
 * {@code binary}, {@code text}, {@code method} or {@code request}, and a port.
 */
public final class Writes {
    private Writes() {
    }

    public static void main(String[] arguments) throws IOException {
        byte[] bytes = bytes(arguments[0]);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(arguments[1]))) {
            OutputStream out = socket.getOutputStream();
            for (String line; (line = in.readLine()) != null; ) {
                long begin = threads.getCurrentThreadCpuTime();
                for (int i = Integer.parseInt(line); i > 0; i--) {
                    out.write(bytes);
                }
                System.out.println(threads.getCurrentThreadCpuTime() - begin);
            }
        }
        System.exit(0);
    }

    private static byte[] bytes(String what) {
        byte[] bytes = new byte[500];
        Arrays.fill(bytes, (byte) (what.equals("binary") ? 0 : 'x'));
        String begin = what.equals("text") ? "Some words, and " : what.equals("method") ? "SELECT * FROM pages\n"
                : what.equals("request") ? "GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n" : "";
        System.arraycopy(begin.getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, begin.length());
        return bytes;
    }
}
