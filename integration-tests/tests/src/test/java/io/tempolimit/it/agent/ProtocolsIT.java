package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Http2Server;
import io.tempolimit.it.harness.Server;
import io.vertx.core.http.HttpVersion;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a client and a site agree on about a request: it is one request all the same, on the host that it is for. */
class ProtocolsIT {
    private static final List<String> CLIENTS = List.of("urlConnection", "jdk", "okHttp", "apache4", "apache5", "jetty", "asyncHttpClient");

    /** Reads a command a line: client, URL. Gives the status. */
    private static final String PROGRAM = """
            import java.io.*;
            import java.net.*;
            import java.nio.charset.StandardCharsets;
            public class Sends {
                static final byte[] BODY = "what is sent".getBytes(StandardCharsets.US_ASCII);

                static int urlConnection(String url) throws IOException {
                    HttpURLConnection c = (HttpURLConnection) new URL(url).openConnection();
                    c.setDoOutput(true);
                    c.setFixedLengthStreamingMode(BODY.length);
                    c.setRequestProperty("Expect", "100-continue");
                    try (OutputStream out = c.getOutputStream()) {
                        out.write(BODY);
                    }
                    int status = c.getResponseCode();
                    c.getInputStream().close();
                    return status;
                }

                static final java.net.http.HttpClient JDK = java.net.http.HttpClient.newHttpClient();

                static int jdk(String url) throws Exception {
                    return JDK.send(java.net.http.HttpRequest.newBuilder(URI.create(url)).expectContinue(true)
                            .version(java.net.http.HttpClient.Version.HTTP_1_1)
                            .POST(java.net.http.HttpRequest.BodyPublishers.ofByteArray(BODY)).build(),
                            java.net.http.HttpResponse.BodyHandlers.ofString()).statusCode();
                }

                /** As it does unless told otherwise: it asks for HTTP/2. */
                static int upgrade(String url) throws Exception {
                    return JDK.send(java.net.http.HttpRequest.newBuilder(URI.create(url)).build(),
                            java.net.http.HttpResponse.BodyHandlers.ofString()).statusCode();
                }

                static final okhttp3.OkHttpClient OK_HTTP = new okhttp3.OkHttpClient.Builder().dns(
                        host -> java.util.List.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}))).build();

                static int okHttp(String url) throws IOException {
                    try (okhttp3.Response r = OK_HTTP.newCall(new okhttp3.Request.Builder().url(url).header("Expect", "100-continue")
                            .post(okhttp3.RequestBody.create(BODY)).build()).execute()) {
                        return r.code();
                    }
                }

                static int okHttpGet(String url) throws IOException {
                    try (okhttp3.Response r = OK_HTTP.newCall(new okhttp3.Request.Builder().url(url).build()).execute()) {
                        return r.code();
                    }
                }

                static final org.apache.http.impl.client.CloseableHttpClient APACHE4 =
                        org.apache.http.impl.client.HttpClients.createDefault();

                static int apache4(String url) throws IOException {
                    org.apache.http.client.methods.HttpPost post = new org.apache.http.client.methods.HttpPost(url);
                    post.setEntity(new org.apache.http.entity.ByteArrayEntity(BODY));
                    post.setConfig(org.apache.http.client.config.RequestConfig.custom().setExpectContinueEnabled(true).build());
                    try (org.apache.http.client.methods.CloseableHttpResponse r = APACHE4.execute(post)) {
                        return r.getStatusLine().getStatusCode();
                    }
                }

                static final org.apache.hc.client5.http.impl.classic.CloseableHttpClient APACHE5 =
                        org.apache.hc.client5.http.impl.classic.HttpClients.createDefault();

                static int apache5(String url) throws IOException {
                    org.apache.hc.client5.http.classic.methods.HttpPost post = new org.apache.hc.client5.http.classic.methods.HttpPost(url);
                    post.setEntity(new org.apache.hc.core5.http.io.entity.ByteArrayEntity(BODY, null));
                    post.setConfig(org.apache.hc.client5.http.config.RequestConfig.custom().setExpectContinueEnabled(true).build());
                    return APACHE5.execute(post, r -> r.getCode());
                }

                static org.eclipse.jetty.client.HttpClient jetty;

                static int jetty(String url) throws Exception {
                    if (jetty == null) {
                        jetty = new org.eclipse.jetty.client.HttpClient();
                        jetty.start();
                    }
                    return jetty.POST(url).headers(h -> h.put("Expect", "100-continue"))
                            .body(new org.eclipse.jetty.client.BytesRequestContent(BODY)).send().getStatus();
                }

                static org.asynchttpclient.AsyncHttpClient asyncHttpClient;

                static int asyncHttpClient(String url) throws Exception {
                    if (asyncHttpClient == null) {
                        asyncHttpClient = org.asynchttpclient.Dsl.asyncHttpClient();
                    }
                    return asyncHttpClient.preparePost(url).setHeader("Expect", "100-continue").setBody(BODY).execute().get()
                            .getStatusCode();
                }
            """ + Source.COMMANDS + "}";

