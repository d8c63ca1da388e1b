package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Verdict;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The right to send one request, from its arrival at the gate until its response has been judged. Made by
 * {@link Limiter#arrive}; ends with exactly one of {@link #answered}, {@link #failed}, {@link #unused} or
 * {@link #abandoned}, of which later ones have no effect. All methods may be called from any thread.
 */
public final class Permit {
    private static final AtomicIntegerFieldUpdater<Permit> STATE = AtomicIntegerFieldUpdater.newUpdater(Permit.class, "state");

    static final int WAITING = 0;
    static final int GRANTED = 1;
    static final int CANCELLED = 2;
    static final int REJECTED = 3;
    static final int DONE = 4;

    final Key key;
    final Target target;
    final long arrival;

    /** Leaves WAITING under the key's lock only. */
    volatile int state;

    // All below is guarded by the key's lock, or written before the permit is published.
    /** Neighbours among the key's sleepers, in order of arrival. */
    Permit previous;
    Permit next;
    /** When to look again: its turn, or when its patience ends. */
    volatile long wakeAt;
    /** When its turn is, or was, as far as that is known. */
    long due;
    /** Nanoseconds of the bucket that it took, and where they end; 0 while it waits for a cooldown. */
    long cost;
    long slot;
    /** See {@link Backlog}. */
    long delayed;
    /** Part of an interval by which its delay is lengthened. */
    double jitter;
    /** The circuit's epoch in which it was sent. */
    int epoch;
    /** Requests in flight when it went, itself included. */
    int inFlight;
    /** Its number, if it is a probe; else 0. */
    int probe;
    /** Was kept beyond its turn by its client's own queue, and goes before those who have not had theirs. */
    boolean late;
    boolean listed;
    /** Whether it has yet to take its place among the sleepers, as the redirect that it follows may only be followed later. */
    boolean later;
    /** With a fleet: whether it wants a slot or has one; see {@link FleetSlots}. Then {@link #slot} is that. */
    byte leased;
    /** Whether its delay has been told to the listener. */
    boolean said;
    /** Whether its wait's end has been told to the listener. */
    boolean told;
    /** What makes it wait. */
    Rejection limitedBy = Rejection.RATE_LIMIT_EXCEEDED;
    /** Its place among those in flight; null if it has none, or none is counted. */
    volatile Caps.Place place;
    /** Whether one that will be free at its turn is meant for it. */
    boolean promised;
    /** Whether it needs none, as its thread has one already. */
    boolean passesOver;
    Rejection rejection;
    long retryAfter;
    /** What the answer's head says, while its body may still say more; else null. */
    Finding finding;
    /** Whether its answer's head has done something already. */
    boolean acted;
    /** What of that has not been told, as the body may say better why; else null. */
    Told untold;
    /** Whether it has been judged a block by its head, or by where it led to. */
    boolean judgedBlock;
    /** Whether anything of the answer's body has been read, and when the last of the answer was seen. */
    volatile boolean read;
    volatile long seen;
    /** What the listener made of the wait's beginning. */
    Object begun;
    private Waiter waiter;

    Permit(Key key, Target target, long arrival) {
        this.key = key;
        this.target = target;
        this.arrival = arrival;
    }

    /**
     * How a waiting request learns that its turn has come nearer; one that has moved away is noticed when the old one comes.
     * Called with the key's lock held: must only wake or re-arm.
     */
    public interface Waiter {
        /** Look at {@link Permit#wakeAt} and {@link Permit#poll} again. */
        void moved();
    }

    /** The key whose permit this is. */
    public Key key() {
        return key;
    }

    /** Where the request goes. */
    public Target target() {
        return target;
    }

    /** The request's own host, in canonical form. */
    String host() {
        return Hosts.canonical(target.host());
    }

    /** Whether the request may go. */
    public boolean granted() {
        return state == GRANTED;
    }

    /** Whether it was cancelled while it waited. */
    public boolean cancelled() {
        return state == CANCELLED;
    }

    /** Whether it still has to wait. */
    public boolean waiting() {
        return state == WAITING;
    }

    /** Whether it was granted and has ended since. */
    public boolean done() {
        return state == DONE;
    }

    /** The time, by the limiter's clock, at which to {@link #poll} next. */
    public long wakeAt() {
        return wakeAt;
    }

    /** Names who is to be told when the turn moves; called before the first {@link #poll}, and with null when the wait is over. */
    public void waitWith(Waiter w) {
        key.lock().lock();
        try {
            waiter = w;
        } finally {
            key.lock().unlock();
        }
    }

    /**
     * Looks whether the turn has come.
     *
     * @return whether the wait is over: granted, rejected or cancelled
     */
    public boolean poll() {
        return key.poll(this, key.limiter.clock().nanos());
    }

    /**
     * The request goes before its turn, since its connection would not outlast the wait: its token is taken, so that others come behind
     * it, and who sends it waits for that turn afterwards. Only a token may be overtaken so, and no cooldown, window or place.
     *
     * @param longerThan nanoseconds; a wait that is not longer than that is left as it is
     * @param byBurst    whether no more than {@code burst} may be ahead of their turn: then a wait for more tokens is left as it is
     * @return nanoseconds until the turn, of a request that is granted now; 0 if nothing was changed
     */
    public long goAhead(long longerThan, boolean byBurst) {
        return Arrival.goAhead(this, longerThan, byBurst);
    }

    /**
     * Ends the wait; an unused token goes back where that cannot break the rate.
     *
     * @return whether it was waiting
     */
    public boolean cancel() {
        return key.cancel(this, key.limiter.clock().nanos());
    }

    /** The exception that tells the application of a rejection, with this thread's stack; null if there was none. */
    public RequestRejectedException rejection() {
        return rejection == null ? null : (RequestRejectedException) key.rejections().explain(this).fillInStackTrace();
    }

    /**
     * A thread is about to wait for this permit's turn, or has got it at once, and will read the answer: if it reads another
     * of the same key still, this one does not wait for a place among those in flight, which that thread may never free.
     */
    public void owner(Thread thread) {
        if (key.capped()) {
            Arrival.owner(this, thread);
        }
    }

    /**
     * For a client that has a queue of its own between the gate and the network: called when the request really leaves.
     * If it was kept there beyond its turn, others may be leaving with it; then it takes its place among those, so
     * that they leave at the bucket's pace and not as a herd, and not into a cooldown that has begun meanwhile.
     *
     * @return this permit, or one that takes its place and may have to wait
     * @throws RequestRejectedException if it may neither go nor wait
     */
    public Permit depart() throws RequestRejectedException {
        return Departure.depart(this);
    }

    /**
     * The site has answered; 1xx are no answers, but for 101 (a web socket).
     *
     * @return who is to be shown the body as the application reads it, and told of its end; null if nobody needs to see it
     */
    public Body answered(Head head) {
        int status = head.status();
        return status >= 200 || status == 101 ? Answers.answered(this, head) : null;
    }

    /** The site has answered with this status, and nothing else of its answer can be seen. */
    public void answered(int status) {
        if (status >= 200 || status == 101) {
            key.verdicts.judged(this, Finding.of(Verdict.of(status), status));
        }
    }

    /** The site has answered, with what status is not known: that says nothing of blocks. */
    public void answered() {
        key.verdicts.judged(this, Finding.of(Verdict.NEUTRAL, 0));
    }

    /**
     * A browser has come to this address, by the request or on from there. If it is a known address of blocks, the request was
     * blocked, also if it has ended meanwhile; else this does nothing.
     *
     * @return whether it is one
     */
    public boolean landed(String url) {
        return Answers.landed(this, url);
    }

    /** There was no answer. */
    public void failed(Throwable failure) {
        key.verdicts.judged(this, Finding.of(Verdict.of(failure), 0));
    }

    /** The request was not sent after all: its token goes back where that cannot break the rate. */
    public void unused() {
        key.unused(this);
    }

    /** The application lost interest in it after it was sent, or it was collected. */
    public void abandoned() {
        Departure.abandoned(this);
    }

    /** Whether it waits for a place among those in flight, and so has no turn. */
    boolean withoutPlace() {
        return limitedBy == Rejection.CONCURRENCY_LIMIT_EXCEEDED;
    }

    /** When its answer was last seen; now, if it is judged at once. */
    long answeredAt(long now) {
        return seen == 0 ? now : seen;
    }

    Waiter waiter() {
        return waiter;
    }

    /** It is to look again at its turn, or when its patience ends. */
    void setWake(Policy p) {
        wakeAt = p.maxWait() == Policy.UNLIMITED || due - arrival < p.maxWait() ? due : arrival + p.maxWait();
    }

    /** The same; and who waits hears of it, if that is earlier than it was. */
    void move(Policy p) {
        long before = wakeAt;
        setWake(p);
        if (wakeAt - before < 0) {
            wake();
        }
    }

    /** Has it look, if somebody waits for it. */
    void wake() {
        if (waiter != null) {
            waiter.moved();
        }
    }

    /** Whether it waits for its turn, as far as that is known. */
    boolean endures(Policy p, long now) {
        if (withoutPlace()) {
            return now - arrival < p.maxWait();
        }
        return (p.maxWait() == Policy.UNLIMITED || due - arrival <= p.maxWait())
                && (limitedBy != Rejection.WINDOW_EXCEEDED || p.retryAfterMax() == 0 || due - now <= p.retryAfterMax());
    }

    /** Whether it was ever entered among the sleepers. */
    boolean listed() {
        return listed;
    }

    /** Nanoseconds by which its delay is lengthened, if it has one. */
    long extra(Limit limit) {
        return jitter > 0 ? (long) (jitter * limit.interval) : 0;
    }

    /** Notes its turn, and what it took of the bucket for it. */
    void takeTurn(long turn, long nanos, Limit limit) {
        due = turn;
        cost = nanos;
        slot = turn + limit.tolerance + limit.interval;
    }

    /** Ends a granted permit, once. */
    boolean finish() {
        boolean first = STATE.compareAndSet(this, GRANTED, DONE);
        Caps.Place p = place;
        if (first && p != null) {
            p.ended = true;
        }
        return first;
    }
}
