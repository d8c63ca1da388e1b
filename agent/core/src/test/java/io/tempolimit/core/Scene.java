package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.detect.Finding;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A limiter with a turned clock, whose waiters sleep as the contract says is enough: each looks again exactly at the time it was told,
 * and learns of another time only by {@link Permit.Waiter#moved}.
 */
final class Scene {
    static final long SECOND = 1_000_000_000L;
    static final long MILLI = 1_000_000L;

    final TurnedClock clock = new TurnedClock(1_000 * SECOND);
    final List<String> heard = new ArrayList<>();
    final Limiter limiter;
    /** Waiters in order of arrival, and those that are through, in the order in which that happened. */
    final List<Sleeper> asleep = new ArrayList<>();
    final List<Sleeper> awake = new ArrayList<>();
    private final Map<Permit, Sleeper> sleepers = new IdentityHashMap<>();

    /** One waiting request. */
    final class Sleeper implements Permit.Waiter {
        final Permit permit;
        long alarm;
        /** When its wait was over. */
        long end;

        Sleeper(Permit permit) {
            this.permit = permit;
            permit.waitWith(this);
            alarm = permit.wakeAt();
        }

        @Override
        public void moved() {
            alarm = permit.wakeAt();
        }
    }

    Scene(UnaryOperator<Policy.Builder> policy) {
        limiter = new Limiter(clock, TestRules.of(policy.apply(new Policy.Builder().learn(false)).build()), new Recorder());
    }

    Key key() {
        return limiter.key("a.example");
    }

    KeyStats stats() {
        return key().stats();
    }

    Permit arrive() throws RequestRejectedException {
        return enter(limiter.arrive(new TestTarget("a.example")));
    }

    /** Puts a permit to sleep, if it waits. */
    Permit enter(Permit permit) {
        if (permit != null && permit.waiting()) {
            Sleeper s = new Sleeper(permit);
            asleep.add(s);
            sleepers.put(permit, s);
        }
        return permit;
    }

    List<Permit> arrive(int n) throws RequestRejectedException {
        List<Permit> all = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            all.add(arrive());
        }
        return all;
    }

    void policy(UnaryOperator<Policy.Builder> policy) {
        limiter.rules(TestRules.of(policy.apply(new Policy.Builder().learn(false)).build()));
    }

    /** Lets time pass, with everybody looking when it is time. */
    void pass(long nanos) {
        passTo(clock.nanos() + nanos);
    }

    void passTo(long time) {
        for (Sleeper s; (s = next()) != null && s.alarm - time <= 0; ) {
            if (s.alarm - clock.nanos() > 0) {
                clock.set(s.alarm);
            }
            look(s);
        }
        clock.set(time);
    }

    private Sleeper next() {
        Sleeper next = null;
        for (Sleeper s : asleep) {
            if (next == null || s.alarm - next.alarm < 0) {
                next = s;
            }
        }
        return next;
    }

    /** Lets one look now, on time or not. */
    boolean look(Sleeper s) {
        s.alarm = Long.MAX_VALUE;
        boolean over = s.permit.poll();
        if (over) {
            s.end = clock.nanos();
            asleep.remove(s);
            awake.add(s);
        } else {
            s.alarm = s.permit.wakeAt();
        }
        return over;
    }

    Sleeper sleeper(Permit permit) {
        return Objects.requireNonNull(sleepers.get(permit), "never slept");
    }

    /** When its wait ended, in nanoseconds after {@code start}; -1 if it is not over. */
    long end(Permit permit, long start) {
        Sleeper s = sleeper(permit);
        return asleep.contains(s) ? -1 : s.end - start;
    }

    /** A key that rests for {@code cooldown} from now on. */
    void trip(int threshold) throws RequestRejectedException {
        List<Permit> all = new ArrayList<>();
        for (int i = 0; i < threshold; i++) {
            all.add(limiter.charge(new TestTarget("a.example")));
        }
        for (Permit permit : all) {
            permit.answered(429);
        }
        heard.clear();
    }

    private final class Recorder implements Listener {
        @Override
        public void delayed(Key key, long expectedWaitNanos, Rejection why) {
            heard.add("delayed " + expectedWaitNanos);
        }

        @Override
        public void crawlDelay(Key key, int millis) {
            heard.add("robots " + millis);
        }

        @Override
        public void throttled(Key key, Target target, long waitedNanos, Object begun) {
            heard.add("throttled " + waitedNanos);
        }

        @Override
        public void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) {
            heard.add("blocked " + finding.verdict().type() + " " + finding.status() + " " + consecutive + " " + counts);
        }

        @Override
        public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
            heard.add((refusing ? "circuit open " : "cooldown ") + durationNanos + " " + reason);
        }

        @Override
        public void lifetimeBlocked(Key key, String reason) {
            heard.add("for life " + reason);
        }

        @Override
        public void cooldownEnded(Key key) {
            heard.add("ended");
        }

        @Override
        public void rejected(Key key, Target target, Rejection code) {
            heard.add("rejected " + code);
        }

        @Override
        public void suspicious(Key key, String why) {
            heard.add("suspicious " + why);
        }

        @Override
        public void unreadable(Key key) {
            heard.add("unreadable " + key.name());
        }

        @Override
        public void evicted(Key key) {
            heard.add("evicted " + key.name());
        }

        @Override
        public void nearlyFull(int keys, int maxKeys) {
            heard.add("nearly full " + keys + " of " + maxKeys);
        }
    }
}
