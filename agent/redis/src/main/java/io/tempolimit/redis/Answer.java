package io.tempolimit.redis;

import java.util.List;

/** What Redis answers to a worker that wants tokens. Immutable. Times are nanoseconds. */
public final class Answer {
    /** What was decided. */
    public enum Kind {
        /** Slots were given. */
        GO,
        /** One was, for the fleet's one probe. */
        PROBE,
        /** The wait would be too long; nothing was taken. */
        REFUSED,
        /** The key rests, or another worker's probe is under way. */
        CLOSED
    }

    public final Kind kind;
    /** How many slots there are. */
    public final int count;
    /** When the first may be used. REFUSED: when one could be. CLOSED: when to ask again. */
    public final long slot;
    /** From each to the next. */
    public final long step;
    /** How many this bucket has given to anybody; begins anew where it was forgotten. */
    public final long given;
    /** The fleet's record, if it is another than the one that was known; {@link Incident#NONE} if it is forgotten. */
    public final Incident incident;

    private Answer(Kind kind, int count, long slot, long step, long given, Incident incident) {
        this.kind = kind;
        this.count = count;
        this.slot = slot;
        this.step = step;
        this.given = given;
        this.incident = incident;
    }

    /** @return null if it is no answer of ours */
    static Answer of(Object answer, long now) {
        try {
            List<?> l = (List<?>) answer;
            String text = l.size() > 7 ? (String) l.get(7) : null;
            Incident incident = text == null ? null : Incident.parse(text, number(l, 0), now);
            return new Answer(kind((String) l.get(1)), (int) number(l, 2), now + number(l, 3), number(l, 4), number(l, 5),
                    text != null && incident == null ? Incident.NONE : incident);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static long number(List<?> l, int i) {
        return (Long) l.get(i);
    }

    private static Kind kind(String word) {
        switch (word) {
            case "go":
                return Kind.GO;
            case "probe":
                return Kind.PROBE;
            case "refused":
                return Kind.REFUSED;
            case "closed":
                return Kind.CLOSED;
            default:
                throw new IllegalArgumentException();
        }
    }
}
