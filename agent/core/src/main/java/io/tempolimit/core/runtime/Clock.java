package io.tempolimit.core.runtime;

/** A monotonic clock. Its values mean nothing by themselves; only differences do, so they may be negative or overflow. */
public interface Clock {
    /** The clock of the JVM; a change of the wall clock does not move it. */
    Clock SYSTEM = new Clock() { // a method reference would cost milliseconds at the start of the JVM
        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };

    /** Nanoseconds since a fixed but unknown moment. */
    long nanos();
}
