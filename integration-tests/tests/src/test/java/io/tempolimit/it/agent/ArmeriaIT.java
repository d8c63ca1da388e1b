package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What only Armeria has: timeouts that begin before a hop is sent, a context to cancel it by, and a request that asks
 * for HTTP/2.
 */
class ArmeriaIT {
    private static final long SECOND = 1_000_000_000L;

    /** Reads a command a line: what to do, and a URL. Gives a status, or the exception. */
    private static final String PROGRAM = """
            import com.linecorp.armeria.client.*;
            import com.linecorp.armeria.client.retry.*;
            import com.linecorp.armeria.common.*;
            import java.io.*;
            import java.util.concurrent.*;
            public class Sends {
                static HttpResponse begin(WebClient client, String url) {
                    return client.execute(HttpRequest.of(RequestHeaders.of(HttpMethod.GET, url)));
                }

                static Object answer(HttpResponse response) throws Exception {
                    try {
                        return response.aggregate().get(60, TimeUnit.SECONDS).status().code();
                    } catch (ExecutionException e) {
                        return e.getCause().getClass().getName();
                    }
                }

                static Object plain(String url) throws Exception {
                    return answer(begin(WebClient.of(), url));
                }

                static Object retry(String url) throws Exception {
                    return answer(begin(WebClient.builder().responseTimeoutMillis(4000)
                            .decorator(RetryingClient.newDecorator(RetryRule.failsafe())).build(), url));
                }

                static Object fromStart(String url) throws Exception {
                    Class<?> mode = Class.forName("com.linecorp.armeria.client.ResponseTimeoutMode");
                    WebClientBuilder builder = WebClient.builder().responseTimeoutMillis(4000);
                    WebClientBuilder.class.getMethod("responseTimeoutMode", mode).invoke(builder, mode.getField("FROM_START").get(null));
                    WebClient client = builder.build();
                    begin(WebClient.of(), url); // just before, so that the next one waits for longer than its timeout
                    return answer(begin(client, url));
                }

                static Object cancel(String url) throws Exception {
                    begin(WebClient.of(), url);
                    String failure;
                    try (ClientRequestContextCaptor contexts = Clients.newContextCaptor()) {
                        HttpResponse response = begin(WebClient.of(), url + "cancelled");
                        CompletableFuture<?> answer = response.aggregate();
                        ClientRequestContext context = contexts.get();
                        RequestContext.class.getMethod("cancel").invoke(context);
                        failure = answer.handle((r, e) -> e.getCause().getClass().getName()).get(60, TimeUnit.SECONDS);
                        context.log().whenComplete().get(60, TimeUnit.SECONDS);
                    }
                    return failure + " " + answer(begin(WebClient.of(), url + "next"));
                }
            """ + Source.COMMANDS + "}";

    private static final Server SERVER = Server.start();
    private static final Map<String, Fork> FORKS = new HashMap<>();

    /** With a token every five seconds, which is longer than its timeouts. */
    private static Fork program(String version, int java) {
        return FORKS.computeIfAbsent(version, v -> {
            List<Path> jars = Source.jarsOf(version);
            Fork.Builder builder = Jvm.on(java).recordedAgent("exclude=-private,user-agent.check=off,learn=false,rate=0.2,burst=1")
                    .classpath(Source.compile(8, jars, PROGRAM));
            jars.forEach(builder::classpath);
            return builder.main("Sends").start();
        });
    }

    @AfterAll
    static void end() {
        FORKS.values().forEach(Fork::close);
        SERVER.close();
    }

    /** Without a question before whether the site speaks HTTP/2. */
    private static String url(Server.Site site) {
        return site.url("/").replace("http:", "h1c:");
    }

    private static String ask(Fork fork, String what, String url) {
        fork.tell(what + " " + url);
        String line = fork.line(Jvm.LONG);
        while (!line.startsWith("=")) { // what the libraries print
            line = fork.line(Jvm.LONG);
        }
        return line.substring(1);
    }

    /** The deadline for all attempts ran while they waited for their turns, so there was no second attempt. */
    @ParameterizedTest
    @CsvSource({"armeria-oldest, 8", "armeria-newest, 25"})
    void theDeadlineForAllAttemptsIsMovedByTheirWaits(String version, int java) {
        Fork fork = program(version, java);
        Server.Site site = SERVER.site("127.97", Server.Script.inTurn(Server.Script.status(200), Server.Script.status(503),
                Server.Script.status(200)));
        assertEquals("200", ask(fork, "plain", url(site)), fork::stderr);
        assertEquals("200", ask(fork, "retry", url(site)), fork::stderr);
        assertEquals(3, site.arrivals().size());
        assertEquals(3, fork.recording().departures(site.host()).size());
        assertFalse(fork.stderr().contains(" WARN "), fork::stderr);
    }

    @ParameterizedTest
    @CsvSource("armeria-newest, 25")
    void aResponseTimeoutFromTheStartBeginsAnewAfterTheWait(String version, int java) {
        Fork fork = program(version, java);
        Server.Site site = SERVER.site("127.97", Server.Script.inTurn(Server.Script.status(200), Server.Script.status(200),
                Server.Script.status(200), silent -> silent.pause(Duration.ofSeconds(10))));
        assertEquals("200", ask(fork, "fromStart", url(site)), fork::stderr);
        assertEquals("com.linecorp.armeria.client.ResponseTimeoutException", ask(fork, "fromStart", url(site)));
        assertFalse(fork.stderr().contains("ERROR"), fork::stderr);
    }

    @ParameterizedTest
    @CsvSource("armeria-newest, 25")
    void cancellingTheContextEndsTheWait(String version, int java) {
        Fork fork = program(version, java);
        Server.Site site = SERVER.site("127.97", Server.Script.status(200));
        long start = System.nanoTime();
        assertEquals("com.linecorp.armeria.client.ResponseCancellationException 200", ask(fork, "cancel", url(site)), fork::stderr);
        assertEquals(List.of("/", "/next"), site.arrivals().stream().map(Server.Arrival::path).toList());
        // In the cancelled one's place. Behind it, the next one would have waited for ten seconds.
        assertTrue(site.times().get(1) - start < 10 * SECOND, () -> site.times().toString());
        assertFalse(fork.stderr().contains("ERROR"), fork::stderr);
    }

    /** To a site without TLS. Nobody counts it as unseen, and the next request pays for it. */
    @ParameterizedTest
    @CsvSource("armeria-newest, 25")
    void theRequestThatAsksForHttp2TakesAToken(String version, int java) {
        Fork fork = program(version, java);
        Server.Site site = SERVER.site("127.97", Server.Script.status(200));
        long start = System.nanoTime();
        assertEquals("200", ask(fork, "plain", site.url("/0")), fork::stderr);
        assertEquals("200", ask(fork, "plain", site.url("/1")), fork::stderr);
        List<Server.Arrival> arrivals = site.arrivals();
        assertEquals(List.of("OPTIONS *", "GET /0", "GET /1"), arrivals.stream().map(a -> a.method() + " " + a.path()).toList());
        assertTrue(arrivals.get(2).nanos() - start >= 10 * SECOND, () -> site.times().toString());
        assertFalse(fork.stderr().contains(" WARN "), fork::stderr);
    }
}
