package io.tempolimit.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A fleet of workers on one bucket, played through in a model: no Redis, no threads, no clock. */
class LeaseTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    /** Something that happens then. */
    private static final class Event implements Comparable<Event> {
        final long time;
        final long order;
        final Runnable what;

        Event(long time, long order, Runnable what) {
            this.time = time;
            this.order = order;
            this.what = what;
        }

        @Override
        public int compareTo(Event other) {
            return time != other.time ? Long.compare(time - other.time, 0) : Long.compare(order, other.order);
        }
    }

    private static final class Model {
        final Random random;
        final long interval;
        final int burst;
        final long tolerance;
        final long latency;
        final PriorityQueue<Event> events = new PriorityQueue<>();
        final List<Long> departures = new ArrayList<>();
        long now = Long.MAX_VALUE - 20 * SECOND; // the clock overflows on the way
        final long began = now;
        long full = now;
        long calls;
        long order;

        Model(long seed, double rate, int burst, long latency) {
            this.random = new Random(seed);
            this.interval = (long) Math.ceil(1e9 / rate);
            this.burst = burst;
            this.tolerance = interval * (burst - 1);
            this.latency = latency;
        }

        void at(long time, Runnable what) {
            events.add(new Event(time, order++, what));
        }

        void run(long length) {
            while (!events.isEmpty() && events.peek().time - began <= length) {
                Event e = events.poll();
                now = e.time;
                e.what.run();
            }
        }

        long oneWay() {
            return latency == 0 ? 0 : latency / 4 + (long) (random.nextDouble() * latency / 4);
        }

        /** Departures that go before the bucket allows. */
        void check(long slack) {
            Collections.sort(departures, (a, b) -> Long.compare(a - b, 0));
            long tat = departures.get(0);
            for (int i = 0; i < departures.size(); i++) {
                long t = departures.get(i);
                if (t - tat > 0) {
                    tat = t;
                }
                assertTrue(tat - tolerance - slack - t <= 0, "departure " + i + " is " + (tat - tolerance - t) / 1e6 + " ms early");
                tat += interval;
            }
        }

        int departedBy(long length) {
            return (int) departures.stream().filter(t -> t - began <= length).count();
        }
    }

    private static final class ModelWorker {
        final Model model;
        final Lease lease;
        final Deque<Runnable> waiting = new ArrayDeque<>();

        ModelWorker(Model model, int setting) {
            this.model = model;
            this.lease = new Lease(setting);
        }

        /** A request arrives; {@code then}, when it has gone. */
        void arrive(Runnable then) {
            long slot = waiting.isEmpty() ? lease.next(model.now) : Lease.NONE;
            Runnable request = () -> {
                model.departures.add(model.now);
                then.run();
            };
            if (slot != Lease.NONE) {
                go(slot, request);
            } else {
                waiting.add(request);
            }
            ask();
        }

        private void go(long slot, Runnable request) {
            model.at(slot - model.now > 0 ? slot : model.now, request);
        }

        void ask() {
            for (int n; (n = lease.wanted(waiting.size(), model.interval, model.now)) > 0; ) {
                int asked = n;
                lease.asked(n);
                model.calls++;
                model.at(model.now + model.oneWay(), () -> {
                    if (model.full - model.now < 0) {
                        model.full = model.now;
                    }
                    long wait = model.full - model.tolerance - model.now;
                    model.full += asked * model.interval;
                    model.at(model.now + model.oneWay(), () -> answered(asked, model.now + wait));
                });
            }
        }

        private void answered(int asked, long slot) {
            lease.answered(asked, asked, slot, model.interval, model.tolerance, model.now);
            while (!waiting.isEmpty()) {
                long next = lease.next(model.now);
                if (next == Lease.NONE) {
                    break;
                }
                go(next, waiting.poll());
            }
            ask();
        }
    }

    private static Model fleet(long seed, double rate, int burst, long latency, int workers, int setting, long length) {
        Model model = new Model(seed, rate, burst, latency);
        for (int w = 0; w < workers; w++) {
            ModelWorker worker = new ModelWorker(model, setting);
            int threads = 1 + model.random.nextInt(6);
            for (int t = 0; t < threads; t++) {
                Runnable[] loop = new Runnable[1];
                loop[0] = () -> {
                    // in bursts, at leisure, and now and then not for long
                    double r = model.random.nextDouble();
                    long pause = r < 0.7 ? (long) (model.random.nextDouble() * model.interval)
                            : r < 0.97 ? (long) (model.random.nextDouble() * 20 * model.interval)
                            : (long) (model.random.nextDouble() * 2 * SECOND);
                    model.at(model.now + pause, () -> worker.arrive(loop[0]));
                };
                model.at(model.now, loop[0]);
            }
        }
        model.run(length);
        return model;
    }

    @Test
    void theFleetNeverExceedsTheBound() {
        double[] rates = {3, 50, 100, 1000, 5000};
        int[] settings = {FleetSettings.AUTO, FleetSettings.OFF, 2, 10, 100};
        long seed = 0;
        for (double rate : rates) {
            for (int setting : settings) {
                for (int workers = 1; workers <= 6; workers++) {
                    int burst = (int) Math.max(5, rate / 20); // fifty milliseconds or more
                    fleet(++seed, rate, burst, 0, workers, setting, rate < 10 ? 300 * SECOND : 20 * SECOND).check(0);
                }
            }
        }
    }

    @Test
    void aNetworkThatTakesItsTimeAddsNoMoreThanThat() {
        for (long seed = 1; seed <= 60; seed++) {
            long latency = seed % 20 * MILLI;
            fleet(seed, 100, 1 + (int) (seed % 30), latency, 4, (int) (seed % 4) * 10, 20 * SECOND).check(latency + MILLI);
        }
    }

    @Test
    void aBurstShorterThanAThreadTakesToWakeIsAMillisecondInexact() {
        for (long seed = 1; seed <= 20; seed++) {
            fleet(seed, 10_000, 1, 0, 3, FleetSettings.AUTO, 3 * SECOND).check(MILLI);
        }
    }

    private static Model greedy(double rate, int burst, long latency, int workers, int threads, int setting, long length, long each) {
        Model model = new Model(5, rate, burst, latency);
        for (int w = 0; w < workers; w++) {
            ModelWorker worker = new ModelWorker(model, setting);
            for (int t = 0; t < threads; t++) {
                Runnable[] loop = new Runnable[1];
                loop[0] = () -> model.at(model.now + each, () -> worker.arrive(loop[0]));
                model.at(model.now + t * each, loop[0]);
            }
        }
        model.run(length);
        return model;
    }

    @Test
    void aLoadedBucketReachesItsRate() {
        for (int setting : new int[] {FleetSettings.AUTO, FleetSettings.OFF, 10}) {
            for (double rate : new double[] {10, 100, 1000}) {
                int n = greedy(rate, 20, MILLI, 4, 2, setting, 30 * SECOND, 1000).departedBy(30 * SECOND);
                assertTrue(n >= 0.99 * (20 + rate * 30) && n <= 20 + rate * 30 + 1, setting + ", " + rate + "/s: " + n);
            }
        }
    }

    @Test
    void aHotKeyCallsRarelyAndAColdOneForEachRequest() {
        Model hot = greedy(1_000_000, 1000, 200_000, 1, 8, FleetSettings.AUTO, 2 * SECOND, 20_000);
        assertTrue(hot.calls <= 0.12 * hot.departures.size(), hot.calls + " calls for " + hot.departures.size());
        Model smallBurst = greedy(1_000_000, 5, 200_000, 1, 8, FleetSettings.AUTO, 2 * SECOND, 20_000);
        assertTrue(smallBurst.calls <= 0.12 * smallBurst.departures.size(),
                smallBurst.calls + " calls for " + smallBurst.departures.size());
        Model off = greedy(1_000_000, 1000, 200_000, 1, 8, FleetSettings.OFF, 2 * SECOND, 20_000);
        assertTrue(off.calls <= 1.01 * off.departures.size() + 8, off.calls + " calls for " + off.departures.size());
        Model cold = greedy(3, 5, MILLI, 3, 1, FleetSettings.AUTO, 100 * SECOND, SECOND);
        assertTrue(cold.calls <= cold.departures.size() + 3, cold.calls + " calls for " + cold.departures.size());
        assertEquals(300, cold.departures.size(), 6, "and nothing is lost: three workers of one request a second each");
    }

    @Test
    void aSlotThatIsPutBackIsTheNextOne() {
        Lease lease = new Lease(10);
        lease.asked(3);
        lease.answered(3, 3, 1000 * MILLI, 100 * MILLI, 0, 0);
        assertEquals(1000 * MILLI, lease.next(0));
        assertEquals(1100 * MILLI, lease.next(0));
        lease.putBack(1100 * MILLI, 0);
        assertEquals(1100 * MILLI, lease.peek(0));
        assertEquals(1100 * MILLI, lease.next(0));
        assertEquals(1200 * MILLI, lease.next(0));
        assertEquals(Lease.NONE, lease.next(0));
    }

    @Test
    void whatIsNotUsedInItsTimeIsLost() {
        Lease lease = new Lease(10);
        lease.asked(10);
        lease.answered(10, 10, 0, 100 * MILLI, 250 * MILLI, 0);
        assertEquals(400 * MILLI, lease.next(650 * MILLI), "the first four are over");
        assertEquals(5, lease.clear(650 * MILLI));
        assertEquals(Lease.NONE, lease.next(650 * MILLI));
    }

    @Test
    void anAnswerThatTookLongIsGoodForWhoWaits() {
        Lease lease = new Lease(FleetSettings.AUTO);
        lease.asked(1);
        lease.answered(1, 1, -5 * SECOND, 100 * MILLI, 4 * SECOND, 0);
        assertEquals(-5 * SECOND, lease.next(0));
    }
}
