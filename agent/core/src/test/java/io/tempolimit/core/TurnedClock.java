package io.tempolimit.core;

import io.tempolimit.core.runtime.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test turns. */
public final class TurnedClock implements Clock {
    private final AtomicLong now;
    /** By how much the next reading is old. */
    private final AtomicLong old = new AtomicLong();

    public TurnedClock(long now) {
        this.now = new AtomicLong(now);
    }

    @Override
    public long nanos() {
        return now.get() - (old.get() == 0 ? 0 : old.getAndSet(0));
    }

    /** The next reading will be so old when it is used: who reads it stands still for so long. */
    void nextIsOld(long nanos) {
        old.set(nanos);
    }

    /** Turns it to this time, forward or back. */
    public void set(long nanos) {
        now.set(nanos);
    }

    /** Turns it on by so much; gives the new time. */
    public long turn(long nanos) {
        return now.addAndGet(nanos);
    }
}
