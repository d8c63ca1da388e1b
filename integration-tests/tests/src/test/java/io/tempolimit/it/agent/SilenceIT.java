package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who is not delayed does not notice the agent: no line but one about the first request that is left out, no warning of
 * the JVM about it.
 */
class SilenceIT {
    private static final Server SERVER = Server.start();
    private static final Path OLD = Source.compile(8, """
            public class Quiet {
                public static void main(String[] args) throws Exception {
                    System.out.println("to out");
                    System.err.println("to err");
                    java.net.HttpURLConnection c = (java.net.HttpURLConnection) new java.net.URL(args[0]).openConnection();
                    System.out.println(c.getResponseCode() + " " + c.getInputStream().read());
                }
            }""");
    private static final Path NEW = Source.compile(11, """
            import java.net.URI;
            import java.net.http.*;
            public class Quiet {
                public static void main(String[] args) throws Exception {
                    System.out.println("to out");
                    System.err.println("to err");
                    HttpClient client = HttpClient.newHttpClient();
                    HttpRequest request = HttpRequest.newBuilder(URI.create(args[0])).build();
                    System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
                    System.out.println(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).get().body());
                    java.net.HttpURLConnection c = (java.net.HttpURLConnection) new java.net.URL(args[0]).openConnection();
                    System.out.println(c.getResponseCode() + " " + c.getInputStream().read());
                }
            }""");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void printsNothing(int java) {
        String plain = said(java, null);
        List<String> lines = new ArrayList<>(said(java, "").lines().toList());
        assertTrue(lines.removeIf(l ->
                l.matches(".* \\[tempolimit\\] INFO 127\\.30\\.\\S+ is not paced: exclude has private; exclude=-private paces it")),
                lines::toString);
        assertEquals(plain.lines().toList(), lines, "with the defaults");
        assertEquals(plain, said(java, "log.level=warn"), "with the defaults, and no log below warnings");
        assertEquals(plain, said(java, "user-agent.check=off,exclude=-private"), "paced, and never delayed");
    }

    private static String said(int java, String agent) {
        Server.Site site = SERVER.site("127.30", Server.Script.status(200));
        Fork.Builder builder = Jvm.on(java).classpath(java < 11 ? OLD : NEW);
        if (agent != null) {
            builder.agent(agent);
        }
        try (Fork fork = builder.main("Quiet", site.url("/")).start()) {
            int code = fork.exit(Jvm.LONG);
            assertEquals(java < 11 ? 1 : 3, site.arrivals().size(), "requests");
            return "exit " + code + "\n--- out\n" + fork.stdout() + "--- err\n" + fork.stderr();
        }
    }
}
