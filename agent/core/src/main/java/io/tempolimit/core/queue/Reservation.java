package io.tempolimit.core.queue;

import io.tempolimit.core.HostCredit;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import io.tempolimit.core.runtime.Chain;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A permit while it waits and goes: when it may go, what it has reserved of the bucket for that, and what it waits for. Its
 * key's lock guards it, but for what is volatile or final, and for what is written before the permit is published.
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

    /** Values of {@link #slotState}. */
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
    /** When to look again: when it may go, or when its patience ends. */
    public volatile long wakeAt;
    /** When it may go, as far as that is known; once it was granted: when it went. */
    public long dueAt;
    /** What it has reserved of the key's bucket, in nanoseconds; 0 if nothing. */
    public long reservedNanos;
    /** What the bucket was at just after that reservation: where {@link #reservedNanos} ends. */
    public long reservedUntil;
    /** The limit by which it went, if it was granted under the lock. */
    public Limit grantedBy;
    /** What the backlog's delay was when {@link #dueAt} was last brought up to date; see {@link Backlog}. */
    long delayed;
    /** Part of an interval by which its delay is lengthened. */
    public double jitter;
    /** The circuit's epoch in which it was sent. */
    public int epoch;
    /** Requests in flight when it went, itself included. */
    public int inFlight;
    /** Its number, if it is a probe; else 0. */
    public int probe;
    /** It was kept beyond its time, by its client's own queue or where it was to poll: it goes before those that are not yet due. */
    public boolean overdue;
    /** When somebody behind it found that its turn had come and it had not; 0 if nobody has since it last looked. */
    long missedAt;
    private boolean listed;
    /** It is not among the waiters until it looks next: it follows a redirect that asks to wait, or was set aside. */
    public boolean comesLater;
    /** Whether it wants a slot of the fleet, or has one. */
    public byte slotState;
    /** Its slot of the fleet, if it has one. */
    public long slotAt;
    /** Whether the listener has been told of its delay, before it ends. */
    public boolean delayTold;
    /** Whether the listener has been told that its wait is over. */
    public boolean waitEndTold;
    /** Whether its request is counted among those that have waited. */
    public boolean waitCounted;
    /** What makes it wait. */
    public Rejection limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
    /** Its place among those in flight; null if it has none, or none is counted. */
    public volatile Caps.Place place;
    /** Whether a place that will be free when it is due is kept for it. */
    public boolean placePromised;
    /** Whether it needs no place of its own, as its thread holds one. */
    public boolean reentrant;
    /** Why it was rejected; null if it was not. */
    public Rejection rejection;
    /** What the application is told of when to try again, in nanoseconds; below 0 for never. */
    public long retryAfter;
    /** When its answer came, or was last read in; 0 if there is none. */
    public volatile long lastSeen;
    /** What the listener gave when the wait began; the listener gets it back when the wait ends. */
    public Object waitToken;
    private Waiter waiter;
    /** By which it is announced to who looks on at what is sent; null if it is not. Written before the permit is published. */
    private HostCredit announced;

    protected Reservation(Target target, long arrival) {
        this.target = target;
        this.arrival = arrival;
    }

    @Override
    public final Target target() {
        return target;
    }

    /** The request's own host, in canonical form. */
    public abstract String host();

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

    /** Whether it was ever entered among the waiters, and not taken back at once. */
    public final boolean listed() {
        return listed;
    }

    final void listed(boolean is) {
        listed = is;
    }

    // ---- who waits for it

    /** Who is told when it may go earlier; null if nobody waits for it. */
    final Waiter waiter() {
        return waiter;
    }

    /** See {@link Permit#waitWith}. Under the lock. */
    public final void waiter(Waiter w) {
        waiter = w;
    }

    /** It is to look again when it may go, or when its patience ends. */
    public final void setWake(Policy p) {
        wakeAt = p.maxWait() == Policy.UNLIMITED || dueAt - arrival < p.maxWait() ? dueAt : arrival + p.maxWait();
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

    // ---- when it may go

    /** Whether it waits for a place among those in flight, and so does not know when it may go. */
    public final boolean withoutPlace() {
        return limitedBy == Rejection.CONCURRENCY_LIMIT_EXCEEDED;
    }

    /** Whether its patience lasts until it may go, as far as that is known. */
    public final boolean endures(Policy p, long now) {
        if (withoutPlace()) {
            return now - arrival < p.maxWait();
        }
        return (p.maxWait() == Policy.UNLIMITED || dueAt - arrival <= p.maxWait())
                && (limitedBy != Rejection.WINDOW_EXCEEDED || p.retryAfterMax() == 0 || dueAt - now <= p.retryAfterMax());
    }

    /** Nanoseconds by which its delay is lengthened, if it has one. */
    public final long extra(Limit limit) {
        return jitter > 0 ? (long) (jitter * limit.interval) : 0;
    }

    /** It may go then, and has reserved so much of the bucket for that. */
    public final void reserve(long at, long nanos, Limit limit) {
        dueAt = at;
        reservedNanos = nanos;
        reservedUntil = at + limit.tolerance + limit.interval;
    }

    // ---- its end

    /** When its answer was last seen; now, if it is judged at once. */
    public final long answeredAt(long now) {
        return lastSeen == 0 ? now : lastSeen;
    }

    /** It is announced by this; null if it is not. */
    public final void announced(HostCredit credit) {
        announced = credit;
    }

    /** By which it is announced; null if it is not. */
    public final HostCredit announced() {
        return announced;
    }

    /** It is over without having been sent. */
    public final void notSent() {
        HostCredit credit = announced;
        if (credit != null) {
            credit.notSent();
        }
    }

    /** Ends a granted permit, once; whether this call did. */
    public final boolean finish(long now) {
        boolean first = replaced();
        HostCredit credit = announced;
        if (first && credit != null) {
            credit.over(now);
        }
        return first;
    }

    /** The same, of one whose request goes by another permit. */
    public final boolean replaced() {
        boolean first = STATE.compareAndSet(this, GRANTED, DONE);
        Caps.Place p = place;
        if (first && p != null) {
            p.ended();
        }
        return first;
    }
}
