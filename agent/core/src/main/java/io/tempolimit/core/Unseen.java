package io.tempolimit.core;

import io.tempolimit.core.policy.CurrentRules;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.Exempt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Requests that no woven client sends: nobody paces them, and their user takes them for paced. Each request that arrives at the limiter is
 * announced by that, and gives its host a credit; what is seen on the wire spends one. A credit that is left when the request is over goes
 * with it. Thread-safe; no method waits or throws.
 */
public final class Unseen {
    /** So many hosts are remembered: a program may crawl the whole web so. */
    private static final int HOSTS = 1000;
    /** After a wait that long a credit may have been forgotten: it lives longer, but not where there are very many hosts. */
    public static final long LONG_WAIT = 60_000_000_000L;

    /** One host's. In its order those with the most requests come first. */
    public static final class Host implements Comparable<Host> {
        private final String name;
        private final String by;
        private final int number;
        private final AtomicLong requests = new AtomicLong();

        Host(String name, String by, int number) {
            this.name = name;
            this.by = by;
            this.number = number;
        }

        /** The same, with the requests that there were until now. */
        private Host now() {
            Host copy = new Host(name, by, number);
            copy.requests.set(requests.get());
            return copy;
        }

        /** In canonical form. */
        public String name() {
            return name;
        }

        /** Who has sent the first one: a class, or a thread. */
        public String by() {
            return by;
        }

        /** How many hosts were met before. Of two that are met at once it may be the same. */
        public int number() {
            return number;
        }

        /** How many there were; an HTTP/2 connection counts as one. */
        public long requests() {
            return requests.get();
        }

        @Override
        public int compareTo(Host other) {
            int c = Long.compare(other.requests(), requests());
            return c != 0 ? c : name.compareTo(other.name);
        }
    }

    private final Clock clock;
    private final Listener listener;
    private final CurrentRules rules;
    private final Exempt exempt;
    private final ConcurrentHashMap<String, Host> hosts = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();
    /** Null while nobody looks on. */
    private volatile Credits credits;
    private volatile long from;

    /** @param exempt threads whose requests are none */
    public Unseen(Clock clock, Listener listener, CurrentRules rules, Exempt exempt) {
        this.clock = clock;
        this.listener = listener;
        this.rules = rules;
        this.exempt = exempt;
    }

    /**
     * Somebody looks on from now on.
     *
     * @param nanos for so long nothing counts, since it may have begun before
     */
    public void begin(long nanos) {
        long now = clock.nanos();
        from = now + nanos;
        credits = new Credits(now);
    }

    /** The same as {@link #announced(Target, long)}, now. */
    public HostCredit announced(Target target) {
        return credits == null ? null : announced(target, clock.nanos());
    }

    /** This request is about to be sent, and was not announced when it arrived. */
    public HostCredit departs(Target target) {
        return target.announcedAtDeparture() ? announced(target.host()) : null;
    }

    /**
     * This request is known, so it will not be unseen: it was in the limiter's hands, or is none.
     *
     * @param now by the limiter's clock
     * @return what is to be told of its end, if somebody knows that; null while nobody looks on, or if nothing has to announce it
     */
    public HostCredit announced(Target target, long now) {
        return target.unannounced() || target.announcedAtDeparture() ? null : give(target.host(), now);
    }

    /** One thing that is sent to this host is no request: the handshake with a browser. */
    public HostCredit announced(String to) {
        return credits == null ? null : give(to, clock.nanos());
    }

    private HostCredit give(String to, long now) {
        Credits c = credits;
        if (c == null || to == null) {
            return null;
        }
        HostCredit known = c.giveKnown(to, now); // most are given in canonical form
        String host = known == null ? Hosts.canonical(to) : null;
        return host == null ? known : c.give(host, rules.rules().maxKeys(), now);
    }

    /** It was announced long ago, and is sent only now: its credit may have been forgotten, and gets a new one. */
    public HostCredit waitedLong(Target target, HostCredit before) {
        if (before == null) {
            return announced(target);
        }
        before.notSent();
        return announced(target.host());
    }

    /** Whether a request to this host was announced; it is not expected any more. */
    public boolean expected(String host) {
        Credits c = credits;
        return c == null || c.spend(host, clock.nanos());
    }

    /** Whether a request to this host was announced, and is still expected. */
    public boolean expects(String host) {
        Credits c = credits;
        return c == null || c.has(host, clock.nanos());
    }

    /**
     * A request to this host is sent that was not expected.
     *
     * @param host  in canonical form
     * @param http2 whether it is a connection for many requests
     * @param by    gives who sends it, or null if that is known after all; only asked for the first one
     */
    public void sent(String host, boolean http2, Supplier<String> by) {
        if (early() || !rules.enabled() || exempt.here() || rules.rules().policy(host) == null) {
            return;
        }
        Host known = hosts.get(host);
        if (known == null) {
            String name = by.get();
            if (name == null) {
                return;
            }
            int met = hosts.size();
            known = new Host(host, name, met);
            Host other = met < HOSTS ? hosts.putIfAbsent(host, known) : null;
            if (other != null) {
                known = other;
            } else if (met < HOSTS) {
                listener.unseen(host, name, http2);
            }
        }
        known.requests.incrementAndGet();
        count.incrementAndGet();
    }

    /** Whether what is sent may have begun before somebody looked on. */
    public boolean early() {
        return credits != null && clock.nanos() - from < 0;
    }

    /** How many there were. */
    public long count() {
        return count.get();
    }

    /** By host, the most first; the first 1000 that were met. */
    public List<Host> hosts() {
        List<Host> all = new ArrayList<>();
        for (Host host : hosts.values()) {
            all.add(host.now()); // a sort fails over numbers that change meanwhile
        }
        Collections.sort(all);
        return all;
    }
}
