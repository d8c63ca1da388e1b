package io.tempolimit.core.fleet;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Rejection;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.pace.Arrival;
import io.tempolimit.core.pace.LocalPacer;
import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.core.store.SharedKey;
import java.util.function.LongConsumer;

/**
 * When who may go, where limits are shared with other JVMs. Its parts: {@link FleetSlots} (who goes when, while the fleet
 * decides), {@link FleetCalls} (what the fleet is asked, and what its answers do), {@link FleetProbe} (who goes as the probe),
 * {@link FleetRecord} (what workers tell each other of blocks and cooldowns, and of what they have learnt), {@link OthersTraffic}
 * (what the others send), {@link FleetFallback} (how the key is paced while the fleet does not answer), {@link KeptSlots} (which
 * slots are used when it does again), {@link Untold} (what went without the fleet's knowing) and {@link SentByAll} (what windows
 * hold then). Here is what concerns several of them: the fleet comes and goes, requests arrive, and settings change.
 *
 * <p>Who waits as long as it takes gets a slot only when it is near ({@link FleetCalls#NEAR}): so a worker that ends with
 * thousands in its queue leaves seconds reserved and not hours, and the others' requests do not stand behind all of them.
 *
 * <p>All of them are guarded by the key's lock, but for what {@code Fleet} calls, which takes it ({@link #fromFleet}). Nothing
 * is waited for with the lock held.
 */
public final class FleetPacer extends LocalPacer {
    final FleetCount count;
    final Fleet fleet;
    final FleetSettings settings;
    final SharedKey shared;
    final FleetSlots slots;
    final FleetCalls calls;
    final FleetProbe probe;
    final FleetRecord record;
    final OthersTraffic others;
    final FleetFallback fallback;
    final KeptSlots kept;
    final Untold untold;
    final SentByAll sent;

    /** @param count counts the blocks of all keys that share a cooldown */
    public FleetPacer(PacedKey key, Limit limit, Fleet fleet, FleetSettings settings, FleetCount count, long now) {
        super(key, limit, now);
        this.count = count;
        this.fleet = fleet;
        this.settings = settings;
        shared = fleet.key(key.name());
        slots = new FleetSlots(this, now);
        calls = new FleetCalls(this, now);
        probe = new FleetProbe(this, now);
        record = new FleetRecord(this, now);
        others = new OthersTraffic(key, now);
        fallback = new FleetFallback(this, !fleet.shared(), now);
        kept = new KeptSlots(this);
        untold = new Untold(this, now);
        sent = new SentByAll(this);
    }

    /**
     * The key is new. Where this worker is alone, that is no other start than that of the keys it has: its part of
     * the rate, from an empty bucket.
     */
    @Override
    public void begin(Policy p, long now) {
        if (fallback.alone()) {
            fallback.useOwnBucket(p, now, now);
        }
    }

    // ---- the fleet comes and goes

    /** Whether turns are slots of the fleet's. */
    @Override
    public boolean together() {
        return !fallback.alone();
    }

    /** Looks whether the fleet answers; if that has changed, those who wait get other turns. Gives whether it does. */
    boolean look(long now) {
        if (fallback.alone() == fleet.shared()) {
            if (fallback.alone()) {
                join(now);
            } else {
                goAlone(now);
            }
        }
        return !fallback.alone();
    }

    /** The fleet has come or gone. Takes the lock. */
    public void lookNow() {
        key.lock().lock();
        try {
            look(key.now());
        } finally {
            key.lock().unlock();
        }
    }

    private void goAlone(long now) {
        Policy p = key.policy();
        calls.voidAll();
        slots.heldBy(null);
        kept.keep(now);
        slots.withdraw(now);
        record.part();
        sent.keep(p, now);
        fallback.begin(p, now);
        if (p == null) {
            return;
        }
        sent.divide(p, settings.parts(fleet), now);
        if (!fallback.mute() || key.passing()) {
            replan(now);
            return;
        }
        for (Reservation w = first(), after; w != null; w = after) {
            after = w.next();
            w.dueAt = now + FleetFallback.AGAIN;
            settle(w, p, false, now);
        }
    }

