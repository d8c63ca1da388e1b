package io.tempolimit.core;

import io.tempolimit.core.runtime.BriefLock;
import java.util.ArrayList;
import java.util.List;

/**
 * The lock of some keys, with its outbox: what the listener is told once the lock is free. Whoever releases the lock delivers,
 * in the order in which it was put in. So a listener is never called with a lock held, and nobody has to think of that.
 *
 * <p>An error of the listener changes nothing here: the rest is delivered, and who releases the lock goes on. It may have
 * entered a waiter just now, which an error would lose. The agent's own listener tells of its errors itself.
 */
final class KeyLock extends BriefLock {
    private static final long serialVersionUID = 1;

    /** Null if there is nothing to tell. Guarded by this lock. */
    private transient List<Runnable> outbox;

    /** Tells the listener that, once the lock is free. Under the lock. */
    void tell(Runnable news) {
        if (outbox == null) {
            outbox = new ArrayList<>(1);
        }
        outbox.add(news);
    }

    @Override
    public void unlock() {
        List<Runnable> all = outbox == null || getHoldCount() > 1 ? null : outbox;
        if (all != null) {
            outbox = null;
        }
        super.unlock();
        if (all != null) {
            deliver(all);
        }
    }

    private static void deliver(List<Runnable> all) {
        for (Runnable news : all) {
            try {
                news.run();
            } catch (RuntimeException | Error e) {
                // see above
            }
        }
    }
}
