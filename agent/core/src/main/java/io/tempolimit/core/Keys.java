package io.tempolimit.core;

import io.tempolimit.core.memory.Crowds;
import io.tempolimit.core.memory.Evictable;
import io.tempolimit.core.memory.EvictionOrder;
import io.tempolimit.core.memory.Remembered;
import io.tempolimit.core.policy.Rules;
import io.tempolimit.core.runtime.BriefLock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * All keys by their names: how they are made, and forgotten. Finding one takes no lock. Making and forgetting one takes a lock of its
 * own, under which a key's may be taken; so nobody may come here with a key's lock held. Thread-safe.
 */
public final class Keys {
    /** So many are evicted for one that is made; more than one only after a time when all were in use, or new settings. */
    private static final int AT_ONCE = 8;

    private final Limiter limiter;
    private final ConcurrentHashMap<String, Key> keys = new ConcurrentHashMap<>();
    private final BriefLock lock = new BriefLock();

    // Guarded by the lock.
    private final EvictionOrder order;
    private final Crowds crowds = new Crowds();
    private Attic attic;
    private volatile long evictions;
    private volatile boolean warned;

    Keys(Limiter limiter, long now) {
        this.limiter = limiter;
        order = new EvictionOrder(now);
        attic = attic(true);
    }

    private static Attic attic(boolean alone) {
        return new Attic(alone, ThreadLocalRandom.current().nextLong());
    }

    /** Its limits are shared with other JVMs. Before the first request. */
    void share() {
        attic = attic(false);
    }

    /** Null if there is none. */
    Key get(String name) {
        return keys.get(name);
    }

    Collection<Key> all() {
        return keys.values();
    }

    long evictions() {
        return evictions;
    }

    /** Enters a key that was made by these settings, unless there is one of its name already; gives the one that there is then. */
    Key add(Key made, Rules by) {
        int max = by.maxKeys();
        List<Key> evicted = new ArrayList<>(1);
        boolean good;
        int size;
        lock.lock();
        try {
            Key raced = keys.get(made.name());
            if (raced != null) {
                return raced;
            }
            long now = limiter.clock().nanos();
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
        if (limiter.rules() != by) { // new settings came in between
            made.apply(limiter.clock().nanos());
        }
        tell(evicted);
        if (!good) {
            limiter.listener().unreadable(made);
        }
        if (size * 10L > max * 9L && !warned) {
            warned = true;
            limiter.listener().nearlyFull(size, max);
        }
        return made;
    }

    private void enter(Key key, int size, int max, long now) {
        String domain = size > max / 2 ? limiter.domainOf(key.name()) : null; // as long as there is room for all, nobody has to know
        EvictionOrder of = domain == null ? order : crowds.enters(key, domain, max, order, now);
        of.add(key);
    }

    private void makeRoom(int max, int most, List<Key> evicted, long now) {
        for (int i = 0; i < most && keys.size() > max; i++) {
            EvictionOrder crowd = crowds.first();
            Key next = crowd == null ? null : (Key) crowd.next(now);
            next = next == null ? (Key) order.next(now) : next;
            if (next == null || !forget(next, max, now)) {
                return;
            }
            evicted.add(next);
        }
    }

    /** Unless it has come to be used since that was looked at. */
    private boolean forget(Key key, int max, long now) {
        key.gone = true; // before the look: who comes to use it meanwhile sees that, or is seen
        if (!new Retention(key).idle(now)) {
            key.gone = false;
            return false;
        }
        keys.remove(key.name());
        key.order.remove(key);
        crowds.leaves(key);
        attic.keep(key, max, now);
        evictions++;
        return true;
    }

    /** A request has come to this key while it was forgotten. The key is there again, or the one in its place pays for the request. */
    void back(Key key, long now) {
        lock.lock();
        try {
            if (!key.gone) {
                return;
            }
            Key other = keys.putIfAbsent(key.name(), key);
            if (other == null) {
                key.gone = false;
                order.add(key);
            } else if (other != key && other.policy() != null) {
                new Retention(other).pay(now);
            }
        } finally {
            lock.unlock();
        }
    }

    private void tell(List<Key> evicted) {
        for (Key key : evicted) {
            if (key.policy() != null) {
                limiter.listener().evicted(key);
            }
        }
    }

    /** Forgets those that nobody has used for this long, and of which nothing would be lost. */
    void sweep(long idle, int max) {
        List<Key> evicted = new ArrayList<>();
        for (Key key : keys.values()) {
            long now = limiter.clock().nanos();
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
            makeRoom(max, Integer.MAX_VALUE, evicted, limiter.clock().nanos());
        } finally {
            lock.unlock();
        }
        tell(evicted);
    }

    /** See {@link Limiter#remember}. */
    void remember(Map<String, Remembered> before) {
        lock.lock();
        try {
            attic.load(before);
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
        for (Key key : keys.values()) {
            Remembered now = new Retention(key).save(wall);
            all.remove(key.name());
            if (now != null) {
                all.put(key.name(), now);
            }
        }
        return all;
    }
}
