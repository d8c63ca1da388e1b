package io.tempolimit.core;

import io.tempolimit.core.runtime.RandomSource;
import java.util.Random;

/** Chance that is the same in each run. */
public final class Seeded implements RandomSource {
    private final Random random = new Random(1);

    @Override
    public double next() {
        return random.nextDouble();
    }
}
