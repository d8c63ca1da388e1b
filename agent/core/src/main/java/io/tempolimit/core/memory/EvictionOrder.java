package io.tempolimit.core.memory;

/**
 * Which key is evicted next: by what would be lost with it ({@link Evictable#standing}), and among those the longest unused first.
 *
 * <p>No request tells it anything. It knows of each key what was so when it last looked. It looks again only at those that would be
 * evicted next, or whose standing has ended by itself. A key moves at most three times for each use that somebody made of it, so a
 * new key costs the same however many there are, but for the depth of a heap. Those in use are looked at once a second at the most,
 * unless nothing else is left.
 *
 * <p>Tried and lost: to sort all keys, for several evictions at once. Where hosts rest, nothing is evicted in advance, and each new
 * host sorts them all: 6 ms with 10,000 keys. A queue that puts used keys to its end is no order by last use.
 *
 * <p>Not thread-safe.
 */
public final class EvictionOrder {
    /** So many are looked at for one eviction; where all of these rest or are in use, the next new key goes on. */
    private static final int LOOKS = 64;
    /** So many are looked at for a new key as long as there is room, so that it is known what they are once there is none. */
    private static final int LOOKS_AHEAD = 4;
    private static final long AGAIN = 1_000_000_000L;

    private final EvictionHeap[] standings = new EvictionHeap[Evictable.IN_USE + 1];
    private final EvictionHeap changing = EvictionHeap.byTime();
    private int size;
    /** When one that is in use was last looked at. */
    private long looked;

    public EvictionOrder(long now) {
        looked = now;
        for (int i = 0; i < standings.length; i++) {
            standings[i] = EvictionHeap.byUse();
        }
    }

    int size() {
        return size;
    }

    /** A new one; whatever it is, it is looked at before it is evicted. */
    public void add(Evictable e) {
        e.order = this;
        e.used = e.lastRequest();
        e.standing = Evictable.IDLE;
        standings[Evictable.IDLE].add(e);
        size++;
    }

    public void remove(Evictable e) {
        e.order = null;
        takeOut(e);
        size--;
    }

    /** Who is to be evicted next, and stays here; null if all are in use, as far as it has looked. */
    public Evictable next(long now) {
        Evictable next = next(LOOKS, now);
        if (next != null) {
            return next;
        }
        Evictable owes = standings[Evictable.OWES].first(); // one that owes nothing may be further on: what this one owes is not forgotten
        return owes != null && owes.standing(now) <= Evictable.OWES ? owes : null;
    }

    /** There will be evictions soon. */
    public void lookAhead(long now) {
        next(LOOKS_AHEAD, now);
    }

    private Evictable next(int most, long now) {
        int looks = most;
        for (Evictable e; (e = changing.first()) != null && changing.firstTime() - now <= 0 && looks > 0; looks--) {
            takeOut(e);
            putIn(e, Evictable.IDLE, now); // and if it is not, that is found out before it is evicted
        }
        for (int standing = 0; standing < standings.length && looks > 0; ) {
            Evictable e = standings[standing].first();
            if (e == null) {
                standing++;
                continue;
            }
            looks--;
            int is = e.standing(now);
            long used = e.lastRequest();
            if (is == standing && used == e.used && is != Evictable.IN_USE) {
                return e;
            }
            takeOut(e);
            e.used = used;
            putIn(e, is, now);
            standing = Math.min(standing, is);
        }
        return null;
    }

    private void takeOut(Evictable e) {
        standings[e.standing].remove(e);
        changing.remove(e);
    }

    private void putIn(Evictable e, int standing, long now) {
        e.standing = (byte) standing;
        if (standing == Evictable.OWES || standing == Evictable.RESTS) {
            changing.add(e, e.standingEnds(now));
        } else if (standing == Evictable.IN_USE) {
            looked = looked - now < 0 ? now : looked + 1; // each has another number, so that all of them have their turn
            e.used = looked;
            changing.add(e, now + AGAIN);
        }
        standings[standing].add(e);
    }
}
