package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.tempolimit.core.bucket.Window;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.WindowLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class WindowTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long[] EPOCHS = {0, -5 * SECOND, Long.MAX_VALUE - 100 * SECOND, Long.MIN_VALUE, 123_456_789};

    /** Any span of the duration: the request after {@code limit} others is a whole duration later. */
    private static void check(List<Long> times, int limit, long duration) {
        for (int i = limit; i < times.size(); i++) {
            if (times.get(i) - times.get(i - limit) < duration) {
                long span = times.get(i) - times.get(i - limit);
                fail((limit + 1) + " requests in " + span + " ns, allowed are " + limit + " in " + duration);
            }
        }
    }

    /** The same, by remembering everything: when each of these requests goes, in order. */
    private static List<Long> exact(List<Long> arrivals, int limit, long duration) {
        List<Long> times = new ArrayList<>();
        for (long arrival : arrivals) {
            int n = times.size();
            long time = n > 0 && times.get(n - 1) - arrival > 0 ? times.get(n - 1) : arrival;
            times.add(n >= limit && times.get(n - limit) + duration - time > 0 ? times.get(n - limit) + duration : time);
        }
        return times;
    }

    private static List<Long> run(Window window, List<Long> arrivals) {
        List<Long> times = new ArrayList<>();
        for (long arrival : arrivals) {
            long time = window.earliest(arrival);
            window.take(time);
            times.add(time);
        }
        return times;
    }

    private static List<Long> arrivals(long epoch, int n, LongUnaryOperator gap) {
        List<Long> arrivals = new ArrayList<>();
        long time = epoch;
        for (int i = 0; i < n; i++) {
            arrivals.add(time);
            time += gap.applyAsLong(i);
        }
        return arrivals;
    }

    /** Kinds of demand: all at once, evenly above and below the cap, at random, in bursts with pauses. */
    private static List<Long> demand(int kind, Random random, long epoch, int n, int limit, long duration) {
        long even = Math.max(1, duration / limit);
        switch (kind) {
            case 0:
                return arrivals(epoch, n, i -> 0);
            case 1:
                return arrivals(epoch, n, i -> even * 8 / 10);
            case 2:
                return arrivals(epoch, n, i -> even * 11 / 10);
            case 3:
                return arrivals(epoch, n, i -> (long) (-Math.log(1 - random.nextDouble()) * even));
            default:
                int burst = 1 + limit / 3;
                return arrivals(epoch, n, i -> random.nextInt(burst) == 0 ? (long) (random.nextDouble() * duration) : even / 20);
        }
    }

    @Test
    void neverExceededAndNearlyAsFastAsRememberingEverything() {
        Random random = new Random(1);
        double[] least = {1, 1};
        long requests = 0;
        int runs = 0;
        for (int limit : new int[] {1, 2, 3, 10, 59, 60, 61, 64, 100, 250, 1000, 10_000}) {
            for (long duration : new long[] {1, 7, 1000, SECOND, 60 * SECOND, 86_400 * SECOND}) {
                for (int kind = 0; kind < 5; kind++) {
                    long epoch = EPOCHS[runs++ % EPOCHS.length];
                    List<Long> arrivals = demand(kind, random, epoch, Math.max(300, 8 * limit), limit, duration);
                    List<Long> times = run(new Window(new WindowLimit(limit, duration)), arrivals);
                    check(times, limit, duration);
                    requests += times.size();
                    List<Long> model = exact(arrivals, limit, duration);
                    if (limit <= Window.EXACT) {
                        assertEquals(model, times, limit + " in " + duration);
                    } else if (duration >= 1000) {
                        double took = times.get(times.size() - 1) - times.get(0);
                        double possible = model.get(model.size() - 1) - model.get(0);
                        double share = took == 0 ? 1 : possible / took;
                        least[kind == 0 ? 0 : 1] = Math.min(least[kind == 0 ? 0 : 1], share);
                    }
                }
            }
        }
        System.out.printf("Windows: %d runs, %d requests, never exceeded; above %d requests at least %.1f%% of what is possible, "
                + "%.1f%% where all come at once; up to there 100%%%n", runs, requests, Window.EXACT, 100 * least[1], 100 * least[0]);
        assertTrue(least[0] == 1 && least[1] >= 0.95, Arrays.toString(least));
    }

    /** Requests given back, clocks that step back, waiting, and new settings, at random. */
    @Test
    void neverExceededWhateverIsGivenBack() {
        Random random = new Random(2);
        for (int run = 0; run < 3000; run++) {
            int limit = 1 + random.nextInt(random.nextBoolean() ? 20 : 200);
            long duration = 1 + (long) (random.nextDouble() * 1000);
            Window window = new Window(new WindowLimit(limit, duration));
            long now = EPOCHS[run % EPOCHS.length];
            List<Long> sent = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                now += random.nextInt(4) == 0 ? random.nextInt((int) duration + 1) / 2 : random.nextInt(3) - 1;
                long time = window.earliest(now);
                assertTrue(time - now >= 0);
                if (random.nextInt(3) > 0 || time == now) {
                    now = time;
                    window.take(time);
                    if (random.nextInt(4) == 0) {
                        window.giveBack(time);
                    } else {
                        sent.add(time);
                    }
                } else if (!sent.isEmpty() && random.nextInt(4) == 0) {
                    window.giveBack(sent.remove(sent.size() - 1 - random.nextInt(Math.min(sent.size(), 5))));
                }
                if (random.nextInt(50) == 0) {
                    window = new Window(window, new WindowLimit(limit, duration), now);
                }
            }
            check(sent, limit, duration);
        }
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        Window window = new Window(new WindowLimit(3, 100));
        window.take(0);
        window.take(10);
        window.take(20);
        assertEquals(100, window.earliest(30));
        window.giveBack(10);
        assertEquals(30, window.earliest(30));
        window.take(30);
        assertEquals(100, window.earliest(40));
        assertEquals(3, window.used(40));
        window.giveBack(30);
        window.giveBack(20);
        window.giveBack(0);
        assertEquals(0, window.used(40));
        assertEquals(40, window.earliest(40));
        window.giveBack(40);
        assertEquals(0, window.used(40), "what is not there cannot be given back");
    }

    @Test
    void theSpanIsHalfOpen() {
        Window window = new Window(new WindowLimit(1, 100));
        window.take(0);
        assertEquals(100, window.earliest(99));
        assertEquals(100, window.earliest(100));
        assertEquals(1, window.used(99));
        assertEquals(0, window.used(100));
    }

    /** A copy takes the turns of those who wait, without end; the window itself does not change by it. */
    @Test
    void turnsArePlannedInACopy() {
        for (int limit : new int[] {2, 60, 500}) {
            Window window = new Window(new WindowLimit(limit, 60 * SECOND));
            List<Long> went = run(window, arrivals(0, limit, i -> SECOND / 100));
            long now = went.get(limit - 1) + 1;
            String before = window.save(now);
            Window plan = new Window(window, new WindowLimit(limit, 60 * SECOND), now);
            assertEquals(before, plan.save(now));
            List<Long> turns = run(plan, arrivals(now, 5 * limit, i -> 0));
            assertEquals(before, window.save(now));
            List<Long> all = new ArrayList<>(went);
            all.addAll(turns);
            check(all, limit, 60 * SECOND);
            assertEquals(run(window, arrivals(now, 5 * limit, i -> 0)), turns, "the plan is what then happens");
        }
    }

    /** Reservations used to push out of the window what really went, so that giving them back let too many through. */
    @Test
    void givingUpAPlanDoesNotForgetWhatWent() {
        Window window = new Window(new WindowLimit(10, 60 * SECOND));
        run(window, arrivals(0, 10, i -> 0));
        run(new Window(window, new WindowLimit(10, 60 * SECOND), SECOND), arrivals(SECOND, 100, i -> 0));
        assertEquals(60 * SECOND, window.earliest(2 * SECOND));
    }

    @Test
    void newSettingsKeepWhatWent() {
        Window window = new Window(new WindowLimit(1000, 60 * SECOND));
        run(window, arrivals(0, 1000, i -> 10_000_000));
        long now = 10 * SECOND;
        assertTrue(new Window(window, new WindowLimit(5, 60 * SECOND), now).earliest(now) > 60 * SECOND);
        assertEquals(now, new Window(window, new WindowLimit(1001, 60 * SECOND), now).earliest(now));
        Window shorter = new Window(window, new WindowLimit(1000, SECOND), now);
        assertTrue(shorter.used(now) >= 99 && shorter.used(now) < 400);
        assertEquals(now, shorter.earliest(now));
    }

    // ---- state

    @Test
    void whatIsSavedComesBack() {
        for (int limit : new int[] {10, 1000}) {
            Window window = new Window(new WindowLimit(limit, 60 * SECOND));
            run(window, arrivals(0, limit, i -> 10 * SECOND / limit));
            long now = 20 * SECOND;
            String saved = window.save(now);
            Window other = new Window(new WindowLimit(limit, 60 * SECOND));
            other.restore(saved, 5 * SECOND, -7 * SECOND);
            assertEquals(limit, other.used(-7 * SECOND));
            assertTrue(Math.abs(window.earliest(now) - now - 5 * SECOND - (other.earliest(-7 * SECOND) + 7 * SECOND)) <= 1_000_000);
            assertTrue(window.earliest(now) - now - 5 * SECOND <= other.earliest(-7 * SECOND) + 7 * SECOND, "never earlier");
            Window muchLater = new Window(new WindowLimit(limit, 60 * SECOND));
            muchLater.restore(saved, 3600 * SECOND, 0);
            assertEquals("", muchLater.save(0));
        }
        assertEquals("", new Window(new WindowLimit(3, SECOND)).save(0));
    }

    /** A short cron job that ends and starts again between any two requests. */
    @Test
    void neverExceededOverRestarts() {
        Random random = new Random(3);
        for (int limit : new int[] {3, 50, 300}) {
            Window window = new Window(new WindowLimit(limit, 60 * SECOND));
            List<Long> times = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 10 * limit; i++) {
                now += random.nextInt(200_000_000);
                now = Math.max(now, window.earliest(now));
                window.take(now);
                times.add(now);
                if (random.nextInt(5) == 0) {
                    String saved = window.save(now);
                    long ago = random.nextInt(2) * SECOND;
                    now += ago;
                    window = new Window(new WindowLimit(limit, 60 * SECOND));
                    window.restore(saved, ago, now);
                }
            }
            check(times, limit, 60 * SECOND);
        }
    }

    @Test
    void damagedStateIsRefusedWhole() {
        for (String damaged : new String[] {"x", "1", "1x", "x1", "1x0", "1x-1", "-1x1", "1x1,2x1", "1x1,", ",", "5x1,4x1,z",
            "1x99999999999", "99999999999999999999x1", "9223372036854775807x1", "1 x1"}) {
            Window window = new Window(new WindowLimit(10, SECOND));
            assertThrows(IllegalArgumentException.class, () -> window.restore(damaged, 0, 0), damaged);
            assertEquals("", window.save(0));
        }
    }

    @Test
    void whatCannotBeAWindowIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Window(new WindowLimit(0, 1)));
        assertThrows(IllegalArgumentException.class, () -> new Window(new WindowLimit(1, 0)));
        assertThrows(IllegalArgumentException.class, () -> new Window(new WindowLimit(1, Long.MAX_VALUE)));
        new Window(new WindowLimit(Integer.MAX_VALUE, Limit.HORIZON)).take(0);
    }
}
