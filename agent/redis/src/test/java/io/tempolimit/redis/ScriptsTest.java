package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Answer;
import io.tempolimit.core.Fleet;
import io.tempolimit.core.FleetSettings;
import io.tempolimit.core.Incident;
import io.tempolimit.core.Limit;
import io.tempolimit.core.Policy;
import io.tempolimit.core.SharedKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the scripts decide, in each server that there is. */
class ScriptsTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    /** One of each kind for all tests, each of which has a prefix of its own. */
    private static final Map<String, Server> RUNNING = new HashMap<>();
    private static int tests;

    private Server server;
    private String prefix;
    private final List<Fleet> fleets = new ArrayList<>();

    static List<String> servers() {
        return new ArrayList<>(Servers.ALL.keySet());
    }

    private void start(String name) throws Exception {
        server = RUNNING.get(name);
        if (server == null) {
            server = Server.start(Servers.ALL.get(name));
            RUNNING.put(name, server);
        }
        prefix = "test" + ++tests;
    }

    @AfterEach
    void close() {
        fleets.forEach(Fleet::close);
    }

    @AfterAll
    static void stop() throws Exception {
        for (Server each : RUNNING.values()) {
            each.close();
        }
    }

    /** One worker's view of the key {@code shop.example}. */
    private final class Shop {
        final BlockingQueue<Incident> heard = new ArrayBlockingQueue<>(100);
        final Fleet fleet;
        final SharedKey key;

        Shop() {
            this(server.uri());
        }

        Shop(String uri) {
            FleetSettings settings = new FleetSettings(uri, null, false).prefix(prefix).timeout(2 * SECOND).start(20 * SECOND);
            fleet = RedisFleet.start(settings, new Fleet.Listener() {
                @Override
                public void lost(String why) {
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
                public void warning(String text) {
                }
            });
            fleets.add(fleet);
            key = fleet.key("shop.example");
        }

        Answer take(double rate, int burst, int n, long maxWait) throws Exception {
            BlockingQueue<Object> answers = new ArrayBlockingQueue<>(1);
            key.take(1e9 / rate, burst, n, maxWait, a -> answers.add(a == null ? "none" : a));
            return (Answer) answers.poll(30, TimeUnit.SECONDS);
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
            return new Incident(0, epoch, Incident.COOLING_DOWN, now + length, length, now, true, false, 1, now, 3, now, 0, 0, "-", now);
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
        String script = "redis.call('SELECT', 2) local r = redis.call(unpack(ARGV)) if type(r) == 'table' and r.ok then return r.ok end return r";
        System.arraycopy(new String[] {"EVAL", script, "0"}, 0, words, 0, 3);
        System.arraycopy(command, 0, words, 3, command.length);
        return server.ask(java.util.Arrays.copyOf(words, command.length + 3));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aBurstThenTheRate(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        long from = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            assertEquals(0, wait(shop.take(10, 5, 1, Long.MAX_VALUE)), "token " + i + " of a full bucket");
        }
        for (int i = 1; i <= 20; i++) {
            Answer a = shop.take(10, 5, 1, Long.MAX_VALUE);
            assertTrue(a.slot - from >= i * 100 * MILLI - MILLI, "token " + i + " after the burst: " + (a.slot - from));
            assertTrue(a.slot - System.nanoTime() <= i * 100 * MILLI);
        }
        assertEquals(25, shop.take(10, 5, 1, Long.MAX_VALUE).given - 1);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void whatWouldWaitTooLongTakesNothing(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        assertEquals(Answer.Kind.GO, shop.take(1, 1, 1, 0).kind);
        String before = bucket();
        Answer no = shop.take(1, 1, 1, 500 * MILLI);
        assertEquals(Answer.Kind.REFUSED, no.kind);
        assertTrue(no.slot - System.nanoTime() <= SECOND && no.slot - System.nanoTime() > 0);
        assertEquals(before, bucket());
        Answer some = shop.take(1, 1, 10, 3 * SECOND);
        assertEquals(Answer.Kind.GO, some.kind);
        assertEquals(3, some.count, "as many as fit into the patience");
        assertEquals(SECOND, some.step);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void foreignValuesAreReplaced(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.take(10, 5, 5, 0);
        String[][] garbage = {
            {"SET", "hello"}, {"SET", ""}, {"SET", "-inf 0 0"}, {"SET", "nan nan nan"}, {"SET", "1e400 1e400 1"}, {"SET", "0x10 5 5"},
            {"SET", "99999999999999999999999999 99999999999999999999999999999 1"}, {"SET", "-99999999999999999999999999 1.2.3 1"},
            {"SET", "5 5 99999999999999999999999999999999999999"}, {"RPUSH", "a"}, {"HSET", "a", "b"}, {"SADD", "a"}, {"ZADD", "1", "a"},
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
            "1 0 1 1 " + far + " " + far + " 0 1 1 0 1 0 0 0 0 -", "1 0 1 2 -" + far + " 5 0 1 1 0 1 0 0 0 0 -", "1 0 1 9 0 5 0 1 1 0 1 0 0 0 0 -",
            "99999999999999999999999 0 1 1 0 5 0 1 1 0 1 0 0 0 0 -", "1 0 0 0 0 0 0 0 0 0 0 0 99999999999999999999 99999999999999 0 -"}) {
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
        long from = System.nanoTime();
        while (slots.size() < 130) {
            slots(shop, 1000, 10, 1 + slots.size() % 5, slots);
        }
        check(slots, 7, 300 * MILLI);
        check(slots, 20, 2 * SECOND);
        check(slots, 100, 10 * SECOND);
        assertTrue(bucket().length() <= 3 * 1024, bucket().length() + " bytes");
        assertTrue(slots.get(99).earliest - from < 11 * SECOND, "and not much later than they must");
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
    void theClockSetBackGivesNoBurstAndNoLongWait(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.take(10, 5, 5, 0);
        shop.write(shop.cooling(2 * SECOND, 1), false);
        // the same as if the server's clock were set back by an hour now
        long hour = 3_600_000_000L;
        String script = "local f = {} for w in string.gmatch(redis.call('GET', KEYS[1]), '%S+') do table.insert(f, w) end "
                + "for _, i in ipairs({2, 5, 7, 10, 12, 15}) do f[i] = string.format('%.0f', f[i] + ARGV[1]) end redis.call('SET', KEYS[1], table.concat(f, ' ')) "
                + "local a, b, c = string.match(redis.call('GET', KEYS[2]), '^(%S+) (%S+) (%S+)') "
                + "redis.call('SET', KEYS[2], string.format('%.0f %.17g ', a + ARGV[1], b + ARGV[1]) .. c)";
        server.ask("EVAL", "redis.call('SELECT', 2) " + script, "2", prefix + ":{shop.example}:incident", prefix + ":{shop.example}:bucket", Long.toString(hour));
        Answer closed = shop.take(10, 5, 1, Long.MAX_VALUE);
        assertEquals(Answer.Kind.CLOSED, closed.kind);
        assertTrue(wait(closed) > 0 && wait(closed) <= 2 * SECOND, "until " + wait(closed));
        database("DEL", prefix + ":{shop.example}:incident");
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waits.add(wait(shop.take(10, 5, 1, Long.MAX_VALUE)));
        }
        assertTrue(waits.get(5) > 0, "no second burst: " + waits);
        assertTrue(waits.get(9) <= 2 * SECOND, "and no hour: " + waits);
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
        assertTrue(heard.until - before >= length - MILLI && heard.until - before <= length + took + MILLI, "until " + (heard.until - before));
        assertTrue(took < SECOND, "it took " + took); // a tenth of that where the machine has nothing else to do
        Answer closed = two.take(10, 5, 1, Long.MAX_VALUE);
        assertEquals(Answer.Kind.CLOSED, closed.kind);
        assertEquals(written.version, closed.incident.version, "it did not know this one yet");
        two.key.known(written.version);
        assertNull(two.take(10, 5, 1, Long.MAX_VALUE).incident, "and now it does");
    }

    @ParameterizedTest
    @MethodSource("servers")
    void ofTwoThatJudgeOneWrites(String name) throws Exception {
        start(name);
        Shop one = new Shop();
        Shop two = new Shop();
        long first = one.write(one.cooling(SECOND, 1), false).version;
        assertNull(two.write(two.cooling(3 * SECOND, 1), false), "made from a version that holds no more");
        assertEquals(0, two.key.version());
        two.key.known(first);
        assertEquals(first + 1, two.write(two.cooling(3 * SECOND, 2), false).version);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void oneProbeInTheFleet(String name) throws Exception {
        start(name);
        List<Shop> shops = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            shops.add(new Shop());
        }
        long version = shops.get(0).write(shops.get(0).cooling(300 * MILLI, 1), false).version;
        int probes = 0;
        Shop holder = null;
        long from = System.nanoTime();
        while (System.nanoTime() - from < 2 * SECOND) {
            for (Shop s : shops) {
                if (s == holder) {
                    continue; // who asks again has not heard that he may
                }
                Answer a = s.take(10, 5, 3, Long.MAX_VALUE);
                if (a.kind == Answer.Kind.PROBE) {
                    assertTrue(System.nanoTime() - from >= 290 * MILLI, "before the pause was over");
                    assertEquals(1, a.count);
                    holder = s;
                    probes++;
                } else {
                    assertEquals(Answer.Kind.CLOSED, a.kind);
                }
            }
        }
        assertEquals(1, probes);
        // its worker is killed: the lease ends
        database("PEXPIRE", prefix + ":{shop.example}:probe", "100");
        long deadline = System.nanoTime() + 20 * SECOND;
        Answer next;
        do {
            next = shops.get(2).take(10, 5, 1, Long.MAX_VALUE);
        } while (next.kind == Answer.Kind.CLOSED && System.nanoTime() < deadline);
        assertEquals(Answer.Kind.PROBE, next.kind);
        // or it gives up
        shops.get(1).key.release();
        assertEquals(Answer.Kind.CLOSED, shops.get(1).take(10, 5, 1, Long.MAX_VALUE).kind, "only the holder releases it");
        shops.get(2).key.release();
        shops.get(2).take(10, 5, 0, Long.MAX_VALUE);
        assertEquals(Answer.Kind.PROBE, shops.get(3).take(10, 5, 1, Long.MAX_VALUE).kind);
        // it was good: the key opens, from an empty bucket
        Shop opener = shops.get(3);
        opener.key.known(version);
        long now = System.nanoTime();
        assertNotNull(opener.write(new Incident(1, 2, Incident.OPEN, now, 0, now, false, false, 1, now, 0, now, 0, 0, "-", now), true));
        Answer first = opener.take(10, 5, 1, Long.MAX_VALUE);
        assertEquals(Answer.Kind.GO, first.kind);
        assertTrue(first.slot - now >= 99 * MILLI, "the bucket was empty: " + (first.slot - now));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aLearntRateHoldsForAll(String name) throws Exception {
        start(name);
        Shop one = new Shop();
        Shop two = new Shop();
        long now = System.nanoTime();
        String saved = "2,0.5,1000000000,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";
        one.write(new Incident(0, 1, Incident.OPEN, now, 0, now, false, false, 0, now, 0, now, 2e9, 1, saved, now), false);
        Answer a = two.take(10, 5, 2, Long.MAX_VALUE);
        assertEquals(2 * SECOND, a.step);
        assertEquals(saved, a.incident.learned);
        assertEquals(2e9, a.incident.interval);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void whatIsForgottenIsWrittenAgain(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        Incident written = shop.write(shop.cooling(10 * SECOND, 4), false);
        server.ask("FLUSHALL");
        Answer a = shop.take(10, 5, 1, Long.MAX_VALUE);
        assertEquals(Answer.Kind.GO, a.kind);
        assertEquals(0, a.incident.version, "it is told that there is none");
        Incident again = shop.write(Incident.merge(written, a.incident, new Policy.Builder().build(), System.nanoTime()), false);
        assertTrue(again.version > written.version, "whoever knows the old one sees that this is newer");
        assertEquals(Answer.Kind.CLOSED, shop.take(10, 5, 1, Long.MAX_VALUE).kind);
    }

    /** Who knew more took the new record for one that he had. */
    @ParameterizedTest
    @MethodSource("servers")
    void afterARestartNumbersBeganAnewFromWhoKnewLeast(String name) throws Exception {
        start(name);
        Shop one = new Shop();
        Shop two = new Shop();
        Incident first = one.write(one.cooling(10 * SECOND, 1), false);
        Incident second = one.write(one.cooling(10 * SECOND, 2), false);
        two.key.known(first.version);
        server.ask("FLUSHALL");
        Server.await(() -> System.nanoTime() - second.since > 2 * SECOND, "numbers are told apart by the second");
        assertTrue(two.write(two.cooling(10 * SECOND, 3), false).version > second.version);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void tokensComeBackWhereNobodyTookOneSince(String name) throws Exception {
        start(name);
        Shop one = new Shop();
        Shop two = new Shop();
        BlockingQueue<Integer> taken = new ArrayBlockingQueue<>(100);
        Answer mine = one.take(0.1, 1, 100, Long.MAX_VALUE);
        for (int i = 0; i < 99; i++) {
            one.key.give(mine.given - i, 1, 1e10, () -> taken.add(0));
        }
        one.take(0.1, 1, 0, 0); // on the same connection, so it has been done when this is answered
        assertEquals(0, taken.size(), "what was taken back, nobody has");
        Answer other = two.take(0.1, 1, 1, Long.MAX_VALUE);
        assertTrue(wait(other) <= 10 * SECOND && wait(other) > 0, "the second token: " + wait(other));
        one.key.give(mine.given - 99, 1, 1e10, () -> taken.add(1));
        one.take(0.1, 1, 0, 0);
        assertEquals(1, taken.size(), "and what was not, he has still");
        long next = wait(two.take(0.1, 1, 1, Long.MAX_VALUE));
        assertTrue(next > 5 * SECOND, "another one was taken since: " + next);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void theScriptsAreLoadedOnce(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.take(1000, 5, 1, Long.MAX_VALUE);
        long before = server.calls("eval");
        for (int i = 0; i < 20; i++) {
            shop.take(1000, 5, 1, Long.MAX_VALUE);
        }
        server.ask("SCRIPT", "FLUSH");
        assertFalse(shop.take(1000, 5, 1, Long.MAX_VALUE) == null);
        shop.take(1000, 5, 1, Long.MAX_VALUE);
        assertTrue(server.calls("eval") - before <= 4, "EVAL: " + (server.calls("eval") - before)); // the other scripts are unknown now as well
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aWindowSaysThatItHoldsAndForHowLongNobodyWaits(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.key.windows(30 * SECOND, 3, 60 * SECOND);
        assertEquals(3, shop.take(1000, 50, 10, Long.MAX_VALUE).count, "a fourth would have to wait too long");
        Answer no = shop.take(1000, 50, 1, Long.MAX_VALUE);
        assertEquals(Answer.Kind.REFUSED, no.kind);
        assertEquals(1, no.window);
        assertTrue(wait(no) > 50 * SECOND && wait(no) <= 60 * SECOND, "" + wait(no));
        shop.key.windows(90 * SECOND, 3, 60 * SECOND);
        Answer later = shop.take(1000, 50, 1, Long.MAX_VALUE);
        assertEquals(Answer.Kind.GO, later.kind);
        assertEquals(1, later.window);
        shop.key.windows(Long.MAX_VALUE);
        Answer slow = shop.take(0.1, 1, 1, 0);
        assertEquals(Answer.Kind.REFUSED, slow.kind);
        assertEquals(0, slow.window, "that is the rate");
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
        for (int reserved = 0; reserved < 50; ) { // for the next 45 seconds
            reserved += shop.take(1, 5, 50 - reserved, Long.MAX_VALUE).count;
        }
        shop.write(shop.cooling(1500 * MILLI, 1), false);
        Server.await(() -> probes(shop), "a token's time after the pause has begun, and when that is over");
        shop.key.release();
        long now = System.nanoTime();
        shop.write(new Incident(1, 2, Incident.OPEN, now, 0, now, false, false, 1, now, 0, now, 0, 0, "-", now), true);
        shop.key.windows(Long.MAX_VALUE, 10, 60 * SECOND);
        for (Answer a; (a = shop.take(1000, 50, 10, 5 * SECOND)).kind == Answer.Kind.GO; ) { // by the time of day windows have other cells, of which some were void and some not
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
    void whoDidNotHearThatHeMayProbeKeptAllWaiting(String name) throws Exception {
        start(name);
        Shop one = new Shop();
        Shop two = new Shop();
        one.write(one.cooling(100 * MILLI, 1), false);
        Server.await(() -> probes(one), "the pause is over");
        assertEquals(Answer.Kind.PROBE, one.take(1, 5, 1, Long.MAX_VALUE).kind, "its answer may have been late");
        assertEquals(Answer.Kind.CLOSED, two.take(1, 5, 1, Long.MAX_VALUE).kind);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void whatWasGivenBackAfterAnOpeningFilledTheEmptyBucket(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        Answer mine = shop.take(10, 5, 5, 0);
        long now = System.nanoTime();
        shop.write(new Incident(0, 1, Incident.OPEN, now, 0, now, false, false, 1, now, 0, now, 0, 0, "-", now), true);
        shop.key.give(mine.given, 5, 1e8, () -> { });
        int full = shop.take(10, 5, 5, 0).count;
        assertTrue(full <= (System.nanoTime() - now) / (100 * MILLI), full + " tokens");
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

    /** Names are hosts, accounts and proxies; whatever is in one, its three strings are in one slot, and are its own. */
    @ParameterizedTest
    @MethodSource("servers")
    void oddNamesAreKeysOfTheirOwn(String name) throws Exception {
        start(name);
        List<String> odd = List.of("{", "}", "{}", "a}b{c", "{a}:bucket", "a b", "[::1]", "%7D", "xn--bcher-kva.example", "\u00fc", "*", ":", "a\nb", "0", "-", "shop.example|3f9a0c77be21");
        Fleet fleet = new Shop().fleet;
        Map<String, Long> given = new HashMap<>();
        for (String key : odd) {
            SharedKey shared = fleet.key(key);
            BlockingQueue<Object> answers = new ArrayBlockingQueue<>(1);
            shared.take(1e9, 3, 1, 0, a -> answers.add(a == null ? "none" : a));
            Answer a = (Answer) answers.poll(30, TimeUnit.SECONDS);
            given.put(key, a.given);
            BlockingQueue<Object> written = new ArrayBlockingQueue<>(1);
            shared.write(Incident.NONE, null, SECOND, (yes, stored) -> written.add(yes));
            assertEquals(true, written.poll(30, TimeUnit.SECONDS), key);
        }
        odd.forEach(key -> assertEquals(1, given.get(key), key + " has a bucket of its own"));
    }
}
