package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.StreamLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class StreamsTest {
    private final Streams streams = new Streams();
    private final List<Body> victims = new ArrayList<>();

    private static Body body() {
        return new Body(null, null, null);
    }

    private static StreamLimits limits(int perKey, int perUrl, int inAll, boolean evicts) {
        return new StreamLimits(perKey, perUrl, inAll, evicts, StreamLimits.FOREVER);
    }

    /** One that is open, as a list has it. */
    private static final class Open {
        final Body body;
        final String key;
        final String url;
        final Streams.Stream stream;

        Open(Body body, String key, String url, Streams.Stream stream) {
            this.body = body;
            this.key = key;
            this.url = url;
            this.stream = stream;
        }
    }

    @Test
    void countsAndVictimsAreThoseOfAPlainListWhateverComes() {
        int evicted = 0;
        int turnedAway = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Streams s = new Streams();
            List<Open> model = new ArrayList<>();
            List<Open> gone = new ArrayList<>();
            for (int step = 0; step < 200; step++) {
                String key = "host" + random.nextInt(3);
                String url = "http://" + key + "/" + random.nextInt(3);
                StreamLimits limits = limits(1 + random.nextInt(5), 1 + random.nextInt(3), 1 + random.nextInt(8), random.nextBoolean());
                int what = random.nextInt(10);
                if (what < 6) {
                    Body body = body();
                    List<Body> expected = new ArrayList<>();
                    boolean turnsAway = s.turnsAway(key, url, limits);
                    assertEquals(!limits.evictsOldest && (count(model, o -> o.key.equals(key)) >= limits.perKey
                            || count(model, o -> o.url.equals(url)) >= limits.perUrl || model.size() >= limits.inAll), turnsAway);
                    if (limits.evictsOldest) {
                        evict(model, o -> o.url.equals(url), limits.perUrl, expected, gone);
                        evict(model, o -> o.key.equals(key), limits.perKey, expected, gone);
                        evict(model, o -> true, limits.inAll, expected, gone);
                    }
                    List<Body> actual = new ArrayList<>();
                    boolean opened = s.open(body, key, url, limits, 0, actual);
                    assertEquals(expected, actual, "seed " + seed + ", step " + step);
                    assertEquals(turnsAway, !opened);
                    if (!opened) {
                        turnedAway++;
                    } else {
                        model.add(new Open(body, key, url, body.stream));
                        evicted += actual.size();
                        assertTrue(count(model, o -> o.key.equals(key)) <= limits.perKey);
                        assertTrue(count(model, o -> o.url.equals(url)) <= limits.perUrl);
                        assertTrue(model.size() <= limits.inAll);
                    }
                } else if (what < 9 && !model.isEmpty()) {
                    Open closed = model.remove(random.nextInt(model.size()));
                    gone.add(closed);
                    s.closed(closed.stream);
                } else if (!gone.isEmpty()) {
                    s.closed(gone.get(random.nextInt(gone.size())).stream); // once more
                }
                for (String k : Arrays.asList("host0", "host1", "host2")) {
                    assertEquals(count(model, o -> o.key.equals(k)), s.open(k));
                }
            }
        }
        assertTrue(evicted > 1000 && turnedAway > 1000, evicted + " evicted, " + turnedAway + " turned away");
    }

    private static int count(List<Open> model, Predicate<Open> which) {
        return (int) model.stream().filter(which).count();
    }

    private static void evict(List<Open> model, Predicate<Open> which, int limit, List<Body> victims, List<Open> gone) {
        while (count(model, which) >= limit) {
            Open oldest = model.stream().filter(which).findFirst().get();
            model.remove(oldest);
            gone.add(oldest);
            victims.add(oldest.body);
        }
    }

    @Test
    void thoseWhoseTimeIsOverLeaveAndTheNextTimeIsKnown() {
        assertEquals(Streams.NEVER, streams.nextEnd());
        Body ten = body();
        Body five = body();
        Body forever = body();
        streams.open(ten, "a", "http://a/", new StreamLimits(9, 9, 9, false, 10), 100, victims);
        streams.open(five, "b", "http://b/", new StreamLimits(9, 9, 9, false, 5), 100, victims);
        streams.open(forever, "b", "http://b/", limits(9, 9, 9, false), 100, victims);
        assertEquals(105, streams.nextEnd());
        assertEquals(Collections.emptyList(), streams.expired(104));
        assertEquals(Collections.singletonList(five), streams.expired(105));
        assertEquals(110, streams.nextEnd());
        assertEquals(1, streams.open("b"));
        assertEquals(Collections.singletonList(ten), streams.expired(1000));
        assertEquals(Streams.NEVER, streams.nextEnd());
        assertEquals(1, streams.open("b"));
    }

    @Test
    void aCollectedAnswerIsOpenNoMore() {
        StreamLimits one = limits(1, 1, 1, false);
        assertTrue(streams.open(body(), "a", "http://a/", one, 0, victims));
        while (streams.turnsAway("a", "http://a/", one)) {
            System.gc();
        }
        Body held = body();
        assertTrue(streams.open(held, "a", "http://a/", one, 0, victims));
        System.gc();
        assertFalse(streams.open(body(), "a", "http://a/", one, 0, victims));
        assertEquals(1, streams.open("a"));
        assertEquals(0, held.get());
    }

    @Test
    void neverMoreThanAllowedOfManyThreads() throws InterruptedException {
        StreamLimits three = limits(3, 3, 3, true);
        List<Body> kept = Collections.synchronizedList(new ArrayList<>());
        List<Integer> counts = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Thread thread = new Thread(() -> {
                List<Body> mine = new ArrayList<>();
                for (int i = 0; i < 2000; i++) {
                    Body body = body();
                    kept.add(body);
                    streams.open(body, "a", "http://a/", three, 0, mine);
                    counts.add(streams.open("a"));
                }
                synchronized (victims) {
                    victims.addAll(mine);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(3, Collections.max(counts));
        assertEquals(3, streams.open("a"));
        assertEquals(7997, victims.size());
        assertEquals(8000, kept.size());
    }
}
