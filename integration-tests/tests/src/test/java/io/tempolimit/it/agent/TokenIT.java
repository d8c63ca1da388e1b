package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An application's authenticator, or its interceptor, fetches a token from the host that has just asked for one, before
 * the answer that asked for
 * it is over: that answer holds no place among those in flight.
 */
class TokenIT {
    private static final Server SERVER = Server.start();
    private static final int CALLS = 4;

    /**
     * Arguments: who fetches the token; how it asks for the pages, and how for tokens; the URL. Prints what the pages
     * had, then the milliseconds.
     */
    private static final Path PROGRAM = Source.compile(8, Source.jarsOf("okhttp-3-newest"), """
            import java.io.IOException;
            import java.util.*;
            import java.util.concurrent.*;
            import okhttp3.*;
            public class Tokens {
                static OkHttpClient client;
                static Future<Integer> call(String how, Request request) throws IOException {
                    CompletableFuture<Integer> status = new CompletableFuture<>();
                    if (how.equals("execute")) {
                        try (Response response = client.newCall(request).execute()) {
                            status.complete(response.code());
                        }
                        return status;
                    }
                    client.newCall(request).enqueue(new Callback() {
                        public void onFailure(Call call, IOException e) {
                            status.completeExceptionally(e);
                        }
                        public void onResponse(Call call, Response response) {
                            response.close();
                            status.complete(response.code());
                        }
                    });
                    return status;
                }
                public static void main(String[] args) throws Exception {
                    String who = args[0];
                    String how = args[1];
                    String fetch = args[2];
                    String url = args[3];
                    Dispatcher dispatcher = new Dispatcher();
                    dispatcher.setMaxRequestsPerHost(64);
                    OkHttpClient.Builder builder = new OkHttpClient.Builder().dispatcher(dispatcher).readTimeout(0, TimeUnit.SECONDS);
                    Authenticator authenticator = (route, response) -> {
                        if (response.request().header("Authorization") != null) {
                            return null;
                        }
                        try {
                            return response.request().newBuilder().header("Authorization", "" + call(fetch, new Request.Builder().url(url + "token").build()).get()).build();
                        } catch (ExecutionException | InterruptedException e) {
                            throw new IOException(e);
                        }
                    };
                    if (who.equals("authenticator")) {
                        builder.authenticator(authenticator);
                    } else {
                        builder.addInterceptor(chain -> {
                            Response response = chain.proceed(chain.request());
                            if (response.code() != 401) {
                                return response;
                            }
                            Request again = authenticator.authenticate(null, response);
                            response.close();
                            return chain.proceed(again);
                        });
                    }
                    client = builder.build();
                    List<Future<Integer>> pages = new ArrayList<>();
                    long begin = System.nanoTime();
                    ExecutorService threads = Executors.newCachedThreadPool();
                    for (int i = 0; i < %d; i++) {
                        Request page = new Request.Builder().url(url + i).build();
                        pages.add(how.equals("execute") ? threads.submit(() -> call(how, page).get()) : call(how, page));
                    }
                    for (Future<Integer> page : pages) {
                        System.out.println(page.get());
                    }
                    System.out.println((System.nanoTime() - begin) / 1_000_000);
                    System.exit(0);
                }
            }""".formatted(CALLS));

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @CsvSource({"authenticator,execute,execute,1", "authenticator,enqueue,execute,1", "authenticator,enqueue,execute,3",
            "authenticator,enqueue,enqueue,1",
        "interceptor,execute,enqueue,1", "interceptor,enqueue,execute,3"})
    void aTokenIsFetchedWhileTheAnswerThatAskedForItIsOpen(String who, String how, String fetch, int concurrency) {
        Server.Site site = SERVER.site("127.69", exchange -> {
            exchange.header("Content-Type", "text/html");
            if (exchange.request().path().equals("/token") || exchange.request().header("Authorization") != null) {
                exchange.send("welcome");
            } else {
                exchange.status(401).header("WWW-Authenticate", "Bearer").send("<html><body>" + "Who are you? ".repeat(10_000));
            }
        });
        Fork.Builder builder = Jvm.on(25).agent("user-agent.check=off,exclude=-private,rate=10000,burst=1000,concurrency=" + concurrency)
                .classpath(PROGRAM)
                .classpath(Source.jarsOf("okhttp-3-newest").toArray(new Path[0]));
        try (Fork fork = builder.main("Tokens", who, how, fetch, site.url("/")).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> said = Jvm.lines(fork.stdout());
            assertEquals(Collections.nCopies(CALLS, "200"), said.subList(0, CALLS), fork::stderr);
            long millis = Long.parseLong(said.get(CALLS));
            assertTrue(millis < 40_000, () -> "took " + millis + " ms: a place was free only after its minute"); // LEASE of Caps
        }
    }
}
