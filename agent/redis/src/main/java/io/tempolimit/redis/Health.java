package io.tempolimit.redis;

/**
 * Whether Redis is to be asked. Going over to the fallback and coming back each need {@value #IN_A_ROW} calls in a row,
 * so one slow answer changes nothing and a Redis that flickers is left alone. Going over also needs {@link #LASTS}: where
 * connections break, a busy worker fails at once and an idle one finds out by looking, and yet all go over at nearly one time. At the
 * start there is neither: requests wait for the first answer, but not for ever.
 *
 * <p>How long they wait counts from when Redis is really asked, and anew with each {@link Step} towards an answer: a
 * JVM with a tenth of a processor takes ten
 * seconds to load its client, in which nobody has kept silent. Where Redis refuses, nobody waits for anything.
 *
 * <p>Pure: times come in. Not thread-safe.
 */
final class Health {
    enum State { STARTING, SHARED, ALONE }

    /** What has come about towards the first answer. */
    enum Step {
        /** The client is being loaded. */
        LOADING,
        /** It connects. */
        CONNECTING,
        /** A socket is connected. */
        CONNECTED,
        /** There is a link, and the first call is made. */
        LINKED
    }

    static final int IN_A_ROW = 3;
    /** From the first call of those that fail to the last, in nanoseconds. A link that breaks is made anew in less, mostly. */
    static final long LASTS = 800_000_000L;
    /** So many times as long as for an answer is waited for the client to be loaded. */
    private static final int LOADING = 12;

    private final long patience;
    private State state = State.STARTING;
    private Step step = Step.LOADING;
    /** When that was. */
    private long stepped;
    private int row;
    private long lastFailed;
    /** When the first in the row failed. */
    private long failsSince;
    private boolean asked;
    private long firstAsked;

    /** @param patience nanoseconds that requests wait for the first answer */
    Health(long patience) {
        this.patience = patience;
    }

    State state() {
        return state;
    }

    /** How far it has come. */
    Step step() {
        return step;
    }

    /** A request needs an answer. */
    void asked(long now) {
        if (!asked) {
            asked = true;
            firstAsked = now;
        }
    }

    /** That step is made; made again it counts for nothing. */
    void stepped(Step made, long now) {
        if (made.compareTo(step) > 0) {
            step = made;
            stepped = now;
        }
    }

    /** Whether the next call that is answered brings it back. */
    boolean isAlmostBack() {
        return state == State.ALONE && row == IN_A_ROW - 1;
    }

    /** A call was answered; whether that changes the state. */
    boolean succeeded() {
        row = state == State.ALONE ? row + 1 : 0;
        return state == State.STARTING || row >= IN_A_ROW ? become(State.SHARED) : false;
    }

    /**
     * A call was not answered in time, or by an error; whether that changes the state. What was under way when another
     * one failed counts as one with that: a machine that stands still for a moment lets a dozen calls down at once, and
     * is there again.
     *
     * @param begun when it was made
     */
    boolean failed(long begun, long now) {
        if (row > 0 && begun - lastFailed < 0) {
            return false;
        }
        lastFailed = now;
        failsSince = row == 0 ? now : failsSince;
        row = state == State.SHARED ? row + 1 : 0;
        return row >= IN_A_ROW && now - failsSince >= LASTS && become(State.ALONE);
    }

    /** Redis turns this worker down; whether that changes the state. */
    boolean refused() {
        row = 0;
        return state != State.ALONE && become(State.ALONE);
    }

    /** How much time has to pass until {@link #waited} may change the state. */
    long left(long now) {
        long from = step == Step.LOADING || firstAsked - stepped > 0 ? firstAsked : stepped;
        long most = step == Step.LOADING ? patience > Long.MAX_VALUE / LOADING ? Long.MAX_VALUE : patience * LOADING : patience;
        return Math.max(0, most - (now - from));
    }

    /** Time has passed; whether that changes the state. */
    boolean waited(long now) {
        return state == State.STARTING && asked && left(now) == 0 && become(State.ALONE);
    }

    private boolean become(State next) {
        state = next;
        row = 0;
        return true;
    }
}
