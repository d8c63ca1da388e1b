package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that is closed while one of its calls begins: whoever ended the waits did not know of that one yet, and it
 * waited for its turn, for hours perhaps, to learn that there is no client.
 */
class CloseIT {
    private static final Server SERVER = Server.start();

    private static final String APACHE_5 = """
            import java.util.concurrent.*;
            import org.apache.hc.client5.http.async.methods.*;
            import org.apache.hc.client5.http.impl.async.*;
            import org.apache.hc.core5.http.nio.AsyncRequestProducer;
            import org.apache.hc.core5.io.CloseMode;
            public class Closes {
                static CloseableHttpAsyncClient client = HttpAsyncClients.createDefault();
                static Future<SimpleHttpResponse> get(String url, boolean closes) {
                    AsyncRequestProducer to = SimpleRequestProducer.create(new SimpleHttpRequest("GET", java.net.URI.create(url)));
                    AsyncRequestProducer producer = (AsyncRequestProducer) java.lang.reflect.Proxy.newProxyInstance(Closes.class.getClassLoader(),
                            new Class<?>[] {AsyncRequestProducer.class}, (proxy, method, arguments) -> {
                                if (closes && method.getName().equals("sendRequest")) {
                                    client.close(CloseMode.IMMEDIATE);
                                }
                                return method.invoke(to, arguments);
                            });
                    return client.execute(producer, SimpleResponseConsumer.create(), null);
                }
                public static void main(String[] args) throws Exception {
                    client.start();
                    System.out.println(get(args[0], false).get().getCode());
                    try {
                        System.out.println(get(args[0], true).get(20, TimeUnit.SECONDS).getCode());
                    } catch (ExecutionException | CancellationException e) {
                        System.out.println("ended");
                    }
                    System.exit(0);
                }
            }""";

    private static final String APACHE_4 = """
            import java.util.concurrent.*;
            import org.apache.http.HttpRequest;
            import org.apache.http.HttpResponse;
            import org.apache.http.client.methods.HttpGet;
            import org.apache.http.impl.nio.client.*;
            import org.apache.http.nio.client.methods.HttpAsyncMethods;
            import org.apache.http.nio.protocol.*;
            public class Closes {
                static CloseableHttpAsyncClient client = HttpAsyncClients.createDefault();
                static Future<HttpResponse> get(String url, boolean closes) {
                    HttpAsyncRequestProducer to = HttpAsyncMethods.create(new HttpGet(url));
                    HttpAsyncRequestProducer producer = (HttpAsyncRequestProducer) java.lang.reflect.Proxy.newProxyInstance(Closes.class.getClassLoader(),
                            new Class<?>[] {HttpAsyncRequestProducer.class}, (proxy, method, arguments) -> {
                                if (closes && method.getName().equals("generateRequest")) {
                                    client.close();
                                }
                                return method.invoke(to, arguments);
                            });
                    return client.execute(producer, HttpAsyncMethods.createConsumer(), null);
                }
                public static void main(String[] args) throws Exception {
                    client.start();
                    System.out.println(get(args[0], false).get().getStatusLine().getStatusCode());
                    try {
                        System.out.println(get(args[0], true).get(20, TimeUnit.SECONDS).getStatusLine().getStatusCode());
                    } catch (ExecutionException | CancellationException e) {
                        System.out.println("ended");
                    }
                    System.exit(0);
                }
            }""";

    private static final String ASYNC_HTTP_CLIENT = """
            import java.util.concurrent.*;
            import org.asynchttpclient.*;
            public class Closes {
                static boolean closes;
                static AsyncHttpClient client;
                public static void main(String[] args) throws Exception {
                    client = new DefaultAsyncHttpClient(new DefaultAsyncHttpClientConfig.Builder().setProxyServerSelector(uri -> {
                        if (closes) {
                            try {
                                client.close();
                            } catch (java.io.IOException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                        return null;
                    }).build());
                    System.out.println(client.prepareGet(args[0]).execute().get().getStatusCode());
                    closes = true;
                    try {
                        System.out.println(client.prepareGet(args[0]).execute().get(20, TimeUnit.SECONDS).getStatusCode());
                    } catch (ExecutionException | CancellationException e) {
                        System.out.println("ended");
                    }
                    System.exit(0);
                }
            }""";

    private static final String OKHTTP = """
            import java.io.IOException;
            import java.util.concurrent.*;
            import okhttp3.*;
            public class Closes extends ThreadPoolExecutor {
                Closes() { super(0, 1, 1, TimeUnit.MINUTES, new SynchronousQueue<>()); }
                @Override public boolean isShutdown() { throw new UnsupportedOperationException(); }
                public static void main(String[] args) throws Exception {
                    Closes executor = new Closes();
                    OkHttpClient client = new OkHttpClient.Builder().dispatcher(new Dispatcher(executor)).build();
                    LinkedBlockingQueue<String> replies = new LinkedBlockingQueue<>();
                    for (int i = 0; i < 3; i++) {
                        client.newCall(new Request.Builder().url(args[0]).build()).enqueue(new Callback() {
                            public void onFailure(Call call, IOException e) { replies.add(e.toString()); }
                            public void onResponse(Call call, Response response) throws IOException {
                                response.body().close();
                                replies.add("" + response.code());
                            }
                        });
                        System.out.println(replies.poll(20, TimeUnit.SECONDS));
                        while (executor.getActiveCount() > 0) {
                            Thread.yield();
                        }
                    }
                    System.exit(0);
                }
            }""";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @CsvSource({"apache-5-oldest, 8", "apache-5-newest, 8", "apache-4-async-oldest, 8", "apache-4-async-newest, 8",
            "async-http-client-2-newest, 8", "async-http-client-3-newest, 11"})
    void aCallThatWasJustBeginningWaitedOn(String version, int java) {
        List<Path> jars = Source.jarsOf(version);
        Server.Site site = SERVER.site("127.64", Server.Script.status(200));
        String program = version.startsWith("apache-5") ? APACHE_5 : version.startsWith("apache-4") ? APACHE_4 : ASYNC_HTTP_CLIENT;
        try (Fork fork = Jvm.on(java).agent("exclude=-private,user-agent.check=off,rate=1/h,burst=1")
                .classpath(Source.compile(8, jars, program))
                .jarsOf(jars.get(0).getParent()).main("Closes", site.url("/")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals(List.of("200", "ended"), Jvm.lines(fork.stdout()), fork::stderr);
            assertTrue(!fork.stderr().contains("ERROR"), fork::stderr);
        }
        assertEquals(1, site.arrivals().size());
    }

    /** From 5 on, OkHttp itself asks whether the executor is shut down. */
    @ParameterizedTest
    @ValueSource(strings = {"okhttp-3-oldest", "okhttp-4-newest"})
    void theOnlyThreadOfAProgramsExecutorWasTakenFromTheCallThatItBrought(String version) {
        List<Path> jars = Source.jarsOf(version);
        Server.Site site = SERVER.site("127.64", Server.Script.status(200));
        try (Fork fork = Jvm.on(8).agent("exclude=-private,user-agent.check=off,rate=2,burst=1").classpath(Source.compile(8, jars, OKHTTP))
                .jarsOf(jars.get(0).getParent()).main("Closes", site.url("/")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            assertEquals(List.of("200", "200", "200"), Jvm.lines(fork.stdout()), fork::stderr);
            assertTrue(!fork.stderr().contains("ERROR"), fork::stderr);
        }
        assertEquals(3, site.arrivals().size());
    }
}
