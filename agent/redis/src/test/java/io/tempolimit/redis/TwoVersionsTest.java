package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.store.Answer;
import io.tempolimit.core.store.FleetSettings;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker of today and one of before margins in one fleet: the older one's scripts ({@code older/}, as they were then) on what
 * today's have stored. What is stored has the same form, but a window's entry may be up to half a second ahead of its request, and the
 * older scripts take what is more than 100 ms ahead for a request that a rest has made void.
 */
@Tag("long")
class TwoVersionsTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final String WINDOW = "5";
    private static final long SPAN = 60 * SECOND;

    private static Server server;
    private static int tests;
    private String prefix;
    private Worker today;

    static List<String> servers() {
        return new ArrayList<>(Servers.ALL.keySet());
    }

    private void start(String name) throws Exception {
        close();
        stop();
        server = Server.start(Servers.ALL.get(name));
        prefix = "versions" + ++tests;
        today = new Worker(new FleetSettings(server.uri(), null, false).prefix(prefix).timeout(5 * SECOND).start(60 * SECOND),
                new Policy.Builder().learn(false).build());
    }

    @AfterEach
    void close() {
        if (today != null) {
            today.close();
            today = null;
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    private String[] keys() {
        String begin = prefix + ":{shop.example}:";
        return new String[] {begin + "bucket", begin + "incident", begin + "probe"};
    }

    /** What one of the older scripts answers, word by word. */
    private String[] older(String script, String... arguments) throws Exception {
        List<String> words = new ArrayList<>();
        try (InputStream in = TwoVersionsTest.class.getResourceAsStream("older/" + script + ".lua")) {
            words.add("EVAL");
            words.add("redis.call('SELECT', 2)\n" + new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
        words.add("3");
        words.addAll(List.of(keys()));
        words.addAll(List.of(arguments));
        String answer = server.ask(words.toArray(new String[0]));
        assertTrue(!answer.startsWith("-"), answer);
        return answer.split(" ");
    }

    /** Nanoseconds until the older worker may send one more; below a moment: it has just taken one. */
    private long olderWaits() throws Exception {
        String[] a = older("take", "1000", "100", "1", "1000000", "older", "0", "0", "30000", "-1", "0", "0", "", WINDOW,
                Long.toString(SPAN / 1000), "");
        assertTrue(a[1].equals("go") || a[1].equals("refused"), a[1]);
        return Long.parseLong(a[3]);
    }

    /** Today's worker sends five, which fill the window. The last of them may be so late. */
    private RedisKey five(long margin) throws Exception {
        RedisKey key = (RedisKey) today.fleet.key("shop.example");
        key.windows(Long.MAX_VALUE, Long.parseLong(WINDOW), SPAN);
        for (int i = 0; i < 5; i++) {
            BlockingQueue<Answer> answers = new ArrayBlockingQueue<>(1);
            key.take(1e6, 100, i == 4 ? margin : 0, 1, Long.MAX_VALUE, answers::add);
            Answer a = answers.poll(30, TimeUnit.SECONDS);
            assertEquals(1, a.count);
            assertTrue(a.slot - System.nanoTime() <= 0, "it goes at once");
        }
        return key;
    }

    /** What a worker writes that opens the key: what was reserved is void. */
    private String[] opens(long version) {
        Incident open = new Incident.Builder(System.nanoTime()).epoch((int) version + 1).build();
        return RedisKey.judging(version, open, new Limit(1000, 100), 3600 * SECOND, prefix + ":incidents", "shop.example",
                System.nanoTime());
    }

    private void olderOpens() throws Exception {
        assertEquals("1", older("judge", opens(0))[1], "it is written");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void anOlderWorkerCountsAllThatATodaysSent(String name) throws Exception {
        start(name);
        five(400 * MILLI);
        assertEquals(SPAN, olderWaits(), SECOND);
    }

    /** As with any rest: the shortest that a block brings takes longer. */
    @ParameterizedTest
    @MethodSource("servers")
    void afterHalfASecondAnOlderWorkerForgetsNothing(String name) throws Exception {
        start(name);
        five(500 * MILLI);
        Thread.sleep(500); // for how long nothing is sent is what is tried
        olderOpens();
        assertEquals(SPAN, olderWaits(), SECOND);
    }

    /**
     * The one that went last, as by other settings, or an operator's {@code resume}: one too many goes in that window. It is no more than
     * one, for the next request's slot is not before that entry.
     */
    @ParameterizedTest
    @MethodSource("servers")
    void whereAnOlderWorkerOpensAKeyAtOnceItForgetsOneAtMost(String name) throws Exception {
        start(name);
        five(500 * MILLI);
        olderOpens();
        assertTrue(olderWaits() < SECOND, "the last one of five is forgotten");
        assertEquals(SPAN, olderWaits(), SECOND, "and no other");
    }

    /** Nor where its threads wake hardly late, nor by today's scripts. */
    @ParameterizedTest
    @MethodSource("servers")
    void whatIsLittleAheadIsKeptAndATodaysWorkerKeepsAll(String name) throws Exception {
        start(name);
        five(90 * MILLI);
        olderOpens();
        assertEquals(SPAN, olderWaits(), SECOND);
        start(name);
        RedisKey key = five(500 * MILLI);
        BlockingQueue<Boolean> fate = new ArrayBlockingQueue<>(1);
        key.write(new Incident.Builder(System.nanoTime()).epoch(1).build(), new Limit(1000, 100), 3600 * SECOND,
                (written, stored) -> fate.add(written));
        assertEquals(true, fate.poll(30, TimeUnit.SECONDS));
        assertEquals(SPAN, olderWaits(), SECOND);
    }
}
