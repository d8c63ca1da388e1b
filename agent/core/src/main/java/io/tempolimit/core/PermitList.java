package io.tempolimit.core;

/**
 * Permits in an order, linked by their own fields, so that a list costs a permit nothing. A permit is in one list at most.
 * All under the key's lock.
 */
final class PermitList {
    private Permit first;
    private Permit last;

    /** Null if there is none. The others are reached by {@link Permit#next}. */
    Permit first() {
        return first;
    }

    /** Null if there is none. */
    Permit last() {
        return last;
    }

    /** @param before null for the first place */
    void insertAfter(Permit before, Permit permit) {
        Permit after = before == null ? first : before.next;
        permit.previous = before;
        permit.next = after;
        if (before == null) {
            first = permit;
        } else {
            before.next = permit;
        }
        if (after == null) {
            last = permit;
        } else {
            after.previous = permit;
        }
    }

    void append(Permit permit) {
        insertAfter(last, permit);
    }

    /** @param permit is in this list */
    void remove(Permit permit) {
        if (permit.previous == null) {
            first = permit.next;
        } else {
            permit.previous.next = permit.next;
        }
        if (permit.next == null) {
            last = permit.previous;
        } else {
            permit.next.previous = permit.previous;
        }
        permit.previous = null;
        permit.next = null;
    }
}
