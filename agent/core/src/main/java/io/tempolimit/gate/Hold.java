package io.tempolimit.gate;

import io.tempolimit.core.Permit;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A call that waits for its permit's turn without a thread. When the wait is over, granted, rejected or cancelled, its
 * continuation is run by the client's own executor: the timer thread runs neither client nor application code.
 *
 * <p>The executor may be behind, as an event loop is that the application keeps busy. So the turn is taken there, where the call
 * goes on, and not when the timer fires: what has piled up leaves at the key's pace, in order, each for one token.
 */
public final class Hold extends Timer.Entry implements Permit.Waiter {
    private final Timer timer;
    private final Permit permit;
    private final Executor executor;
    private final Runnable resume;
    private final boolean keepsAlive;
    private final AtomicBoolean over = new AtomicBoolean();
    /** Whether the executor has been given it, to take its turn there. */
    private volatile boolean coming;
    /** Whoever cancels hands the call over: the timer need not be woken for that, and would be quicker at times. */
    private volatile boolean cancelling;

    private Hold(Timer timer, Permit permit, Executor executor, Runnable resume, boolean keepsAlive) {
        this.timer = timer;
        this.permit = permit;
        this.executor = executor;
        this.resume = timer.once(resume);
        this.keepsAlive = keepsAlive;
    }

    /**
     * Lets a call wait.
     *
     * @param permit     a waiting permit
     * @param executor   the client's own; of calls with equal ones, none overtakes another whose turn has come
     * @param resume     goes on with the call, by the state that the permit then has; called once
     * @param keepsAlive whether the JVM shall not end before
     */
    public static Hold start(Timer timer, Permit permit, Executor executor, Runnable resume, boolean keepsAlive) {
        Hold hold = null;
        try {
            hold = new Hold(timer, permit, executor, resume, keepsAlive);
            hold.arm();
            permit.waitWith(hold);
            hold.moved(); // the turn may have moved in between
            return hold;
        } catch (Throwable t) { // out of memory, or of threads
            if (hold == null || hold.over.compareAndSet(false, true)) {
                permit.cancel(); // the call goes on at once, and nobody is to wait behind it
                throw t;
            }
            return hold;
        }
    }

    /** Ends the wait now, as cancelled; no effect once it is over. */
    public void cancel() {
        cancelling = true;
        if (permit.cancel()) {
            handOver();
            timer.cancel(this);
        } else {
            cancelling = false;
            moved(); // what ended the wait may have been overheard meanwhile
        }
    }

    /** The permit that it waits for. */
    public Permit permit() {
        return permit;
    }

    @Override
    public void moved() {
        if (!over.get() && !cancelling && !coming) { // one that comes looks by itself
            try {
                arm();
            } catch (OutOfMemoryError e) {
                // it looks when it was to look before; whoever has moved it must not fail
            }
        }
    }

    /** Reads the time with the entry locked, so that of two threads that do this the later one cannot set an older time. */
    private synchronized void arm() {
        timer.schedule(this, permit.wakeAt());
    }

    @Override
    boolean keepsAlive() {
        return keepsAlive;
    }

    @Override
    protected void fire() {
        if (permit.turnComes()) {
            come();
        } else if (over()) {
            handOver();
        } else {
            arm();
        }
    }

    private void come() {
        coming = true;
        try {
            timer.handOver(executor, this::takeTurn);
        } catch (OutOfMemoryError e) { // of heap or of threads: the timer tries again
            coming = false;
            throw e;
        }
    }

    /** On the executor. Those that it would overtake there take their turns first: they are behind it, or on their way. */
    private void takeTurn() {
        Hold before = null;
        for (Hold ahead; (ahead = (Hold) permit.ahead(this::sharesExecutor)) != null && ahead != before; before = ahead) {
            try {
                ahead.look();
            } catch (Throwable t) {
                // it reports its own trouble; this one must go
            }
        }
        look();
    }

    private void look() {
        coming = false; // first, so that who moves the turn from now on is heard
        try {
            if (!over()) {
                arm();
                return;
            }
        } catch (OutOfMemoryError e) {
            permit.cancel(); // as for any error: the call goes on, and nobody is to wait behind it
        }
        if (over.compareAndSet(false, true)) {
            permit.waitWith(null);
            resume.run();
        }
    }

    private boolean sharesExecutor(Permit.Waiter other) {
        return other instanceof Hold && ((Hold) other).executor.equals(executor);
    }

    private boolean over() {
        try {
            return permit.poll();
        } catch (OutOfMemoryError e) {
            throw e; // the timer tries again
        } catch (RuntimeException | Error e) { // of a listener, say: the call goes on, and nobody is to wait behind it
            permit.cancel();
            return true;
        }
    }

    private void handOver() {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        try {
            permit.waitWith(null);
            timer.handOver(executor, resume);
        } catch (OutOfMemoryError e) { // of heap or of threads: the timer tries again
            over.set(false);
            throw e;
        }
    }
}
