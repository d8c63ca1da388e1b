package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A site with TLS behind a proxy that asks for a password: neither the tunnel nor that question is a request, and each page is one. */
class TunnelIT {
    private static final String SITE = "site.example";
    private static final String SAYS_UNASKED = "OkHttp:okhttp-5-newest";

    static Stream<Arguments> clients() {
        List<String> clients = List.of("UrlConnection", "Jdk", SAYS_UNASKED, "OkHttp:okhttp-3-oldest",
                "OkHttp2:okhttp-2-newest", "CommonsHttpClient:commons-httpclient-3-newest", "Apache4:apache-4-newest",
                "Apache4Async:apache-4-async-newest", "Apache5:apache-5-newest", "Apache5Async:apache-5-newest",
                "AsyncHttpClient:async-http-client-2-newest", "Jetty12:jetty-12-newest");
        return clients.stream().flatMap(client -> Jvm.turn(clients.indexOf(client), oldestJava(client))
                .mapToObj(java -> Arguments.of(client, java)));
    }

    private static int oldestJava(String client) {
        return client.startsWith("Jetty12") ? 17 : client.equals("Jdk") ? 11 : 8;
    }

    @ParameterizedTest
    @MethodSource("clients")
    void eachPageInATunnelIsOneRequestAndTheTunnelIsNone(String client, int java) throws Exception {
        String[] parts = client.split(":");
        Path keys = Source.keys();
        Fork.Builder builder = Jvm.scraper(java).agent("rate=100,burst=100,user-agent.check=off")
                .option("-Djavax.net.ssl.trustStore=" + keys).option("-Djavax.net.ssl.trustStorePassword=secret")
                .option("-Djavax.net.ssl.trustStoreType=PKCS12")
                .option("-Djdk.http.auth.tunneling.disabledSchemes=");
        if (parts.length > 1) {
            Source.jarsOf(parts[1]).forEach(builder::classpath);
        }
        try (Server server = Server.start().guardsTunnels(Source.tls()); Scraper scraper = Scraper.start(builder, parts[0])) {
            Server.Site site = server.named(SITE, Server.Script.status(200));
            scraper.with("user=me password=secret proxy=127.0.0.1:" + server.port());
            for (int i = 0; i < 3; i++) {
                assertEquals("200", scraper.get("https://" + SITE + "/" + i), scraper.fork::stderr);
            }
            assertEquals(List.of("/0", "/1", "/2"), site.arrivals().stream().map(Server.Arrival::path).toList());
            assertTrue(server.asked() > 0 || client.equals(SAYS_UNASKED), "it says its password unasked");
            assertEquals(3, scraper.statistics(SITE).get("total_requests").getAsInt(), () -> scraper.statistics(SITE).toString());
            assertFalse(scraper.fork.stderr().contains(" WARN "), scraper.fork::stderr);
        }
    }
}
