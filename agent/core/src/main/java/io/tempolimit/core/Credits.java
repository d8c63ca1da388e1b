package io.tempolimit.core;

import java.util.concurrent.ConcurrentHashMap;

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
        final ConcurrentHashMap<String, HostCredit> now = new ConcurrentHashMap<>();
        final ConcurrentHashMap<String, HostCredit> before;
        final long since;

        Periods(ConcurrentHashMap<String, HostCredit> before, long since) {
            this.before = before;
            this.since = since;
        }
    }

    private volatile Periods periods;

    Credits(long now) {
        periods = new Periods(new ConcurrentHashMap<String, HostCredit>(), now);
    }

    /** Gives one to a host that got one in this period; else gives none, and null. */
    HostCredit giveKnown(String host, long now) {
        HostCredit credits = at(now).now.get(host);
        if (credits != null) {
            credits.give();
        }
        return credits;
    }

    /** @param most how many hosts are remembered */
    HostCredit give(String host, int most, long now) {
        Periods p = at(now);
        HostCredit credits = p.now.get(host);
        if (credits == null) {
            if (p.now.size() >= Math.max(1, most / 2)) {
                p = next(p, p.now, now);
            }
            HostCredit first = new HostCredit(now);
            HostCredit other = p.now.putIfAbsent(host, first);
            credits = other == null ? first : other;
        }
        credits.give();
        return credits;
    }

    /** Whether there was one; the older ones go first. */
    boolean spend(String host, long now) {
        Periods p = at(now);
        HostCredit before = p.before.get(host);
        HostCredit credit = p.now.get(host);
        return before != null && before.spend(now) || credit != null && credit.spend(now);
    }

    boolean has(String host, long now) {
        Periods p = at(now);
        HostCredit before = p.before.get(host);
        HostCredit credit = p.now.get(host);
        return before != null && before.has(now) || credit != null && credit.has(now);
    }

    /** Hosts that are remembered. */
    int size() {
        Periods p = periods;
        return p.now.size() + p.before.size();
    }

    private Periods at(long now) {
        Periods p = periods;
        long age = now - p.since;
        return age < PERIOD ? p : next(p, age < 2 * PERIOD ? p.now : new ConcurrentHashMap<String, HostCredit>(), now);
    }

    /** Of several threads one begins it, and all go on with that. */
    private synchronized Periods next(Periods old, ConcurrentHashMap<String, HostCredit> before, long now) {
        if (periods == old) {
            periods = new Periods(before, now);
        }
        return periods;
    }
}
