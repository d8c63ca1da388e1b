package io.tempolimit.core;

import static io.tempolimit.core.Scene.SECOND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import java.lang.ref.Reference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A day of a crawl, under a clock that is turned: thousands of hosts, many times as many as there may be keys, with pages, blocks, queues,
 * cancellations, answers that nobody reads and requests that nobody ends. What is kept after it is what was kept after its first hours.
 */
@Isolated("counts all objects of the JVM")
@Tag("long")
class DayTest {
    private static final int HOSTS = Boolean.getBoolean("tests.matrix") ? 4_000 : 600;
    private static final int MAX_KEYS = HOSTS / 4;
    /** So many requests arrive at once, each five seconds: 100,000 a day, or three million. */
    private static final int AT_ONCE = Boolean.getBoolean("tests.matrix") ? 180 : 6;
    private static final long STEP = 5 * SECOND;
    private static final long HOUR = 3_600 * SECOND;
    private static final long IDLE = 2 * HOUR;
    private static final byte[] PAGE = "<!DOCTYPE html><title>Lamps</title><body><p>A lamp of brass.</p></body></html>".getBytes(UTF_8);

    private final TurnedClock clock = new TurnedClock(1_000 * HOUR);
    private final Random random = new Random(1);
    private final List<Limiter> limiters = new ArrayList<>();
    /** Null without a fleet. */
    private FakeRedis redis;
    private boolean unread;
    private final List<Permit> waiting = new ArrayList<>();
    private final Deque<Permit> inFlight = new ArrayDeque<>();
    private int sent;
    private int blocks;
    private int turnedAway;

    private Limiter limiter() {
        Policy plain = new Policy.Builder().rate(0.5).burst(4).maxWait(20 * SECOND).build();
        Policy auto = new Policy.Builder().auto(5).burst(4).maxWait(20 * SECOND).build();
        Policy few = new Policy.Builder().rate(1).burst(2).concurrency(2).windows(new WindowLimit(40, HOUR)).maxWait(20 * SECOND).build();
        Policy[] policies = {plain, auto, few};
        Limiter made = new Limiter(clock, random::nextDouble,
                new TestRules(host -> policies[Math.floorMod(host.hashCode(), 3)], true, false, MAX_KEYS, IDLE), Listener.NONE);
        made.whenUnread(() -> unread = true);
        return made;
    }

    private void arrive() {
        // half of the requests go to a few hosts, which have queues
        int host = random.nextInt(random.nextBoolean() ? 3 : HOSTS);
        try {
            Permit permit = limiters.get(random.nextInt(limiters.size())).arrive(new TestTarget("www.shop" + host + ".example"));
            if (permit.waiting()) {
                permit.waitWith(() -> { });
                waiting.add(permit);
            } else {
                inFlight.add(permit);
            }
        } catch (RequestRejectedException e) {
            turnedAway++;
        }
    }

    private void look() {
        waiting.removeIf(permit -> {
            if (random.nextInt(100) == 0) {
                permit.cancel();
                return true;
            }
            if (clock.nanos() - permit.wakeAt() < 0 || !permit.poll()) {
                return false;
            }
            if (permit.granted()) {
                inFlight.add(permit);
            } else {
                turnedAway++;
            }
            return true;
        });
    }

    /** Some sites block now and then, some for hours. */
    private void answer() {
        for (Permit permit; (permit = inFlight.poll()) != null; sent++) {
            int site = permit.key().name().hashCode() & 15;
            boolean hours = site == 1 && (permit.key().name().hashCode() / 16 + clock.nanos() / HOUR) % 4 == 0;
            boolean blocks = hours || site == 0 && random.nextInt(10) == 0;
            int how = random.nextInt(50);
            if (blocks) {
                this.blocks++;
                permit.answered(site == 0 ? 429 : 403);
            } else if (how == 0) {
                continue; // nobody ends it
            } else if (how == 1) {
                permit.answered(TestHead.html(200)); // nobody reads it
            } else {
                Body body = permit.answered(TestHead.html(200));
                body.add(PAGE, 0, PAGE.length);
                body.end();
            }
        }
    }

    private void pass(long time) {
        for (long end = clock.nanos() + time; clock.nanos() - end < 0; ) {
            long next = clock.nanos() + SECOND;
            while (redis != null && redis.next() - next <= 0) {
                clock.set(redis.next());
                redis.run();
            }
            clock.set(next);
            look();
            answer();
            if (unread) {
                unread = false;
                limiters.forEach(Limiter::settleUnread);
            }
        }
        limiters.forEach(Limiter::sweep);
    }

    private void crawl(long time) {
        for (long end = clock.nanos() + time; clock.nanos() - end < 0; ) {
            for (int i = 0; i < AT_ONCE; i++) {
                arrive();
            }
            pass(STEP);
        }
    }

    /** What the limiters are made of, in bytes, and all that there is. */
    private static long[] kept() {
        long[] sums = new long[2];
        for (Map.Entry<String, long[]> type : Live.objects().entrySet()) {
            sums[0] += type.getKey().startsWith("io.tempolimit.") && !type.getKey().contains(".Fake") ? type.getValue()[1] : 0;
            sums[1] += type.getKey().equals("[I") ? 0 : type.getValue()[1]; // the collector fills gaps with such
        }
        return sums;
    }

    private void day(String what) {
        crawl(4 * HOUR); // all that happens has happened
        long[] early = kept();
        crawl(20 * HOUR);
        long[] late = kept();
        pass(IDLE + HOUR);
        long[] idle = kept();
        Reference.reachabilityFence(this);
        long evicted = limiters.get(0).evictions();
        System.out.printf("* A day, %s: %d requests sent, %d turned away, %d blocks, %d hosts evicted; KB of ours after 4 hours, 24, and "
                + "idle: %d, %d, %d; in all %d, %d, %d%n", what, sent, turnedAway, blocks, evicted,
                early[0] >> 10, late[0] >> 10, idle[0] >> 10, early[1] >> 10, late[1] >> 10, idle[1] >> 10);
        assertTrue(sent > 8_000 * AT_ONCE && blocks > 500 && turnedAway > 100 && evicted > HOSTS, "too little happened");
        assertTrue(late[0] <= 1.5 * early[0], "of ours, " + early[0] + " bytes became " + late[0]);
        boolean store = redis != null; // which notes each slot of a window for ever
        assertTrue(store || late[1] <= 1.1 * early[1], "in all, " + early[1] + " bytes became " + late[1]);
        limiters.forEach(l -> assertEquals(List.of(), new ArrayList<>(l.keys())));
        assertEquals(0, waiting.size());
    }

    @Test
    void aDayOfAProgramAlone() {
        limiters.add(limiter());
        limiters.get(0).remember(Map.of());
        day("alone");
    }

    @Test
    void aDayOfAFleet() {
        redis = new FakeRedis(clock, 1, Scene.MILLI, 5 * SECOND);
        for (int i = 0; i < 2; i++) {
            Limiter made = limiter();
            made.join((s, l) -> redis.new Worker(s, l, clock::nanos), FleetScene.settings());
            limiters.add(made);
        }
        day("of a fleet of two");
    }
}
