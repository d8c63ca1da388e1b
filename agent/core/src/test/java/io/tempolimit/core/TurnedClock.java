package io.tempolimit.core;

import io.tempolimit.core.runtime.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test turns. */
public final class TurnedClock implements Clock {
    private final AtomicLong now;

    public TurnedClock(long now) {
        this.now = new AtomicLong(now);
    }

    @Override
    public long nanos() {
        return now.get();
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
