package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program that cancels all its calls at once. With a window each cancellation planned the turns of all that were left,
 * for 26 seconds on the program's own thread. Each call that ended was given a thread of its own.
 */
@Order(1)
class CancelStormIT {
    private static final int CALLS = 6_000;
    private static final Server SERVER = Server.start();

    /**
     * Says how long it took until all were told, in ms, how many failures were no cancellations, and how many threads
     * there were at most.
     */
    private static final String PROGRAM = """
            import java.io.IOException;
            import java.lang.management.*;
            import java.util.concurrent.*;
            import java.util.concurrent.atomic.AtomicInteger;
            import okhttp3.*;
            public class Storm {
                static OkHttpClient client = new OkHttpClient();
                static AtomicInteger others = new AtomicInteger();
                static void enqueue(String url, int calls, CountDownLatch told) {
                    for (int i = 0; i < calls; i++) {
                        client.newCall(new Request.Builder().url(url + i).build()).enqueue(new Callback() {
                            public void onFailure(Call call, IOException e) {
                                others.addAndGet(call.isCanceled() ? 0 : 1);
                                told.countDown();
                            }
                            public void onResponse(Call call, Response response) {
                                response.close();
                                told.countDown();
                            }
                        });
                    }
                }
                static long storm(String url, int calls) throws Exception {
                    CountDownLatch told = new CountDownLatch(calls);
                    enqueue(url, calls, told);
                    long begin = System.nanoTime();
                    client.dispatcher().cancelAll();
                    told.await();
                    return (System.nanoTime() - begin) / 1_000_000;
                }
                public static void main(String[] args) throws Exception {
                    client.newCall(new Request.Builder().url(args[0]).build()).execute().close();
                    storm(args[0], 200);
                    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
                    threads.resetPeakThreadCount();
                    System.out.println(storm(args[0], Integer.parseInt(args[1])) + " " + others + " " + threads.getPeakThreadCount());
                    System.exit(0);
                }
            }""";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"okhttp-3-between", "okhttp-5-newest"})
    void takesTheTimeAndTheThreadsThatItTakesWithoutTheAgent(String version) {
        long[] plain = run(version, null);
        String slow = "exclude=-private,user-agent.check=off,rate=1/h,burst=1";
        String most = slow + ",window=10000/24h,concurrency=4";
        for (String settings : Jvm.MATRIX ? List.of(slow, slow + ",window=10000/24h", most) : List.of(slow, most)) {
            long[] held = run(version, settings);
            assertTrue(held[0] < 10 * plain[0] + 5_000, () -> settings + ": " + held[0] + " ms, without the agent " + plain[0] + " ms");
            assertTrue(held[2] <= plain[2] + 8, () -> settings + ": " + held[2] + " threads, without the agent " + plain[2]);
        }
    }

    /** Without the agent the site keeps the first ones waiting for an answer, so the others wait in the client's own queue. */
    private static long[] run(String version, String settings) {
        List<Path> jars = Source.jarsOf(version);
        Server.Site site = SERVER.site("127.66", exchange -> {
            if (settings == null && exchange.request().path().length() > 1) {
                exchange.pause(Duration.ofSeconds(20));
            } else {
                exchange.send("a page");
            }
        });
        Fork.Builder builder = Jvm.on(8).classpath(Source.compile(8, jars, PROGRAM)).jarsOf(jars.get(0).getParent());
        if (settings != null) {
            builder.agent(settings);
        }
        try (Fork fork = builder.main("Storm", site.url("/"), String.valueOf(CALLS)).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            System.out.println(version + " " + settings + ": " + fork.stdout().strip() + " (ms, failures, threads)");
            long[] said = Arrays.stream(fork.stdout().strip().split(" ")).mapToLong(Long::parseLong).toArray();
            assertEquals(0, said[1], fork::stdout);
            return said;
        }
    }
}
