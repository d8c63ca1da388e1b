package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A response that a rejection has become is to a program what a site's own would be: each program here says the same of both. */
class RejectionIT {
    private static final Server SERVER = Server.start();
    private static final String ANSWERING = Jvm.ONE_TOKEN.replace("-private", "-private;127.53.0.0/16") + ",reject-with=response";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Runs it without the agent on a host that answers 429, and with the agent on one that answers once and then may not be asked. */
    private static void same(int java, List<Path> jars, String text) {
        Path program = Source.compile(java == 8 ? 8 : 11, jars, text);
        Server.Site refusing = SERVER.site("127.51", exchange -> {
            switch (exchange.request().path()) {
                case "/first" -> exchange.send("first");
                case "/redirect" -> exchange.status(302).header("Location", "/there").send("");
                default -> exchange.status(429).header("Content-Type", "application/json").header("Retry-After", "50")
                        .header("X-Tempolimit", "RATE_LIMIT_EXCEEDED")
                        .send("{\"status\":\"error\",\"code\":\"...");
            }
        });
        Server.Site pacing = SERVER.site("127.52", Server.Script.status(200));
        Server.Site free = SERVER.site("127.53", Server.Script.redirect(pacing.url("/there")));
        String expected = run(java, null, program, jars, refusing.url(""), refusing.url(""));
        String actual = run(java, ANSWERING, program, jars, pacing.url(""), free.url(""));
        assertEquals(expected, actual);
        assertEquals(1, pacing.arrivals().size());
    }

