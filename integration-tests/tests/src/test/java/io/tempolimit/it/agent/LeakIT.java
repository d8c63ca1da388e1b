package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A class loader whose client was woven, and that is dropped, is collected: a redeployed web application. */
class LeakIT {
    private static final Server SERVER = Server.start();

    /**
     * In the loader that is dropped. Without timeouts and with its pools shut down, since OkHttp's own threads would
     * keep it for a minute.
     */
    private static final String CALLER = """
            import java.lang.reflect.*;
            import java.util.concurrent.*;
            import okhttp3.*;
            public class Caller implements Callable<String> {
                public String call() throws Exception {
                    ThreadPoolExecutor threads = new ThreadPoolExecutor(0, 9, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
                    OkHttpClient client = new OkHttpClient.Builder().dispatcher(new Dispatcher(threads)).connectTimeout(0, TimeUnit.SECONDS)
                            .readTimeout(0, TimeUnit.SECONDS).writeTimeout(0, TimeUnit.SECONDS).retryOnConnectionFailure(false).build();
                    Request request = new Request.Builder().url(System.getProperty("url")).header("Connection", "close").build();
                    String said = "";
                    Response sync = client.newCall(request).execute();
                    said += sync.code();
                    sync.close();
                    BlockingQueue<String> results = new LinkedBlockingQueue<>();
                    Callback callback = new Callback() {
                        public void onFailure(Call call, java.io.IOException e) {
                            results.add(e.getClass().getSimpleName());
                        }
                        public void onResponse(Call call, Response response) {
                            response.close();
                            results.add("" + response.code());
                        }
                    };
                    client.newCall(request).enqueue(callback);
                    said += " " + results.take(); // held, and sent
                    client.newCall(request).enqueue(callback);
                    Call cancelled = client.newCall(request);
                    cancelled.enqueue(callback);
                    cancelled.cancel();
                    said += " " + results.take() + " " + results.take();
                    client.connectionPool().evictAll();
                    threads.shutdown();
                    shutDown();
                    return said;
                }
                private static void shutDown() throws Exception {
                    try {
                        Field executor = ConnectionPool.class.getDeclaredField("executor"); // OkHttp 3.12
                        executor.setAccessible(true);
                        ((ExecutorService) executor.get(null)).shutdownNow();
                    } catch (NoSuchFieldException newer) {
                        Object runner = Class.forName("okhttp3.internal.concurrent.TaskRunner").getField("INSTANCE").get(null);
                        Object backend = runner.getClass().getMethod("getBackend").invoke(runner);
                        backend.getClass().getMethod("shutdown").invoke(backend);
                    }
                }
            }""";

    /** In the loader that is dropped: a client without threads, and an answer that is neither read nor closed. */
    private static final String CARELESS_CALLER = """
            import java.util.concurrent.*;
            import org.apache.http.client.methods.HttpGet;
            import org.apache.http.impl.client.HttpClients;
            import org.apache.http.impl.conn.BasicHttpClientConnectionManager;
            public class Caller implements Callable<String> {
                public String call() throws Exception {
                    return "" + HttpClients.custom().setConnectionManager(new BasicHttpClientConnectionManager()).build()
                            .execute(new HttpGet(System.getProperty("url"))).getStatusLine().getStatusCode();
                }
            }""";
    private static final String PAGE = "<html><body>" + "A page that takes more than one packet. ".repeat(1000);

    private static final Path MAIN = Source.compile(8, """
            import java.io.File;
            import java.lang.ref.*;
            import java.net.*;
            import java.util.concurrent.*;
            public class Deploy {
                public static void main(String[] args) throws Exception {
                    ReferenceQueue<Object> collected = new ReferenceQueue<>();
                    Reference<Object> loader = new WeakReference<>(deploy(args), collected);
                    for (int i = 0; i < 600; i++) { // a client's own threads may keep it for a while
                        System.gc();
                        if (collected.remove(100) == loader) {
                            System.out.println("collected");
                            return;
                        }
                    }
                    System.out.println("leaked");
                }
                private static Object deploy(String[] jars) throws Exception {
                    URL[] urls = new URL[jars.length];
                    for (int i = 0; i < jars.length; i++) {
                        urls[i] = new File(jars[i]).toURI().toURL();
                    }
                    URLClassLoader loader = new URLClassLoader(urls, Deploy.class.getClassLoader());
                    Thread thread = new Thread(() -> {
                        try {
                            System.out.println(((Callable<?>) loader.loadClass("Caller").getDeclaredConstructor().newInstance()).call());
                        } catch (Exception e) {
                            e.printStackTrace();
                        }
                    });
                    thread.setContextClassLoader(loader);
                    thread.start();
                    thread.join();
                    loader.close();
                    return loader;
                }
            }""");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @MethodSource("io.tempolimit.it.agent.Jvm#inTurn")
    void aDroppedLoaderIsCollected(int java) throws Exception {
        for (String client : new String[] {"okhttp-3-between", "okhttp-5-newest"}) {
            assertEquals("collected", deploy(java, client, false), client + " without the agent: the test itself leaks");
            assertEquals("collected", deploy(java, client, true), client);
        }
    }

    private static String deploy(int java, String client, boolean agent) throws Exception {
        Server.Site site = SERVER.site("127.32", Server.Script.status(200));
        try (Fork fork = start(java, client, CALLER, site, agent ? "rate=0.5,burst=1" : null)) {
            String said = fork.line(Jvm.LONG);
            if (!said.matches("200 200 (200 \\w+|\\w+ 200)")) {
                throw fork.trouble("said " + said);
            }
            if (agent) {
                Wait.until("it is paced", fork, () -> fork.stderr().contains("held to 0.5 requests/s"));
            }
            return fork.line(Jvm.LONG);
        }
    }

    /**
     * The last request of its host: nobody asks for another one. An answer that holds a place among those in flight
     * keeps nothing either.
     */
    @ParameterizedTest
    @CsvSource({"8,text/html", "25,text/html", "25,image/png"})
    void aDroppedLoaderWhoseAnswerNobodyReadsIsCollected(int java, String type) {
        Server.Site site = SERVER.site("127.32", exchange -> exchange.header("Content-Type", type).send(PAGE));
        for (String settings : new String[] {null, "rate=3", "rate=3,concurrency=9,streams=9"}) {
            try (Fork fork = start(java, "apache-4-newest", CARELESS_CALLER, site, settings)) {
                assertEquals("200", fork.line(Jvm.LONG));
                assertEquals("collected", fork.line(Jvm.LONG), settings == null ? "without the agent: the test itself leaks" : settings);
            }
        }
    }

    /** {@code settings}: of the agent; null for none. */
    private static Fork start(int java, String client, String text, Server.Site site, String settings) {
        List<Path> jars = Source.jarsOf(client);
        Path caller = Source.compile(8, jars, text);
        Fork.Builder builder = Jvm.on(java).option("-Durl=" + site.url("/")).classpath(MAIN);
        if (settings != null) {
            builder.agent("user-agent.check=off,exclude=-private," + settings);
        }
        Stream<String> entries = Stream.concat(jars.stream().map(Path::toString), Stream.of(caller + File.separator));
        return builder.main("Deploy", entries.toArray(String[]::new)).start();
    }
}
