package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A connection that the application leases from Apache's minimal asynchronous client, sends several requests over, and
 * gives back or throws away before they were let go.
 */
class LeasedConnectionIT {
    private static final Server SERVER = Server.start();

    /** Arguments: host, port, the host that is hardly ever let go, and one that is not paced. */
    private static final String PROGRAM = """
            import java.util.*;
            import java.util.concurrent.*;
            import org.apache.hc.client5.http.impl.async.*;
            import org.apache.hc.core5.http.*;
            import org.apache.hc.core5.http.message.BasicHttpRequest;
            import org.apache.hc.core5.http.nio.AsyncClientEndpoint;
            import org.apache.hc.core5.http.nio.entity.StringAsyncEntityConsumer;
            import org.apache.hc.core5.http.nio.support.*;
            public class Leased {
                static Future<Message<HttpResponse, String>> get(AsyncClientEndpoint connection, HttpHost host, String path) {
                    return connection.execute(new BasicRequestProducer(new BasicHttpRequest("GET", host, path), null),
                            new BasicResponseConsumer<>(new StringAsyncEntityConsumer()), null);
                }
                public static void main(String[] args) throws Exception {
                    HttpHost host = new HttpHost("http", args[0], Integer.parseInt(args[1]));
                    HttpHost slow = new HttpHost("http", args[2], Integer.parseInt(args[1]));
                    HttpHost free = new HttpHost("http", args[3], Integer.parseInt(args[1]));
                    try (MinimalHttpAsyncClient client = HttpAsyncClients.createMinimal()) {
                        client.start();
                        AsyncClientEndpoint first = client.lease(free, null).get(20, TimeUnit.SECONDS);
                        System.out.println(get(first, free, "/").get(20, TimeUnit.SECONDS).getHead().getCode());
                        first.releaseAndReuse();
                        for (int round = 0; round < 12; round++) { // more than the pool has for a host
                            AsyncClientEndpoint connection = client.lease(host, null).get(20, TimeUnit.SECONDS);
                            List<Future<Message<HttpResponse, String>>> requests = new ArrayList<>();
                            for (int i = 0; i < 3; i++) {
                                requests.add(get(connection, host, "/" + round + "/" + i));
                            }
                            connection.releaseAndReuse();
                            for (Future<Message<HttpResponse, String>> request : requests) {
                                System.out.println(request.get(20, TimeUnit.SECONDS).getHead().getCode());
                            }
                        }
                        AsyncClientEndpoint connection = client.lease(slow, null).get(20, TimeUnit.SECONDS);
                        System.out.println(get(connection, slow, "/first").get(20, TimeUnit.SECONDS).getHead().getCode());
                        Future<Message<HttpResponse, String>> waits = get(connection, slow, "/second");
                        connection.releaseAndDiscard();
                        try {
                            waits.get(20, TimeUnit.SECONDS);
                        } catch (ExecutionException | CancellationException e) {
                            System.out.println("thrown away");
                        }
                    }
                }
            }""";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"apache-5-oldest", "apache-5-newest"})
    void isGivenBackAfterTheRequestsThatWait(String version) {
        List<Path> jars = Source.jarsOf(version);
        Server.Site site = SERVER.site("127.62", Server.Script.status(200));
        Server.Site slow = SERVER.site("127.63", Server.Script.status(200));
        Server.Site free = SERVER.site("127.61", Server.Script.status(200));
        String slowHost = slow.url("/").replaceAll("^http://|:.*$", "");
        try (Fork fork = Jvm.on(8).recordedAgent("exclude=-private;127.61.0.0/16,user-agent.check=off,rate=20,burst=1")
                .option("-Dtempolimit.domain." + slowHost + ".rate=1/h")
                .classpath(Source.compile(8, jars, PROGRAM)).jarsOf(jars.get(0).getParent())
                .main("Leased", site.url("/").replaceAll("^http://|:.*$", ""), String.valueOf(SERVER.port()), slowHost, free.host())
                .start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 38; i++) {
                expected.add("200");
            }
            expected.add("thrown away");
            assertEquals(expected, Jvm.lines(fork.stdout()));
            assertTrue(!fork.stderr().contains("ERROR"), fork::stderr);
            assertEquals(36, site.times().size());
            new Pacing(20, 1).checkSince(free.times().get(0), site.times(), fork.recording().departures(site.host()));
        }
        assertEquals(1, slow.arrivals().size());
    }
}
