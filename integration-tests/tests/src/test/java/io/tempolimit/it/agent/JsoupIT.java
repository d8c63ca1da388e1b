package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** jsoup's own timeout is for the whole of a request, and begins before the request waits for its turn. */
class JsoupIT {
    private static final Server SERVER = Server.start();
    private static final byte[] PAGE = ("<p>page " + "x".repeat(200_000)).getBytes();

    /** Arguments: a URL to warm up with; then URLs. Prints how many characters of text each has, or what went wrong. */
    private static final Path PROGRAM = Source.compile(8, Source.jarsOf("jsoup-oldest"), """
            public class Reader {
                public static void main(String[] args) {
                    for (int i = 0; i < args.length; i++) {
                        try {
                            int length = org.jsoup.Jsoup.connect(args[i]).timeout(i == 0 ? 0 : 7000).maxBodySize(0).get().text().length();
                            System.out.println(length);
                        } catch (java.io.IOException e) {
                            System.out.println(e);
                        }
                    }
                }
            }""");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Eight seconds' wait, with a timeout of seven, which a busy machine may use up most of. */
    @ParameterizedTest
    @CsvSource({"8,jsoup-oldest,false", "8,jsoup-newest,false", "11,jsoup-newest,true", "25,jsoup-newest,true"})
    void aWaitDoesNotUseUpTheTimeoutAndWhatTheSiteTakesDoes(int java, String version, boolean httpClient) {
        Server.Site site = SERVER.site("127.59", exchange -> {
            exchange.header("Content-Type", "text/html");
            if (!exchange.request().path().equals("/slow")) {
                exchange.send(PAGE);
                return;
            }
            for (int i = 0; i < 60; i++) {
                exchange.chunk("<p>line".getBytes()).pause(Duration.ofMillis(200));
            }
            exchange.end();
        });
        Server.Site warm = SERVER.site("127.58", exchange -> exchange.header("Content-Type", "text/html").send(PAGE));
        Fork.Builder builder = Jvm.on(java).option("-Djsoup.useHttpClient=" + httpClient)
                .recordedAgent("user-agent.check=off,exclude=-private;127.58.0.0/16,rate=0.125,burst=1")
                .classpath(PROGRAM).classpath(Source.jarsOf(version).toArray(new Path[0]));
        try (Fork fork = builder.main("Reader", warm.url("/"), site.url("/a"), site.url("/b"), site.url("/slow")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> said = Jvm.lines(fork.stdout());
            assertEquals(List.of("200005", "200005", "200005"), said.subList(0, 3));
            assertTrue(said.get(3).contains("Timeout"), said::toString);
            new Pacing(0.125, 1).checkSince(warm.times().get(0), site.times(), fork.recording().departures(site.host())); // it did wait
        }
    }
}
