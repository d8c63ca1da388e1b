package io.tempolimit.core.memory;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps the hosts of one registrable domain from pushing out all others. A domain that has more than its share of the keys is a crowd:
 * its further keys have an order of eviction of their own, and that is where room is made first.
 *
 * <p>Domains are counted in groups by a hash, for a map of them would cost each host a hundred bytes. An innocent domain shares the
 * group of a crowd once in {@value #GROUPS} times; then its keys may be evicted earlier, and nothing else. Not thread-safe.
 */
public final class Crowds {
    private static final int GROUPS = 4096;
    /** One domain has at most this part of all keys, where others want them. */
    private static final int SHARE = 16;

    private final int[] keys = new int[GROUPS];
    private final Map<Integer, EvictionOrder> crowds = new LinkedHashMap<>();
    private final int seed;

    /** @param seed so that nobody finds names of one group beforehand */
    public Crowds(long seed) {
        this.seed = Long.hashCode(seed) * 0x9e3779b9;
    }

    /** A key of this domain is there; gives the order that it belongs to. */
    public EvictionOrder enters(Evictable e, String domain, int max, EvictionOrder common, long now) {
        int h = (domain.hashCode() ^ seed) * 0x85ebca6b;
        int group = (h ^ h >>> 16) & GROUPS - 1;
        e.group = (short) group;
        return ++keys[group] > share(max) ? crowds.computeIfAbsent(group, g -> new EvictionOrder(now)) : common;
    }

    /** It is not there any more. */
    public void leaves(Evictable e) {
        if (e.group >= 0) {
            keys[e.group]--;
            e.group = -1;
        }
    }

    /** Those that were beyond their domain's share when they came; null if there are none. */
    public EvictionOrder first() {
        for (Iterator<EvictionOrder> i = crowds.values().iterator(); i.hasNext(); ) {
            EvictionOrder crowd = i.next();
            if (crowd.size() > 0) {
                return crowd;
            }
            i.remove();
        }
        return null;
    }

    private static int share(int max) {
        return Math.max(1, max / SHARE);
    }
}
