package io.tempolimit.core.memory;

import java.util.Arrays;

/** A binary heap that can give up any of its elements: by the last request, or by a time that it is told. Not thread-safe. */
final class EvictionHeap {
    private static final int FEW = 16;

    private Evictable[] heap = new Evictable[FEW];
    /** Of each its time; null where that is the last request. Few keys have one, so it has no field in each of them. */
    private long[] times;
    private int size;

    private EvictionHeap(long[] times) {
        this.times = times;
    }

    static EvictionHeap byUse() {
        return new EvictionHeap(null);
    }

    static EvictionHeap byTime() {
        return new EvictionHeap(new long[FEW]);
    }

    /** The least; null if it is empty. */
    Evictable first() {
        return heap[0];
    }

    /** The time of the least, which there is. */
    long firstTime() {
        return time(0);
    }

    /** By its last request. */
    void add(Evictable e) {
        add(e, e.used);
    }

    void add(Evictable e, long time) {
        if (size == heap.length) {
            resize(2 * size);
        }
        up(size++, e, time);
    }

    /** Does nothing if it is not here. */
    void remove(Evictable e) {
        int at = place(e);
        if (at < 0) {
            return;
        }
        place(e, -1);
        Evictable last = heap[--size];
        long time = time(size);
        heap[size] = null;
        if (last != e) {
            up(at, last, time);
            down(place(last), last, time);
        }
        if (size < heap.length / 4 && heap.length > FEW) {
            resize(heap.length / 2);
        }
    }

    private void resize(int length) {
        heap = Arrays.copyOf(heap, length);
        times = times == null ? null : Arrays.copyOf(times, length);
    }

    private void up(int from, Evictable e, long time) {
        int at = from;
        for (int parent; at > 0 && time - time(parent = (at - 1) / 2) < 0; at = parent) {
            put(at, heap[parent], time(parent));
        }
        put(at, e, time);
    }

    private void down(int from, Evictable e, long time) {
        int at = from;
        for (int child; (child = 2 * at + 1) < size; at = child) {
            child += child + 1 < size && time(child + 1) - time(child) < 0 ? 1 : 0;
            if (time(child) - time >= 0) {
                break;
            }
            put(at, heap[child], time(child));
        }
        put(at, e, time);
    }

    private void put(int at, Evictable e, long time) {
        heap[at] = e;
        place(e, at);
        if (times != null) {
            times[at] = time;
        }
    }

    private long time(int at) {
        return times == null ? heap[at].used : times[at];
    }

    private int place(Evictable e) {
        return times != null ? e.placeByChange : e.place;
    }

    private void place(Evictable e, int at) {
        if (times != null) {
            e.placeByChange = at;
        } else {
            e.place = at;
        }
    }
}