    private void join(long now) {
        fallback.end();
        kept.dropLast(untold.count(now));
        untold.returned(now);
        calls.voidAll();
        forgetOthers();
        probe.returned(now);
        returnAll();
        Policy p = key.policy();
        if (p != null) {
            takeOver(p, now);
            sent.returned(p, now);
            replan(now);
        }
    }

    /** Whoever has a slot will not go, and what was given cannot be given back. */
    void forgetOthers() {
        others.forget();
        slots.keepLast();
    }

    // ---- requests

    /** A request arrives. False if the fleet does not decide. Takes the lock. */
    @Override
    protected boolean arrives(Reservation permit, long now) throws RequestRejectedException {
        key.lock().lock();
        try {
            Policy p = key.policy();
            if (p == null || key.passing()) {
                key.grant(permit, key.epochNow(), now);
                return true;
            }
            if (!look(now) && !fallback.mute()) {
                return false;
            }
            if (key.cooldown() != null) {
                key.cooldown().endPause(p, now);
            }
            if (fallback.mute()) {
                permit.dueAt = now + Caps.LOOK;
                key.rejections().refuse(permit, Rejection.RATE_LIMIT_EXCEEDED, Caps.LOOK);
            } else {
                madeQueue().append(permit);
                if (key.closed()) {
                    probe.arrive(permit, key.circuit(), p, now);
                } else {
                    slots.arrive(permit, p, now);
                }
            }
        } finally {
            key.lock().unlock();
        }
        if (permit.state == Reservation.REJECTED) {
            permit.waitEndTold = true;
            throw key.rejections().rejected(permit);
        }
        if (permit.state == Reservation.WAITING) {
            Arrival.begins(key, permit);
        }
        return true;
    }

    @Override
    protected void charge(Policy p, long now) {
        if (!charges(now)) {
            super.charge(p, now);
        }
    }

    /** A request goes in any case, and the next one pays. False if the fleet does not decide. Takes the lock. */
    private boolean charges(long now) {
        key.lock().lock();
        try {
            boolean together = look(now);
            if (together && !slots.charge(now)) {
                calls.charge(now);
            }
            return together;
        } finally {
            key.lock().unlock();
        }
    }

    // ---- settings

    /** Other settings hold from now on. Where somebody has a slot by the old ones, all workers' are void. */
    @Override
    public void settings(Policy before, Policy p, Limit limit, long now) {
        Limit l = limit();
        boolean same = limit.interval == l.interval && limit.tolerance == l.tolerance
                && FleetFallback.same(before.windows(), p.windows());
        if (fallback.alone() || key.passing() || same) {
            return;
        }
        calls.voidAll();
        boolean inDebt = slots.last() - now + limit.tolerance + limit.interval > l.tolerance + l.interval; // as the new limit sees it
        Circuit c = key.circuit(p);
        if ((inDebt || slots.anyoneHas()) && c.open()) {
            Circuit.Change renewed = (x, t) -> {
                x.renew();
                return x.open() ? Circuit.Effect.OPENED : Circuit.Effect.NONE;
            };
            renewed.make(c, now);
            record.changed(Circuit.Effect.OPENED, renewed);
        } else {
            slots.lose(now);
        }
    }

    // ---- what it does in another way

    @Override
    public boolean inFleet() {
        return true;
    }

    @Override
    protected void lookAtFleet(long now) {
        look(now);
    }

    @Override
    public void remove(Reservation permit) {
        slots.leaves(permit);
        super.remove(permit);
    }

    @Override
    protected void returnToken(Reservation permit, long now) {
        if (permit.slotState == Reservation.HAS_SLOT) {
            slots.notUsed(permit, now);
        } else {
            super.returnToken(permit, now);
        }
    }

