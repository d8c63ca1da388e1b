package io.tempolimit.core.pace;

import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Unseen;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Count;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.queue.WaitQueue;
import io.tempolimit.core.request.Target;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Predicate;

/**
 * A key as far as requests come to it, wait and go. It coordinates; what that means is decided by its parts: {@link LocalPacer}
 * (when a request goes), {@link Cooldown} (whether the key is in cooldown) and {@link Rejections}. They live under the key's lock.
 * What only busy or blocked keys need is made on demand. What answers say is decided above, in the class that extends this one;
 * what is asked of that is abstract here. Thread-safe.
 *
 * <p>The path of a request that need not wait takes no lock: one compare-and-set on the bucket, two counters. Who has to
 * wait is entered, under the key's lock, into a queue in order of arrival; so new settings, cooldowns and cancellations
 * can move everybody's turn, and the end of an incident releases them one by one.
 */
public abstract class PacedKey extends Key {
    private static final AtomicIntegerFieldUpdater<PacedKey> TOTAL = AtomicIntegerFieldUpdater.newUpdater(PacedKey.class, "total");
    private static final AtomicIntegerFieldUpdater<PacedKey> ACTIVE = AtomicIntegerFieldUpdater.newUpdater(PacedKey.class, "active");
    private static final AtomicIntegerFieldUpdater<PacedKey> OK = AtomicIntegerFieldUpdater.newUpdater(PacedKey.class, "ok");
    private static final int STATUS_OK = 200;
    /** Who has to be brought to where it departs may be on its way for so long: an event loop is behind by less. */
    private static final long SOON = 1_000_000_000L;

    /** What it has in common with all keys. */
    public final Common common;
    private final String name;
    /** When who may go. */
    public final LocalPacer pacer;
    private volatile Policy policy;
    /** Null until the first block. */
    private volatile Cooldown cooldown;
    /** Null until the first rejection. */
    private volatile Rejections rejections;
    /** Null until there is something to count. Guarded by the lock. */
    private KeyCounters counters;

    /** Requests that have arrived, and answers of status 200; both have no sign. As longs they would cost each host 8 bytes more. */
    private volatile int total;
    private volatile int ok;
    private volatile int active;
    private volatile long lastRequest;

