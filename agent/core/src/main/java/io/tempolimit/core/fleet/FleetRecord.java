package io.tempolimit.core.fleet;

import io.tempolimit.core.Listener;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.pace.PacedKey;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.store.SharedKey;
import java.util.ArrayList;
import java.util.List;

/**
 * What the fleet is told of a key's circuit and of what it has learnt, and what other workers tell: the key's {@link Incident}.
 * Guarded by the key's lock.
 *
 * <p>This worker judges with its own {@link Circuit}, at once. Whatever changes in it is written ({@link SharedKey#write}),
 * unless another worker was faster; then that one's record is taken in, and what was done since is done once more on top of it.
 * One write is under way at a time. What could not be written is merged with what the fleet has when it answers again. The same
 * words of other workers come as {@link #heard}, or with an answer.
 */
final class FleetRecord {
    /** A rest that is longer than it was by less than this is not told again. */
    private static final long DELAY = 10_000_000L;

    /** How what this worker knows is to what it has written. */
    private enum State {
        /** There is nothing to write. */
        SAME(false, false),
        /** There is, and it will be with the next call. */
        CHANGED(true, false),
        /** It is being written. */
        WRITING(false, true),
        /** And meanwhile there is more to write. */
        WRITING_CHANGED(true, true);

        final boolean dirty;
        final boolean writing;

        State(boolean dirty, boolean writing) {
            this.dirty = dirty;
            this.writing = writing;
        }
    }

    private final FleetPacer f;
    private final PacedKey key;
    private final SharedKey shared;
    private State state = State.SAME;
    /** What has been done to the circuit since the record that is known. */
    private final List<Circuit.Change> changes = new ArrayList<>(0);
    /** Not to be tried again before. */
    private long writeAt;
    /** Whether what was reserved is void with the next record. */
    private boolean opens;
    /** Whether there is something that the fleet may never have heard of. */
    private boolean unheard;
    private final Retry retry = new Retry();
    /** What came while something was being written. */
    private Incident heard;

    FleetRecord(FleetPacer f, long now) {
        this.f = f;
        key = f.key;
        shared = f.shared;
        writeAt = now;
    }

    // ---- what happens here

    /** Something has happened to the circuit, which all shall know. To be called before turns are handed out anew. */
    void changed(Circuit.Effect effect, Circuit.Change change) {
        if (key.passing()) {
            return; // in a dry run nothing of it is the fleet's business
        }
        change();
        opens |= effect == Circuit.Effect.OPENED;
        if (f.fallback.alone()) {
            unheard = true;
        } else {
            changes.add(change);
        }
        if (effect != Circuit.Effect.NONE) {
            f.calls.voidAll();
            f.forgetOthers();
        }
        if (effect == Circuit.Effect.OPENED) {
            long now = key.now();
            f.slots.lose(now);
            f.probe.askAt(now);
        }
    }

    /** Another rate was learnt. */
    void learned() {
        if (!key.passing()) {
            change();
        }
        unheard |= f.fallback.alone() && state.dirty;
    }

    private void change() {
        state = state.writing ? State.WRITING_CHANGED : State.CHANGED;
    }

    /** The fleet is given up: what was done is merged when it is there again. */
    void part() {
        changes.clear();
    }

    /** Whether there is something to be written. */
    boolean dirty() {
        return state.dirty;
    }

    /** Whether there is, and it is not being written. */
    boolean unwritten() {
        return state == State.CHANGED;
    }

    /** Whether there is nothing to be written, and nothing is. */
    boolean same() {
        return state == State.SAME;
    }

    /**
     * Whether what was asked for now would be void: with what is written next, or with what others have written. Once the write
     * has its answer that is known.
     */
    boolean outdated() {
        return state.writing && (state.dirty || heard != null);
    }

    // ---- it is written

    /** Writes it, if there is something to write, and nothing is being written. */
    void flush(long now) {
        Policy p = key.policy();
        if (state != State.CHANGED || writeAt - now > 0) {
            return;
        }
        state = State.WRITING;
        int sent = changes.size();
        boolean opening = opens;
        opens = false;
        shared.write(key.incident(shared.version(), now), opening ? f.limit() : null,
                Math.max(p.cooldownMemory(), p.escalationMemory()),
                (written, stored) -> f.fromFleet(then -> written(sent, opening, written, stored, then)));
    }