    @Override
    protected void tryGrant(Reservation permit, Policy p, long now) {
        if (together()) {
            slots.tryGrant(permit, now);
        } else {
            super.tryGrant(permit, p, now);
        }
    }

    @Override
    protected void reserveAll(long now, Policy p) {
        if (together()) {
            slots.reserveAll(now, p);
        } else {
            super.reserveAll(now, p);
        }
    }

    @Override
    protected void closeUp(Policy p, boolean more, long now) {
        if (!together()) {
            super.closeUp(p, more, now);
        } else if (!queue().isLong() || p.concurrency() < Integer.MAX_VALUE) {
            replan(now);
        } else {
            askFleet(now); // the one that left may have been the one that was to
        }
    }

    @Override
    protected void loseSlots(long now) {
        slots.lose(now);
        if (key.passing()) {
            probe.leave();
        }
    }

    @Override
    public Caps caps(Policy p, long now) {
        Caps k = super.caps(p, now);
        if (k != null) {
            k.countAlso(fallback.alone() && p.windows().length > 0 ? untold.made(p, now) : null, now);
        }
        return k;
    }

    @Override
    protected Limit part(Limit all) {
        return fallback.limit(all);
    }

    @Override
    protected WindowLimit[] windows(WindowLimit[] all) {
        return fallback.windows(all);
    }

    @Override
    protected WindowLimit limitingWindow() {
        return slots.held();
    }

    @Override
    protected long probeDue(Circuit c, Policy p, long now) {
        return together() ? probe.due(c, now) : super.probeDue(c, p, now);
    }

    @Override
    protected long restLeft(Circuit c, long now) {
        return together() ? probe.restLeft(c, now) : super.restLeft(c, now);
    }

    @Override
    protected boolean asksForProbe(Reservation first, Circuit c, Policy p, long now) {
        if (together()) {
            probe.tryGrant(first, c, p, now);
        }
        return together();
    }

    @Override
    protected void probeLost(long now) {
        probe.lost();
    }

    @Override
    protected void open(Circuit c, Policy p, long end, long now) {
        if (together()) {
            c.opened();
            queue().forgetReasons();
            replan(now);
        } else {
            super.open(c, p, end, now);
        }
    }

    @Override
    public void askFleet(long now) {
        calls.ask(now);
    }

    @Override
    public void changed(Circuit.Effect effect, Circuit.Change change) {
        record.changed(effect, change);
    }

    @Override
    public void learned() {
        record.learned();
    }

    @Override
    public void tellFleet(long now) {
        if (record.dirty()) {
            calls.ask(now);
        }
    }

    @Override
    public void countOthers(long now) {
        others.count(now);
    }

    // ---- the fleet calls

    /** Another worker has told of the key. Takes the lock. */
    public void heard(Incident i) {
        record.heard(i);
    }

    /** Another worker has begun a new bucket. Takes the lock. */
    public void bucketLost() {
        calls.bucketLost();
    }

    /** Another worker has given up its probe. Takes the lock. */
    public void probeGivenUp() {
        fromFleet(now -> {
            if (!fallback.alone() && key.policy() != null && !key.passing() && key.closed()) {
                probe.givenUp(now);
            }
        });
    }

    /** The program ends. Takes the lock. */
    public void leave() {
        if (key.closed()) {
            fromFleet(now -> probe.leave());
        }
    }

    /** What {@code Fleet} calls takes the lock. */
    void fromFleet(LongConsumer what) {
        key.lock().lock();
        try {
            what.accept(key.now());
        } catch (RuntimeException | Error e) {
            trouble(e);
        } finally {
            key.lock().unlock();
        }
    }

    /** An error of ours: nobody waits for the fleet because of it. */
    private void trouble(Throwable e) {
        key.tell(() -> key.common.listener.fleetWarning("an error of the agent's own: " + e));
        try {
            fallback.callFailed(key.now());
        } catch (RuntimeException | Error again) {
            // it was told
        }
    }
}
