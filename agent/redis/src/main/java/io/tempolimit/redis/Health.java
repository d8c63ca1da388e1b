package io.tempolimit.redis;

/**
 * Whether Redis is to be asked. Going over to the fallback and coming back each need {@value #IN_A_ROW} calls in a row, so one slow answer changes
 * nothing and a Redis that flickers is left alone. At the start there is neither: requests wait for the first answer, but not for ever.
 *
 * <p>Pure: times come in. Not thread-safe.
 */
final class Health {
    enum State { STARTING, SHARED, ALONE }

    static final int IN_A_ROW = 3;

    private final long patience;
    private State state = State.STARTING;
    private int row;
    private long lastFailed;
    private boolean asked;
    private long firstAsked;

    /** @param patience nanoseconds that requests wait for the first answer, from the first of them */
    Health(long patience) {
        this.patience = patience;
    }

    State state() {
        return state;
    }

    /** A request needs an answer. */
    void asked(long now) {
        if (!asked) {
            asked = true;
            firstAsked = now;
        }
    }

    /** A call was answered; whether that changes the state. */
    boolean succeeded() {
        row = state == State.ALONE ? row + 1 : 0;
        return state == State.STARTING || row >= IN_A_ROW ? become(State.SHARED) : false;
    }

    /**
     * A call was not answered in time, or by an error; whether that changes the state. What was under way when another one failed counts as one with
     * that: a machine that stands still for a moment lets a dozen calls down at once, and is there again.
     *
     * @param begun when it was made
     */
    boolean failed(long begun, long now) {
        if (row > 0 && begun - lastFailed < 0) {
            return false;
        }
        lastFailed = now;
        row = state == State.SHARED ? row + 1 : 0;
        return row >= IN_A_ROW && become(State.ALONE);
    }

    /** Time has passed; whether that changes the state. */
    boolean waited(long now) {
        return state == State.STARTING && asked && now - firstAsked >= patience && become(State.ALONE);
    }

    private boolean become(State next) {
        state = next;
        row = 0;
        return true;
    }
}
