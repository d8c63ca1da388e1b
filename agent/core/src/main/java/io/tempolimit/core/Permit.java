package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Head;
import java.util.function.Predicate;

/**
 * The right to send one request, from its arrival at the gate until its response has been judged. Made by the limiter; ends with
 * exactly one of {@link #answered}, {@link #failed}, {@link #unused} or {@link #abandoned}, of which later ones have no effect.
 * All methods may be called from any thread.
 */
public abstract class Permit {
    /**
     * How a waiting request learns that its turn has come nearer; one that has moved away is noticed when the old one comes.
     * Called with the key's lock held: must only wake or re-arm.
     */
    public interface Waiter {
        /** Look at {@link Permit#wakeAt} and {@link Permit#poll} again. */
        void moved();
    }

    /** The key whose permit this is. */
    public abstract Key key();

    /** Where the request goes. */
    public abstract Target target();

    /** Whether the request may go. */
    public abstract boolean granted();

    /** Whether it was cancelled while it waited. */
    public abstract boolean cancelled();

    /** Whether it still has to wait. */
    public abstract boolean waiting();

    /** Whether it was granted and has ended since. */
    public abstract boolean done();

    // ---- it waits

    /** The time, by the limiter's clock, at which to {@link #poll} next. */
    public abstract long wakeAt();

    /** Names who is to be told when the turn moves; called before the first {@link #poll}, and with null when the wait is over. */
    public abstract void waitWith(Waiter w);

    /**
     * Whether its turn has come, or comes so soon that it may be on its way by then: who has to be brought to where the request departs
     * is brought there now, and polls there. Whatever else it was to look for, it need not be there for.
     */
    public abstract boolean turnComes();

    /**
     * If its turn has come: the first of these that waits in front of it, although its turn has come as well.
     *
     * @param which called with the key's lock held, with null for a permit that nobody waits for
     * @return null if there is none
     */
    public abstract Waiter ahead(Predicate<Waiter> which);

    /**
     * Looks whether the turn has come. A request that goes takes its token by this, so this is called where it departs.
     *
     * @return whether the wait is over: granted, rejected or cancelled
     */
    public abstract boolean poll();

    /**
     * The request goes before its turn, since its connection would not outlast the wait: its token is taken, so that others come behind
     * it, and who sends it waits for that turn afterwards. Only a token may be overtaken so, and no cooldown, window or place.
     *
     * @param longerThan nanoseconds; a wait that is not longer than that is left as it is
     * @param byBurst    whether no more than {@code burst} may be ahead of their turn: then a wait for more tokens is left as it is
     * @return nanoseconds until the turn, of a request that is granted now; 0 if nothing was changed
     */
    public abstract long goAhead(long longerThan, boolean byBurst);

    /**
     * Ends the wait; an unused token goes back where that cannot break the rate.
     *
     * @return whether it was waiting
     */
    public abstract boolean cancel();

    /** The exception that tells the application of a rejection, with this thread's stack; null if there was none. */
    public abstract RequestRejectedException rejection();

    /**
     * A thread is about to wait for this permit's turn, or has got it at once, and will read the answer: if it reads another
     * of the same key still, this one does not wait for a place among those in flight, which that thread may never free.
     */
    public abstract void owner(Thread thread);

    // ---- it goes

    /**
     * For a client that has a queue of its own between the gate and the network: called when the request really leaves.
     * If it was kept there beyond its turn, others may be leaving with it; then it takes its place among those, so
     * that they leave at the bucket's pace and not as a herd, and not into a cooldown that has begun meanwhile.
     *
     * @return this permit, or one that takes its place and may have to wait
     * @throws RequestRejectedException if it may neither go nor wait
     */
    public abstract Permit depart() throws RequestRejectedException;

    // ---- it ends

    /**
     * The site has answered; 1xx are no answers, but for 101 (a web socket).
     *
     * @return who is to be shown the body as the application reads it, and told of its end; null if nobody needs to see it
     */
    public abstract Body answered(Head head);

    /** The site has answered with this status, and nothing else of its answer can be seen. */
    public abstract void answered(int status);

    /** The site has answered, with what status is not known: that says nothing of blocks. */
    public abstract void answered();

    /**
     * A browser has come to this address, by the request or on from there. If it is a known address of blocks, the request was
     * blocked, also if it has ended meanwhile; else this does nothing.
     *
     * @return whether it is one
     */
    public abstract boolean landed(String url);

    /**
     * A browser shows this document, to which the request has led. If it is a block page, the request was blocked, also if it has ended
     * meanwhile. If nothing was known of the answer before, another document is a page; else this does nothing.
     *
     * @param document HTML, as the browser has it by now
     */
    public abstract void showed(String document);

    /** Whether the settings want a browser to be asked for what it shows ({@code detect.browser}). */
    public abstract boolean wantsDocument();

    /** There was no answer. */
    public abstract void failed(Throwable failure);

    /** The request was not sent after all: its token goes back where that cannot break the rate. */
    public abstract void unused();

    /** The application lost interest in it after it was sent, or it was collected. */
    public abstract void abandoned();
}
