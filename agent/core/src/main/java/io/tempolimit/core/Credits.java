package io.tempolimit.core;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many requests each host is still to get: who announces one gives a credit, and a request on the wire spends one. A credit that
 * nobody spends is forgotten after one to two periods, and earlier where there are more hosts than shall be remembered: the older
 * half of them goes. Thread-safe; no method waits.
 */
final class Credits {
    /** Longer than any client looks for a connection. */
    static final long PERIOD = 300_000_000_000L;

    /** What was given in this period and in the one before. Immutable, but for the numbers. */
    private static final class Periods {
        final ConcurrentHashMap<String, AtomicInteger> now = new ConcurrentHashMap<>();
        final ConcurrentHashMap<String, AtomicInteger> before;
        final long since;

        Periods(ConcurrentHashMap<String, AtomicInteger> before, long since) {
            this.before = before;
            this.since = since;
        }
    }

    private volatile Periods periods;

    Credits(long now) {
        periods = new Periods(new ConcurrentHashMap<String, AtomicInteger>(), now);
    }

    /** @param most how many hosts are remembered */
    void give(String host, int most, long now) {
        Periods p = at(now);
        AtomicInteger credits = p.now.get(host);
        if (credits == null) {
            if (p.now.size() >= Math.max(1, most / 2)) {
                p = next(p, p.now, now);
            }
            AtomicInteger first = new AtomicInteger();
            AtomicInteger other = p.now.putIfAbsent(host, first);
            credits = other == null ? first : other;
        }
        credits.incrementAndGet();
    }

    /** Whether there was one; the older ones go first. */
    boolean spend(String host, long now) {
        Periods p = at(now);
        return spend(p.before.get(host)) || spend(p.now.get(host));
    }

    private static boolean spend(AtomicInteger credits) {
        while (credits != null) {
            int n = credits.get();
            if (n <= 0) {
                return false;
            }
            if (credits.compareAndSet(n, n - 1)) {
                return true;
            }
        }
        return false;
    }

    boolean has(String host, long now) {
        Periods p = at(now);
        return has(p.before.get(host)) || has(p.now.get(host));
    }

    private static boolean has(AtomicInteger credits) {
        return credits != null && credits.get() > 0;
    }

    /** Hosts that are remembered. */
    int size() {
        Periods p = periods;
        return p.now.size() + p.before.size();
    }

    private Periods at(long now) {
        Periods p = periods;
        long age = now - p.since;
        return age < PERIOD ? p : next(p, age < 2 * PERIOD ? p.now : new ConcurrentHashMap<String, AtomicInteger>(), now);
    }

    /** Of several threads one begins it, and all go on with that. */
    private synchronized Periods next(Periods old, ConcurrentHashMap<String, AtomicInteger> before, long now) {
        if (periods == old) {
            periods = new Periods(before, now);
        }
        return periods;
    }
}
