package io.tempolimit.core.runtime;

/**
 * Things in an order, linked by their own fields, so that a list costs each of them nothing but its two neighbours. A thing is in
 * one list at most. Not thread-safe.
 *
 * @param <E> what is linked
 */
public final class Chain<E extends Chain.Link<E>> {
    /** What can be linked: its neighbours, which only the list writes. */
    public interface Link<E> {
        /** Null for the first. */
        E previous();

        /** Null for the last. */
        E next();

        /** For the list. */
        void previous(E e);

        /** For the list. */
        void next(E e);
    }

    private E first;
    private E last;

    /** Null if there is none. The others are reached by {@link Link#next}. */
    public E first() {
        return first;
    }

    /** Null if there is none. */
    public E last() {
        return last;
    }

    /**
     * Puts a thing that is in no list into this one.
     *
     * @param before null for the first place
     */
    public void insertAfter(E before, E e) {
        E after = before == null ? first : before.next();
        e.previous(before);
        e.next(after);
        if (before == null) {
            first = e;
        } else {
            before.next(e);
        }
        if (after == null) {
            last = e;
        } else {
            after.previous(e);
        }
    }

    /** Puts a thing that is in no list to the end of this one. */
    public void append(E e) {
        insertAfter(last, e);
    }

    /** @param e is in this list */
    public void remove(E e) {
        if (e.previous() == null) {
            first = e.next();
        } else {
            e.previous().next(e.next());
        }
        if (e.next() == null) {
            last = e.previous();
        } else {
            e.next().previous(e.previous());
        }
        e.previous(null);
        e.next(null);
    }
}
