package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client that is known and not woven is named, once; one that the settings leave out is left alone. */
class UnwovenIT {
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#ends")
    void isNamedOnce(int java) {
        Path program = Source.compile(8, "package io.ktor.client.engine.cio;\npublic class CIOEngine { }",
                "package io.micronaut.http.client.netty;\npublic class DefaultHttpClient { }", """
                import java.net.*;
                public class Loads {
                    public static void main(String[] args) throws Exception {
                        Class.forName("io.ktor.client.engine.cio.CIOEngine");
                        URL here = Loads.class.getProtectionDomain().getCodeSource().getLocation();
                        new URLClassLoader(new URL[] {here}, null).loadClass("io.ktor.client.engine.cio.CIOEngine"); // once more, in another loader
                        Class.forName("io.micronaut.http.client.netty.DefaultHttpClient");
                    }
                }""");
        try (Fork fork = Jvm.on(java).agent("").classpath(program).main("Loads").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> lines = Jvm.lines(fork.stderr());
            assertEquals(2, lines.size(), fork::stderr);
            assertEquals(1, lines.stream().filter(l -> l.contains("WARN Ktor CIO is not paced")).count(), fork::stderr);
            assertEquals(1, lines.stream().filter(l -> l.contains("WARN Micronaut HttpClient is not paced")).count(), fork::stderr);
        }
    }

    /** The hooks are there, and a class that they need is not as it must be: the first request tells. */
    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#ends")
    void aVersionThatIsTooOldIsNamedOnce(int java) {
        Path program = Source.compile(8, "package okhttp3;\npublic interface Call { }", "package okhttp3;\npublic class OkHttpClient { }", """
                package okhttp3.internal.connection;
                public class ConnectInterceptor {
                    public Object intercept(Object chain) {
                        return chain;
                    }
                }""", "package okhttp3.internal.http;\npublic class HttpEngine { }", """
                public class Old {
                    public static void main(String[] args) throws Exception {
                        for (int i = 0; i < 2; i++) {
                            System.out.println(new okhttp3.internal.connection.ConnectInterceptor().intercept("went on"));
                        }
                        new okhttp3.internal.http.HttpEngine();
                    }
                }""");
        try (Fork fork = Jvm.on(java).agent("").classpath(program).main("Old").start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals(List.of("went on", "went on"), Jvm.lines(fork.stdout()));
            assertEquals(List.of("WARN OkHttp is not paced: version unknown is older than the hooks",
                    "WARN OkHttp 3.0 to 3.3 is not paced: Tempolimit has no hooks for it"),
                    Jvm.lines(fork.stderr()).stream().map(line -> line.substring(line.indexOf("WARN"))).toList());
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#ends")
    void isLeftOut(int java) {
        try (Server server = Server.start()) {
            Server.Site ok = server.site("127.45", Server.Script.status(200));
            Server.Site other = server.site("127.45", Server.Script.status(200));
            Path jars = Source.jarsOf("okhttp-4-newest").get(0).getParent();
            for (String adapter : new String[] {"OkHttp", "UrlConnection"}) {
                Server.Site site = adapter.equals("OkHttp") ? ok : other;
                try (Scraper scraper = Scraper.start(Jvm.scraper(java).jarsOf(jars).agent("clients=-okhttp," + Jvm.ONE_TOKEN), adapter)) {
                    assertEquals("200", scraper.get(site.url("/")));
                    assertEquals(adapter.equals("OkHttp") ? "200" : "io.tempolimit.RequestRejectedException", scraper.get(site.url("/")));
                }
            }
        }
    }
}
