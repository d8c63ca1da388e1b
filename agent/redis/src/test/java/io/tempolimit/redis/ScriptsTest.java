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
import io.tempolimit.core.SharedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the scripts decide, in each server that there is. */
class ScriptsTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    private Server server;
    private final List<Fleet> fleets = new ArrayList<>();

    static List<String> servers() {
        return new ArrayList<>(Servers.ALL.keySet());
    }

    private void start(String name) throws Exception {
        server = Server.start(Servers.ALL.get(name));
    }

    @AfterEach
    void close() throws Exception {
        fleets.forEach(Fleet::close);
        if (server != null) {
            server.close();
        }
    }

    /** One worker's view of the key {@code shop.example}. */
    private final class Shop {
        final BlockingQueue<Incident> heard = new ArrayBlockingQueue<>(100);
        final SharedKey key;

        Shop() {
            FleetSettings settings = new FleetSettings(server.uri(), null, false).timeout(2 * SECOND).start(20 * SECOND);
            Fleet fleet = RedisFleet.start(settings, new Fleet.Listener() {
                @Override
                public void lost(String why) {
                }

                @Override
                public void restored(boolean again) {
                }

                @Override
                public void incident(String name, Incident incident) {
                    assertEquals("shop.example", name);
                    heard.add(incident);
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
            key.write(incident, opens, 3600 * SECOND, (written, stored) -> answers.add(written ? stored : "no"));
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
        return database("GET", "tempolimit:{shop.example}:bucket");
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
                String key = "tempolimit:{shop.example}:" + suffix;
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
            database("SET", "tempolimit:{shop.example}:incident", record);
            Answer a = shop.take(10, 5, 1, Long.MAX_VALUE);
            assertTrue(a.kind == Answer.Kind.GO || a.kind == Answer.Kind.PROBE, record + ": " + a.kind);
            assertTrue(wait(a) < 20 * SECOND, record + ": " + wait(a));
            database("DEL", "tempolimit:{shop.example}:incident");
            database("DEL", "tempolimit:{shop.example}:probe");
        }
        // and a record can be written over anything
        database("SET", "tempolimit:{shop.example}:incident", "nonsense");
        assertNotNull(shop.write(shop.cooling(SECOND, 1), false));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void everythingExpires(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.key.windows(10, 3600 * SECOND);
        shop.take(1_000_000, 1, 1, Long.MAX_VALUE);
        shop.write(shop.cooling(SECOND, 1), false);
        long deadline = System.nanoTime() + 20 * SECOND;
        while (shop.take(1_000_000, 1, 1, Long.MAX_VALUE).kind != Answer.Kind.PROBE) {
            assertTrue(System.nanoTime() < deadline);
        }
        for (String key : new String[] {"bucket", "incident", "probe"}) {
            long left = Long.parseLong(database("PTTL", "tempolimit:{shop.example}:" + key));
            assertTrue(left > 0 && left <= 2 * 3_600_000, key + " " + left);
        }
        assertTrue(Long.parseLong(database("PTTL", "tempolimit:workers")) > 0);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void windowsHoldToTheLast(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.key.windows(7, 300 * MILLI, 20, 2 * SECOND, 100, 10 * SECOND);
        List<Long> slots = new ArrayList<>();
        long from = System.nanoTime();
        while (slots.size() < 130) {
            Answer a = shop.take(1000, 10, 1 + slots.size() % 5, Long.MAX_VALUE);
            for (int i = 0; i < a.count; i++) {
                slots.add(a.slot + i * a.step);
            }
        }
        check(slots, 7, 300 * MILLI);
        check(slots, 20, 2 * SECOND);
        check(slots, 100, 10 * SECOND);
        assertTrue(bucket().length() <= 3 * 1024, bucket().length() + " bytes");
        assertTrue(slots.get(99) - from < 11 * SECOND, "and not much later than they must");
    }

    /** Answers take their time, by which slots are told later than they are: distances are as exact as that. */
    private static void check(List<Long> slots, int limit, long duration) {
        for (int i = 0; i + limit < slots.size(); i++) {
            assertTrue(slots.get(i + limit) - slots.get(i) >= duration - 60 * MILLI, limit + " in " + duration + ": " + (slots.get(i + limit) - slots.get(i)));
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
        server.ask("EVAL", "redis.call('SELECT', 2) " + script, "2", "tempolimit:{shop.example}:incident", "tempolimit:{shop.example}:bucket", Long.toString(hour));
        Answer closed = shop.take(10, 5, 1, Long.MAX_VALUE);
        assertEquals(Answer.Kind.CLOSED, closed.kind);
        assertTrue(wait(closed) > 0 && wait(closed) <= 2 * SECOND, "until " + wait(closed));
        database("DEL", "tempolimit:{shop.example}:incident");
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
        long from = System.nanoTime();
        while (System.nanoTime() - from < 2 * SECOND) {
            for (Shop s : shops) {
                Answer a = s.take(10, 5, 3, Long.MAX_VALUE);
                if (a.kind == Answer.Kind.PROBE) {
                    assertTrue(System.nanoTime() - from >= 290 * MILLI, "before the pause was over");
                    assertEquals(1, a.count);
                    probes++;
                } else {
                    assertEquals(Answer.Kind.CLOSED, a.kind);
                }
            }
        }
        assertEquals(1, probes);
        // its worker is killed: the lease ends
        database("PEXPIRE", "tempolimit:{shop.example}:probe", "100");
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
        Incident again = shop.write(Incident.merge(written, a.incident, System.nanoTime()), false);
        assertTrue(again.version > written.version, "whoever knows the old one sees that this is newer");
        assertEquals(Answer.Kind.CLOSED, shop.take(10, 5, 1, Long.MAX_VALUE).kind);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void tokensComeBackWhereNobodyTookOneSince(String name) throws Exception {
        start(name);
        Shop one = new Shop();
        Shop two = new Shop();
        Answer mine = one.take(1, 1, 100, Long.MAX_VALUE);
        for (int i = 0; i < 99; i++) {
            one.key.give(mine.given - i, 1e9, () -> { });
        }
        one.take(1, 1, 0, 0); // on the same connection, so it has been done when this is answered
        Answer other = two.take(1, 1, 1, Long.MAX_VALUE);
        assertTrue(wait(other) <= SECOND && wait(other) > 0, "the second token: " + wait(other));
        one.key.give(mine.given - 99, 1e9, () -> { });
        one.take(1, 1, 0, 0);
        long next = wait(two.take(1, 1, 1, Long.MAX_VALUE));
        assertTrue(next > SECOND / 2, "another one was taken since: " + next);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void theScriptsAreLoadedOnce(String name) throws Exception {
        start(name);
        Shop shop = new Shop();
        shop.take(1000, 5, 1, Long.MAX_VALUE);
        for (int i = 0; i < 20; i++) {
            shop.take(1000, 5, 1, Long.MAX_VALUE);
        }
        server.ask("SCRIPT", "FLUSH");
        assertFalse(shop.take(1000, 5, 1, Long.MAX_VALUE) == null);
        shop.take(1000, 5, 1, Long.MAX_VALUE);
        assertTrue(server.calls("eval") <= 4, "EVAL: " + server.calls("eval"));
    }
}