    protected PacedKey(Common common, String name, Policy policy, long now) {
        this.common = common;
        this.name = name;
        this.policy = policy;
        this.pacer = common.pacer(this, policy == null ? null : policy.limit(), now);
        this.lastRequest = now;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String host() {
        return common.rules.host(name);
    }

    @Override
    public final Policy policy() {
        return policy;
    }

    @Override
    public final Limit limit() {
        return pacer.limit();
    }

    /** Few locks shared by all keys: none is held for longer than it takes to move a list's turns, and none while another is. */
    public final KeyLock lock() {
        return common.lockOf(name);
    }

    /** By the limiter's clock. */
    public final long now() {
        return common.clock.nanos();
    }

    /** Whether nobody has to wait, whatever the bucket says. */
    public final boolean passing() {
        return common.rules.passing();
    }

    // ---- what is decided above

    /** A new permit, which is not counted. */
    protected abstract Reservation permit(Target target, long now);

    /** What the settings, what was learnt, and what the site says allow. Under the lock. */
    protected abstract Limit allowed(Policy p, long now);

    /** Whatever a verdict did and has not been told is told first. Under the lock. */
    public abstract void tellFirst();

    /** The probe is due: an answer that is there already may decide. Under the lock. */
    protected abstract void judgeProbe(long now);

    /** See {@link Unread}. Takes the lock. */
    protected abstract boolean settleUnread(long now);

    /** What all workers of a fleet shall know of the key, made from that version. Under the lock. */
    public abstract Incident incident(long version, long now);

    /** Takes over what another worker has learnt, or an operator has set there. Under the lock. */
    public abstract void learned(Incident i, Policy p, long now);

    /** So many requests of other workers have gone between these times, as far as is known to pages. Under the lock. */
    public abstract void othersWent(int n, long from, long to, long now);

    // ---- a request arrives

    /** A request arrives, and is counted. */
    final Reservation newPermit(Target target, long now) {
        TOTAL.incrementAndGet(this);
        lastRequest = now;
        return permit(target, now);
    }

    /** Whether what a redirect asks for holds here. */
    protected final boolean obeysRedirects() {
        Policy p = policy;
        return p != null && p.retryAfterMax() > 0 && !passing();
    }

    // ---- it is granted

    /** The epoch of a request that goes without being a probe: if it goes in spite of a pause, its answer says nothing. */
    public final int epochNow() {
        Circuit c = circuit();
        int epoch = c == null ? 0 : c.epoch;
        return c == null || c.open() ? epoch : epoch - 1;
    }

    /** May be called without the lock. The tests' harness weaves its recorder into this method. */
    public final void grant(Reservation permit, int epoch, long now) {
        permit.epoch = epoch;
        permit.dueAt = now;
        permit.inFlight = ACTIVE.incrementAndGet(this);
        permit.state = Reservation.GRANTED;
        Rejections r = rejections;
        if (r != null) {
            r.letThrough();
        }
    }

    /** A request goes now, and takes room and a place. Under the lock. */
    public final void go(Reservation permit, int epoch, long now) {
        Caps k = pacer.caps();
        if (k != null) {
            k.takeRoom(now);
            k.takePlace(permit, now);
        }
        permit.grantedBy = pacer.limit();
        grant(permit, epoch, now);
    }

    // ---- it waits

    /** See {@link Permit#turnComes}. A probe goes alone, so where it polls does not matter. */
    public final boolean turnComes(Reservation permit, long now) {
        lock().lock();
        try {
            return permit.state == Reservation.WAITING && policy != null && !passing() && !closed() && !permit.withoutPlace()
                    && permit.slotState != Reservation.WANTS_SLOT && permit.dueAt - now < SOON;
        } finally {
            lock().unlock();
        }
    }

    /** See {@link Permit#ahead}. */
    public final Permit.Waiter ahead(Reservation permit, Predicate<Permit.Waiter> which, long now) {
        lock().lock();
        try {
            boolean waits = permit.state == Reservation.WAITING && (permit.overdue || !permit.comesLater);
            return waits ? pacer.queue().ahead(permit, pacer.limit(), which, now) : null;
        } finally {
            lock().unlock();
        }
    }

    /** Grants or rejects a waiting permit if it is time; whether its wait is over. */
    public final boolean poll(Reservation permit, long now) {
        lock().lock();
        try {
            if (permit.comesLater && (now - permit.dueAt >= 0 || !obeysRedirects())) {
                pacer.appendLater(permit, now);
            }
            if (permit.state == Reservation.WAITING && !permit.comesLater) {
                tryGrant(permit, now);
            }
            int state = permit.state;
            if (state == Reservation.WAITING || permit.waitEndTold) {
                return state != Reservation.WAITING;
            }
            permit.waitEndTold = true;
            if (state == Reservation.REJECTED) {
                permit.notSent();
                rejections().tell(permit, permit.rejection);
            } else if (state != Reservation.CANCELLED) {
                if (now - permit.arrival >= Unseen.LONG_WAIT) {
                    permit.announced(common.unseen.waitedLong(permit.target, permit.announced()));
                }
                waited(permit, now - permit.arrival);
            }
            return true;
        } finally {
            lock().unlock();
        }
    }

    private void tryGrant(Reservation permit, long now) {
        Cooldown d = cooldown;
        Policy p = policy;
        if (p == null || passing()) {
            grant(permit, epochNow(), now);
            pacer.remove(permit);
            return;
        }
        dropLost(permit, now);
        pacer.look(permit, now);
        passMissing(permit, now);
        pacer.lookAtFleet(now);
        if (permit.state != Reservation.WAITING) {
            return; // which has changed, and nothing is sent any more
        }
        if (d != null) {
            d.endPause(p, now);
        }
        if (d != null && !d.circuit.open()) {
            d.judgeProbe(permit, p, now);
            if (permit.state != Reservation.WAITING) {
                return;
            }
        }
        if (d != null && !d.circuit.open()) {
            d.tryProbe(permit, p, now);
        } else {
            pacer.tryGrant(permit, p, now);
        }
        pacer.lookedAt(permit, p, now);
    }

    /** Those in front of this one that nobody waits for any more: nothing must hang on them. */
    void dropLost(Reservation before, long now) {
        boolean lost = false;
        for (Reservation w; (w = pacer.queue().lost(before, now)) != null; ) {
            pacer.leave(w, now);
            w.state = Reservation.CANCELLED;
            counters().cancelled();
            lost = true;
        }
        if (lost) {
            pacer.moveUp(now);
        }
    }

    /** Those in front of this one whose turn has come, and who are not there. When they look, they go before all others. */
    private void passMissing(Reservation permit, long now) {
        WaitQueue queue = pacer.queue();
        queue.came(permit);
        boolean passed = false;
        for (Reservation w; now - permit.dueAt >= 0 && (w = queue.missing(permit, pacer.limit(), now)) != null; passed = true) {
            pacer.leave(w, now);
            w.reservedNanos = 0;
            w.overdue = true;
            queue.addLater(w);
        }
        if (passed) {
            pacer.moveUp(now);
        }
    }

    /** A request has waited, or would have in a dry run, and is on its way. */
    final void waited(Reservation permit, long nanos) {
        if (nanos < Listener.DELAY) {
            return;
        }
        lock().lock();
        try {
            counters().waited(nanos, !permit.waitCounted);
            permit.waitCounted = true;
            tell(() -> common.listener.throttled(this, permit.target, nanos, permit.waitToken));
        } finally {
            lock().unlock();
        }
    }

    /** Ends a wait; whether there was one. */
    public final boolean cancel(Reservation permit, long now) {
        lock().lock();
        try {
            if (permit.state != Reservation.WAITING) {
                return false;
            }
            if (permit.comesLater) {
                pacer.queue().removeLater(permit);
            } else {
                pacer.leave(permit, now);
            }
            permit.state = Reservation.CANCELLED;
            counters().cancelled();
            permit.wakeAt(now);
            pacer.moveUp(now, pacer.queue().isLong());
        } finally {
            lock().unlock();
        }
        permit.notSent();
        return true;
    }

    /** So many that were granted have ended. */
    public final void ended(int n) {
        ACTIVE.addAndGet(this, -n);
    }

    /** An answer has come; {@code status} is 0 if it is not known. Takes the lock unless it is 200. */
    public final void answered(int status) {
        if (status == STATUS_OK) {
            OK.incrementAndGet(this);
        } else if (status > 0) {
            lock().lock();
            try {
                counters().answered(status);
            } finally {
                lock().unlock();
            }
        }
    }

    // ---- settings

    /** These settings hold from now on. Under the lock. */
    protected final void policy(Policy p) {
        policy = p;
    }

    /** Whether windows or requests in flight are limited. */
    public final boolean capped() {
        Policy p = policy;
        return p != null && p.capped();
    }

    // ---- cooldown

    /** Whether it is in cooldown, or is being probed. */
    public final boolean closed() {
        Circuit c = circuit();
        return c != null && !c.open();
    }

    /** Null until something has happened. */
    public final Cooldown cooldown() {
        return cooldown;
    }

    /** Under the lock. */
    final Cooldown madeCooldown(Policy p) {
        Cooldown d = cooldown;
        if (d == null) {
            d = new Cooldown(this, new Circuit(p.global() ? common.globalCount() : new Count(), common.random));
            cooldown = d;
        }
        return d;
    }

    /** Null until something has happened. */
    public final Circuit circuit() {
        Cooldown d = cooldown;
        return d == null ? null : d.circuit;
    }

    /** Under the lock. */
    public final Circuit circuit(Policy p) {
        return madeCooldown(p).circuit;
    }

    public final boolean blockedForLife() {
        Circuit c = circuit();
        return c != null && c.state == Circuit.State.LIFETIME_BLOCKED;
    }

    // ---- rejections

    /** How its requests are rejected. Takes the lock if there was no rejection yet. */
    public final Rejections rejections() {
        if (rejections == null) {
            lock().lock();
            try {
                rejections = rejections == null ? new Rejections(this) : rejections;
            } finally {
                lock().unlock();
            }
        }
        return rejections;
    }

    /** Rejections for a limit that count, since a request was let through. */
    public final int limitRejections() {
        Rejections r = rejections;
        return r == null ? 0 : r.limits();
    }

    // ---- what is told and counted

    /** Tells the listener that, once the lock is free. Under the lock. */
    public final void tell(Runnable news) {
        lock().tell(news);
    }

    /** Under the lock. */
    public final KeyCounters counters() {
        counters = counters == null ? new KeyCounters() : counters;
        return counters;
    }

    /**
     * Copies what was counted. Under the lock.
     *
     * @param resting nanoseconds for which the present cooldown has gone on; 0 for none
     */
    protected final void fill(KeyStats s, long resting) {
        (counters == null ? KeyCounters.NONE : counters).fill(s, resting);
        if (ok != 0) {
            s.answers.add(STATUS_OK, Integer.toUnsignedLong(ok));
        }
    }

    /** Nothing was counted. Under the lock. */
    public final void resetCounters() {
        TOTAL.set(this, 0);
        OK.set(this, 0);
        counters = null;
    }

    /** Requests that have arrived. */
    public final long total() {
        return Integer.toUnsignedLong(total);
    }

    /** Requests that have gone, and have not ended. */
    public final int active() {
        return active;
    }

    /** Requests that have gone, and have ended. */
    public final long sent() {
        return total() - active - pacer.queue().waiting();
    }

    /** Grows with each request, its end, and whatever moves those who wait. */
    public final long changes() {
        return 2 * total() - active + pacer.version();
    }

    @Override
    public final long lastRequest() {
        return lastRequest;
    }
}
