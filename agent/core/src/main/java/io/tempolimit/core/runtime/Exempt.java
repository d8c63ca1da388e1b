package io.tempolimit.core.runtime;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Threads that send what is no request, whatever the settings say: the commands to a browser's driver, which travel by the
 * same clients as pages do. Thread-safe.
 */
public final class Exempt {
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /**
     * What this thread sends from now on is no request.
     *
     * @return whether it was one until now; only then {@link #leave} is to be called
     */
    public boolean enter() {
        return threads.add(Thread.currentThread());
    }

    /** The end of {@link #enter}. */
    public void leave() {
        threads.remove(Thread.currentThread());
    }

    /** Whether the current thread is one of them. A client that goes on with a call on another thread asks where it begins. */
    public boolean here() {
        return !threads.isEmpty() && threads.contains(Thread.currentThread());
    }
}
