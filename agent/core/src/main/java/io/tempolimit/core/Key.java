package io.tempolimit.core;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Count;
import io.tempolimit.core.memory.Evictable;
import io.tempolimit.core.policy.Keying;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.request.Target;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * What has a bucket and a cooldown of its own (a host, unless {@link Keying} says otherwise), with its statistics. Thread-safe.
 *
 * <p>It coordinates: a request arrives, waits, is granted and ends here, and new settings come here. What that means is
 * decided by its parts: {@link LocalPacer} (when it goes), {@link Cooldown} (whether the key rests), {@link Answers}, {@link
 * PendingVerdicts} and {@link Verdicts} (what its answer says), {@link Rejections}, {@link FleetKey}. They live under the
 * key's lock. What only busy or blocked keys need is made on demand.
 *
 * <p>The path of a request that need not wait takes no lock: one compare-and-set on the bucket, two counters. Who has to
 * wait is entered, under the key's lock, into a queue in order of arrival; so new settings, cooldowns and cancellations
 * can move everybody's turn, and the end of an incident releases them one by one.
 */
public final class Key extends Evictable {
    private static final AtomicLongFieldUpdater<Key> TOTAL = AtomicLongFieldUpdater.newUpdater(Key.class, "total");
    private static final AtomicIntegerFieldUpdater<Key> ACTIVE = AtomicIntegerFieldUpdater.newUpdater(Key.class, "active");
    /** A wait shorter than this is no delay worth counting (the contract's figure). */
    private static final long DELAY = 10_000_000L;

    final Limiter limiter;
    private final String name;
    /** When who may go. */
    final LocalPacer pacer;
    /** What verdicts do, and what was learnt from them. */
    final Verdicts verdicts;
    /** Its side of the fleet; null without one. */
    final FleetKey fleet;
    private volatile Policy policy;
    /** Null until the first block. */
    private volatile Cooldown cooldown;
    /** Null until the first rejection. */
    private volatile Rejections rejections;
    /** Null while there is no answer whose body may say more than its head, or may be left unread. Guarded by the lock. */
    private PendingVerdicts pending;
    /** Null until there is something to count. Guarded by the lock. */
    private KeyCounters counters;

    private volatile long total;
    private volatile int active;
    private volatile long lastRequest;

    Key(Limiter limiter, String name, Policy policy, long now) {
        this.limiter = limiter;
        this.name = name;
        this.policy = policy;
        this.pacer = new LocalPacer(this, policy == null ? null : policy.limit(), now);
        this.verdicts = new Verdicts(this);
        this.lastRequest = now;
        this.fleet = limiter.fleet() == null ? null : new FleetKey(this, limiter.fleet(), limiter.fleetSettings());
        if (fleet != null && policy != null) {
            fleet.begins(policy, now);
        }
    }

    /** The canonical host, or, where {@code key} says so, more or less than that: see {@link Keying}. */
    public String name() {
        return name;
    }

    /** The host whose settings are its own; its hosts' domain, if that is what they share; null if hosts have no part in it. */
    public String host() {
        return limiter.hostOf(name);
    }

    /** The settings that hold for it now; null if it is not paced. */
    public Policy policy() {
        return policy;
    }

    /** Rate and burst that hold now: the policy's, or less by what was learnt; null if it was never paced. */
    public Limit limit() {
        return pacer.limit();
    }

    /** Whether requests in flight are limited. */
    public boolean limitsFlight() {
        Policy p = policy;
        return p != null && p.concurrency() < Integer.MAX_VALUE;
    }

    /** Few locks shared by all keys: none is held for longer than it takes to move a list's turns, and none while another is. */
    KeyLock lock() {
        return limiter.lockOf(this);
    }

    // ---- a request arrives

    /** A request arrives, and is counted. */
    Permit newPermit(Target target, long now) {
        TOTAL.incrementAndGet(this);
        lastRequest = now;
        return new Permit(this, target, now);
    }

    /** Whether what a redirect asks for holds here. */
    private boolean obeysRedirects() {
        Policy p = policy;
        return p != null && p.retryAfterMax() > 0 && !limiter.passing();
    }

    // ---- it is granted

    /** The epoch of a request that goes without being a probe: if it goes in spite of a pause, its answer says nothing. */
    int epochNow() {
        Circuit c = circuit();
        int epoch = c == null ? 0 : c.epoch;
        return c == null || c.open() ? epoch : epoch - 1;
    }

    /** May be called without the lock. The tests' harness weaves its recorder into this method and {@link #unused}. */
    void grant(Permit permit, int epoch, long now) {
        permit.epoch = epoch;
        permit.due = now;
        permit.inFlight = ACTIVE.incrementAndGet(this);
        permit.state = Permit.GRANTED;
        Rejections r = rejections;
        if (r != null) {
            r.letThrough();
        }
    }

