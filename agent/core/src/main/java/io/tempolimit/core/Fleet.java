package io.tempolimit.core;

/**
 * Other JVMs that share their limits with this one, which is one of its workers. Thread-safe; nothing of it blocks or throws.
 *
 * <p>Whether the fleet is asked at all is {@link #shared}. While it is not, each worker is alone and paces by its own buckets.
 */
public interface Fleet {
    /** Makes a fleet. A class that does has a public constructor without parameters, for it is loaded only where one is wanted. */
    interface Factory {
        /** Begins to connect, in the background; that it cannot is told to the listener. */
        Fleet start(FleetSettings settings, Listener listener);
    }

    /** Hears of the fleet, on its one thread: must be quick and must not block. */
    interface Listener {
        /** Nobody answers; from here on the fallback holds. */
        void lost(String why);

        /** It answers again, or at last. {@code again}: whether it was lost before. */
        void restored(boolean again);

        /** A worker, perhaps this one, has written this record for a key. */
        void incident(String key, Incident incident);

        /** Something that the user may want to change; each is told once. */
        void warning(String text);
    }

    /** Whether it is asked: it answers, or has not been given up yet at the start. */
    boolean shared();

    /** Of how many workers this is one, as last seen. */
    int workers();

    /** A key that all its workers share. */
    SharedKey key(String name);

    /** Leaves it; does not wait for that. */
    void close();
}
