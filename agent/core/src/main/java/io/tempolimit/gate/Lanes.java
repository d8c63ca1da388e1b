package io.tempolimit.gate;

import io.tempolimit.core.Permit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * For clients that have no executor of their own: the JVM's common pool. What was held for one key, and may go, goes in the
 * order of its turns; a lane at a time is run by one thread, so that a client that looks up an address meanwhile keeps only
 * its own kind waiting. What may not go overtakes, for the application is told of that. Thread-safe.
 */
public final class Lanes {
    /** A power of two; keys share them. */
    private static final int COUNT = 64;

    private final Lane[] lanes = new Lane[COUNT];

    public Lanes() {
        for (int i = 0; i < COUNT; i++) {
            lanes[i] = new Lane(CompletableFuture::runAsync);
        }
    }

    /** What runs the continuation of a hold for this permit. */
    public Executor of(Permit permit) {
        int h = permit.key().name().hashCode();
        Lane lane = lanes[(h ^ h >>> 16) & COUNT - 1];
        return new OfPermit(lane, permit);
    }

    /** The lane, unless the permit may not go. Equal to those of the same lane. */
    private static final class OfPermit implements Executor {
        private final Lane lane;
        private final Permit permit;

        OfPermit(Lane lane, Permit permit) {
            this.lane = lane;
            this.permit = permit;
        }

        @Override
        public void execute(Runnable task) {
            if (permit.waiting() || permit.granted()) {
                lane.execute(task);
            } else {
                CompletableFuture.runAsync(task);
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof OfPermit && ((OfPermit) other).lane == lane;
        }

        @Override
        public int hashCode() {
            return lane.hashCode();
        }
    }
}
