package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code HttpURLConnection} connects for one redirect more than {@code http.maxRedirects} allows, and sends no request there.
 * The next request does not pay for it.
 */
class RedirectLimitIT {
    /** Nanoseconds between two requests. */
    private static final long INTERVAL = 10_000_000_000L;

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void theRedirectThatIsNotFollowedCostsNothing(int java) {
        Path program = Source.compile(8, """
                import java.io.*;
                import java.net.*;
                public class Redirects {
                    public static void main(String[] args) {
                        System.out.println(get(args[0]) + " " + get(args[1]));
                    }
                """ + Source.GET + "}");
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.86", exchange -> {
                if (exchange.request().path().equals("/loop")) {
                    exchange.status(302).header("Location", "/loop").send("");
                } else {
                    exchange.status(200).send("");
                }
            });
            try (Fork fork = Jvm.on(java).option("-Dhttp.maxRedirects=2").agent("user-agent.check=off,exclude=-private,rate=0.1,burst=1")
                    .classpath(program).main("Redirects", site.url("/loop"), site.url("/")).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                assertEquals("java.net.ProtocolException 200\n", fork.stdout(), fork::stderr);
            }
            List<Server.Arrival> arrivals = site.arrivals();
            assertEquals(List.of("/loop", "/loop", "/"), arrivals.stream().map(Server.Arrival::path).toList());
            long wait = arrivals.get(2).nanos() - arrivals.get(1).nanos();
            assertTrue(wait < INTERVAL * 3 / 2, () -> "as long as two requests: " + wait);
        }
    }
}
