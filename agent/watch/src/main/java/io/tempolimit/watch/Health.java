package io.tempolimit.watch;

import java.util.concurrent.atomic.AtomicLong;

/** How the agent itself is, for who supervises many. Thread-safe. */
public final class Health {
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private volatile long loaded = System.currentTimeMillis();
    private volatile boolean refused;

    void error() {
        errors.incrementAndGet();
    }

    void loaded() {
        loaded = System.currentTimeMillis();
        refused = false;
    }

    void refuse() {
        refusals.incrementAndGet();
        refused = true;
    }

    /** Errors inside the agent. */
    public long errors() {
        return errors.get();
    }

    /** How many contents of the settings' file were refused. */
    public long refusals() {
        return refusals.get();
    }

    /** Whether the settings' file is refused as it is, and the settings before it hold. */
    public boolean refused() {
        return refused;
    }

    /** When settings were read last that hold, in milliseconds since 1970. */
    public long loadedMillis() {
        return loaded;
    }
}
