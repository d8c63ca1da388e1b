package io.tempolimit.core;

import io.tempolimit.core.store.Fleet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** A store that workers share, as {@link SharedStoreContract} needs it: with a time that can be turned. */
public abstract class SharedStore implements AutoCloseable {
    /** One more worker. Its fleet is closed with the store. */
    public abstract Fleet join(Fleet.Listener listener) throws Exception;

    /** The clock of answers, in nanoseconds. */
    public abstract long nanos();

    /** How much time has passed, in nanoseconds, beside what was turned: times differ by this from what they would be. */
    public abstract long elapsed();

    /** Turns the store's time on, and lets happen what happens meanwhile. The clock of answers may stay. */
    public abstract void pass(long nanos) throws Exception;

    /** Sets the store's clock back, and no worker's. */
    public abstract void setBack(long nanos) throws Exception;

    /** Sets the store's clock forward, and no worker's. */
    public abstract void setForward(long nanos) throws Exception;

    /** Forgets everything. */
    public abstract void forget() throws Exception;

    /** Keeps the buckets as they are; what is given back makes them that again, as a replica that had not heard of the calls after it. */
    public abstract Rollback replica() throws Exception;

    /** A replica becomes the master. */
    public interface Rollback {
        void happens() throws Exception;
    }

    /** What is stored was stored by a later version of the agent, which means something else by it. */
    public abstract void later() throws Exception;

    /** How many workers are in its list. */
    public abstract int members() throws Exception;

    /** Waits for it. */
    public abstract void await(BooleanSupplier condition, String what) throws Exception;

    @Override
    public abstract void close() throws Exception;

    final <T> T answer(CompletableFuture<T> answer) throws Exception {
        await(answer::isDone, "an answer");
        return answer.get();
    }
}