    private void written(int sent, boolean opening, boolean written, Incident stored, long now) {
        state = state.dirty ? State.CHANGED : State.SAME;
        f.probe.askAt(now);
        if (written) {
            changes.subList(0, Math.min(sent, changes.size())).clear();
            unheard &= f.fallback.alone();
        } else if (stored == null) {
            changes.clear();
            state = State.CHANGED;
            unheard = true;
            opens |= opening;
            writeAt = now + f.settings.timeout();
        } else {
            takeIn(stored, now);
        }
        Incident other = heard;
        heard = null;
        if (other != null && other.version > shared.version()) {
            takeIn(other, now);
        }
        if (stored == null) {
            retry.failed(shared, () -> f.fromFleet(f.calls::ask));
            if (f.look(now)) {
                f.fallback.callFailed(now);
            }
            return;
        }
        retry.written();
        if (key.closed() && key.policy() != null) {
            f.replan(now);
        } else {
            f.calls.ask(now);
        }
    }

    // ---- what others have written

    /** A record was published. Takes the lock. */
    void heard(Incident i) {
        f.fromFleet(now -> {
            if (!f.fallback.alone() && key.policy() != null && i.version > shared.version()) { // else it is ours, or comes late
                takeIn(i, now);
            }
        });
    }

    /** Makes another worker's record ours. */
    void takeIn(Incident i, long now) {
        Policy p = key.policy();
        long known = shared.version();
        if (p == null || i.version == known || key.passing()) {
            return;
        }
        if (state.writing) { // it may be our own, before we hear of its fate
            heard = heard == null || i.version > heard.version ? i : heard;
            return;
        }
        Incident mine = key.incident(known, now);
        boolean forgotten = i.version < known || !i.follows(known);
        if (i.version > 0 || mine.saysNothing()) {
            shared.known(i.version);
        }
        if ((unheard || forgotten) && !mine.saysNothing()) {
            changes.clear();
            unheard = true;
            state = State.CHANGED;
            load(Incident.merge(mine, i, p, now), p, now);
        } else {
            unheard = false;
            state = State.SAME;
            opens = false; // unless what is done once more opens that one, too: others see no other rest, and keep their slots
            load(i, p, now);
        }
    }

    private void load(Incident i, Policy p, long now) {
        Circuit c = key.circuit(p);
        Circuit.State was = c.state;
        int epoch = c.epoch;
        long until = c.until;
        long since = c.since;
        c.load(i, !p.global(), now);
        key.learned(i, p, now);
        replay(c, now);
        if (!changes.isEmpty() && (opens || !i.says(key.incident(0, now)))) {
            state = State.CHANGED;
        } else if (!state.dirty) {
            changes.clear();
        }
        boolean rested = was != Circuit.State.OPEN;
        boolean another = c.epoch != epoch;
        if (another || c.open() == rested) {
            f.slots.lose(now);
            f.forgetOthers();
            f.probe.askAt(now);
            key.cooldown().changedByOthers(rested, since, another, now);
        }
        f.takeOver(key.policy(), now); // an operator may have changed it
        f.queue().forgetReasons();
        f.replan(now);
        tell(c, was, another && c.until - until > DELAY, now);
    }

    /** Does once more what was done since the record that was known. */
    private void replay(Circuit c, long now) {
        FleetCount all = f.count;
        all.replays(true);
        try {
            for (Circuit.Change change : changes) {
                Circuit.Effect effect = change.make(c, now);
                if (effect != Circuit.Effect.NONE) {
                    f.calls.voidAll(); // answers under way are of before it
                }
                if (effect == Circuit.Effect.OPENED) {
                    c.opened();
                    opens = true;
                }
            }
        } finally {
            all.replays(false);
        }
    }

    /** Tells the listener how it is by another worker's record. {@code longer}: whether it rests longer than it did. */
    private void tell(Circuit c, Circuit.State was, boolean longer, long now) {
        Listener listener = key.common.listener;
        boolean rested = was != Circuit.State.OPEN;
        if (c.state == Circuit.State.LIFETIME_BLOCKED && was != Circuit.State.LIFETIME_BLOCKED) {
            c.reason = Listener.FLEET;
            key.tell(() -> listener.lifetimeBlocked(key, Listener.FLEET));
        } else if (!c.open() && (!rested || longer)) {
            c.reason = Listener.FLEET;
            long left = Math.max(0, c.until - now);
            int rung = c.rung();
            boolean refusing = c.refuses(now);
            key.tell(() -> listener.cooldownStarted(key, left, Listener.FLEET, rung, refusing));
        } else if (rested && c.open()) {
            key.tell(() -> listener.cooldownEnded(key));
        }
    }
}
