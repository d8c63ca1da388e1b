package io.tempolimit.core.store;

import io.tempolimit.core.circuit.Incident;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Other JVMs that share their limits with this one, which is one of its workers. Thread-safe; nothing of it blocks or throws.
 *
 * <p>Whether the fleet is asked at all is {@link #shared}. While it is not, each worker is alone and paces by its own buckets. How much it
 * takes then is one rule, {@link FleetSettings#parts}: the less a worker knows of the others, the less it takes.
 */
public interface Fleet {
    /** How the fleet is. */
    enum State {
        /**
         * Nobody has answered yet, and nobody was silent for too long: this JVM still connects, or has to give way to
         * others on its machine.
         */
        CONNECTING,
        /** It answers. */
        SHARED,
        /** It does not answer, and may do so again by itself. */
        ALONE,
        /** It turns this worker down, or cannot be there: somebody has to change a setting. */
        REFUSED
    }

    /** Makes a fleet. A class that does has a public constructor without parameters, for it is loaded only where one is wanted. */
    interface Factory {
        /** Begins to connect, in the background; that it cannot is told to the listener. */
        Fleet start(FleetSettings settings, Listener listener);
    }

    /** Finds out, before a rollout, whether a worker could work. A class that does has a public constructor without parameters. */
    interface Trial {
        /**
         * Connects, and does once what workers do, on keys of its own that expire. Waits for that.
         *
         * @param warning takes what works, and not as well as it might
         * @return how it is there
         * @throws IOException whose message says why no worker could work, without a secret
         */
        String attempt(FleetSettings settings, Consumer<String> warning) throws IOException;
    }

    /** Hears of the fleet, on its one thread: must be quick and must not block. */
    interface Listener {
        /**
         * The fleet does not decide; from here on the fallback holds. {@link State#REFUSED} is told again each minute.
         *
         * @param how any but {@link State#SHARED}
         * @param why without a secret
         */
        void lost(State how, String why);

        /** It answers again, or at last. {@code again}: whether it was lost before. */
        void restored(boolean again);

        /** A worker, perhaps this one, has written this record for a key. */
        void incident(String key, Incident incident);

        /** Somebody has noticed that a key's bucket is gone, and has begun another one: what this worker has of the old one may be void. */
        void bucketLost(String key);

        /** Another worker has given up its probe of that key: the next one may go, from anywhere. */
        void probeGivenUp(String key);

        /** Something that the user may want to change; each is told once. */
        void warning(String text);
    }

    /** Whether it is asked: it answers, or has not been given up yet at the start. */
    boolean shared();

    /** How it is. */
    State state();

    /** Why it does not decide, without a secret; null while it does, and while nothing is known against it. */
    String trouble();

    /** Of how many workers this is one, as last seen; 0 if none was ever seen. */
    int workers();

    /** Whether that number can be relied on: this worker has been there for so long that all others that are there were seen. */
    boolean counted();

    /** Where it does not answer any more, all workers that use what it has given them notice within so many nanoseconds. */
    long noticesWithin();

    /** A key that all its workers share. */
    SharedKey key(String name);

    /** Leaves it; does not wait for that. */
    void close();
}
