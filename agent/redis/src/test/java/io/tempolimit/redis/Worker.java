package io.tempolimit.redis;

import io.tempolimit.core.Answer;
import io.tempolimit.core.Fleet;
import io.tempolimit.core.FleetSettings;
import io.tempolimit.core.Incident;
import io.tempolimit.core.Lease;
import io.tempolimit.core.Limit;
import io.tempolimit.core.SharedKey;
import io.tempolimit.core.TokenBucket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** A worker of a fleet whose requests wait on their threads: as a limiter uses {@link Fleet}, {@link SharedKey} and {@link Lease}, without circuits. */
public final class Worker implements Fleet.Listener, AutoCloseable {
    final RedisFleet fleet;
    final List<String> told = new CopyOnWriteArrayList<>();
    final Map<String, Incident> heard = new ConcurrentHashMap<>();
    /** The longest that a request waited for an answer of Redis, or for its being given up, in nanoseconds. */
    final AtomicLong longest = new AtomicLong();
    private final double rate;
    private final int burst;
    private final long tolerance;
    private final Map<String, Site> sites = new ConcurrentHashMap<>();

    public Worker(FleetSettings settings, double rate, int burst) {
        this.rate = rate;
        this.burst = burst;
        this.tolerance = (long) (1e9 / rate * (burst - 1));
        this.fleet = RedisFleet.start(settings, this);
    }

    /** Waits for this key's next turn; false if it is rejected. */
    public boolean acquire(String key) {
        return sites.computeIfAbsent(key, Site::new).acquire();
    }

    private static final class Turn {
        final Thread thread = Thread.currentThread();
        volatile long slot = Lease.NONE;
        volatile boolean alone;
    }

    private final class Site {
        private final ReentrantLock lock = new ReentrantLock();
        private final Deque<Turn> waiting = new ArrayDeque<>();
        private final SharedKey key;
        private final Lease lease;
        private TokenBucket alone;

        Site(String name) {
            key = fleet.key(name);
            lease = new Lease(fleet.settings.lease());
        }

        boolean acquire() {
            for (;;) {
                long slot = fleet.shared() ? slot() : Lease.NONE;
                if (slot == Lease.NONE) {
                    return alone();
                }
                sleep(slot);
                if (!Lease.over(slot, System.nanoTime(), tolerance + 50_000_000)) { // an answer may have taken its time
                    return true;
                }
            }
        }

        private long slot() {
            Turn turn;
            lock.lock();
            try {
                long now = System.nanoTime();
                if (waiting.isEmpty()) {
                    long slot = lease.next(now);
                    if (slot != Lease.NONE) {
                        ask(now);
                        return slot;
                    }
                }
                turn = new Turn();
                waiting.add(turn);
                ask(now);
            } finally {
                lock.unlock();
            }
            long from = System.nanoTime();
            while (turn.slot == Lease.NONE && !turn.alone) {
                LockSupport.park(this);
            }
            longest.accumulateAndGet(System.nanoTime() - from, Math::max);
            return turn.slot;
        }

        private void ask(long now) {
            for (int n; (n = lease.wanted(waiting.size(), (long) (1e9 / rate), now)) > 0; ) {
                int asked = n;
                lease.asked(n);
                key.take(1e9 / rate, burst, n, Long.MAX_VALUE, answer -> answered(asked, answer));
            }
        }

        private void answered(int asked, Answer answer) {
            lock.lock();
            try {
                long now = System.nanoTime();
                int n = answer == null ? 0 : answer.count;
                lease.answered(asked, n, n == 0 ? 0 : answer.slot, n == 0 ? 0 : answer.step, tolerance, now);
                if (n > 0) {
                    alone = null;
                }
                while (!waiting.isEmpty()) {
                    long slot = n == 0 ? Lease.NONE : lease.next(now);
                    if (n > 0 && slot == Lease.NONE) {
                        break;
                    }
                    Turn turn = waiting.poll();
                    turn.slot = slot;
                    turn.alone = slot == Lease.NONE;
                    LockSupport.unpark(turn.thread);
                }
                if (answer != null) {
                    ask(now);
                }
            } finally {
                lock.unlock();
            }
        }

        private boolean alone() {
            int parts = Math.max(1, fleet.workers());
            Limit share = new Limit(rate / parts, Math.max(1, burst / parts));
            long now = System.nanoTime();
            long wait;
            lock.lock();
            try {
                if (alone == null) {
                    alone = new TokenBucket(now + (long) (1e9 / share.rate() * share.burst())); // empty
                }
                wait = alone.reserve(now, share, 0, Long.MAX_VALUE);
            } finally {
                lock.unlock();
            }
            sleep(now + wait);
            return true;
        }

        private void sleep(long until) {
            for (long left; (left = until - System.nanoTime()) > 0; ) {
                LockSupport.parkNanos(this, left);
            }
        }
    }

    @Override
    public void lost(String why) {
        told.add("lost: " + why);
    }

    @Override
    public void restored(boolean again) {
        told.add(again ? "restored" : "connected");
    }

    @Override
    public void incident(String key, Incident incident) {
        heard.put(key, incident);
    }

    @Override
    public void warning(String text) {
        told.add("warning: " + text);
    }

    @Override
    public void close() {
        fleet.close();
    }
}
