package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.store.Answer;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.core.store.SharedKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the scripts decide, in each server that there is. Its tests run side by side, for they wait most of the time. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class ScriptsTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    /** One of each kind for all tests, each of which has a prefix of its own. */
    private static final Map<String, Server> RUNNING = new HashMap<>();
    private static final AtomicInteger TESTS = new AtomicInteger();

    private Server server;
    /** The server of a test that shares it with no other, or null. */
    private Server own;
    private String prefix;
    private final List<Fleet> fleets = new ArrayList<>();

    static List<String> servers() {
        return new ArrayList<>(Servers.ALL.keySet());
    }

    private void start(String name) throws Exception {
        synchronized (RUNNING) {
            server = RUNNING.get(name);
            if (server == null) {
                server = Server.start(Servers.ALL.get(name));
                RUNNING.put(name, server);
            }
        }
        prefix = "test" + TESTS.incrementAndGet();
    }

    private void startAlone(String name) throws Exception {
        server = own = Server.start(Servers.ALL.get(name));
        prefix = "test";
    }

    @AfterEach
    void close() throws Exception {
        fleets.forEach(Fleet::close);
        if (own != null) {
            own.close();
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (Server each : RUNNING.values()) {
            each.close();
        }
    }

    /** One worker's view of the key {@code shop.example}. */
    private final class Shop {
        final List<String> warnings = new java.util.concurrent.CopyOnWriteArrayList<>();
        final BlockingQueue<Incident> heard = new ArrayBlockingQueue<>(100);
        /** For so long its clock stood still, in nanoseconds. */
        volatile long stood;
        final Fleet fleet;
        final SharedKey key;

        Shop() {
            this(server.uri());
        }

        Shop(String uri) {
            FleetSettings settings = new FleetSettings(uri, null, false).prefix(prefix).timeout(2 * SECOND).start(20 * SECOND);
            fleet = RedisFleet.start(settings, new Fleet.Listener() {
                @Override
                public void lost(Fleet.State how, String why) {
                }

                @Override
                public void restored(boolean again) {
                }

                @Override
                public void incident(String name, Incident incident) {
                    if (name.equals("shop.example")) {
                        heard.offer(incident);
                    }
                }

                @Override
                public void bucketLost(String name) {
                }

                @Override
                public void probeGivenUp(String name) {
                }

                @Override
                public void warning(String text) {
                    warnings.add(text);
                }
            }, () -> System.nanoTime() - stood);
            fleets.add(fleet);
            key = fleet.key("shop.example");
        }

        Answer take(double rate, int burst, int n, long maxWait) throws Exception {
            BlockingQueue<Object> answers = new ArrayBlockingQueue<>(1);
            key.take(1e9 / rate, burst, n, maxWait, a -> answers.add(a == null ? "none" : a));
            Object answer = answers.poll(30, TimeUnit.SECONDS);
            return answer instanceof Answer ? (Answer) answer : null;
        }

        /** The record that holds then; null if it could not be written. */
        Incident write(Incident incident, boolean opens) throws Exception {
            BlockingQueue<Object> answers = new ArrayBlockingQueue<>(1);
            key.write(incident, opens ? new Limit(10, 5) : null, 3600 * SECOND, (written, stored) -> answers.add(written ? stored : "no"));
            Object answer = answers.poll(30, TimeUnit.SECONDS);
            return answer instanceof Incident ? (Incident) answer : null;
        }

        Incident cooling(long length, int epoch) {
            long now = System.nanoTime();
            return new Incident.Builder(now).epoch(epoch).rest(Incident.COOLING_DOWN, now + length, length, now).tripped(true)
                    .trips(1, now).count(3, now).build();
        }
    }

    private static long wait(Answer a) {
        return Math.max(0, a.slot - System.nanoTime());
    }

    private String bucket() throws Exception {
        return database("GET", prefix + ":{shop.example}:bucket");
    }

    /** In the database that holds where the address names none. */
    private String database(String... command) throws Exception {
        String[] words = new String[command.length + 5];
        String script = "redis.call('SELECT', 2) local r = redis.call(unpack(ARGV)) if type(r) == 'table' and r.ok then "
                + "return r.ok end return r";
        System.arraycopy(new String[] {"EVAL", script, "0"}, 0, words, 0, 3);
        System.arraycopy(command, 0, words, 3, command.length);
        return server.ask(java.util.Arrays.copyOf(words, command.length + 3));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void foreignValuesAreReplaced(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.take(10, 5, 5, 0);
        String[][] garbage = {
            {"SET", "hello"}, {"SET", ""}, {"SET", "-inf 0 0"}, {"SET", "v1 nan nan nan 1 1"},
            {"SET", "v1 1e400 1e400 1 1 1"}, {"SET", "v1 0x10 5 5 1 1"},
            {"SET", "v1 99999999999999999999999999 99999999999999999999999999999 1 1 1"},
            {"SET", "v1 -99999999999999999999999999 1.2.3 1 1 1"},
            {"SET", "v1 5 5 99999999999999999999999999999999999999 1 1"}, {"SET", "v1 5 5 1 99999999999999999999999999999999999999 1"},
            {"SET", "v1 5 5 1 1 99999999999999999999999999999999999999"}, {"SET", "v 5 5 1 1 1"},
            {"SET", "vx 5 5 1 1 1"}, {"SET", "5 5 1"}, {"RPUSH", "a"}, {"HSET", "a", "b"}, {"SADD", "a"}, {"ZADD", "1", "a"},
        };
        for (String suffix : new String[] {"bucket", "incident", "probe"}) {
            for (String[] g : garbage) {
                String key = prefix + ":{shop.example}:" + suffix;
                database("DEL", key);
                List<String> command = new ArrayList<>(List.of(g[0], key));
                command.addAll(List.of(g).subList(1, g.length));
                database(command.toArray(new String[0]));
                Answer a = shop.take(10, 5, 1, Long.MAX_VALUE);
                assertNotNull(a, suffix + " " + List.of(g));
                assertEquals(Answer.Kind.GO, a.kind, suffix + " " + List.of(g));
                assertTrue(wait(a) < 20 * SECOND, suffix + " " + List.of(g) + ": " + wait(a));
                database("DEL", key);
            }
        }
        // records that look like one of ours
        long far = 9_000_000_000_000_000L;
        for (String record : new String[] {
            "v1 1 0 1 1 " + far + " " + far + " 0 1 1 0 1 0 0 0 0 -", "v1 1 0 1 2 -" + far + " 5 0 1 1 0 1 0 0 0 0 -",
            "v1 1 0 1 9 0 5 0 1 1 0 1 0 0 0 0 -",
            "v1 99999999999999999999999 0 1 1 0 5 0 1 1 0 1 0 0 0 0 -",
            "v1 1 0 0 0 0 0 0 0 0 0 0 0 99999999999999999999 99999999999999 0 -"}) {
            database("SET", prefix + ":{shop.example}:incident", record);
            Answer a = shop.take(10, 5, 1, Long.MAX_VALUE);
            assertTrue(a.kind == Answer.Kind.GO || a.kind == Answer.Kind.PROBE, record + ": " + a.kind);
            assertTrue(wait(a) < 20 * SECOND, record + ": " + wait(a));
            database("DEL", prefix + ":{shop.example}:incident");
            database("DEL", prefix + ":{shop.example}:probe");
        }
        // and a record can be written over anything
        database("SET", prefix + ":{shop.example}:incident", "nonsense");
        assertNotNull(shop.write(shop.cooling(SECOND, 1), false));
    }

    /** As while a fleet is brought up to date. */
    @ParameterizedTest
    @MethodSource("servers")
    void aLaterVersionsRecordsStayAsTheyAreAndAreToldOnce(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.take(10, 5, 1, 0);
        String key = prefix + ":{shop.example}:";
        for (String suffix : new String[] {"bucket", "incident"}) {
            database("DEL", key + "bucket", key + "incident");
            database("SET", key + suffix, "v12 whatever that is");
            for (int i = 0; i < 3; i++) {
                assertNull(shop.take(10, 5, 1, Long.MAX_VALUE), suffix);
                assertNull(shop.write(shop.cooling(SECOND, 1), false), suffix);
                shop.key.give(1, 1, 1, () -> { });
            }
            assertEquals("v12 whatever that is", database("GET", key + suffix));
            assertEquals("0", database("EXISTS", key + (suffix.equals("bucket") ? "incident" : "bucket")));
        }
        server.ask("PUBLISH", prefix + ":incidents", "5 v12 whatever a b c d e f g h i j k l m n shop.example");
        database("DEL", key + "bucket", key + "incident");
        Server.await(() -> takes(shop), "and once they are gone it is as before");
        assertEquals(1, shop.warnings.size(), shop.warnings.toString());
        assertTrue(shop.warnings.get(0).contains("later version"), shop.warnings.toString());
        assertTrue(shop.heard.isEmpty());
    }

    private static boolean takes(Shop shop) {
        try {
            return shop.take(10, 5, 1, Long.MAX_VALUE) != null;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void everythingExpires(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.key.windows(Long.MAX_VALUE, 10, 3600 * SECOND);
        shop.take(1_000_000, 1, 1, Long.MAX_VALUE);
        shop.write(shop.cooling(SECOND, 1), false);
        long deadline = System.nanoTime() + 20 * SECOND;
        while (shop.take(1_000_000, 1, 1, Long.MAX_VALUE).kind != Answer.Kind.PROBE) {
            assertTrue(System.nanoTime() < deadline);
        }
        for (String key : new String[] {"bucket", "incident", "probe"}) {
            long left = Long.parseLong(database("PTTL", prefix + ":{shop.example}:" + key));
            assertTrue(left > 0 && left <= 2 * 3_600_000, key + " " + left);
        }
        assertTrue(Long.parseLong(database("PTTL", prefix + ":workers")) > 0);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void windowsHoldToTheLast(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.key.windows(Long.MAX_VALUE, 7, 300 * MILLI, 20, 2 * SECOND, 100, 10 * SECOND);
        List<Slot> slots = new ArrayList<>();
        while (slots.size() < 130) {
            slots(shop, 1000, 10, 1 + slots.size() % 5, slots);
        }
        check(slots, 7, 300 * MILLI);
        check(slots, 20, 2 * SECOND);
        check(slots, 100, 10 * SECOND);
        assertTrue(bucket().length() <= 3 * 1024, bucket().length() + " bytes");
        assertTrue(slots.get(99).earliest - slots.get(0).latest < 11 * SECOND, "and not much later than they must");
    }

    /** A slot, by this machine's clock: the server decided between the question and its answer. */
    private static final class Slot {
        final long earliest;
        final long latest;

        Slot(long earliest, long latest) {
            this.earliest = earliest;
            this.latest = latest;
        }
    }

    private static void slots(Shop shop, double rate, int burst, int n, List<Slot> slots) throws Exception {
        long asked = System.nanoTime();
        Answer a = shop.take(rate, burst, n, Long.MAX_VALUE);
        long took = System.nanoTime() - asked;
        for (int i = 0; i < a.count; i++) {
            slots.add(new Slot(a.slot + i * a.step - took, a.slot + i * a.step));
        }
    }

    private static void check(List<Slot> slots, int limit, long duration) {
        for (int i = 0; i + limit < slots.size(); i++) {
            long apart = slots.get(i + limit).latest - slots.get(i).earliest;
            assertTrue(apart >= duration - MILLI / 100, limit + " in " + duration + ": " + apart);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void anIncidentIsEverywhereAtOnce(String name) throws Exception {
        start(name);
        Shop one = new Shop();
        Shop two = new Shop();
        one.take(10, 5, 1, 0);
        two.take(10, 5, 1, 0);
        long length = 5 * SECOND;
        long before = System.nanoTime();
        Incident written = one.write(one.cooling(length, 7), false);
        assertEquals(1, written.version % Incident.NUMBERS);
        Incident heard = two.heard.poll(20, TimeUnit.SECONDS);
        long took = System.nanoTime() - before;
        assertEquals(written.version, heard.version);
        assertEquals(7, heard.epoch);
        assertEquals(Incident.COOLING_DOWN, heard.state);
        assertEquals(3, heard.count);
        assertTrue(heard.until - before >= length - MILLI && heard.until - before <= length + took + MILLI,
                "until " + (heard.until - before));
        Answer closed = two.take(10, 5, 1, Long.MAX_VALUE);
        assertEquals(Answer.Kind.CLOSED, closed.kind);
        assertEquals(written.version, closed.incident.version, "it did not know this one yet");
        two.key.known(written.version);
        assertNull(two.take(10, 5, 1, Long.MAX_VALUE).incident, "and now it does");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void theScriptsAreLoadedOnce(String name) throws Exception {
        startAlone(name); // whose calls it counts
        Shop shop = new Shop();
        shop.take(1000, 5, 1, Long.MAX_VALUE);
        long before = server.calls("eval");
        for (int i = 0; i < 20; i++) {
            shop.take(1000, 5, 1, Long.MAX_VALUE);
        }
        server.ask("SCRIPT", "FLUSH");
        assertFalse(shop.take(1000, 5, 1, Long.MAX_VALUE) == null);
        shop.take(1000, 5, 1, Long.MAX_VALUE);
        // the other scripts are unknown now as well
        assertTrue(server.calls("eval") - before <= 4, "EVAL: " + (server.calls("eval") - before));
    }

    /** Its cells were begun anew with each call, so all of a day were one, which ended a day after the last request. */
    @ParameterizedTest
    @MethodSource("servers")
    void aWindowOfManyWasFreeAgainOnlyAfterTheLastOfThem(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.key.windows(Long.MAX_VALUE, 90, 30 * SECOND);
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            slots(shop, 4, 1, 1, slots);
        }
        check(slots, 90, 30 * SECOND);
        for (int i = 0; i + 90 < slots.size(); i++) {
            long span = slots.get(i + 90).earliest - slots.get(i).latest;
            assertTrue(span <= 31 * SECOND + 250 * MILLI, "a thirtieth of the duration, and a token's time: " + i + " " + span);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void otherWindowsForgotWhatHadGone(String name) throws Exception {
        start(name);
        Shop one = new Shop();
        Shop two = new Shop();
        one.key.windows(Long.MAX_VALUE, 10, 600 * SECOND);
        assertEquals(10, one.take(1000, 50, 10, 0).count);
        two.take(1000, 50, 1, 0); // has none
        assertEquals(Answer.Kind.REFUSED, one.take(1000, 50, 1, 0).kind, "a worker without windows must not empty those of others");
        two.key.windows(Long.MAX_VALUE, 12, 900 * SECOND);
        assertEquals(2, two.take(1000, 50, 10, 0).count, "new settings know what has gone");
        one.key.windows(Long.MAX_VALUE, 5, 60 * SECOND);
        assertEquals(Answer.Kind.REFUSED, one.take(1000, 50, 1, 0).kind);
        two.key.windows(Long.MAX_VALUE, 100, 1200 * SECOND);
        assertEquals(88, two.take(1000, 500, 100, 0).count);
        for (int i = 0; i < 20; i++) { // as somebody tries what suits him
            two.key.windows(Long.MAX_VALUE, 1000 + i, 3600 * SECOND + i * SECOND);
            two.take(1000, 500, 1, 0);
        }
        assertTrue(bucket().length() < 1024, bucket().length() + " bytes");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aProbeNeedsRoomAndWhatWasReservedBeforeThePauseIsVoid(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.key.windows(Long.MAX_VALUE, 1000, 3600 * SECOND);
        for (int reserved = 0; reserved < 20; ) { // for the next 8 seconds
            reserved += shop.take(2, 5, 20 - reserved, Long.MAX_VALUE).count;
        }
        shop.write(shop.cooling(1500 * MILLI, 1), false);
        Server.await(() -> probes(shop), "a token's time after the pause has begun, and when that is over");
        shop.key.release();
        long now = System.nanoTime();
        shop.write(new Incident.Builder(now).version(1).epoch(2).trips(1, now).build(), true);
        shop.key.windows(Long.MAX_VALUE, 10, 60 * SECOND);
        // by the time of day windows have other cells, of which some were void and some not
        for (Answer a; (a = shop.take(1000, 50, 10, 5 * SECOND)).kind == Answer.Kind.GO; ) {
            long last = a.slot + (a.count - 1) * a.step;
            Server.await(() -> System.nanoTime() - last > 0, "all have gone");
        }
        shop.write(shop.cooling(100 * MILLI, 3), false);
        java.util.concurrent.locks.LockSupport.parkNanos(200 * MILLI);
        Answer closed = shop.take(10, 5, 1, Long.MAX_VALUE);
        assertEquals(Answer.Kind.CLOSED, closed.kind, "the window is full");
        assertTrue(wait(closed) > 30 * SECOND, "" + wait(closed));
    }

    private static boolean probes(Shop shop) {
        try {
            return shop.take(1, 5, 1, Long.MAX_VALUE).kind == Answer.Kind.PROBE;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void whoAskedBetweenTheLinkAndTheFirstAnswerTookHisOwnLinkForAnother(String name) throws Exception {
        start(name);
        try (Proxy proxy = new Proxy(server.port)) {
            proxy.delay(50);
            Shop shop = new Shop("redis://127.0.0.1:" + proxy.port);
            RedisFleet fleet = (RedisFleet) shop.fleet;
            Server.await(() -> fleet.links() > 0, "a link; its first answer comes 100 ms later");
            assertEquals(1, shop.take(0.001, 5, 1, 0).count);
            proxy.delay(0);
            assertEquals(4, shop.take(0.001, 5, 5, 0).count, "what is left of the burst");
        }
    }

    /**
     * What is behind a new link may be another server's bucket, so it is taken for empty; a refusal stores nothing, and
     * the next request found it full.
     */
    @ParameterizedTest
    @MethodSource("servers")
    void afterANewLinkARefusalMadeTheBucketFullAgain(String name) throws Exception {
        startAlone(name); // whose clients it cuts off
        Shop shop = new Shop();
        assertEquals(1, shop.take(0.001, 5, 1, 0).count);
        int links = ((RedisFleet) shop.fleet).links();
        server.ask("CLIENT", "KILL", "TYPE", "normal");
        Server.await(() -> ((RedisFleet) shop.fleet).links() > links && shop.fleet.shared(), "another link");
        assertEquals(Answer.Kind.REFUSED, shop.take(0.001, 5, 1, 0).kind);
        assertEquals(Answer.Kind.REFUSED, shop.take(0.001, 5, 1, 0).kind, "it is as empty as before");
        assertEquals(1, shop.take(0.001, 5, 1, Long.MAX_VALUE).count);
        assertEquals(Answer.Kind.REFUSED, shop.take(0.001, 5, 1, 0).kind, "and is what is stored by then");
    }

    /** What was given before is of a time that is long over, for all but this JVM. */
    @ParameterizedTest
    @MethodSource("servers")
    void theTurnsOfAMachineThatWasSuspendedAreOver(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        Shop other = new Shop();
        assertFalse(shop.take(10, 5, 5, Long.MAX_VALUE).lost);
        assertFalse(shop.take(10, 5, 5, Long.MAX_VALUE).lost, "time has passed for both");
        other.take(10, 5, 1, Long.MAX_VALUE);
        shop.stood += 20 * SECOND;
        Answer woken = shop.take(10, 5, 1, Long.MAX_VALUE);
        assertTrue(woken.lost);
        assertTrue(woken.slot - (System.nanoTime() - shop.stood) > 0, "and the bucket has not changed");
        assertFalse(shop.take(10, 5, 1, Long.MAX_VALUE).lost);
        assertFalse(other.take(10, 5, 1, Long.MAX_VALUE).lost, "another JVM's turns are not");
    }
}
