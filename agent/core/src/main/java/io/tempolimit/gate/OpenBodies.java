package io.tempolimit.gate;

import io.tempolimit.core.Body;
import java.lang.ref.WeakReference;

/**
 * The bodies that are being read, by what they cannot go on without: a call, or a connection. Keeps neither: only the application's
 * response keeps its body. Thread-safe, and as {@link WeakMap} takes no lock.
 *
 * @param <K> a call or a connection, which goes by its identity
 */
public final class OpenBodies<K> {
    private final WeakMap<K, WeakReference<Body>> bodies = new WeakMap<>();

    /** This body is read from now on. The client has gone on from the one before, if that is not over. */
    public void put(K key, Body body) {
        cut(bodies.put(key, new WeakReference<>(body)));
    }

    /** The call was cancelled, or the connection is gone: nobody gets more of its body. */
    public void cut(K key) {
        cut(bodies.remove(key));
    }

    private static void cut(WeakReference<Body> open) {
        Body body = open == null ? null : open.get();
        if (body != null) {
            body.cut();
        }
    }
}