    /** A request goes now, and takes room and a place. Under the lock. */
    void go(Permit permit, int epoch, long now) {
        Caps k = pacer.caps();
        if (k != null) {
            k.takeRoom(now);
            k.takePlace(permit, now);
        }
        grant(permit, epoch, now);
    }

    // ---- it waits

    /** Grants or rejects a waiting permit if it is time; whether its wait is over. */
    boolean poll(Permit permit, long now) {
        lock().lock();
        try {
            if (permit.later && (now - permit.due >= 0 || !obeysRedirects())) {
                pacer.appendLater(permit, now);
            }
            if (permit.state == Permit.WAITING && !permit.later) {
                turn(permit, now);
            }
            int state = permit.state;
            if (state == Permit.WAITING || permit.told) {
                return state != Permit.WAITING;
            }
            permit.told = true;
            if (state == Permit.REJECTED) {
                limiter.unseen().notSent(permit.target);
                rejections().tell(permit, permit.rejection);
            } else if (state != Permit.CANCELLED) {
                if (now - permit.arrival >= Unseen.LONG_WAIT) {
                    limiter.unseen().waitedLong(permit.target);
                }
                waited(permit, now - permit.arrival);
            }
            return true;
        } finally {
            lock().unlock();
        }
    }

    private void turn(Permit permit, long now) {
        Cooldown d = cooldown;
        Policy p = policy;
        if (p == null || limiter.passing()) {
            grant(permit, epochNow(), now);
            pacer.remove(permit);
            return;
        }
        pacer.dropLost(permit, now);
        pacer.look(permit, now);
        boolean together = fleet != null && fleet.look(now);
        if (permit.state != Permit.WAITING) {
            return; // which has changed, and nothing is sent any more
        }
        if (d != null) {
            d.endPause(p, now);
        }
        if (d != null && !d.circuit.open()) {
            d.judgeProbe(permit, p, now);
            if (permit.state != Permit.WAITING) {
                return;
            }
        }
        if (d != null && !d.circuit.open()) {
            d.turn(permit, p, together, now);
        } else if (together) {
            fleet.slots.turn(permit, now);
        } else if (now - permit.due >= 0) {
            pacer.turn(permit, p, now);
        }
        pacer.lookedAt(permit, p, now);
    }

    /** A request has waited, or would have in a dry run, and is on its way. */
    void waited(Permit permit, long nanos) {
        if (nanos < DELAY) {
            return;
        }
        lock().lock();
        try {
            counters().waited(nanos);
            tell(() -> limiter.listener().throttled(this, permit.target, nanos, permit.begun));
        } finally {
            lock().unlock();
        }
    }

    /** Ends a wait; whether there was one. */
    boolean cancel(Permit permit, long now) {
        lock().lock();
        try {
            if (permit.state != Permit.WAITING) {
                return false;
            }
            if (permit.later) {
                pacer.queue().removeLater(permit);
            } else {
                pacer.leave(permit, now);
            }
            permit.state = Permit.CANCELLED;
            counters().cancelled++;
            permit.wakeAt = now;
            permit.wake();
            pacer.moveUp(now, pacer.queue().isLong());
        } finally {
            lock().unlock();
        }
        limiter.unseen().notSent(permit.target);
        return true;
    }

    // ---- it leaves, and ends

    /** So many that were granted have ended. */
    void ended(int n) {
        ACTIVE.addAndGet(this, -n);
    }

    /** See {@link Permit#unused}. */
    void unused(Permit permit) {
        Departure.unused(permit);
    }

    // ---- settings

    /** Takes in the limiter's settings, which hold for those who wait as well. */
    void apply(long now) {
        lock().lock();
        try {
            Policy p = settings(); // under the lock, so that of two changes the later one stays
            Limit from = limit();
            if (p != null) {
                verdicts.settings(p);
                pacer.takeOver(p, now); // before the policy: who sees one, sees a limit
            }
            if (fleet != null && p != null && policy != null) {
                fleet.settings(policy, p, from, now);
            } else if (fleet != null && p != null) {
                fleet.begins(p, now);
            }
            policy = p;
            pacer.queue().forgetReasons();
            pacer.forgive(now);
            pacer.reschedule(now);
            if (!obeysRedirects()) {
                pacer.queue().wakeLater(now);
            }
        } finally {
            lock().unlock();
        }
    }

    /** What the limiter's settings, and what was learnt of requests in flight, allow. */
    private Policy settings() {
        return verdicts.capped(limiter.policyOf(name));
    }

    /** An operator has set this limit, here or in another worker; null for that of the rules. */
    void overrule(Limit l) {
        limiter.overrule(name, l);
        policy = settings();
        if (l != null) {
            verdicts.forgetLearned();
        }
    }

