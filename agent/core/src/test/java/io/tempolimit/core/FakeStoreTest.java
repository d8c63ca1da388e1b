package io.tempolimit.core;

import io.tempolimit.core.store.Fleet;
import java.util.function.BooleanSupplier;

/** The store that tests of limiters use decides as the real ones do. */
class FakeStoreTest extends SharedStoreContract {
    @Override
    protected SharedStore open() {
        return new Fake();
    }

    private static final class Fake extends SharedStore {
        private final TurnedClock clock = new TurnedClock(1_000_000 * SECOND);
        private long elapsed;
        private final FakeRedis redis = new FakeRedis(clock, 1, 0, 50_000_000);

        @Override
        public Fleet join(Fleet.Listener listener) {
            return redis.new Worker(FleetScene.settings(), listener, () -> 0);
        }

        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public long elapsed() {
            return elapsed;
        }

        @Override
        public void pass(long nanos) {
            long until = clock.nanos() + nanos;
            for (redis.run(); redis.next() <= until; redis.run()) {
                clock.set(redis.next());
            }
            clock.set(until);
        }

        @Override
        public void setBack(long nanos) {
            redis.setBack(nanos);
        }

        @Override
        public void setForward(long nanos) {
            redis.setForward(nanos);
        }

        @Override
        public void forget() {
            redis.flush();
        }

        @Override
        public Rollback replica() {
            return redis.rollback()::run;
        }

        @Override
        public void later() {
            redis.later();
        }

        @Override
        public int members() {
            return redis.members();
        }

        @Override
        public void await(BooleanSupplier condition, String what) {
            long begun = clock.nanos();
            for (redis.run(); !condition.getAsBoolean(); pass(1_000_000)) {
                if (clock.nanos() - begun > 60 * SECOND) {
                    throw new AssertionError(what);
                }
            }
            elapsed += clock.nanos() - begun;
        }

        @Override
        public void close() {
            redis.workers.forEach(Fleet::close);
        }
    }
}
