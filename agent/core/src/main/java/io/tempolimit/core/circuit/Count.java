package io.tempolimit.core.circuit;

/**
 * Blocks in a row: those of one key, or with {@code cooldown.scope=global} those of all. Forgotten some time after the last
 * one. Thread-safe.
 */
public class Count {
    private int n;
    private long last;

    /** One more; gives how many there are now. */
    public synchronized int add(long now, long memory) {
        n = at(now, memory) + 1;
        last = now;
        return n;
    }

    /** How many there were this long ago. */
    public synchronized void restore(int blocks, long time) {
        n = blocks;
        last = time;
    }

    /** When the last one was; meaningless if there is none. */
    public synchronized long last() {
        return last;
    }

    public synchronized void reset() {
        n = 0;
    }

    /** As it is remembered at this time. */
    public synchronized int at(long now, long memory) {
        return n > 0 && now - last > memory ? 0 : n;
    }

    synchronized boolean addedSince(long time) {
        return n > 0 && last - time > 0;
    }

    public synchronized int get() {
        return n;
    }

    // ---- what only the count of several JVMs does

    /** A request arrives whose key is counted here. */
    public void look(long now) {
    }

    /**
     * A block was counted here, and made no trip as far as was known.
     *
     * @param trip makes it one, if others have counted meanwhile
     */
    public void counted(Runnable trip) {
    }

    /** All keys that are counted here are in cooldown from now on, for this many nanoseconds. */
    public void rest(long length, boolean refusing, long now) {
    }
}
