package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Server;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A thread for each page, all of which wait already, and nobody reads what a block says: what its head says stops them. */
class UnreadIT {
    private static final Server SERVER = Server.start();
    /** Between two requests, in which the head of the first is to be seen: long, for a busy machine. */
    private static final String RATE = "rate=1,burst=1";
    /** So many more may go where a head is seen seconds late. */
    private static final int LATE = 2;
    private static final String PAGE = "<html><body>" + "A page that takes more than one packet. ".repeat(1000);

    /** Arguments: how to ask, how many, the URL. Ends with its input. */
    private static final Path PROGRAM = Source.compile(8, Stream.of("jsoup-oldest", "okhttp-3-newest").flatMap(c -> Source.jarsOf(c).stream()).toList(), """
            import java.net.*;
            import java.util.*;
            import java.util.concurrent.*;
            public class Pages {
                static final Queue<Object> KEPT = new ConcurrentLinkedQueue<>();
                static void get(String how, String url) throws Exception {
                    if (how.equals("stream")) {
                        KEPT.add(new URL(url).openStream());
                    } else if (how.equals("jsoup")) {
                        KEPT.add(org.jsoup.Jsoup.connect(url).ignoreHttpErrors(true).timeout(0).execute().statusCode());
                    } else {
                        KEPT.add(OK.CLIENT.newCall(new okhttp3.Request.Builder().url(url).build()).execute());
                    }
                }
                static class OK {
                    static final okhttp3.OkHttpClient CLIENT = new okhttp3.OkHttpClient.Builder().readTimeout(0, TimeUnit.SECONDS).build();
                }
                public static void main(String[] args) throws Exception {
                    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                        String url = args[2] + i;
                        Runnable page = () -> {
                            try {
                                get(args[0], url);
                            } catch (Exception e) {
                                KEPT.add(e);
                            }
                        };
                        try {
                            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, page);
                        } catch (NoSuchMethodException older) {
                            Thread thread = new Thread(page);
                            thread.setDaemon(true);
                            thread.start();
                        }
                    }
                    System.in.read();
                    System.exit(0);
                }
            }""");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    private static Server.Site site(Server.Script script) {
        return SERVER.site("127.60", exchange -> {
            exchange.header("Content-Type", "text/html");
            script.answer(exchange);
        });
    }

    private static Fork start(int java, String how, int pages, Server.Site site, Path events) {
        Fork.Builder builder = Jvm.on(java).agent("user-agent.check=off,exclude=-private,learn=false," + RATE + ",events=" + events)
                .classpath(PROGRAM);
        for (String client : List.of("jsoup-newest", "okhttp-3-newest")) {
            builder.classpath(Source.jarsOf(client).toArray(new Path[0]));
        }
        return builder.main("Pages", how, String.valueOf(pages), site.url("/")).start();
    }

    private static void coolsDown(Fork fork, Path events) throws Exception {
        Wait.until("the host is in cooldown", fork,
                    () -> Files.exists(events) && Files.readString(events, StandardCharsets.UTF_8).contains("\"cooldown_started\""));
    }

    @ParameterizedTest
    @CsvSource({"8,stream", "8,jsoup", "8,okhttp", "21,stream", "25,stream", "25,jsoup", "25,okhttp"})
    void aSiteThatAnswers429ToEverythingGetsNoMoreThanItTakesToSeeThat(int java, String how) throws Exception {
        Server.Site site = site(exchange -> exchange.status(429).send(PAGE));
        Path events = Source.folder().resolve("events.jsonl");
        try (Fork fork = start(java, how, 60, site, events)) {
            coolsDown(fork, events);
            fork.tell("");
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            int arrived = site.arrivals().size();
            assertTrue(arrived >= 3 && arrived <= 3 + LATE, () -> how + ": " + arrived
                    + " of 60 pages went to a site that answers 429 to everything");
        }
    }

    @ParameterizedTest
    @CsvSource({"8,stream", "25,jsoup", "25,okhttp"})
    void aRetryAfterForOneOfEightHoldsTheOthers(int java, String how) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Server.Site site = site(exchange -> {
            if (asked.getAndIncrement() == 0) {
                exchange.status(429).header("Retry-After", "10");
            }
            exchange.send(PAGE);
        });
        Path events = Source.folder().resolve("events.jsonl");
        try (Fork fork = start(java, how, 8, site, events)) {
            site.await(2 + LATE, Jvm.LONG); // so many may have gone before its head was seen; then the probe
            fork.tell("");
            assertEquals(0, fork.exit(Jvm.LONG), fork::stderr);
            List<Long> times = site.times();
            long longest = IntStream.range(1, times.size()).mapToLong(i -> times.get(i) - times.get(i - 1)).max().orElse(0) / 1_000_000;
            assertTrue(longest >= 10_000, () -> how + ": after Retry-After: 10 the others came within " + longest + " ms: " + times);
        }
    }
}
