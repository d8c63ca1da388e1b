package io.tempolimit.weave;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.gate.Parking;
import io.tempolimit.gate.Timer;
import io.tempolimit.gate.WeakMap;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** What hooks have to work with. Thread-safe. */
public final class Gate {
    /** How often what was collected is looked for. */
    private static final long LOOK = 1_000_000_000L;
    /** How often answers that nobody reads are looked for, while there may be some. */
    private static final long UNREAD = 250_000_000L;

    private final Limiter limiter;
    private final Timer timer;
    private final Senders senders = new Senders();
    private final Timer.Entry endOfStreams = new Timer.Entry() {
        @Override
        protected void fire() {
            limiter.endStreams();
            synchronized (this) {
                scheduleEndOfStreams();
            }
        }
    };

    private final Timer.Entry collected = new Timer.Entry() {
        @Override
        protected void fire() {
            looking = false;
            if (WeakMap.lookAll()) {
                lookForCollected();
            }
        }
    };
    private volatile boolean looking;

    private final Timer.Entry unread = new Timer.Entry() {
        @Override
        protected void fire() {
            limiter.settleUnread();
        }
    };

    public Gate(Limiter limiter, Timer timer) {
        this.limiter = limiter;
        this.timer = timer;
        limiter.whenUnread(new Runnable() { // not a lambda: see Background
            @Override
            public void run() {
                timer.schedule(unread, Clock.SYSTEM.nanos() + UNREAD);
            }
        });
    }

    /** Grants permits. */
    public Limiter limiter() {
        return limiter;
    }

    /**
     * A request is sent without coming to the limiter again: a round with a password for the proxy, one that is begun anew
     * after its wait, or an exempt one. So nobody takes it for one that no client has announced.
     */
    public void announced(Target target) {
        limiter.unseen().announced(target);
    }

    /** Knows who writes a request. */
    public Senders senders() {
        return senders;
    }

    /** Wakes held calls. */
    public Timer timer() {
        return timer;
    }

    /**
     * A request arrives: {@link Limiter#arrive}, with the stack trace of the call in a rejection. To walk the stack
     * takes longer than to decide, and is left out where nobody would see it; who sees an exception wants to know which
     * of the program's requests it was.
     *
     * @return null if the request is not paced
     */
    public Permit arrive(Target target) throws RequestRejectedException {
        try {
            Permit permit = limiter.arrive(target);
            if (permit != null && permit.key().limitsFlight()) {
                lookForCollected();
            }
            return permit;
        } catch (RequestRejectedException e) {
            e.fillInStackTrace();
            throw e;
        }
    }

    /** A request has a place, or waits for one. If its program drops it, those that wait must not depend on the next request. */
    private void lookForCollected() {
        if (looking) {
            return;
        }
        looking = true;
        try {
            timer.schedule(collected, Clock.SYSTEM.nanos() + LOOK);
        } catch (RuntimeException | Error e) { // out of threads, say: the next request tries again
            looking = false;
        }
    }

    /**
     * An event stream is open that the settings may want closed.
     *
     * @param body     one that is a {@link Body#stream}
     * @param executor of its client
     * @param closer   ends the response, on that, with this failure, or as the client's own failures do. Must not refer
     *                 to what the body is remembered by
     */
    public void opened(Body body, Executor executor, Consumer<IOException> closer) {
        body.closeBy(why -> timer.handOver(executor, () -> {
            try {
                closer.accept(why);
            } catch (RuntimeException | LinkageError e) {
                // then it stays open, which does the application no harm
            }
        }));
        synchronized (endOfStreams) { // of two threads the later one must not set an older time
            scheduleEndOfStreams();
        }
    }

    /** The same for a client that has no executor of its own, and whose failure is its own: the JVM's common pool closes it. */
    public void opened(Body body, Runnable closer) {
        opened(body, CompletableFuture::runAsync, why -> closer.run());
    }

    private void scheduleEndOfStreams() {
        long next = limiter.nextEndOfStream();
        if (next != Limiter.NEVER) {
            timer.schedule(endOfStreams, next);
        }
    }

    /**
     * For a thread that may block, and with no way to cancel but to interrupt it: gets a permit and waits for its turn.
     *
     * @return null if the request is not paced
     * @throws Refusal an {@link InterruptedIOException} for the application; the thread's flag stays set
     */
    public Permit pass(Target target) throws RequestRejectedException, Refusal {
        Permit permit = arrive(target);
        if (permit != null) {
            await(permit);
        }
        return permit;
    }

    /** Waits for a permit's turn, as {@link #pass} does; returns also when it was cancelled. */
    public void await(Permit permit) throws RequestRejectedException, Refusal {
        try {
            Parking.await(permit);
        } catch (InterruptedException e) {
            throw new Refusal(new InterruptedIOException(e.getMessage()));
        }
    }
}
