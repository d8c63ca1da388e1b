package io.tempolimit.core.limiter;

import io.tempolimit.core.Listener;
import io.tempolimit.core.key.HostKey;
import io.tempolimit.core.key.Retention;
import io.tempolimit.core.memory.Crowds;
import io.tempolimit.core.memory.Evictable;
import io.tempolimit.core.memory.EvictionOrder;
import io.tempolimit.core.memory.Remembered;
import io.tempolimit.core.policy.CurrentRules;
import io.tempolimit.core.policy.Rules;
import io.tempolimit.core.runtime.BriefLock;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.runtime.RandomSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All keys by their names: how they are made, and forgotten. Finding one takes no lock. Making and forgetting one takes a lock of its
 * own, under which a key's may be taken; so nobody may come here with a key's lock held. Thread-safe.
 */
final class Keys {
    /** So many are evicted for one that is made; more than one only after a time when all were in use, or new settings. */
    private static final int AT_ONCE = 8;

    private final Clock clock;
    private final Listener listener;
    private final CurrentRules rules;
    private final long hashSeed;
    private final ConcurrentHashMap<String, HostKey> keys = new ConcurrentHashMap<>();
    private final BriefLock lock = new BriefLock();

    // Guarded by the lock.
    private final EvictionOrder order;
    private final Crowds crowds;
    private Attic attic;
    private volatile long evictions;
    private volatile boolean warned;

    Keys(Clock clock, RandomSource random, Listener listener, CurrentRules rules) {
        this.clock = clock;
        this.listener = listener;
        this.rules = rules;
        order = new EvictionOrder(clock.nanos());
        hashSeed = random.hashSeed();
        crowds = new Crowds(hashSeed);
        attic = new Attic(true, hashSeed);
    }

    /** Its limits are shared with other JVMs. Before the first request. */
    void share() {
        attic = new Attic(false, hashSeed);
    }

    /** Null if there is none. */
    HostKey get(String name) {
        return keys.get(name);
    }

    Collection<HostKey> all() {
        return keys.values();
    }

    long evictions() {
        return evictions;
    }

    /** Enters a key that was made by these settings, unless there is one of its name already; gives the one that there is then. */
    HostKey add(HostKey made, Rules by) {
        int max = by.maxKeys();
        List<HostKey> evicted = new ArrayList<>(1);
        boolean good;
        int size;
        lock.lock();
        try {
            HostKey raced = keys.get(made.name());
            if (raced != null) {
                return raced;
            }
            long now = clock.nanos();
            good = attic.restore(made, now);
            keys.put(made.name(), made);
            size = keys.size();
            if (size > max - max / 4) {
                order.lookAhead(now);
            }
            makeRoom(max, AT_ONCE, evicted, now); // before it has its place: who has made it is about to use it
            enter(made, size, max, now);
        } finally {
            lock.unlock();
        }
        if (rules.rules() != by) { // new settings came in between
            made.apply(clock.nanos());
        }
        tell(evicted);
        if (!good) {
            listener.unreadable(made);
        }
        if (size * 10L > max * 9L && !warned) {
            warned = true;
            listener.nearlyFull(size, max);
        }
        return made;
    }

    private void enter(HostKey key, int size, int max, long now) {
        String domain = size > max / 2 ? rules.domain(key.name()) : null; // as long as there is room for all, nobody has to know
        EvictionOrder of = domain == null ? order : crowds.enters(key, domain, max, order, now);
        of.add(key);
    }

    private void makeRoom(int max, int most, List<HostKey> evicted, long now) {
        for (int i = 0; i < most && keys.size() > max; i++) {
            EvictionOrder crowd = crowds.first();
            HostKey next = crowd == null ? null : (HostKey) crowd.next(now);
            next = next == null ? (HostKey) order.next(now) : next;
            if (next == null || !forget(next, max, now)) {
                return;
            }
            evicted.add(next);
        }
    }

    /** Unless it has come to be used since that was looked at. */
    private boolean forget(HostKey key, int max, long now) {
        EvictionOrder of = key.order;
        key.order = null; // before the look: who comes to use it meanwhile sees that, or is seen
        if (!new Retention(key).idle(now)) {
            key.order = of;
            return false;
        }
        keys.remove(key.name());
        of.remove(key);
        crowds.leaves(key);
        attic.keep(key, max, now);
        evictions++;
        return true;
    }

    /** A request has come to this key while it was forgotten. The key is there again, or the one in its place pays for the request. */
    void back(HostKey key, long now) {
        lock.lock();
        try {
            if (!key.isGone()) {
                return;
            }
            HostKey other = keys.putIfAbsent(key.name(), key);
            if (other == null) {
                order.add(key);
            } else if (other != key && other.policy() != null) {
                new Retention(other).pay(now);
            }
        } finally {
            lock.unlock();
        }
    }

    private void tell(List<HostKey> evicted) {
        for (HostKey key : evicted) {
            if (key.policy() != null) {
                listener.evicted(key);
            }
        }
    }

    /** Forgets those that nobody has used for this long, and of which nothing would be lost. */
    void sweep(long idle, int max) {
        List<HostKey> evicted = new ArrayList<>();
        for (HostKey key : keys.values()) {
            long now = clock.nanos();
            if (now - key.lastRequest() > idle && key.standing(now) == Evictable.IDLE) {
                lock.lock();
                try {
                    if (key.order != null && forget(key, max, now)) {
                        evicted.add(key);
                    }
                } finally {
                    lock.unlock();
                }
            }
        }
        lock.lock();
        try {
            makeRoom(max, Integer.MAX_VALUE, evicted, clock.nanos());
        } finally {
            lock.unlock();
        }
        tell(evicted);
    }

    /** See {@link Limiter#remember}. */
    void remember(Map<String, Remembered> before) {
        lock.lock();
        try {
            attic.load(before, clock.nanos());
        } finally {
            lock.unlock();
        }
    }

    /** See {@link Limiter#remembered}. */
    Map<String, Remembered> remembered() {
        Map<String, Remembered> all;
        lock.lock();
        try {
            all = attic.toSave();
        } finally {
            lock.unlock();
        }
        if (all == null) {
            return new LinkedHashMap<>();
        }
        long wall = System.currentTimeMillis();
        for (HostKey key : keys.values()) {
            Remembered now = new Retention(key).save(wall);
            all.remove(key.name());
            if (now != null) {
                all.put(key.name(), now);
            }
        }
        return all;
    }
}
