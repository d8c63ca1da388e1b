package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deprecated client of Apache HttpClient 4, which does all in one class of its own, and many an old crawler uses. */
class DefaultHttpClientIT {
    private static final Server SERVER = Server.start();
    private static final Pacing PACING = new Pacing(1, 1);

    /** Arguments: a proxy's host and port; then URLs. */
    private static final String PROGRAM = """
            import org.apache.http.HttpHost;
            import org.apache.http.HttpResponse;
            import org.apache.http.auth.*;
            import org.apache.http.client.methods.HttpGet;
            import org.apache.http.conn.params.ConnRoutePNames;
            import org.apache.http.impl.client.DefaultHttpClient;
            import org.apache.http.util.EntityUtils;
            public class Old {
                public static void main(String[] args) throws Exception {
                    DefaultHttpClient client = new DefaultHttpClient();
                    client.getParams().setParameter(ConnRoutePNames.DEFAULT_PROXY, new HttpHost(args[0], Integer.parseInt(args[1])));
                    client.getCredentialsProvider().setCredentials(AuthScope.ANY, new UsernamePasswordCredentials("me", "secret"));
                    for (int i = 2; i < args.length; i++) {
                        HttpResponse response = client.execute(new HttpGet(args[i]));
                        EntityUtils.consume(response.getEntity());
                        System.out.println(response.getStatusLine().getStatusCode());
                    }
                }
            }""";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"apache-4-oldest", "apache-4-newest"})
    void isPacedThroughAProxyThatAsksForAPassword(String version) {
        List<Path> jars = Source.jarsOf(version);
        Server.Site free = SERVER.site("127.61", Server.Script.status(200));
        Server.Site target = SERVER.site("127.60", Server.Script.status(200));
        Server.Site source = SERVER.site("127.60", exchange -> {
            if (exchange.request().header("Proxy-Authorization") == null) {
                exchange.status(407).header("Proxy-Authenticate", "Basic realm=\"proxy\"").send("who are you?");
            } else {
                exchange.status(302).header("Location", target.url("/there")).send("");
            }
        });
        // The server itself is the proxy: it goes by the host that is asked for, whatever address it was reached at.
        try (Fork fork = Jvm.on(8).recordedAgent("exclude=-private;127.61.0.0/16,rate=1,burst=1")
                .classpath(Source.compile(8, jars, PROGRAM)).jarsOf(jars.get(0).getParent())
                .main("Old", "127.0.0.1", String.valueOf(SERVER.port()), free.url("/"), source.url("/0"), source.url("/1"),
                source.url("/2")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals(List.of("200", "200", "200", "200"), Jvm.lines(fork.stdout()));
            long begun = free.times().get(0);
            PACING.checkSince(begun, let(source), fork.recording().departures(source.host()));
            assertEquals(3, fork.recording().departures(source.host()).size(), "were the proxy's questions charged?");
            PACING.checkSince(begun, target.times(), fork.recording().departures(target.host()));
        }
        assertEquals(6, source.arrivals().size());
        assertEquals(3, let(source).size());
    }

    /** What came there with the password. */
    private static List<Long> let(Server.Site source) {
        return source.arrivals().stream().filter(a -> a.header("Proxy-Authorization") != null).map(Server.Arrival::nanos).toList();
    }
}
