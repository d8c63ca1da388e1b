package io.tempolimit.core.pace;

import io.tempolimit.core.Listener;
import io.tempolimit.core.runtime.BriefLock;
import java.util.ArrayList;
import java.util.List;

/**
 * The lock of some keys, with its outbox: what the listener is told once the lock is free. Whoever releases the lock delivers,
 * in the order in which it was put in. So a listener is never called with a lock held.
 *
 * <p>An error of the listener changes nothing here: the rest is delivered, and the thread that releases the lock goes on. This
 * thread may have entered a waiter just now, which an error would lose.
 */
public final class KeyLock extends BriefLock {
    private static final long serialVersionUID = 1;

    private final transient Listener listener;
    /** What is told first; null if there is nothing to tell. Guarded by this lock. */
    private transient Runnable first;
    /** What is told then; null if that is nothing. */
    private transient List<Runnable> more;

    KeyLock(Listener listener) {
        this.listener = listener;
    }

    /** Tells the listener that, once the lock is free. Under the lock. */
    void tell(Runnable news) {
        if (first == null) {
            first = news;
            return;
        }
        if (more == null) {
            more = new ArrayList<>(2);
        }
        more.add(news);
    }

    @Override
    public void unlock() {
        Runnable one = first;
        if (one == null || getHoldCount() > 1) {
            super.unlock();
            return;
        }
        List<Runnable> others = more;
        first = null;
        more = null;
        super.unlock();
        deliver(one);
        if (others != null) {
            others.forEach(this::deliver);
        }
    }

    private void deliver(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException | Error e) {
            trouble(e);
        }
    }

    private void trouble(Throwable error) {
        try {
            listener.trouble(error);
        } catch (RuntimeException | Error e) {
            // there is nobody else to tell
        }
    }
}
