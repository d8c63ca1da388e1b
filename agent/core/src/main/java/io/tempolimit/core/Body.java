package io.tempolimit.core;

import io.tempolimit.detect.Look;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An answer's body, shown as the application reads it: nothing is read, kept or changed here. Made by {@link Permit#answered}; ends with
 * {@link #end} or {@link #cut}, of which later ones have no effect.
 *
 * <p>May be called from any thread, also while another thread is inside (a stream that is closed while it is read): what comes then is
 * not looked at, and an end that comes then is dealt with by the thread inside. Never blocks for long, never throws.
 */
public final class Body extends AtomicInteger {
    private static final int IDLE = 0;
    private static final int BUSY = 1;
    /** Busy, and its end has come meanwhile. */
    private static final int ENDING = 2;
    private static final int OVER = 3;

    private final transient Permit permit;
    /** Null once it has seen enough; the answer may still go on, and with it the request's place among those in flight. */
    private transient Look look;
    private transient volatile boolean complete;

    Body(Permit permit, Look look) {
        this.permit = permit;
        this.look = look;
    }

    /** Whether nothing more needs to be shown. */
    public boolean over() {
        return get() >= ENDING;
    }

    /** The application has read these bytes, as they came over the network or as its client has decoded them. */
    public void add(byte[] bytes, int from, int length) {
        if (length <= 0) {
            return;
        }
        if (compareAndSet(IDLE, BUSY)) {
            boolean more = false;
            try {
                seen();
                more = look != null && look.add(bytes, from, length);
            } finally {
                free(more);
            }
        } else {
            passed();
        }
    }

    /** The same; the buffer's position and limit stay. */
    public void add(ByteBuffer bytes) {
        if (!bytes.hasRemaining()) {
            return;
        }
        if (compareAndSet(IDLE, BUSY)) {
            boolean more = false;
            try {
                seen();
                more = look != null && look.add(bytes);
            } finally {
                free(more);
            }
        } else {
            passed();
        }
    }

    /** In place of {@link #add} where showing costs something and it is {@link #over}: more of it has been read, so its request is in flight. */
    public void passed() {
        permit.seen = permit.key.limiter.clock().nanos();
    }

    /** Some of it is skipped: what comes after that is not looked at, but its end counts. */
    public void gap() {
        cut();
    }

    private void seen() {
        permit.read = true;
        permit.seen = permit.key.limiter.clock().nanos();
    }

    private void free(boolean more) {
        if (!more) {
            judge();
        }
        if (!more && permit.place == null || !compareAndSet(BUSY, IDLE)) {
            set(OVER);
            conclude();
        }
    }

    /** The whole body has been shown. */
    public void end() {
        over(true);
    }

    /** The application stopped reading, or the connection failed. */
    public void cut() {
        over(false);
    }

    private void over(boolean whole) {
        for (;;) {
            int state = get();
            if (state >= ENDING) {
                return;
            }
            complete = whole;
            if (compareAndSet(state, state == IDLE ? OVER : ENDING)) {
                if (state == IDLE) {
                    conclude();
                }
                return;
            }
        }
    }

    private void conclude() {
        judge();
        permit.key.left(permit);
    }

    private void judge() {
        Look l = look;
        if (l != null) {
            look = null; // its buffers go before the response does
            permit.key.read(permit, l.end(complete));
        }
    }
}
