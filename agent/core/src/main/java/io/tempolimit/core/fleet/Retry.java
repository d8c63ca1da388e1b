package io.tempolimit.core.fleet;

import io.tempolimit.core.store.SharedKey;

/**
 * Writes again what could not be written, though nobody calls: after {@link #FIRST}, and after twice as long each time. Once it has given
 * up, the fleet answers again and it is written with the next call; or this worker is alone, and writes it when it is back.
 */
final class Retry {
    private static final long FIRST = 100_000_000L;
    private static final int MOST = 4;

    private int failed;

    void written() {
        failed = 0;
    }

    void failed(SharedKey shared, Runnable again) {
        if (failed < MOST) {
            shared.later(FIRST << failed++, again);
        }
    }
}
