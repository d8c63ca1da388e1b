package io.tempolimit.core.fleet;

import io.tempolimit.core.Rejection;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.store.Answer;

/**
 * A key that rests, in a fleet: only one worker's request goes as the probe, and the fleet says whose. Only the first of those
 * who wait asks. Guarded by the key's lock.
 */
final class FleetProbe {
    /** So often it is asked while another worker's probe is under way: what is published may get lost, or nobody may listen. */
    private static final long LOOK = 5_000_000_000L;

    private final FleetPacer f;
    private final PacedKey key;
    /** Whether the fleet is asked for a probe right now. */
    private boolean asking;
    private long askAt;
    /** Whether that is so since another worker's probe is under way. */
    private boolean probed;
    /** Whether that one was given up since it was asked. */
    private boolean givenUp;

    FleetProbe(FleetPacer f, long now) {
        this.f = f;
        key = f.key;
        askAt = now;
    }

    /** Not to be asked for before. */
    void askAt(long then) {
        askAt = then;
        probed = false;
    }

    /** The fleet has said that the key rests. */
    void closed(Answer a, long now) {
        probed = a.kind == Answer.Kind.PROBED;
        askAt = !probed ? a.slot : givenUp ? now : now + Math.min(a.slot - now, LOOK);
    }

    /** Another worker has given up its probe. */
    void givenUp(long now) {
        givenUp = true;
        if (probed) {
            askAt(now);
            f.moveUp(now);
        }
    }

    /** The question for a probe has been answered; or nobody will, and it may have been given. */
    void answered(Answer a) {
        asking = false;
        if (a == null) {
            f.shared.release();
        }
    }

    /** Who has been alone may have been given a probe before, which is nobody's any more. */
    void returned(long now) {
        asking = false;
        askAt(now);
        if (key.closed() && key.circuit().until - now <= 0) {
            f.shared.release();
        }
    }

    /** This worker paces no more: others would wait in vain for the end of its probe. */
    void leave() {
        if (asking || key.closed() && key.circuit().state == Circuit.State.PROBING) {
            f.shared.release();
        }
    }

    // ---- who waits

    /** When to look again. */
    long due(Circuit c, long now) {
        return asking || f.record.outdated() ? now + Limit.HORIZON : now + Math.max(c.until - now, askAt - now);
    }

    /** How long it rests at least. Another worker's probe takes as long as its answer, and its lease is for one that never comes. */
    long restLeft(Circuit c, long now) {
        return Math.max(c.pauseLeft(now), probed ? 0 : Math.max(0, askAt - now));
    }

    private boolean endures(Reservation w, Circuit c, Policy p, long now) {
        boolean mayBeProbe = w == f.first() && c.pauseLeft(now) == 0 && askAt - now <= 0;
        return mayBeProbe || !p.reject() && !c.refuses(now)
                && (p.maxWait() == Policy.UNLIMITED || now + key.cooldown().expected(now) - w.arrival <= p.maxWait());
    }

    /** A request that has just been entered waits for the rest's end, or is rejected. */
    void arrive(Reservation w, Circuit c, Policy p, long now) {
        f.calls.ask(now);
        key.cooldown().rest(w, p, now);
        if (f.settle(w, p, endures(w, c, p, now), now)) {
            f.slots.delayed(w, restLeft(c, now), Rejection.HOST_COOLING_DOWN);
        }
    }

    /** The first of those who wait looks, and asks whether it may go as the probe. */
    void tryGrant(Reservation w, Circuit c, Policy p, long now) {
        f.calls.ask(now);
        key.cooldown().rest(w, p, now);
        f.settle(w, p, asking || endures(w, c, p, now), now);
    }

    // ---- the question and its answer

    /** Asks the fleet, if it is time and somebody may go. */
    void ask(Circuit c, Policy p, long now) {
        if (asking || f.first() == null || c.state == Circuit.State.LIFETIME_BLOCKED || c.until - now > 0 || askAt - now > 0) {
            return;
        }
        Caps k = f.caps(p, now);
        if (k != null) {
            f.reclaim(k, now);
            if (!k.free()) {
                askAt(now + Caps.LOOK);
                return;
            }
        }
        asking = true;
        givenUp = false;
        f.calls.askForProbe(now);
    }

    /**
     * One of this worker's requests may go as the probe.
     *
     * @param holds  whether nothing has happened since it was asked for
     * @param closed whether the key rests, as far as this worker knows
     */
    void allowed(Answer a, boolean holds, boolean closed, Policy p, long now) {
        if (a.count == 0) {
            return;
        }
        Circuit c = key.circuit();
        Caps k = f.caps(p, now);
        boolean free = k == null || k.free();
        if (closed && c.state == Circuit.State.PROBING && c.until - now > 0) {
            f.slots.giveBack(a); // several were asked for before it was known that the key rests, and one of them is the probe
        } else if (holds && closed && !a.stale && f.first() != null && free) {
            Reservation first = f.first();
            key.cooldown().probe(first, now);
            f.slots.leaveWaiters(first, now);
        } else {
            askAt(free ? now : now + Caps.LOOK);
            f.slots.giveBack(a);
            f.shared.release();
            if (!closed && f.record.unwritten()) {
                f.fallback.callFailed(now);
            }
        }
    }

    /** The probe that this worker was allowed will have no verdict. Where it asks for another, it would give up that one. */
    void lost() {
        askAt(key.now());
        if (!f.fallback.alone() && !asking) {
            f.shared.release();
        }
    }
}
