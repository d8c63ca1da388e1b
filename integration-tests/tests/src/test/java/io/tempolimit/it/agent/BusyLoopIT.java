package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** An event loop that its program keeps busy: what it sends keeps order and rate. */
class BusyLoopIT {
    private static final Server SERVER = Server.start();
    private static final int CALLS = 20;
    private static final int RATE = 20;

    /** Begins calls on an event loop that is busy for 60 of 61 milliseconds, and says how long it took until all were answered. */
    private static final String VERTX = """
            import io.vertx.core.*;
            import io.vertx.core.http.*;
            import java.util.concurrent.*;
            public class Busy {
                static final Vertx VERTX = Vertx.vertx();
                static volatile boolean over;
                static void beBusy(Context loop) {
                    long end = System.nanoTime() + 60_000_000;
                    while (System.nanoTime() - end < 0) {
                        java.util.concurrent.locks.LockSupport.parkNanos(end - System.nanoTime());
                    }
                    if (!over) {
                        VERTX.setTimer(1, id -> loop.runOnContext(v -> beBusy(loop)));
                    }
                }
                public static void main(String[] args) throws Exception {
                    HttpClient client = VERTX.createHttpClient(new PoolOptions().setHttp1MaxSize(1));
                    int n = Integer.parseInt(args[1]);
                    CountDownLatch done = new CountDownLatch(n);
                    Context loop = VERTX.getOrCreateContext();
                    long[] begin = new long[1];
                    loop.runOnContext(v -> {
                        begin[0] = System.nanoTime();
                        for (int i = 0; i < n; i++) {
                            client.request(new RequestOptions().setAbsoluteURI(args[0] + i)).compose(HttpClientRequest::send)
                                    .compose(HttpClientResponse::body).onComplete(result -> done.countDown());
                        }
                        beBusy(loop);
                    });
                    if (!done.await(60, TimeUnit.SECONDS)) {
                        throw new TimeoutException();
                    }
                    System.out.println("took " + (System.nanoTime() - begin[0]));
                    over = true;
                    VERTX.close();
                }
            }""";

    @AfterAll
    static void end() {
        SERVER.close();
    }

    /** Each call that was late went back to the queue: others overtook it, and it paid a second token. */
    @Test
    void callsOnABusyLoopArriveInOrderAndAtTheRate() throws Exception {
        List<Path> classpath = new ArrayList<>(Source.jarsOf("vertx-5-newest"));
        Path classes = Source.compile(17, classpath, VERTX);
        Server.Site site = SERVER.site("127.57", Server.Script.status(200));
        try (Fork fork = Jvm.on(17).recordedAgent("exclude=-private,rate=" + RATE + ",burst=1,user-agent.check=off")
                .classpath(classes).classpath(classpath.toArray(Path[]::new))
                .main("Busy", site.url("/"), "" + CALLS).start()) {
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<String> paths = site.arrivals().stream().map(Server.Arrival::path).toList();
            assertEquals(IntStream.range(0, CALLS).mapToObj(i -> "/" + i).toList(), paths);
            long took = Long.parseLong(Jvm.lines(fork.stdout()).stream().filter(line -> line.startsWith("took ")).findFirst().orElseThrow()
                    .substring("took ".length()));
            assertTrue(took >= (CALLS - 1) * 1_000_000_000L / RATE, "took " + took + " ns");
        }
    }
}
