package io.tempolimit.benchmarks.programs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** One request by the JDK's HttpClient. */
public final class OneRequest {
    private OneRequest() {
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(arguments[0])).build(), HttpResponse.BodyHandlers.ofString());
        Memory.print();
    }
}
