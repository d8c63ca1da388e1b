package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs that begin requests and never end them: where two may be in flight, the third waited for ever, or for a minute. */
class PlacesIT {
    private static final Server SERVER = Server.start();
    private static final String SETTINGS = "exclude=-private,user-agent.check=off,learn=false,rate=10000,burst=10000,concurrency=2";
    /** Shorter than it takes until a place is given on by time alone. */
    private static final Duration SOON = Duration.ofSeconds(40);

    /**
     * Does something careless twice, on a thread of its own, since a thread does not wait for a place while it has one;
     * and then asks twice.
     * The second argument: whether its heap is collected meanwhile, as a busy program's is.
     */
    private static final String MAIN = """
                public static void main(String[] args) throws Exception {
                    get(args[0] + "warm");
                    if (args[1].equals("true")) {
                        Thread gc = new Thread(() -> {
                            for (;;) {
                                System.gc();
                                try {
                                    Thread.sleep(100);
                                } catch (InterruptedException e) {
                                    return;
                                }
                            }
                        });
                        gc.setDaemon(true);
                        gc.start();
                    }
                    for (int i = 0; i < 2; i++) {
                        Thread thread = new Thread(() -> {
                            try {
                                careless(args[0] + "careless");
                            } catch (Exception e) {
                                e.printStackTrace();
                            }
                        });
                        thread.start();
                        thread.join();
                    }
                    System.out.println(get(args[0] + "1"));
                    System.out.println(get(args[0] + "2"));
                    System.exit(0);
                }
            """;

    @AfterAll
    static void end() {
        SERVER.close();
    }

    private static Path urlConnection(String careless) {
        return Source.compile(8, """
                import java.io.*;
                import java.net.*;
                public class Careless {
                    static void careless(String url) throws Exception {
                        HttpURLConnection c = (HttpURLConnection) new URL(url).openConnection();
                """ + careless + "}" + Source.GET + MAIN + "}");
    }

    private static Path jdk(String careless) {
        return Source.compile(11, """
                import java.io.*;
                import java.net.*;
                import java.net.http.*;
                import java.util.*;
                public class Careless {
                    static HttpClient client = HttpClient.newHttpClient();
                    static HttpRequest request(String url) {
                        return HttpRequest.newBuilder(URI.create(url)).build();
                    }
                    static int get(String url) throws Exception {
                        return client.send(request(url), HttpResponse.BodyHandlers.ofString()).statusCode();
                    }
                    static void careless(String url) throws Exception {
                        try {
                """ + careless + "} catch (IOException e) { }}" + MAIN + "}");
    }

    /** The programs, each on one Java, whether they need a collector, and how many requests reach the site. */
    static List<Arguments> programs() {
        List<Arguments> all = new ArrayList<>();
        add(all, 8, "connects and drops", true, 3, urlConnection("c.connect();"));
        add(all, 8, "opens its output and drops it", true, 3, urlConnection("c.setDoOutput(true); c.getOutputStream();"));
        add(all, 8, "connects and disconnects", false, 3, urlConnection("c.connect(); c.disconnect();"));
        add(all, 8, "has an error and disconnects", false, 5, urlConnection("c.getResponseCode(); c.disconnect();"));
        add(all, 8, "asks whether to send a body, and is refused", false, 5, urlConnection("""
                c = (HttpURLConnection) new URL(url.replace("careless", "unwanted")).openConnection();
                c.setDoOutput(true);
                c.setFixedLengthStreamingMode(4);
                c.setRequestProperty("Expect", "100-continue");
                try {
                    c.getOutputStream();
                    throw new IllegalStateException("it was not asked");
                } catch (ProtocolException e) { }"""));
        add(all, 11, "has a handler that throws", false, 5,
                jdk("client.send(request(url), info -> { throw new IllegalStateException(); });"));
        add(all, 11, "has a cookie handler that throws", false, 3, jdk("""
                HttpClient.newBuilder().cookieHandler(new CookieHandler() {
                    public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers) throws IOException {
                        throw new IOException("no cookies today");
                    }
                    public void put(URI uri, Map<String, List<String>> headers) { }
                }).build().send(request(url), HttpResponse.BodyHandlers.ofString());"""));
        add(all, 11, "has a cookie handler that keeps nothing", false, 5, jdk("""
                HttpClient.newBuilder().cookieHandler(new CookieHandler() {
                    public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers) {
                        return Map.of();
                    }
                    public void put(URI uri, Map<String, List<String>> headers) throws IOException {
                        throw new IOException("no cookies today");
                    }
                }).build().send(request(url), HttpResponse.BodyHandlers.ofString());"""));
        return all;
    }

    private static void add(List<Arguments> all, int oldest, String what, boolean collects, int requests, Path program) {
        Jvm.turn(all.size(), oldest).forEach(java -> all.add(Arguments.of(what, java, collects, requests, program)));
    }

    @ParameterizedTest(name = "{0} on Java {1}")
    @MethodSource("programs")
    void whatIsBegunAndNeverEndedHoldsNoPlace(String what, int java, boolean collects, int requests, Path program) {
        Server.Site site = SERVER.site("127.65", exchange -> {
            exchange.status(switch (exchange.request().path()) {
                case "/careless" -> 404;
                case Server.UNWANTED -> 417;
                default -> 200;
            }).send("a page");
        });
        try (Fork fork = Jvm.on(java).agent(SETTINGS).classpath(program).main("Careless", site.url("/"), String.valueOf(collects))
                .start()) {
            assertEquals(0, fork.exit(SOON), fork::stderr);
            assertEquals(List.of("200", "200"), Jvm.lines(fork.stdout()), fork::stderr);
            assertTrue(!fork.stderr().contains("ERROR"), fork::stderr);
        }
        assertEquals(requests, site.arrivals().size());
    }
}
