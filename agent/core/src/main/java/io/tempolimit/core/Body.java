package io.tempolimit.core;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Look;
import io.tempolimit.detect.Robots;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;

/**
 * An answer's body, shown as the application reads it: nothing is read, kept or changed here. Made by {@link Permit#answered}; ends with
 * {@link #end} or {@link #cut}, of which later ones have no effect.
 *
 * <p>May be called from any thread, also while another thread is inside (a stream that is closed while it is read): what comes then is
 * not looked at, and an end that comes then is dealt with by the thread inside. Never blocks for long, never throws.
 */
public final class Body extends AtomicInteger {
    private static final AtomicReferenceFieldUpdater<Body, Object> CLOSING = AtomicReferenceFieldUpdater.newUpdater(Body.class,
            Object.class, "closing");

    /** Whose answer it is, and who hears what becomes of it. All methods may be called from any thread. */
    public interface Owner {
        /** The key that was asked. */
        Key key();

        /** Whether its request is in flight still, where that is counted. */
        boolean holdsPlace();

        /** More of the answer has passed by. */
        void passed();

        /** More of the answer has been read, and was looked at. */
        void read();

        /** What the body says, as far as it has been read. */
        void judged(Finding by);

        /** The body came in this encoding, which is not read. */
        void unreadable(String encoding);

        /** What a robots.txt asks for between requests, in nanoseconds; see {@link Robots#end}. */
        void crawlDelay(long nanos);

        /** It is over. */
        void over();
    }

    private static final int IDLE = 0;
    private static final int BUSY = 1;
    /** Busy, and its end has come meanwhile. */
    private static final int ENDING = 2;
    private static final int OVER = 3;

    private final transient Owner owner;
    /** Null once it has seen enough; the answer may still go on, and with it the request's place among those in flight. */
    private transient Look look;
    /** Null unless it is a robots.txt that somebody wants to know of, and once enough of it was seen. */
    private transient Robots robots;
    private transient volatile boolean complete;
    /** Null if it is no event stream that is counted. */
    transient volatile Streams.Stream stream;
    /** How it is closed from outside ({@code Consumer}), until it is; then why ({@code IOException}). */
    private transient volatile Object closing;

    /**
     * @param look   null if nothing needs to be looked at
     * @param robots null if it is no robots.txt that somebody wants to know of
     */
    public Body(Owner owner, Look look, Robots robots) {
        this.owner = owner;
        this.look = look;
        this.robots = robots;
    }

    /** Whether nothing more needs to be shown; its end may still be. */
    public boolean over() {
        return blind() || get() >= ENDING;
    }

    private boolean blind() {
        return look == null && robots == null;
    }

    /** The application has read these bytes, as they came over the network or as its client has decoded them. */
    public void add(byte[] bytes, int from, int length) {
        if (blind()) {
            passed();
        } else if (length > 0 && compareAndSet(IDLE, BUSY)) {
            boolean more = false;
            try {
                owner.read();
                more = look != null && look.add(bytes, from, length);
                more |= robots != null && robots.add(bytes, from, length);
            } finally {
                free(more);
            }
        }
    }

    /** The same; the buffer's position and limit stay. */
    public void add(ByteBuffer bytes) {
        if (blind()) {
            passed();
        } else if (bytes.hasRemaining() && compareAndSet(IDLE, BUSY)) {
            boolean more = false;
            try {
                owner.read();
                more = look != null && look.add(bytes);
                more |= robots != null && robots.add(bytes);
            } finally {
                free(more);
            }
        }
    }

    /** Whether its request is in flight until this is over. */
    public boolean holdsPlace() {
        return owner.holdsPlace();
    }

    /**
     * In place of {@link #add} where showing costs something and it is {@link #over}: more of it has been read, so
     * its request is in flight.
     */
    public void passed() {
        if (owner.holdsPlace() && get() < ENDING) {
            owner.passed();
        }
    }

    /** Some of it is skipped: what comes after that is not looked at, but its end counts. */
    public void gap() {
        if (compareAndSet(IDLE, BUSY)) {
            free(false);
        }
    }

    private void free(boolean more) {
        if (!more) {
            judge();
        }
        if (!more && !owner.holdsPlace() && stream == null || !compareAndSet(BUSY, IDLE)) {
            set(OVER);
            conclude();
        }
    }

    /** Whether it is an event stream that the settings may want closed: then its client says how, by {@link #closeBy}. */
    public boolean stream() {
        return stream != null || closing != null;
    }

    /**
     * Says how this is closed from outside.
     *
     * @param closer is called once at the most, with the reason, and at once if that is there already: on any thread,
     * so it must only hand that over
     */
    public void closeBy(Consumer<IOException> closer) {
        if (!CLOSING.compareAndSet(this, null, closer)) {
            closer.accept((IOException) closing);
        }
    }

    /** Closes it from outside, unless it was before, or is over. */
    @SuppressWarnings("unchecked")
    void close(IOException why) {
        Object closer = closing;
        if (closer == null && CLOSING.compareAndSet(this, null, why)) {
            return; // its client asks
        }
        closer = closing;
        if (closer instanceof Consumer && get() < ENDING && CLOSING.compareAndSet(this, closer, why)) {
            ((Consumer<IOException>) closer).accept(why);
        }
    }

    /** Whether it was closed from outside, and nothing more shall reach the application. */
    public boolean closed() {
        return closing instanceof IOException;
    }

    /**
     * What the application shall see of a failure to read: the rejection, if the failure comes from that, as this is
     * an event stream too many.
     */
    public IOException failure(IOException own) {
        Object why = closing;
        return why instanceof RequestRejectedException ? (IOException) why : own;
    }

    /** All of it has come, though nobody has read it yet: its request is in flight no longer. */
    public void arrived() {
        owner.over();
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
        owner.over();
        Streams.Stream open = stream;
        if (open != null) {
            open.closed();
        }
    }

    private void judge() {
        Look l = look;
        if (l != null) {
            look = null; // its buffers go before the response does
            owner.judged(l.end(complete));
            if (l.unreadableEncoding() != null) {
                owner.unreadable(l.unreadableEncoding());
            }
        }
        Robots r = robots;
        if (r != null) {
            robots = null;
            owner.crawlDelay(r.end(complete));
        }
    }

    /** Whose answer it is. */
    Key key() {
        return owner.key();
    }
}
