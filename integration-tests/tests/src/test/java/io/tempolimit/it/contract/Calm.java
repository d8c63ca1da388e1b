package io.tempolimit.it.contract;

/**
 * Programs start, or others keep time, in turns: a starting JVM takes a whole small machine. All who wait for their
 * turn have it at once, and who comes
 * later waits for the next one, if others wait for theirs.
 */
final class Calm {
    private static final int STARTS = 0;
    private static final int KEEPS_TIME = 1;

    private final int[] active = new int[2];
    private final int[] waiting = new int[2];
    private int turn;
    /** How many may still begin in this turn. */
    private int admitted;

    void starts(Runnable what) {
        run(STARTS, what);
    }

    void keepsTime(Runnable what) {
        run(KEEPS_TIME, what);
    }

    private void run(int kind, Runnable what) {
        enter(kind);
        try {
            what.run();
        } finally {
            leave(kind);
        }
    }

    private synchronized void enter(int kind) {
        int other = 1 - kind;
        waiting[kind]++;
        while (!mayEnter(kind, other)) {
            try {
                wait();
            } catch (InterruptedException e) {
                waiting[kind]--;
                notifyAll();
                throw new AssertionError("interrupted while others took their time", e);
            }
        }
        waiting[kind]--;
        active[kind]++;
    }

    private boolean mayEnter(int kind, int other) {
        if (active[STARTS] + active[KEEPS_TIME] == 0 && (admitted <= 0 || turn != kind && waiting[turn] == 0)) {
            turn = waiting[1 - turn] > 0 ? 1 - turn : turn;
            admitted = waiting[turn];
            notifyAll();
        }
        return turn == kind && active[other] == 0 && (waiting[other] == 0 || admitted-- > 0);
    }

    private synchronized void leave(int kind) {
        active[kind]--;
        notifyAll();
    }
}
