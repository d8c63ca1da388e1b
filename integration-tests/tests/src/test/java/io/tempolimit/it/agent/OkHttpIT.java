package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only OkHttp has: a queue between the gate and the network, and interceptors that send by themselves. */
class OkHttpIT {
    /**
     * Arguments: {@code execute} or {@code enqueue}, how many calls at once, what an interceptor sends before each ({@code nothing},
     * {@code socket}, {@code connection}), the site's host, another host, a port. Prints each status.
     */
    private static final String PROGRAM = """
            import java.io.*;
            import java.net.*;
            import java.util.*;
            import java.util.concurrent.*;
            import okhttp3.*;
            public class Intercepts {
                static class Token implements Interceptor {
                    final String how;
                    final List<String> hosts;
                    final int port;

                    Token(String how, List<String> hosts, int port) {
                        this.how = how;
                        this.hosts = hosts;
                        this.port = port;
                    }

                    public Response intercept(Interceptor.Chain chain) throws IOException {
                        for (String host : hosts) {
                            fetch(host);
                        }
                        return chain.proceed(chain.request());
                    }

                    void fetch(String host) throws IOException {
                        if (how.equals("connection")) {
                            ((HttpURLConnection) new URL("http://" + host + ":" + port + "/token").openConnection()).getResponseCode();
                        } else if (how.equals("socket")) {
                            try (Socket socket = new Socket(host, port)) {
                                socket.getOutputStream().write(("GET /token HTTP/1.1\\r\\nHost: " + host + ":" + port
                                        + "\\r\\nConnection: close\\r\\n\\r\\n").getBytes("US-ASCII"));
                                while (socket.getInputStream().read() >= 0) {
                                    // until the site closes it
                                }
                            }
                        }
                    }
                }

                public static void main(String[] args) throws Exception {
                    int port = Integer.parseInt(args[5]);
                    final CountDownLatch left = new CountDownLatch(Integer.parseInt(args[1]));
                    Dispatcher dispatcher = new Dispatcher();
                    dispatcher.setMaxRequestsPerHost(1);
                    OkHttpClient client = new OkHttpClient.Builder().dispatcher(dispatcher)
                            .addInterceptor(new Token(args[2], Arrays.asList(args[3], args[4]), port)).build();
                    for (long i = left.getCount(); i > 0; i--) {
                        Call call = client.newCall(new Request.Builder().url("http://" + args[3] + ":" + port + "/").build());
                        if (args[0].equals("execute")) {
                            System.out.println(call.execute().code());
                            left.countDown();
                            continue;
                        }
                        call.enqueue(new Callback() {
                            public void onFailure(Call call, IOException e) {
                                System.out.println(e);
                                left.countDown();
                            }

                            public void onResponse(Call call, Response response) {
                                System.out.println(response.code());
                                response.body().close();
                                left.countDown();
                            }
                        });
                    }
                    left.await();
                    System.exit(0);
                }
            }
            """;

    private static Fork run(int java, String jars, String settings, String... args) {
        List<Path> libraries = Source.jarsOf(jars);
        Fork.Builder builder = Jvm.on(java).agent("exclude=-private,user-agent.check=off,learn=false," + settings)
                .classpath(Source.compile(8, libraries, PROGRAM));
        libraries.forEach(builder::classpath);
        try (Fork fork = builder.main("Intercepts", args).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            return fork;
        }
    }

    /**
     * The first call is answered so late that the others leave the dispatcher's queue beyond their turns, and wait again. On a busy machine
     * the first one may be late, too.
     */
    @ParameterizedTest
    @CsvSource({"8, okhttp-3-oldest", "25, okhttp-5-newest"})
    void aCallThatWaitsAtTheGateAndWhereItLeavesHasWaitedOnce(int java, String jars) {
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.99", Server.Script.inTurn(
                    exchange -> exchange.pause(Duration.ofSeconds(3)).status(200).send(""), Server.Script.status(200)));
            Fork fork = run(java, jars, "rate=5,burst=1", "enqueue", "6", "nothing", site.host(), site.host(), "" + server.port());
            assertEquals(Collections.nCopies(6, "200"), Jvm.lines(fork.stdout()));
            assertTrue(fork.stderr().matches("(?s).*Tempolimit: 6 requests to 1 host; [56] waited .*"), fork::stderr);
        }
    }

    /** What it writes to the site itself is not taken for the call's own request, nor the other way round. */
    @ParameterizedTest
    @CsvSource({"8, okhttp-3-oldest, enqueue", "8, okhttp-3-oldest, execute", "25, okhttp-5-newest, enqueue",
        "25, okhttp-5-newest, execute"})
    void whatAnInterceptorWritesToASocketIsCountedAndNamed(int java, String jars, String how) throws Exception {
        Path report = Source.folder().resolve("report");
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.99", Server.Script.status(200));
            Server.Site other = server.site("127.99", Server.Script.status(200));
            run(java, jars, "rate=100,report=" + report, how, "4", "socket", site.host(), other.host(), "" + server.port());
            assertEquals(8, site.arrivals().size());
            assertEquals(4, other.arrivals().size());
            JsonObject all = JsonParser.parseString(Files.readString(report)).getAsJsonObject();
            Map<String, Long> unseen = new TreeMap<>();
            all.getAsJsonArray("unseen").forEach(host -> {
                assertEquals("Intercepts$Token", host.getAsJsonObject().get("by").getAsString());
                unseen.put(host.getAsJsonObject().get("host").getAsString(), host.getAsJsonObject().get("requests").getAsLong());
            });
            assertEquals(Map.of(site.host(), 4L, other.host(), 4L), unseen);
            assertEquals(4, all.getAsJsonArray("domains").get(0).getAsJsonObject().get("total_requests").getAsInt(), all::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"8, okhttp-3-oldest, enqueue, socket", "25, okhttp-5-newest, enqueue, socket", "25, okhttp-5-newest, execute, socket",
        "8, okhttp-3-oldest, execute, connection", "25, okhttp-5-newest, enqueue, connection"})
    void whatAnInterceptorSendsIsPacedIfUnknownClientsAre(int java, String jars, String how, String by) throws Exception {
        Path report = Source.folder().resolve("report");
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.99", Server.Script.status(200));
            Server.Site other = server.site("127.99", Server.Script.status(200));
            Fork fork = run(java, jars, "clients=unknown,rate=10,report=" + report, how, "4", by, site.host(), other.host(),
                    "" + server.port());
            JsonObject all = JsonParser.parseString(Files.readString(report)).getAsJsonObject();
            Map<String, Integer> paced = new TreeMap<>();
            all.getAsJsonArray("domains").forEach(host -> paced.put(host.getAsJsonObject().get("domain").getAsString(),
                    host.getAsJsonObject().get("total_requests").getAsInt()));
            assertEquals(Map.of(site.host(), 8, other.host(), 4), paced);
            assertEquals(0, all.get("unseen_requests").getAsInt());
            assertFalse(fork.stderr().contains("not paced"), fork::stderr);
        }
    }
}
