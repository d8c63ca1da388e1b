package io.tempolimit.core.pace;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The keys with answers that may be left unread: nothing of the application's is to be kept for those until another
 * request comes. Looked at several times a second, until nothing is left to look for. Thread-safe, without a lock.
 */
public final class Unread {
    private final ConcurrentLinkedQueue<PacedKey> keys = new ConcurrentLinkedQueue<>();
    /** Whether somebody will look. */
    private final AtomicBoolean set = new AtomicBoolean();
    /** Has {@link #look} called a little later; null if nobody does. */
    private volatile Runnable alarm;

    public void alarm(Runnable r) {
        alarm = r;
    }

    /** To be followed by {@link #lookLater}, once no lock is held. */
    public void add(PacedKey key) {
        keys.add(key);
    }

    public void lookLater() {
        Runnable r = alarm;
        if (r == null || set.get() || keys.isEmpty() || !set.compareAndSet(false, true)) {
            return;
        }
        try {
            r.run();
        } catch (RuntimeException | Error e) { // out of memory, or of threads: the next answer asks again
            set.set(false);
        }
    }

    public void look(long now) {
        set.set(false);
        for (int n = keys.size(); n > 0; n--) {
            PacedKey key = keys.poll();
            if (key != null && key.settleUnread(now)) {
                keys.add(key);
            }
        }
        lookLater();
    }
}
