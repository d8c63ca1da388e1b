package io.tempolimit.core.store;

import io.tempolimit.core.circuit.Incident;

/** What the fleet answers to a worker that wants tokens. Immutable. Times are nanoseconds. */
public final class Answer {
    /** What was decided. */
    public enum Kind {
        /** Slots were given. */
        GO,
        /** One was, for the fleet's one probe. */
        PROBE,
        /** The wait would be too long; nothing was taken. */
        REFUSED,
        /** The key rests. */
        CLOSED,
        /** It rests, and another worker's probe is under way. How long that takes nobody knows. */
        PROBED,
        /** The windows are gone in which this worker's requests counted; nothing was taken. It has to tell what it has sent. */
        LOST
    }

    public final Kind kind;
    /** How many slots there are. */
    public final int count;
    /** When the first may be used. REFUSED: when one could be. CLOSED: when to ask again. PROBED: the same, if nothing is heard. */
    public final long slot;
    /** From each to the next. */
    public final long step;
    /** How many this bucket has given to anybody; begins anew where it was forgotten. */
    public final long given;
    /** Which of the windows the first waits for, from 1; 0: for none. */
    public final int window;
    /**
     * Whether it was under way for longer than anybody waits for one, as it is where this JVM stood still: then the slots
     * may be over, in the fleet's eyes.
     */
    public final boolean stale;
    /** The fleet's record, if it is another than the one that was known; {@link Incident#NONE} if it is forgotten. */
    public final Incident incident;

    /** Whether the bucket knows nothing of what this worker was given before: Redis has lost it, or some of it. */
    public final boolean lost;

    public Answer(Kind kind, int count, long slot, long step, long given, int window, boolean stale, Incident incident) {
        this(kind, count, slot, step, given, window, stale, incident, false);
    }

    private Answer(Kind kind, int count, long slot, long step, long given, int window, boolean stale, Incident incident, boolean lost) {
        this.kind = kind;
        this.count = count;
        this.slot = slot;
        this.step = step;
        this.given = given;
        this.window = window;
        this.stale = stale;
        this.incident = incident;
        this.lost = lost;
    }

    /** Whether the key rests. */
    public boolean closed() {
        return kind == Kind.CLOSED || kind == Kind.PROBED;
    }

    /** The same, of a bucket that knows nothing of what this worker was given before. */
    public Answer ofLostBucket() {
        return new Answer(kind, count, slot, step, given, window, stale, incident, true);
    }

    /** The same, which was under way for too long. */
    public Answer late() {
        return new Answer(kind, count, slot, step, given, window, true, incident, lost);
    }
}