    private static String run(int java, String arguments, Path program, List<Path> jars, String url, String redirecting) {
        Fork.Builder builder = Jvm.on(java).classpath(program).classpath(jars.toArray(new Path[0]));
        if (arguments != null) {
            builder.agent(arguments);
        }
        try (Fork fork = builder.main("Try", url, redirecting).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), () -> fork.stdout() + fork.stderr());
            assertTrue(!fork.stderr().contains("io.tempolimit"), fork::stderr);
            assertTrue(fork.stdout().lines().count() > 3, () -> fork.stdout() + fork.stderr());
            return fork.stdout();
        }
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurnFrom11")
    void jdkHttpClient(int java) {
        same(java, List.of(), """
                import java.net.URI;
                import java.net.http.*;
                import java.net.http.HttpResponse.*;
                import java.nio.*;
                import java.nio.charset.StandardCharsets;
                import java.nio.file.*;
                import java.util.*;
                import java.util.concurrent.*;
                public class Try {
                    static HttpClient client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();
                    static HttpRequest request;
                    interface Show<T> { Object of(T body) throws Exception; }
                    static String head(Object text) { return String.valueOf(text).substring(0, 17); }
                    static <T> void run(String name, BodyHandler<T> handler, Show<T> show) {
                        for (int i = 0; i < 2; i++) {
                            try {
                                HttpResponse<T> r = i == 0 ? client.send(request, handler) : client.sendAsync(request, handler).get(20, TimeUnit.SECONDS);
                                System.out.println(name + " " + r.statusCode() + " " + r.version() + " " + r.headers().firstValue("retry-after").isPresent() + " "
                                        + r.headers().firstValue("X-TEMPOLIMIT") + " " + r.uri().getPath() + " " + r.request().uri().getPath() + " "
                                        + r.previousResponse().map(HttpResponse::statusCode) + " " + r.sslSession() + " " + show.of(r.body()));
                            } catch (Throwable t) {
                                System.out.println(name + " " + t.getClass().getName() + ": " + t.getMessage() + " <- " + t.getCause());
                            }
                        }
                    }
                    public static void main(String[] args) throws Exception {
                        client.send(HttpRequest.newBuilder(URI.create(args[0] + "/first")).build(), BodyHandlers.discarding());
                        request = HttpRequest.newBuilder(URI.create(args[0] + "/page")).build();
                        run("string", BodyHandlers.ofString(), Try::head);
                        run("bytes", BodyHandlers.ofByteArray(), b -> head(new String(b)));
                        run("stream", BodyHandlers.ofInputStream(), in -> { try (in) { return head(new String(in.readAllBytes())); } });
                        run("closed stream", BodyHandlers.ofInputStream(), in -> { in.read(); in.close(); return "closed"; });
                        run("lines", BodyHandlers.ofLines(), lines -> head(lines.iterator().next()));
                        Path file = Files.createTempFile("body", "");
                        run("file", BodyHandlers.ofFile(file), f -> f.equals(file) + head(Files.readString(f)));
                        Files.delete(file);
                        run("no such folder", BodyHandlers.ofFile(Path.of("/no/such/folder/file")), f -> f);
                        StringBuilder consumed = new StringBuilder();
                        run("consumer", BodyHandlers.ofByteArrayConsumer(b -> consumed.append(b.map(String::new).orElse("|"))), v -> v + head(consumed));
                        run("publisher", BodyHandlers.ofPublisher(), p -> {
                            BodySubscriber<String> s = BodySubscribers.ofString(StandardCharsets.UTF_8);
                            p.subscribe(s);
                            return head(s.getBody().toCompletableFuture().get(20, TimeUnit.SECONDS));
                        });
                        run("discarding", BodyHandlers.discarding(), v -> v);
                        run("replacing", BodyHandlers.replacing("other"), v -> v);
                        run("mapping", i -> BodySubscribers.mapping(BodySubscribers.ofString(StandardCharsets.UTF_8), s -> i.statusCode() + head(s)), s -> s);
                        run("failing mapping", i -> BodySubscribers.mapping(BodySubscribers.ofString(StandardCharsets.UTF_8), s -> { throw new IllegalStateException("no"); }), s -> s);
                        run("failing handler", i -> { throw new IllegalArgumentException("at once"); }, s -> s);
                        run("one by one", i -> new BodySubscriber<String>() {
                            final StringBuilder all = new StringBuilder();
                            final CompletableFuture<String> body = new CompletableFuture<>();
                            public CompletionStage<String> getBody() { return body; }
                            public void onSubscribe(Flow.Subscription s) { s.request(1); s.request(1); s.request(5); }
                            public void onNext(List<ByteBuffer> item) { item.forEach(b -> all.append(StandardCharsets.UTF_8.decode(b))); }
                            public void onError(Throwable t) { body.completeExceptionally(t); }
                            public void onComplete() { body.complete(all.toString()); }
                        }, Try::head);
                        request = HttpRequest.newBuilder(URI.create(args[1] + "/redirect")).build();
                        run("redirect", BodyHandlers.ofString(), Try::head);
                        request = HttpRequest.newBuilder(URI.create(args[0] + "/page")).method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
                        run("head", BodyHandlers.ofString(), s -> "'" + s + "'");
                        request = HttpRequest.newBuilder(URI.create(args[0] + "/page")).POST(HttpRequest.BodyPublishers.ofString("sent")).build();
                        run("post", BodyHandlers.ofString(), Try::head);
                    }
                }""");
    }

    /** An old one and the newest; with -Pmatrix those between, too. */
    static Stream<String> okHttps() {
        return Jvm.MATRIX ? Stream.of("okhttp-3-between", "okhttp-3-newest", "okhttp-4-newest", "okhttp-5-newest")
                : Stream.of("okhttp-3-between", "okhttp-5-newest");
    }

    /** The application's own interceptors see it, and its events have an end where those of an answer from a cache have. */
    @ParameterizedTest
    @MethodSource("okHttps")
    void okHttp(String client) {
        same(17, Source.jarsOf(client), """
                import java.io.IOException;
                import java.util.*;
                import java.util.concurrent.*;
                import okhttp3.*;
                public class Try {
                    static String head(String text) { return text.substring(0, 17); }
                    static void show(String name, Response r) throws IOException {
                        System.out.println(name + " " + r.code() + " " + r.protocol() + " " + r.header("x-tempolimit") + " " + r.body().contentType().subtype() + " "
                                + (r.body().contentLength() > 20) + " " + r.request().url().encodedPath() + " " + head(r.peekBody(100).string()) + " " + head(r.body().string()));
                    }
                    public static void main(String[] args) throws Exception {
                        List<String> seen = Collections.synchronizedList(new ArrayList<>());
                        OkHttpClient.Builder builder = new OkHttpClient.Builder();
                        try {
                            OkHttpClient.Builder.class.getMethod("callTimeout", long.class, TimeUnit.class).invoke(builder, 30, TimeUnit.SECONDS);
                        } catch (NoSuchMethodException older) { // than 3.12
                        }
                        OkHttpClient client = builder.addInterceptor(chain -> {
                            Response r = chain.proceed(chain.request());
                            seen.add(String.valueOf(r.code()));
                            return r;
                        }).build();
                        client.newCall(new Request.Builder().url(args[0] + "/first").build()).execute().close();
                        for (String url : new String[] {args[0] + "/page", args[1] + "/redirect"}) {
                            Request request = new Request.Builder().url(url).build();
                            show("execute", client.newCall(request).execute());
                            CompletableFuture<Response> response = new CompletableFuture<>();
                            client.newCall(request).enqueue(new Callback() {
                                public void onFailure(Call call, IOException e) { response.completeExceptionally(e); }
                                public void onResponse(Call call, Response r) { response.complete(r); }
                            });
                            show("enqueue", response.get(20, TimeUnit.SECONDS));
                            client.newCall(request).execute().close();
                        }
                        System.out.println(seen);
                        client.dispatcher().executorService().shutdown();
                        client.connectionPool().evictAll();
                    }
                }""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"apache-4-oldest", "apache-4-newest"})
    @SuppressWarnings("deprecation")
    void apache4(String client) {
        same(8, Source.jarsOf(client), """
                import org.apache.http.*;
                import org.apache.http.client.*;
                import org.apache.http.client.methods.*;
                import org.apache.http.impl.client.*;
                import org.apache.http.util.EntityUtils;
                public class Try {
                    static String head(String text) { return text.substring(0, 17); }
                    static void all(String name, HttpClient client, String[] args) throws Exception {
                        for (String url : new String[] {args[0] + "/page", args[1] + "/redirect"}) {
                            HttpResponse r = client.execute(new HttpGet(url));
                            System.out.println(name + " " + r.getStatusLine().getStatusCode() + " " + r.getFirstHeader("X-Tempolimit") + " "
                                    + r.getEntity().getContentType() + " " + (r instanceof CloseableHttpResponse) + " " + head(EntityUtils.toString(r.getEntity())));
                            ((CloseableHttpResponse) r).close();
                            System.out.println(name + " " + client.execute(new HttpGet(url), (ResponseHandler<String>) h -> head(EntityUtils.toString(h.getEntity()))));
                            try {
                                client.execute(new HttpGet(url), new BasicResponseHandler());
                            } catch (HttpResponseException e) {
                                System.out.println(name + " " + e.getStatusCode());
                            }
                        }
                        System.out.println(name + " head " + client.execute(new HttpHead(args[0] + "/page")).getEntity());
                    }
                    public static void main(String[] args) throws Exception {
                        CloseableHttpClient client = HttpClients.createDefault();
                        client.execute(new HttpGet(args[0] + "/first")).close();
                        all("default", client, args);
                        all("deprecated", new DefaultHttpClient(), args);
                        HttpResponse r = HttpClients.createMinimal().execute(new HttpGet(args[0] + "/page"));
                        System.out.println("minimal " + head(EntityUtils.toString(r.getEntity())));
                    }
                }""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"apache-4-async-oldest", "apache-4-async-newest"})
    void apache4Async(String client) {
        same(8, Source.jarsOf(client), """
                import java.io.File;
                import java.nio.file.Files;
                import java.util.concurrent.*;
                import org.apache.http.*;
                import org.apache.http.client.methods.*;
                import org.apache.http.concurrent.FutureCallback;
                import org.apache.http.entity.ContentType;
                import org.apache.http.impl.nio.client.*;
                import org.apache.http.nio.client.HttpAsyncClient;
                import org.apache.http.nio.client.methods.*;
                import org.apache.http.protocol.HttpContext;
                import org.apache.http.util.EntityUtils;
                public class Try {
                    static String head(String text) { return text.substring(0, 17); }
                    static void all(String name, HttpAsyncClient client, String url) throws Exception {
                        CompletableFuture<String> called = new CompletableFuture<>();
                        HttpResponse r = client.execute(new HttpGet(url), new FutureCallback<HttpResponse>() {
                            public void completed(HttpResponse result) { called.complete("completed"); }
                            public void failed(Exception e) { called.complete("failed " + e); }
                            public void cancelled() { called.complete("cancelled"); }
                        }).get(20, TimeUnit.SECONDS);
                        System.out.println(name + " " + r.getStatusLine().getStatusCode() + " " + r.getFirstHeader("X-Tempolimit") + " "
                                + called.get(20, TimeUnit.SECONDS) + " " + head(EntityUtils.toString(r.getEntity())));
                        File file = File.createTempFile("body", "");
                        System.out.println(name + " " + client.execute(HttpAsyncMethods.createGet(url), new ZeroCopyConsumer<String>(file) {
                            protected String process(HttpResponse response, File f, ContentType type) throws Exception {
                                return type.getMimeType() + " " + head(new String(Files.readAllBytes(f.toPath())));
                            }
                        }, null).get(20, TimeUnit.SECONDS));
                        file.delete();
                        try {
                            client.execute(HttpAsyncMethods.createGet(url), new AsyncCharConsumer<String>() {
                                protected void onCharReceived(java.nio.CharBuffer b, org.apache.http.nio.IOControl c) { throw new IllegalStateException("mine"); }
                                protected void onResponseReceived(HttpResponse response) { }
                                protected String buildResult(HttpContext context) { return "none"; }
                            }, null).get(20, TimeUnit.SECONDS);
                        } catch (ExecutionException e) {
                            System.out.println(name + " " + e.getCause());
                        }
                        System.out.println(name + " head " + client.execute(new HttpHead(url), null).get(20, TimeUnit.SECONDS).getEntity());
                    }
                    public static void main(String[] args) throws Exception {
                        try (CloseableHttpAsyncClient client = HttpAsyncClients.createDefault(); CloseableHttpAsyncClient minimal = HttpAsyncClients.createMinimal()) {
                            client.start();
                            client.execute(new HttpGet(args[0] + "/first"), null).get(20, TimeUnit.SECONDS);
                            all("page", client, args[0] + "/page");
                            HttpResponse r = client.execute(new HttpGet(args[1] + "/redirect"), null).get(20, TimeUnit.SECONDS);
                            System.out.println(r.getStatusLine().getStatusCode());
                            minimal.start();
                            System.out.println("minimal " + minimal.execute(new HttpGet(args[0] + "/page"), null).get(20, TimeUnit.SECONDS).getStatusLine().getStatusCode());
                        }
                    }
                }""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"apache-5-oldest", "apache-5-newest"})
    void apache5(String client) {
        same(8, Source.jarsOf(client), """
                import org.apache.hc.client5.http.classic.methods.*;
                import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
                import org.apache.hc.client5.http.impl.classic.*;
                import org.apache.hc.core5.http.*;
                import org.apache.hc.core5.http.io.entity.EntityUtils;
                import org.apache.hc.core5.util.TimeValue;
                public class Try {
                    static String head(String text) { return text.substring(0, 17); }
                    public static void main(String[] args) throws Exception {
                        try (CloseableHttpClient client = HttpClients.custom().setRetryStrategy(new DefaultHttpRequestRetryStrategy(0, TimeValue.ofSeconds(1))).build()) {
                            client.execute(new HttpGet(args[0] + "/first")).close();
                            for (String url : new String[] {args[0] + "/page", args[1] + "/redirect"}) {
                                try (CloseableHttpResponse r = client.execute(new HttpGet(url))) {
                                    System.out.println(r.getCode() + " " + r.getReasonPhrase().isEmpty() + " " + r.getHeader("X-Tempolimit") + " " + r.getEntity().getContentType() + " "
                                            + r.getEntity().isChunked() + " " + head(EntityUtils.toString(r.getEntity())));
                                }
                                String handled = client.execute(new HttpGet(url), r -> r.getCode() + head(EntityUtils.toString(r.getEntity())));
                                System.out.println(handled);
                                client.execute(new HttpGet(url)).close();
                                try {
                                    client.execute(new HttpGet(url), new BasicHttpClientResponseHandler());
                                } catch (HttpResponseException e) {
                                    System.out.println(e.getStatusCode());
                                }
                            }
                            System.out.println(client.execute(new HttpHead(args[0] + "/page")).getEntity());
                        }
                    }
                }""".replace("HttpResponseException", "org.apache.hc.client5.http.HttpResponseException"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"apache-5-oldest", "apache-5-newest"})
    void apache5Async(String client) {
        same(8, Source.jarsOf(client), """
                import java.nio.ByteBuffer;
                import java.util.concurrent.*;
                import org.apache.hc.client5.http.async.methods.*;
                import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
                import org.apache.hc.client5.http.impl.async.*;
                import org.apache.hc.core5.concurrent.FutureCallback;
                import org.apache.hc.core5.http.*;
                import org.apache.hc.core5.http.message.BasicHttpRequest;
                import org.apache.hc.core5.http.nio.entity.StringAsyncEntityConsumer;
                import org.apache.hc.core5.http.nio.support.*;
                import org.apache.hc.core5.util.TimeValue;
                public class Try {
                    static String head(String text) { return text.substring(0, Math.min(17, text.length())); }
                    static String get(CloseableHttpAsyncClient client, String method, String url) throws Exception {
                        CompletableFuture<String> called = new CompletableFuture<>();
                        Message<HttpResponse, String> m = client.execute(new BasicRequestProducer(new BasicHttpRequest(method, java.net.URI.create(url)), null),
                                new BasicResponseConsumer<>(new StringAsyncEntityConsumer()), new FutureCallback<Message<HttpResponse, String>>() {
                            public void completed(Message<HttpResponse, String> result) { called.complete("completed"); }
                            public void failed(Exception e) { called.complete("failed " + e); }
                            public void cancelled() { called.complete("cancelled"); }
                        }).get(20, TimeUnit.SECONDS);
                        return m.getHead().getCode() + " " + m.getHead().getFirstHeader("X-Tempolimit") + " " + called.get(20, TimeUnit.SECONDS) + " "
                                + (m.getBody() == null ? null : head(m.getBody()));
                    }
                    static void mine(CloseableHttpAsyncClient client, String url) throws Exception {
                        try {
                            client.execute(new BasicRequestProducer(new BasicHttpRequest("GET", java.net.URI.create(url)), null),
                                    new BasicResponseConsumer<>(new org.apache.hc.core5.http.nio.entity.AbstractBinAsyncEntityConsumer<String>() {
                                protected void streamStart(ContentType type) { }
                                protected int capacityIncrement() { return 1000; }
                                protected void data(ByteBuffer b, boolean end) throws java.io.IOException { throw new java.io.IOException("mine"); }
                                protected String generateContent() { return ""; }
                                public void releaseResources() { }
                            }), null).get(20, TimeUnit.SECONDS);
                        } catch (ExecutionException e) {
                            System.out.println(e.getCause());
                        }
                    }
                    public static void main(String[] args) throws Exception {
                        try (CloseableHttpAsyncClient client = HttpAsyncClients.custom().setRetryStrategy(new DefaultHttpRequestRetryStrategy(0, TimeValue.ofSeconds(1))).build();
                                CloseableHttpAsyncClient minimal = HttpAsyncClients.createMinimal()) {
                            client.start();
                            minimal.start();
                            get(client, "GET", args[0] + "/first");
                            System.out.println(get(client, "GET", args[0] + "/page"));
                            System.out.println(get(client, "GET", args[1] + "/redirect"));
                            System.out.println(get(client, "HEAD", args[0] + "/page"));
                            mine(client, args[0] + "/page");
                            System.out.println("minimal " + get(minimal, "GET", args[0] + "/page"));
                            System.out.println("minimal " + get(minimal, "HEAD", args[0] + "/page"));
                        }
                    }
                }""");
    }
}
