package io.tempolimit.core.queue;

import io.tempolimit.core.Permit;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Chain;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A permit while it waits and goes: when its turn is, what it has taken of the bucket for that, and what it waits for. Guarded
 * by its key's lock, but for what is volatile or final, and for what is written before the permit is published.
 */
public abstract class Reservation extends Permit implements Chain.Link<Reservation> {
    private static final AtomicIntegerFieldUpdater<Reservation> STATE
            = AtomicIntegerFieldUpdater.newUpdater(Reservation.class, "state");

    /** Values of {@link #state}. */
    public static final int WAITING = 0;
    public static final int GRANTED = 1;
    public static final int CANCELLED = 2;
    public static final int REJECTED = 3;
    public static final int DONE = 4;

    /** Values of {@link #leased}: has no part in slots, wants one, or has one. */
    public static final byte NO_SLOT = 0;
    public static final byte WANTS_SLOT = 1;
    public static final byte HAS_SLOT = 2;

    public final Target target;
    /** When it arrived. */
    public final long arrival;
    /** Leaves WAITING under the key's lock only. */
    public volatile int state;
    private Reservation previous;
    private Reservation next;
    /** When to look again: its turn, or when its patience ends. */
    public volatile long wakeAt;
    /** When its turn is, or was, as far as that is known. */
    public long due;
    /** Nanoseconds of the bucket that it took, and where they end; 0 while it waits for a cooldown. */
    public long cost;
    public long slot;
    /** See {@link Backlog}. */
    long delayed;
    /** Part of an interval by which its delay is lengthened. */
    public double jitter;
    /** The circuit's epoch in which it was sent. */
    public int epoch;
    /** Requests in flight when it went, itself included. */
    public int inFlight;
    /** Its number, if it is a probe; else 0. */
    public int probe;
    /** Was kept beyond its turn by its client's own queue, and goes before those who have not had theirs. */
    public boolean late;
    private boolean listed;
    /** Whether it has yet to take its place among the waiters, as the redirect that it follows may only be followed later. */
    public boolean later;
    /** With a fleet: whether it wants a slot or has one. Then {@link #slot} is that. */
    public byte leased;
    /** Whether its delay has been told to the listener. */
    public boolean said;
    /** Whether its wait's end has been told to the listener. */
    public boolean told;
    /** What makes it wait. */
    public Rejection limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
    /** Its place among those in flight; null if it has none, or none is counted. */
    public volatile Caps.Place place;
    /** Whether one that will be free at its turn is meant for it. */
    public boolean promised;
    /** Whether it needs none, as its thread has one already. */
    public boolean passesOver;
    /** Why it was rejected; null if it was not. */
    public Rejection rejection;
    /** What the application is told of when to try again, in nanoseconds; below 0 for never. */
    public long retryAfter;
    /** When the last of its answer was seen. */
    public volatile long seen;
    /** What the listener made of the wait's beginning. */
    public Object begun;
    private Waiter waiter;

    protected Reservation(Target target, long arrival) {
        this.target = target;
        this.arrival = arrival;
    }

    @Override
    public final Target target() {
        return target;
    }

    /** The request's own host, in canonical form. */
    public final String host() {
        return Hosts.canonical(target.host());
    }

    @Override
    public final boolean granted() {
        return state == GRANTED;
    }

    @Override
    public final boolean cancelled() {
        return state == CANCELLED;
    }

    @Override
    public final boolean waiting() {
        return state == WAITING;
    }

    @Override
    public final boolean done() {
        return state == DONE;
    }

    @Override
    public final long wakeAt() {
        return wakeAt;
    }

    // ---- its place in a list

    @Override
    public final Reservation previous() {
        return previous;
    }

    @Override
    public final Reservation next() {
        return next;
    }

    @Override
    public final void previous(Reservation r) {
        previous = r;
    }

    @Override
    public final void next(Reservation r) {
        next = r;
    }

    /** Whether it was ever entered among the waiters. */
    public final boolean listed() {
        return listed;
    }

    final void entered() {
        listed = true;
    }

    // ---- who waits for it

    /** Who is told when the turn moves; null if nobody waits for it. */
    final Waiter waiter() {
        return waiter;
    }

    /** See {@link Permit#waitWith}. Under the lock. */
    public final void waiter(Waiter w) {
        waiter = w;
    }

    /** It is to look again at its turn, or when its patience ends. */
    public final void setWake(Policy p) {
        wakeAt = p.maxWait() == Policy.UNLIMITED || due - arrival < p.maxWait() ? due : arrival + p.maxWait();
    }

    /** The same; and who waits hears of it, if that is earlier than it was. */
    public final void move(Policy p) {
        long before = wakeAt;
        setWake(p);
        if (wakeAt - before < 0) {
            wake();
        }
    }

    /** Has it look now, if somebody waits for it. */
    public final void wakeAt(long now) {
        wakeAt = now;
        wake();
    }

    private void wake() {
        if (waiter != null) {
            waiter.moved();
        }
    }

    // ---- its turn

    /** Whether it waits for a place among those in flight, and so has no turn. */
    public final boolean withoutPlace() {
        return limitedBy == Rejection.CONCURRENCY_LIMIT_EXCEEDED;
    }

    /** Whether it waits for its turn, as far as that is known. */
    public final boolean endures(Policy p, long now) {
        if (withoutPlace()) {
            return now - arrival < p.maxWait();
        }
        return (p.maxWait() == Policy.UNLIMITED || due - arrival <= p.maxWait())
                && (limitedBy != Rejection.WINDOW_EXCEEDED || p.retryAfterMax() == 0 || due - now <= p.retryAfterMax());
    }

    /** Nanoseconds by which its delay is lengthened, if it has one. */
    public final long extra(Limit limit) {
        return jitter > 0 ? (long) (jitter * limit.interval) : 0;
    }

    /** Notes its turn, and what it took of the bucket for it. */
    public final void takeTurn(long turn, long nanos, Limit limit) {
        due = turn;
        cost = nanos;
        slot = turn + limit.tolerance + limit.interval;
    }

    // ---- its end

    /** When its answer was last seen; now, if it is judged at once. */
    public final long answeredAt(long now) {
        return seen == 0 ? now : seen;
    }

    /** Ends a granted permit, once; whether this call did. */
    public final boolean finish() {
        boolean first = STATE.compareAndSet(this, GRANTED, DONE);
        Caps.Place p = place;
        if (first && p != null) {
            p.ended();
        }
        return first;
    }
}
