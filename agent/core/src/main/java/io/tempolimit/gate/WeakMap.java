package io.tempolimit.gate;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Ties a value to an object of a client for as long as that object lives, by identity. The value must not refer to the
 * object. Thread-safe; takes no lock, but once for each object that was collected the lock of the JDK's own queue, for an instant.
 *
 * <p>What was collected is found by {@link #put}, and by {@link #lookAll}: nobody puts anything once a program stands still.
 */
public final class WeakMap<K, V> {
    /** Those that are there; one that belongs to a client's loader goes with it. */
    private static final Queue<WeakReference<WeakMap<?, ?>>> ALL = new ConcurrentLinkedQueue<>();

    private final ConcurrentHashMap<Object, V> map = new ConcurrentHashMap<>();
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    /** Null if nobody misses them. */
    private final Consumer<V> left;

    /** Values that nobody misses. Not a lambda that does nothing: at a JVM's start the first lambda costs tens of milliseconds. */
    public WeakMap() {
        this(null);
    }

    /** @param left is given the values of objects that were collected before their value was removed */
    public WeakMap(Consumer<V> left) {
        this.left = left;
        ALL.add(new WeakReference<>(this));
    }

    /**
     * Finds what was collected, in all maps.
     *
     * @return whether there is anything left in any
     */
    public static boolean lookAll() {
        boolean any = false;
        for (Iterator<WeakReference<WeakMap<?, ?>>> all = ALL.iterator(); all.hasNext(); ) {
            WeakMap<?, ?> map = all.next().get();
            if (map == null) {
                all.remove();
            } else {
                any |= map.look();
            }
        }
        return any;
    }

    private boolean look() {
        try {
            expunge();
        } catch (RuntimeException | Error e) {
            // of one value's end; the others are found by the next look
        }
        return !map.isEmpty();
    }

    /** The value, or null. */
    public V get(K key) {
        return map.isEmpty() ? null : map.get(new Probe(key)); // what is asked at each request often has nothing in it
    }

    /** Sets the value; gives the one before, or null. */
    public V put(K key, V value) {
        expunge();
        return map.put(new Held(key, collected), value);
    }

    /** Takes the value out; null if there was none. */
    public V remove(K key) {
        return map.isEmpty() ? null : map.remove(new Probe(key));
    }

    private void expunge() {
        for (Reference<?> r; (r = collected.poll()) != null; ) {
            V value = map.remove(r);
            if (value != null && left != null) {
                left.accept(value);
            }
        }
    }

    private static final class Held extends WeakReference<Object> {
        private final int hash;

        Held(Object key, ReferenceQueue<Object> queue) {
            super(key, queue);
            hash = System.identityHashCode(key);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            if (this == other) {
                return true;
            }
            Object key = get();
            return key != null && other instanceof Held && ((Held) other).get() == key;
        }
    }

    /** What looks up: no reference object for the collector to follow. */
    private static final class Probe {
        private final Object key;

        Probe(Object key) {
            this.key = key;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(key);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Held && ((Held) other).get() == key;
        }
    }
}
