package io.tempolimit.core.fleet;

import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.store.Answer;
import java.util.List;

/**
 * What went, or will, and is not in the fleet's windows: what this worker sent while it was alone, and by turns out of its own part; and
 * all that it sent, where the fleet has lost its windows. It is told before more is asked for. Where it is not known whether the fleet has
 * heard it, it is told again under the same number, so that it counts once. Other workers have something to tell at the same time, so
 * nobody asks for slots until they have had the time to. Guarded by the key's lock.
 */
final class Untold {
    /** So long nothing is asked for after a return, and after a loss. */
    private static final long OTHERS = 500_000_000L;
    /** Where the fleet could not take it in, for the key rests: when to try again. */
    private static final long AGAIN = 1_000_000_000L;

    private final FleetPacer f;
    /** Null: nothing. */
    private Caps untold;
    /** What was told, and is not known to have been heard; null: nothing. */
    private Caps told;
    /** Whether that is all that this worker has sent. */
    private boolean whole;
    private long number;
    private boolean underWay;
    private long tellAt;
    private long askAt;
    /** When the fleet was known to have heard the last. */
    private long heardAt;

    Untold(FleetPacer f, long now) {
        this.f = f;
        tellAt = now;
        askAt = now;
        heardAt = now;
    }

    /** One goes then, and the fleet has given no slot for that. */
    void went(Policy p, long then, long now) {
        if (p.windows().length > 0) {
            made(p, now).takeRoom(then);
        }
    }

    /** What goes from here on is unknown to the fleet: this worker is alone. */
    Caps made(Policy p, long now) {
        untold = untold == null ? new Caps() : untold;
        untold.limits(p.windows(), Integer.MAX_VALUE, now);
        return untold;
    }

    /** The fleet answers again. */
    void returned(long now) {
        underWay = false;
        tellAt = now;
        askAt = now + OTHERS;
    }

    /** The fleet has lost its windows, as a call says that was made then. {@code sent}: has all that this worker has sent. */
    void all(Caps sent, Policy p, long asked, long now) {
        if (whole || asked - heardAt < 0) { // it is told under one number, so it counts once; or the call knew of nothing that was told
            return;
        }
        whole = true;
        untold = null;
        told = new Caps();
        told.limits(p.windows(), Integer.MAX_VALUE, now);
        told.takeOver(sent, now);
        nextNumber();
        returned(now);
    }

    private void nextNumber() {
        number = Math.max(number + 1, f.key.common.clock.nanos());
    }

    /** How many went. */
    int count(long now) {
        return (untold == null ? 0 : untold.counted(now)) + (told == null ? 0 : told.counted(now));
    }

    /** When slots may be asked for. */
    long askAt() {
        return askAt;
    }

    /** What is to be told now; null if nothing is. */
    List<String> now(Policy p, long now) {
        if (underWay || now - tellAt < 0) {
            return null;
        }
        if (told == null && untold != null && untold.counted(now) > 0) {
            told = untold;
            untold = null;
            nextNumber();
        }
        if (told == null) {
            return null;
        }
        told.limits(p.windows(), Integer.MAX_VALUE, now);
        underWay = true;
        return told.save(now);
    }

    /** Under which it is told. */
    long number() {
        return number;
    }

    /**
     * The fleet has heard it, or has not.
     *
     * @param a      null if there was no answer
     * @param before what this worker had sent before it was alone; null: nothing
     */
    void answered(Answer a, Caps before, Policy p, long now) {
        underWay = false;
        boolean partOfWhatIsLost = a != null && a.lost && !whole;
        if (a != null && a.closed()) {
            tellAt = now + AGAIN;
        } else if (a != null) {
            told = null;
            whole = false;
            heardAt = now;
            if (partOfWhatIsLost && before != null && p != null) {
                all(before, p, now, now);
            }
        }
    }
}
