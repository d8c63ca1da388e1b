package io.tempolimit.core.memory;

import java.util.Arrays;

/** A binary heap that can give up any of its elements: by the last request, or by the time of change. Not thread-safe. */
final class EvictionHeap {
    private static final int FEW = 16;

    private final boolean byChange;
    private Evictable[] heap = new Evictable[FEW];
    private int size;

    EvictionHeap(boolean byChange) {
        this.byChange = byChange;
    }

    /** The least; null if it is empty. */
    Evictable first() {
        return heap[0];
    }

    void add(Evictable e) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        up(size++, e);
    }

    /** Does nothing if it is not here. */
    void remove(Evictable e) {
        int at = place(e);
        if (at < 0) {
            return;
        }
        place(e, -1);
        Evictable last = heap[--size];
        heap[size] = null;
        if (last != e) {
            up(at, last);
            down(place(last), last);
        }
        if (size < heap.length / 4 && heap.length > FEW) {
            heap = Arrays.copyOf(heap, heap.length / 2);
        }
    }

    private void up(int from, Evictable e) {
        int at = from;
        for (int parent; at > 0 && before(e, heap[parent = (at - 1) / 2]); at = parent) {
            put(at, heap[parent]);
        }
        put(at, e);
    }

    private void down(int from, Evictable e) {
        int at = from;
        for (int child; (child = 2 * at + 1) < size; at = child) {
            child += child + 1 < size && before(heap[child + 1], heap[child]) ? 1 : 0;
            if (!before(heap[child], e)) {
                break;
            }
            put(at, heap[child]);
        }
        put(at, e);
    }

    private void put(int at, Evictable e) {
        heap[at] = e;
        place(e, at);
    }

    private boolean before(Evictable a, Evictable b) {
        return byChange ? a.changes - b.changes < 0 : a.used - b.used < 0;
    }

    private int place(Evictable e) {
        return byChange ? e.placeByChange : e.place;
    }

    private void place(Evictable e, int at) {
        if (byChange) {
            e.placeByChange = at;
        } else {
            e.place = at;
        }
    }
}
