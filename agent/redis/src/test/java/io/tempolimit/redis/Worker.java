package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Key;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A worker of a fleet: a limiter whose requests wait on their threads. */
public final class Worker implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;

    final Limiter limiter;
    RedisFleet fleet;
    /** What it was told of the fleet, and of its keys. */
    final List<String> told = new CopyOnWriteArrayList<>();
    final List<String> happened = new CopyOnWriteArrayList<>();
    final Map<String, Incident> heard = new ConcurrentHashMap<>();
    /** The longest that a request waited for an answer of Redis, or for its being given up, in nanoseconds. */
    final AtomicLong longest = new AtomicLong();

    public Worker(FleetSettings settings, double rate, int burst) {
        this(settings, new Policy.Builder().rate(rate).burst(burst).learn(false).build());
    }

    /** One that has reached Redis. */
    static Worker connected(Proxy way, double rate, int burst) {
        Worker worker = new Worker(new FleetSettings("redis://127.0.0.1:" + way.port, null, false).timeout(5 * SECOND)
                .start(60 * SECOND), rate, burst);
        assertTrue(worker.acquire("shop.example"));
        assertEquals(List.of("connected"), worker.told);
        return worker;
    }

    Worker(FleetSettings settings, Policy policy) {
        limiter = new Limiter(Clock.SYSTEM, new Seeded(), TestRules.of(policy), new Hears());
        limiter.join((s, l) -> {
            fleet = RedisFleet.start(s, new HearsFleet(l), Clock.SYSTEM);
            return fleet;
        }, settings);
    }

    /** Keeps what the limiter tells. */
    private final class Hears implements Listener {
        @Override
        public void fleetLost(Fleet.State how, String why) {
            told.add((how == Fleet.State.ALONE ? "lost: " : how == Fleet.State.REFUSED ? "refused: " : "connecting: ") + why);
        }

        @Override
        public void fleetRestored(boolean again) {
            told.add(again ? "restored" : "connected");
        }

        @Override
        public void fleetWarning(String text) {
            told.add("warning: " + text);
        }

        @Override
        public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
            happened.add("cooldown: " + reason);
        }

        @Override
        public void cooldownEnded(Key key) {
            happened.add("open");
        }
    }

    /** Keeps what others publish, and hands all on to the limiter. */
    private final class HearsFleet implements Fleet.Listener {
        private final Fleet.Listener to;

        HearsFleet(Fleet.Listener to) {
            this.to = to;
        }

        @Override
        public void lost(Fleet.State how, String why) {
            to.lost(how, why);
        }

        @Override
        public void restored(boolean again) {
            to.restored(again);
        }

        @Override
        public void incident(String key, Incident incident) {
            to.incident(key, incident);
            heard.put(key, incident);
        }

        @Override
        public void bucketLost(String key) {
            to.bucketLost(key);
        }

        @Override
        public void probeGivenUp(String key) {
            to.probeGivenUp(key);
        }

        @Override
        public void warning(String text) {
            to.warning(text);
        }
    }

    /** Waits for this host's next turn; false if it is rejected. */
    public boolean acquire(String host) {
        Permit permit = permit(host);
        if (permit == null) {
            return false;
        }
        permit.answered(200);
        return true;
    }

    /** The permit of a request that goes now; null if it is rejected. */
    Permit permit(String host) {
        try {
            Permit permit = limiter.arrive(new TestTarget(host));
            if (permit.waiting()) {
                await(permit);
            }
            return permit.rejection() == null ? permit : null;
        } catch (io.tempolimit.RequestRejectedException e) {
            return null;
        }
    }

    private void await(Permit permit) {
        Thread thread = Thread.currentThread();
        permit.waitWith(() -> LockSupport.unpark(thread));
        long began = System.nanoTime();
        boolean unknown = true;
        while (!permit.poll()) {
            long left = permit.wakeAt() - System.nanoTime();
            if (unknown && left < Long.MAX_VALUE / 8) {
                unknown = false;
                longest.accumulateAndGet(System.nanoTime() - began, Math::max);
            }
            LockSupport.parkNanos(permit, left);
        }
        if (unknown) {
            longest.accumulateAndGet(System.nanoTime() - began, Math::max);
        }
        permit.waitWith(null);
    }

    @Override
    public void close() {
        fleet.close();
    }
}
