package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code HttpURLConnection} sends a GET once more by itself where the site has closed its connection. The second attempt of a probe did
 * not count as the probe, so a dead site was asked at the full rate for ever.
 */
class DeadSiteIT {
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aSiteThatClosesEachConnectionIsLeftAlone(int java) {
        Path program = Source.compile(8, """
                import java.io.*;
                import java.net.*;
                public class Dead {
                    public static void main(String[] args) {
                        for (int i = 0; i < 30; i++) {
                            System.out.println(get(args[0]));
                        }
                    }
                """ + Source.GET + "}");
        try (Server server = Server.start()) {
            Server.Script good = Server.Script.status(200);
            Server.Site site = server.site("127.87", Server.Script.inTurn(good, good, good, exchange -> { }));
            // the first pause is of 1.5 s, and the one after a probe that fails of 6 s
            try (Fork fork = Jvm.on(java).agent("user-agent.check=off,exclude=-private,rate=100,max-wait=4s")
                    .classpath(program).main("Dead", site.url("/")).start()) {
                assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
                String[] got = fork.stdout().split("\n");
                assertEquals("io.tempolimit.RequestRejectedException", got[29], fork::stderr);
                assertTrue(site.arrivals().size() <= 30, () -> site.arrivals().size() + " requests, " + fork.stdout());
            }
        }
    }
}
