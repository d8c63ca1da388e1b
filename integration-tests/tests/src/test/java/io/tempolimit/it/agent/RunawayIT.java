package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * README's limiter that warns, pauses and gives up on a runaway program, and its reset; the pause is of two seconds, so
 * that nobody waits for five minutes, and tokens
 * are so rare that none comes in while a busy machine spends the first ones.
 */
class RunawayIT {
    private static final Server SERVER = Server.start();

    /** Asks as fast as it can, and counts what it gets; is its own JMX console. */
    private static final Path PROGRAM = Source.compile(8, """
            import java.io.*;
            import java.lang.management.ManagementFactory;
            import java.net.*;
            import java.util.*;
            import java.util.regex.*;
            import javax.management.*;
            public class Runaway {
                public static void main(String[] args) throws Exception {
                    ObjectName name = new ObjectName("io.tempolimit:type=Limiter");
                    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
                    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
                    for (String line; (line = in.readLine()) != null; ) {
                        String[] w = line.split(" ");
                        if (w[0].equals("go")) {
                            Map<String, Integer> got = new TreeMap<>();
                            for (int i = 0; i < Integer.parseInt(w[1]); i++) {
                                got.merge(get(w[2]), 1, Integer::sum);
                            }
                            System.out.println(got);
                        } else {
                            System.out.println(!server.isRegistered(name) ? ""
                                    : server.invoke(name, w[0], new Object[] {w[1]}, new String[] {"java.lang.String"}));
                        }
                    }
                }
                static String get(String url) {
                    try {
                        return "" + ((HttpURLConnection) new URL(url).openConnection()).getResponseCode();
                    } catch (IOException e) {
                        Matcher code = Pattern.compile("[A-Z]+_[A-Z_]+").matcher(e.getMessage());
                        return code.find() ? code.group() : e.toString();
                    }
                }
            }""");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @Test
    void aRunawayProgramIsPausedThenRefusedAndComesBackWhenItIsReset() throws Exception {
        // judged by its head
        Server.Site site = SERVER.site("127.74", exchange -> exchange.header("Content-Type", "image/png").send("page"));
        try (Fork fork = Jvm.on(17)
                .agent("user-agent.check=off,exclude=-private,rate=0.2,window=10/60s,on-limit=reject,escalation.on=limit,"
                        + "cooldown.threshold=1,escalation=2s;lifetime")
                .classpath(PROGRAM).main("Runaway").start()) {
            assertEquals("{200=5, HOST_COOLING_DOWN=94, RATE_LIMIT_EXCEEDED=1}", go(fork, 100, site));
            assertEquals(5, site.arrivals().size());
            Wait.until("the pause is over", fork, () -> go(fork, 1, site).equals("{200=1}"));
            assertEquals("{HOST_BLOCKED=99, RATE_LIMIT_EXCEEDED=1}", go(fork, 100, site), "the probe has left no token");
            assertEquals(6, site.arrivals().size());
            Wait.until("it can be reset", fork, () -> stats(fork, site).contains("\"lifetime_blocked\""));
            fork.ask("reset " + site.host(), Jvm.LONG);
            Wait.until("there is a token, and not almost one", fork,
                    () -> JsonParser.parseString(stats(fork, site)).getAsJsonObject().get("tokens_available").getAsDouble() > 1);
            assertEquals("{200=1}", go(fork, 1, site));
            assertEquals(7, site.arrivals().size());
        }
    }

    private static String go(Fork fork, int requests, Server.Site site) {
        return fork.ask("go " + requests + " " + site.url("/"), Jvm.LONG);
    }

    private static String stats(Fork fork, Server.Site site) {
        return fork.ask("stats " + site.host(), Jvm.LONG);
    }
}