    private static Fork fork;

    @BeforeAll
    static void start() {
        Path keys = Source.keys();
        List<Path> jars = Stream.of("okhttp-5-newest", "apache-4-newest", "apache-5-newest", "jetty-12-newest",
                "async-http-client-3-newest").flatMap(client -> Source.jarsOf(client).stream()).toList();
        Fork.Builder builder = Jvm.on(25).recordedAgent("exclude=-private,user-agent.check=off,learn=false,rate=2,burst=1")
                .option("-Djavax.net.ssl.trustStore=" + keys).option("-Djavax.net.ssl.trustStorePassword=secret")
                .option("-Djavax.net.ssl.trustStoreType=PKCS12").classpath(Source.compile(17, jars, PROGRAM));
        jars.forEach(builder::classpath);
        fork = builder.main("Sends").start();
    }

    @AfterAll
    static void end() {
        if (fork != null) { // null without this Java
            fork.close();
        }
    }

    private static void send(String client, String url) {
        fork.tell(client + " " + url);
        String line = fork.line(Jvm.LONG);
        while (!line.startsWith("=")) { // what the libraries print
            line = fork.line(Jvm.LONG);
        }
        assertEquals("=200", line, () -> client + ": " + fork.stderr());
    }

    /** The client sends the head, and the body when the site asks for it. The JDK's client asks for HTTP/2 with its first request. */
    @Test
    void whatTheSiteIsAskedFirstIsNoRequestOfItsOwn() {
        try (Server server = Server.start(); Http2Server http2 = Http2Server.start()) {
            for (String client : CLIENTS) {
                Server.Site site = server.site("127.96", Server.Script.status(200));
                for (int i = 0; i < 2; i++) {
                    send(client, site.url("/" + i));
                }
                List<Server.Arrival> arrivals = site.arrivals();
                assertEquals(List.of("/0", "/1"), arrivals.stream().map(Server.Arrival::path).toList(), client);
                assertTrue(arrivals.stream().allMatch(a -> "100-continue".equalsIgnoreCase(a.header("Expect"))), client);
                assertTrue(arrivals.stream().allMatch(a -> "what is sent".equals(new String(a.body()))), client);
                assertEquals(2, fork.recording().departures(site.host()).size(), client);
            }
            Server.Site declines = server.site("127.96", Server.Script.status(200));
            Server.Site takes = server.site("127.96", Server.Script.status(200));
            for (int i = 0; i < 2; i++) {
                send("upgrade", declines.url("/" + i));
                send("upgrade", http2.url(takes.host(), "/" + i));
            }
            assertEquals(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_2),
                    http2.arrivals(takes.host()).stream().map(Http2Server.Arrival::version).toList());
            assertEquals("h2c", declines.arrivals().get(0).header("Upgrade"));
            assertEquals(2, declines.arrivals().size());
            for (Server.Site site : List.of(declines, takes)) {
                assertEquals(2, fork.recording().departures(site.host()).size());
            }
            assertFalse(fork.stderr().contains(" WARN "), fork::stderr);
        }
    }

    /** After five seconds HttpURLConnection sends the body unasked. That was a timeout, and a second request. */
    @Test
    void aSiteThatDoesNotSayWhetherItWantsTheBodyGetsOneRequest() {
        try (Server server = Server.start()) {
            Server.Site site = server.site("127.96", Server.Script.status(200));
            for (int i = 0; i < 2; i++) {
                send("urlConnection", site.url(Server.UNASKED));
            }
            assertTrue(site.arrivals().stream().allMatch(a -> "what is sent".equals(new String(a.body()))));
            assertEquals(2, site.arrivals().size());
            assertEquals(2, fork.recording().departures(site.host()).size());
            assertFalse(fork.stderr().contains(" WARN "), fork::stderr);
        }
    }

    /** OkHttp sends what is for another host over a connection that it has, if the certificate is for both. */
    @Test
    void hostsThatShareAConnectionArePacedEachByItself() {
        try (Http2Server server = Http2Server.secure(Source.keys(), "secret")) {
            Map<String, Integer> hosts = new LinkedHashMap<>();
            hosts.put("site.example", 2);
            hosts.put("other.example", 3);
            for (int i = 0; i < 3; i++) {
                for (String host : hosts.keySet()) {
                    if (i < hosts.get(host)) {
                        send("okHttpGet", server.url(host, "/" + i));
                    }
                }
            }
            assertEquals(1, hosts.keySet().stream().flatMap(host -> server.arrivals(host).stream()).map(Http2Server.Arrival::connection)
                    .distinct().count());
            hosts.forEach((host, requests) -> {
                assertEquals(requests, server.arrivals(host).size(), host);
                assertEquals(requests, fork.recording().departures(host).size(), host);
            });
            assertFalse(fork.stderr().contains(" WARN "), fork::stderr);
        }
    }
}
