package io.tempolimit.core.runtime;

import java.util.concurrent.ThreadLocalRandom;

/**
 * All chance in what is decided here: lengths of cooldowns, and jitter. A test gives one that has a seed, and then the same
 * history comes each time.
 */
public interface RandomSource {
    /** Each thread's own generator: no lock, and nothing to share. */
    RandomSource SYSTEM = new RandomSource() { // a method reference would cost milliseconds at the start of the JVM
        @Override
        public double next() {
            return ThreadLocalRandom.current().nextDouble();
        }
    };

    /** A number from 0 to 1, and less than 1; any is as likely as any other. Thread-safe where the limiter is used by several threads. */
    double next();
}
