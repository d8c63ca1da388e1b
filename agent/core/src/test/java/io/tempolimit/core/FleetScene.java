package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.RandomSource;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.detect.Finding;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Several limiters that share a {@link FakeRedis}, with a turned clock. */
final class FleetScene {
    static final long SECOND = 1_000_000_000L;
    static final long MILLI = 1_000_000L;
    /** So long a worker that was killed is taken to be alive. */
    private static final long FORGOTTEN = 15 * SECOND;

    final TurnedClock clock = new TurnedClock(1_000 * SECOND);
    final FakeRedis redis;
    final List<Worker> workers = new ArrayList<>();
    /** When requests left, of all workers. */
    final List<Long> departures = new ArrayList<>();
    /** The same, as their threads had woken by then: one that somebody else lets go is on its way only once it wakes. */
    final List<Long> awake = new ArrayList<>();
    /** What happens when one leaves. */
    BiConsumer<Worker, Permit> leaves = (worker, permit) -> { };
    final long start = clock.nanos();
    final History history = new History(clock);
    private final Map<Permit, Integer> numbers = new IdentityHashMap<>();
    /** For all workers. */
    private final RandomSource chance;
    private final FleetSettings settings;
    private Policy policy;
    private int looks;
    private int made;

    FleetScene(long seed, int n, long latency, FleetSettings settings, UnaryOperator<Policy.Builder> policy) {
        chance = new Random(~seed)::nextDouble; // another one than that of the messages
        redis = new FakeRedis(clock, seed, latency, settings.timeout());
        this.policy = policy.apply(new Policy.Builder().learn(false)).build();
        this.settings = settings;
        for (int i = 0; i < n; i++) {
            begin();
        }
    }

    /** One more JVM. */
    Worker begin() {
        Worker w = new Worker(settings);
        workers.add(w);
        return w;
    }

    private String number(Permit permit) {
        return "#" + numbers.computeIfAbsent(permit, p -> numbers.size() + 1);
    }

    static FleetSettings settings() {
        return new FleetSettings("redis://nowhere", null, false).timeout(50 * MILLI);
    }

    /** One JVM. */
    final class Worker implements Listener {
        final String name = "worker " + ++made;
        final Limiter limiter = new Limiter(() -> clock.nanos() - suspended(), chance, TestRules.of(policy), this);
        final List<String> heard = new ArrayList<>();
        /** How long requests were said to wait. */
        final List<Long> delays = new ArrayList<>();
        final List<Sleeper> asleep = new ArrayList<>();
        final List<Permit> gone = new ArrayList<>();
        FakeRedis.Worker link;
        int rejected;
        /** Until when it stands still, as a JVM that was stopped: nobody wakes, and no message is read. */
        long frozenUntil = clock.nanos();
        /** How late its threads wake, each time, as on a machine with too little CPU. */
        LongSupplier lateness = () -> 0;

        Worker(FleetSettings settings) {
            limiter.join((s, l) -> link = redis.new Worker(s, l, () -> frozenUntil), settings);
        }

        /** By so much its clock is behind: its machine was suspended, and time passed for all others. */
        private long suspended() {
            return link == null ? 0 : link.suspended;
        }

        /** Its machine is suspended for so long, and its clock stands still meanwhile. */
        void suspend(long nanos) {
            frozenUntil = clock.nanos() + nanos;
            link.suspended += nanos;
        }

        /** As by kill -9: nothing of it is heard any more, and Redis' list of workers has it for a while still. */
        void kill() {
            workers.remove(this);
            frozenUntil = clock.nanos() + Limit.HORIZON;
            asleep.clear();
            gone.clear();
            redis.at(clock.nanos() + FORGOTTEN, () -> link.closed = true);
        }

        Key key() {
            return limiter.key("a.example");
        }

        String state() {
            return key() == null ? "open" : key().stats().state;
        }

        /** Its permit, granted or asleep; null if it was rejected. */
        Permit arrive() {
            return arrive("a.example");
        }

        Permit arrive(String host) {
            try {
                Permit permit = limiter.arrive(new TestTarget(host));
                if (permit.waiting()) {
                    tell(number(permit) + " waits " + (permit.wakeAt() - clock.nanos()));
                    asleep.add(new Sleeper(this, permit));
                } else {
                    left(permit);
                }
                return permit;
            } catch (RequestRejectedException e) {
                tell("turned away " + e.code());
                rejected++;
                return null;
            }
        }

        private void left(Permit permit) {
            tell(number(permit) + (Inside.of(permit).probe > 0 ? " probe" : " goes"));
            gone.add(permit);
            departures.add(Inside.of(permit).dueAt + suspended());
            awake.add(clock.nanos());
            leaves.accept(this, permit);
        }

