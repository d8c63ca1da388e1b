package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Finding;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * A limiter with a turned clock, whose waiters sleep as the contract says is enough: each looks again exactly at the time it was told,
 * and learns of another time only by {@link Permit.Waiter#moved}.
 */
public final class Scene {
    public static final long SECOND = 1_000_000_000L;
    static final long MILLI = 1_000_000L;

    final TurnedClock clock = new TurnedClock(1_000 * SECOND);
    final List<String> heard = new ArrayList<>();
    final Limiter limiter;
    /** Waiters in order of arrival, and those that are through, in the order in which that happened. */
    final List<Sleeper> asleep = new ArrayList<>();
    final List<Sleeper> awake = new ArrayList<>();
    private final Map<Permit, Sleeper> sleepers = new IdentityHashMap<>();
    private final Map<Permit, Integer> numbers = new IdentityHashMap<>();
    final History history = new History(clock);
    /** When answers that nobody reads are looked for; null: never. */
    private Long unread;

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
        this(0, policy);
    }

    /** {@code seed}: of all chance in the limiter. */
    Scene(long seed, UnaryOperator<Policy.Builder> policy) {
        Policy p = policy.apply(new Policy.Builder().learn(false)).build();
        limiter = new Limiter(clock, new Random(seed)::nextDouble, TestRules.of(p), new Recorder());
        limiter.whenUnread(() -> unread = clock.nanos() + SECOND / 4);
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
        if (permit != null) {
            tell(permit);
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
        for (Sleeper s = next(); s != null || unread != null; s = next()) {
            boolean sleeper = unread == null || s != null && s.alarm - unread < 0;
            long at = sleeper ? s.alarm : unread;
            if (at - time > 0) {
                break;
            }
            if (at - clock.nanos() > 0) {
                clock.set(at);
            }
            if (sleeper) {
                look(s);
            } else {
                unread = null;
                limiter.settleUnread();
            }
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
        tell(s.permit);
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

    /** When the waits of each of them ended, in milliseconds after {@code start}. */
    List<Long> ends(List<Permit> permits, long start) {
        List<Long> ends = new ArrayList<>();
        for (Permit p : permits) {
            ends.add(end(p, start) / MILLI);
        }
        return ends;
    }

    /** Nobody waits, and nothing is in flight. */
    void assertIdle() {
        assertEquals(0, stats().waitingRequests);
        assertEquals(0, stats().activeRequests);
    }

    /** Requests that need not wait go, one after the other, and get these answers. */
    void answer(int... statuses) throws RequestRejectedException {
        for (int status : statuses) {
            limiter.charge(new TestTarget("a.example")).answered(status);
        }
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

    /** Number of a request, in order of arrival. */
    private String name(Permit permit) {
        return "#" + numbers.computeIfAbsent(permit, p -> numbers.size() + 1);
    }

    /** How its wait stands. */
    private void tell(Permit permit) {
        Reservation inside = Inside.of(permit);
        history.add(name(permit), permit.granted() ? inside.probe > 0 ? "probe" : "granted" : inside.rejection != null ? inside.rejection
                : permit.waiting() ? "waits " + (permit.wakeAt() - clock.nanos()) : "cancelled");
    }

    /** An answer comes, or another end; what the circuit makes of it. */
    void ends(Permit permit, String how, Runnable end) {
        end.run();
        Circuit c = Inside.of(permit.key()).circuit();
        history.add(name(permit), c == null ? how : how + " " + c.state + " " + c.epoch + " " + c.count());
    }

    private final class Recorder implements Listener {
        private void hear(String what) {
            heard.add(what);
            history.add(what);
        }

        @Override
        public void delayed(Key key, long expectedWaitNanos, Rejection why) {
            hear("delayed " + expectedWaitNanos);
        }

        @Override
        public void crawlDelay(Key key, int millis) {
            hear("robots " + millis);
        }

        @Override
        public void throttled(Key key, Target target, long waitedNanos, Object begun) {
            hear("throttled " + waitedNanos);
        }

        @Override
        public void blocked(Key key, Target target, Finding finding, int consecutive, boolean counts) {
            hear("blocked " + finding.verdict().type() + " " + finding.status() + " " + consecutive + " " + counts);
        }

        @Override
        public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
            hear((refusing ? "circuit open " : "cooldown ") + durationNanos + " " + reason);
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
        public void rejected(Key key, Target target, Rejection code) {
            hear("rejected " + code);
        }

        @Override
        public void suspicious(Key key, String why) {
            hear("suspicious " + why);
        }

        @Override
        public void unreadable(Key key) {
            hear("unreadable " + key.name());
        }

        @Override
        public void evicted(Key key) {
            hear("evicted " + key.name());
        }

        @Override
        public void nearlyFull(int keys, int maxKeys) {
            hear("nearly full " + keys + " of " + maxKeys);
        }
    }
}
