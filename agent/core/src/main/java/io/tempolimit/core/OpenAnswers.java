package io.tempolimit.core;

/**
 * The answers of one key whose head is known, and whose body may still say more; the oldest first. Linked by {@link Permit#next}. Not
 * thread-safe: guarded by the key's lock.
 */
final class OpenAnswers {
    /** With more than this, the oldest has to do with its head. */
    private static final int MOST = 64;

    private Permit oldest;
    private Permit newest;
    private int count;

    void add(Permit permit) {
        permit.previous = newest;
        permit.next = null;
        if (newest == null) {
            oldest = permit;
        } else {
            newest.next = permit;
        }
        newest = permit;
        count++;
    }

    void remove(Permit permit) {
        if (permit.previous == null) {
            oldest = permit.next;
        } else {
            permit.previous.next = permit.next;
        }
        if (permit.next == null) {
            newest = permit.previous;
        } else {
            permit.next.previous = permit.previous;
        }
        permit.previous = null;
        permit.next = null;
        count--;
    }

    /** Null if there is none. */
    Permit oldest() {
        return oldest;
    }

    boolean tooMany() {
        return count > MOST;
    }
}