        private void hear(String what) {
            heard.add(what);
            tell(what);
        }

        private void tell(String what) {
            history.add(name, what);
        }

        /** An answer comes, or another end; what the circuit makes of it. */
        void ends(Permit permit, String how, Runnable end) {
            end.run();
            Circuit c = Inside.of(permit.key()).circuit();
            tell(number(permit) + " " + how + (c == null ? "" : " " + c.state + " " + c.epoch + " " + c.count()));
        }

        @Override
        public void delayed(Key key, long expectedWaitNanos, Rejection code) {
            delays.add(expectedWaitNanos);
            hear("delayed");
        }

        @Override
        public void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) {
            hear("blocked " + consecutive + " " + counts);
        }

        @Override
        public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
            hear("cooldown " + reason + " " + rung);
        }

        @Override
        public void lifetimeBlocked(Key key, String reason) {
            hear("for life " + reason);
        }

        @Override
        public void cooldownEnded(Key key) {
            hear("ended");
        }

        @Override
        public void fleetLost(Fleet.State how, String why) {
            hear("lost");
        }

        @Override
        public void fleetRestored(boolean again) {
            hear("restored");
        }

        @Override
        public void fleetWarning(String text) {
            throw new AssertionError(text);
        }
    }

    /** One waiting request. */
    final class Sleeper implements Permit.Waiter {
        final Worker worker;
        final Permit permit;
        long alarm;

        Sleeper(Worker worker, Permit permit) {
            this.worker = worker;
            this.permit = permit;
            permit.waitWith(this);
            moved();
        }

        @Override
        public void moved() {
            alarm = permit.wakeAt() + worker.lateness.getAsLong();
        }

        private long alarm() {
            long here = alarm + worker.suspended();
            return worker.frozenUntil - here > 0 ? worker.frozenUntil : here;
        }

        void look() {
            if (permit.poll()) {
                worker.asleep.remove(this);
                if (permit.granted()) {
                    worker.left(permit);
                } else if (!permit.cancelled()) {
                    worker.tell(number(permit) + " " + Inside.of(permit).rejection);
                    worker.rejected++;
                }
            } else {
                moved();
                worker.tell(number(permit) + " waits " + (alarm - clock.nanos()));
            }
        }
    }

    void policy(UnaryOperator<Policy.Builder> change) {
        policy = change.apply(new Policy.Builder().learn(false)).build();
        for (Worker w : workers) {
            w.limiter.rules(TestRules.of(policy));
        }
    }

    void pass(long nanos) {
        passTo(clock.nanos() + nanos);
    }

    /** Lets time pass, with everybody looking when it is time. */
    void passTo(long time) {
        for (;;) {
            redis.run();
            Sleeper next = null;
            for (Worker w : workers) {
                for (Sleeper s : w.asleep) {
                    if (next == null || s.alarm() - next.alarm() < 0) {
                        next = s;
                    }
                }
            }
            long event = redis.next();
            boolean sleeper = next != null && (event == Long.MAX_VALUE || next.alarm() - event <= 0);
            long at = sleeper ? next.alarm() : event;
            if (!sleeper && event == Long.MAX_VALUE || at - time > 0) {
                break;
            }
            if (at - clock.nanos() > 0) {
                clock.set(at);
                looks = 0;
            }
            if (++looks > 100_000) {
                throw new AssertionError("somebody looks again and again");
            }
            if (sleeper) {
                next.look();
            }
        }
        clock.set(time);
    }

    /** Enough time for what is under way to arrive. */
    void settle() {
        pass(3 * redis.latency + 1);
    }

    // ---- what tests of fleets do

    /** Workers whose cooldowns take 30 seconds, and whose messages a millisecond at the most. */
    static FleetScene scene(int workers, UnaryOperator<Policy.Builder> policy) {
        return new FleetScene(1, workers, MILLI, settings(), b -> policy.apply(b.cooldownDuration(30 * SECOND, 30 * SECOND)));
    }

    /** So many requests of this worker arrive. */
    static List<Permit> arrive(Worker w, int n) {
        List<Permit> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add(w.arrive());
        }
        return all;
    }

    /** A request of this worker that went at once. */
    static Permit sent(FleetScene s, Worker w) {
        Permit p = w.arrive();
        s.settle();
        assertTrue(p.granted(), "not sent");
        return p;
    }

    /** A worker is blocked until the key rests. */
    static void trip(FleetScene s, Worker... by) {
        List<Permit> all = new ArrayList<>();
        for (Worker w : by) {
            all.add(sent(s, w));
        }
        for (Permit p : all) {
            p.answered(429);
            s.settle();
        }
    }
}
