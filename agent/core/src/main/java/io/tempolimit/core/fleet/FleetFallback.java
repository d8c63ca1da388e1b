package io.tempolimit.core.fleet;

import io.tempolimit.core.bucket.TokenBucket;
import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.store.FleetSettings;

/**
 * How a key is paced where the fleet does not answer: by its own bucket, with this worker's part of the rate. The bucket is empty until
 * all other workers have noticed, too, for until then they go by slots that the fleet has given them. Where one call fails, who waited for
 * it asks again. Where calls of this key go on to fail and the fleet is not given up, those who want a slot get turns out of that bucket,
 * and nobody else does. Such a turn comes after the slots that are there, and while waits have no limit only what is due before the
 * next call is given: else each late answer would add seconds of this worker's part. Guarded by the key's lock.
 */
final class FleetFallback {
    /** Where nothing is sent while the fleet does not answer: when to try again. */
    static final long AGAIN = 1_000_000_000L;
    /** So many calls in a row that fail for one key are more than a late answer. */
    private static final int LASTING = 3;

    /** Who decides. */
    private enum Decides {
        /** The fleet. */
        FLEET,
        /** The fleet, but since it last gave slots the own bucket was emptied, and turns were given out of it. */
        FLEET_AFTER_FAILURE,
        /** This worker. */
        ALONE
    }

    private final FleetPacer f;
    private final PacedKey key;
    private Decides decides;
    /**
     * When the own bucket is full again, for what was last taken from it; calls that fail now and then give no more
     * than this worker's part.
     */
    private long owed;
    /** The last turn that was given out of the own bucket after a call that failed. */
    private long lastTurn;
    /** How many calls have failed in a row, and when the last of them did; those of one moment are one. */
    private int failed;
    private long failedAt;
    /** This worker's part of the windows; kept, for {@link Caps} notices another array. */
    private WindowLimit[] windows;

    FleetFallback(FleetPacer f, boolean alone, long now) {
        this.f = f;
        key = f.key;
        decides = alone ? Decides.ALONE : Decides.FLEET;
        owed = now;
        lastTurn = now;
        failedAt = now;
    }

    /** No later turn than this was given out of the own bucket while the fleet decides. */
    long lastTurn() {
        return lastTurn;
    }

    // ---- who decides

    /** Whether this worker paces by itself. */
    boolean alone() {
        return decides == Decides.ALONE;
    }

    /** Whether nothing is sent. */
    boolean mute() {
        return alone() && rejects();
    }

    private boolean rejects() {
        return f.settings.fallback() == FleetSettings.Fallback.REJECT;
    }

    /** The fleet is given up. */
    void begin(Policy p, long now) {
        decides = Decides.ALONE;
        if (p != null) {
            useOwnBucket(p, now, allHaveNoticed(now));
        }
    }

    /**
     * When no other worker goes by its slots any more, if this one has just noticed that the fleet does not answer. Who has never
     * reached it has waited for long enough.
     */
    private long allHaveNoticed(long now) {
        boolean others = f.settings.parts(f.fleet) > 1 && f.fleet.workers() > 0;
        return others ? now + f.fleet.noticesWithin() : now;
    }

    /** The fleet answers again. */
    void end() {
        decides = key.policy() == null ? Decides.FLEET : Decides.FLEET_AFTER_FAILURE;
    }

    /** The fleet has answered. */
    void answered() {
        failed = 0;
    }

    /** The fleet has given slots. */
    void slotsGiven() {
        decides = Decides.FLEET;
    }

    /** This worker paces by its part of the rate, from a bucket that is empty then. */
    void useOwnBucket(Policy p, long now, long empty) {
        f.takeOver(p, now);
        f.bucket.empty(empty, f.limit());
    }

    // ---- this worker's part

    /** Of a limit, what this worker may take now. */
    Limit limit(Limit all) {
        return alone() ? part(all) : all;
    }

    /** Who has not counted the others has no burst, for each of them may do the same. */
    private Limit part(Limit all) {
        int n = f.settings.parts(f.fleet);
        int burst = f.fleet.counted() ? Math.max(1, all.burst() / n) : 1;
        return n == 1 && burst == all.burst() ? all : new Limit(all.rate() / n, burst);
    }

