package io.tempolimit.core.runtime;

import java.util.concurrent.ThreadLocalRandom;

/**
 * All chance in what is decided here: lengths of cooldowns, jitter, and which names share a hash. A test gives one that has a seed, and
 * then the same history comes each time.
 */
public interface RandomSource {
    /** Each thread's own generator: no lock, and nothing to share. */
    RandomSource SYSTEM = new RandomSource() { // a method reference would cost milliseconds at the start of the JVM
        @Override
        public double next() {
            return ThreadLocalRandom.current().nextDouble();
        }

        @Override
        public long hashSeed() {
            return ThreadLocalRandom.current().nextLong();
        }
    };

    /** A number from 0 to 1, and less than 1; any is as likely as any other. Thread-safe where the limiter is used by several threads. */
    double next();

    /** Names are hashed with it, so that no site can choose hosts of one hash. Always the same where a history is replayed. */
    default long hashSeed() {
        return 0;
    }
}