    // ---- for its parts

    /** Whether windows or requests in flight are limited. */
    boolean capped() {
        Policy p = policy;
        return p != null && p.capped();
    }

    /** Whether turns are the fleet's slots. */
    boolean together() {
        return fleet != null && fleet.together();
    }

    /** Whether it rests, or is being probed. */
    boolean closed() {
        Circuit c = circuit();
        return c != null && !c.open();
    }

    /** Null until something has happened. */
    Cooldown cooldown() {
        return cooldown;
    }

    /** Under the lock. */
    Cooldown madeCooldown(Policy p) {
        Cooldown d = cooldown;
        if (d == null) {
            d = new Cooldown(this, new Circuit(p.global() ? limiter.globalCount() : new Count(), limiter.random()));
            cooldown = d;
        }
        return d;
    }

    /** Null until something has happened. */
    Circuit circuit() {
        Cooldown d = cooldown;
        return d == null ? null : d.circuit;
    }

    /** Under the lock. */
    Circuit circuit(Policy p) {
        return madeCooldown(p).circuit;
    }

    boolean blockedForLife() {
        Circuit c = circuit();
        return c != null && c.state == Circuit.State.LIFETIME_BLOCKED;
    }

    /** Something has happened to the circuit; the fleet shall know, and may have to do it once more. */
    void changed(Circuit.Effect effect, FleetRecord.Change change) {
        if (fleet != null) {
            fleet.record.changed(effect, change);
        }
    }

    /** How its requests are rejected. Takes the lock if there was no rejection yet. */
    Rejections rejections() {
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
    int limitRejections() {
        Rejections r = rejections;
        return r == null ? 0 : r.limits();
    }

    /** Null while there is nothing to look for. Under the lock. */
    PendingVerdicts pending() {
        return pending;
    }

    /** Under the lock. */
    PendingVerdicts madePending() {
        pending = pending == null ? new PendingVerdicts(this) : pending;
        return pending;
    }

    /** Under the lock. */
    void nothingPends() {
        pending = null;
    }

    /** Tells the listener that, once the lock is free. Under the lock. */
    void tell(Runnable news) {
        lock().tell(news);
    }

    /** See {@link PendingVerdicts#tellFirst}. Under the lock. */
    void tellFirst() {
        if (pending != null) {
            pending.tellFirst();
        }
    }

    /** Under the lock. */
    KeyCounters counters() {
        counters = counters == null ? new KeyCounters() : counters;
        return counters;
    }

    /** What was counted, to be read only. Under the lock. */
    KeyCounters counted() {
        return counters == null ? KeyCounters.NONE : counters;
    }

    /** Nothing was counted. Under the lock. */
    void resetCounters() {
        TOTAL.set(this, 0);
        counters = null;
    }

    long total() {
        return total;
    }

    int active() {
        return active;
    }

    /** Requests that have gone, and have ended. */
    long sent() {
        return total - active - pacer.queue().waiting();
    }

    /** Grows with each request, its end, and whatever moves those who wait. */
    long changes() {
        return 2 * total - active + pacer.version();
    }

    @Override
    public int standing(long now) {
        return new Retention(this).standing(now);
    }

    @Override
    public long standingEnds(long now) {
        return new Retention(this).standingEnds(now);
    }

    @Override
    public long lastRequest() {
        return lastRequest;
    }

    // ---- for an operator

    /**
     * No request goes for this long, but for rounds on connections that are leased already; by {@code on-limit} and {@code
     * max-wait} they wait or are rejected. Then the key is open again, from an empty bucket. A pause that is there already is
     * replaced; a rest that a site has asked for is not shortened, and has its probe.
     *
     * @param nanos above zero, and up to ten years
     * @return false if it rests longer than that already
     * @throws IllegalStateException if it is blocked for good
     */
    public boolean pause(long nanos) {
        return new Operator(this).pause(nanos);
    }

    /**
     * Ends a pause or a cooldown without a probe; who waits goes on at the bucket's pace. Blocks and trips are remembered, so
     * the next block may be the next trip.
     *
     * @throws IllegalStateException if it is blocked for good
     */
    public void resume() {
        new Operator(this).resume();
    }

    /** Another limit than the settings', until {@link #reset}; it stays when the settings change or the key is forgotten. */
    public void limit(Limit limit) {
        new Operator(this).limit(limit);
    }

    /** Forgets what was counted; what is remembered of the site's behaviour stays. */
    public void resetStats() {
        new Operator(this).resetStats();
    }

    /** Forgets blocks, trips, pauses, what was learnt, and another limit than the settings'; who waits goes on at the bucket's pace. */
    public void reset() {
        new Operator(this).reset();
    }

    /** Its statistics now. */
    public KeyStats stats() {
        return KeyCounters.stats(this);
    }
}
