package io.tempolimit.benchmarks.programs;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;

/** One request by HttpURLConnection, for Java 8, which has no other client. */
public final class OneConnection {
    private OneConnection() {
    }

    public static void main(String[] arguments) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(arguments[0]).openConnection();
        try (InputStream body = connection.getInputStream()) {
            while (body.read() >= 0) {
                // all of it
            }
        }
        Memory.print();
    }
}