    /** Of the windows, what this worker may take now. */
    WindowLimit[] windows(WindowLimit[] all) {
        return alone() ? part(all) : all;
    }

    private WindowLimit[] part(WindowLimit[] all) {
        int n = f.settings.parts(f.fleet);
        if (n == 1 || all.length == 0) {
            return all;
        }
        WindowLimit[] divided = new WindowLimit[all.length];
        for (int i = 0; i < all.length; i++) {
            divided[i] = new WindowLimit(Math.max(1, all[i].count / n), all[i].duration);
        }
        if (windows == null || !same(windows, divided)) {
            windows = divided;
        }
        return windows;
    }

    static boolean same(WindowLimit[] a, WindowLimit[] b) {
        boolean same = a.length == b.length;
        for (int i = 0; same && i < a.length; i++) {
            same = a[i].count == b[i].count && a[i].duration == b[i].duration;
        }
        return same;
    }

    // ---- a call that fails

    /** A call has failed, or took too long: who waits for it asks again. If that lasts, they get turns out of this worker's part. */
    void callFailed(long now) {
        Policy p = key.policy();
        if (p == null || key.passing()) {
            return;
        }
        if (failed == 0 || now - failedAt >= f.settings.timeout()) {
            failed++;
            failedAt = now;
        }
        if (key.closed()) {
            f.probe.askAt(now + f.settings.timeout());
            f.replan(now);
            return;
        }
        if (f.slots.wanting() == 0) {
            return;
        }
        Limit l = part(f.limit());
        emptyBucket(l, now);
        boolean lasting = failed >= LASTING;
        if (lasting && rejects()) {
            f.slots.rejectThoseWhoWant(now + AGAIN, p, now);
            return;
        }
        if (lasting) {
            giveTurns(l, horizon(l, p), p, now);
        }
        if (f.slots.wanting() > 0) { // the fleet may answer again until it is their turn
            f.slots.lookAgain(now + f.settings.timeout(), p, now);
        }
    }

    /** The longest wait for a turn that is given out now. */
    private long horizon(Limit l, Policy p) {
        boolean waits = !p.reject() && p.maxWait() == Policy.UNLIMITED;
        return waits ? Math.max(f.settings.timeout(), l.interval) : Policy.UNLIMITED;
    }

    private void emptyBucket(Limit l, long now) {
        if (decides == Decides.FLEET) {
            long noticed = allHaveNoticed(allHaveNoticed(now)); // it may be the first call that fails: this worker notices first, too
            long from = f.slots.last() - noticed > 0 ? f.slots.last() : noticed;
            long empty = from + l.tolerance + l.interval;
            f.bucket.set(owed - empty > 0 ? owed : empty);
            decides = Decides.FLEET_AFTER_FAILURE;
        }
    }

    private void giveTurns(Limit l, long horizon, Policy p, long now) {
        long[] turns = new long[f.slots.wanting()];
        int n = 0;
        for (long wait; n < turns.length && (wait = f.bucket.reserve(now, l, 0, horizon)) != TokenBucket.REFUSED; n++) {
            turns[n] = now + wait;
        }
        long[] free = turns.clone();
        if (f.calls.windowed()) {
            Caps part = new Caps();
            part.limits(part(p.windows()), Integer.MAX_VALUE, now);
            part.takeOver(f.caps(p, now), now);
            part.delay(turns, n, now);
        }
        for (; n > 0 && turns[n - 1] - now > horizon; n--) {
            f.bucket.addAndGet(-l.interval);
        }
        owed = f.bucket.get();
        if (n == 0) {
            return;
        }
        lastTurn = turns[n - 1] - lastTurn > 0 ? turns[n - 1] : lastTurn;
        for (int i = 0; i < n && f.slots.wanting() > 0; i++) {
            f.untold.went(p, turns[i], now);
            f.slots.give(turns[i], turns[i] == free[i] ? null : p.windows()[0], p, now);
        }
    }
}
