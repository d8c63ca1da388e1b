package io.tempolimit.gate;

import io.tempolimit.core.runtime.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The calls that are held from a client's queue, by queue, as long as there are any. Thread-safe.
 *
 * <p>No method closes such a client. Programs shut down the queue's executor, which tells nobody. The client itself finds
 * out when it hands the next call over, and then fails those in its queue. The turn of a held call may be hours away, so
 * meanwhile the executor is looked at.
 *
 * @param <Q> the queue
 * @param <C> a call
 */
public final class HeldCalls<Q, C> {
    /** Often enough for a program that waits for its calls to end. */
    private static final long LOOK = 250_000_000L;

    private final ConcurrentHashMap<Object, Held> byQueue = new ConcurrentHashMap<>();
    private final Function<Q, ExecutorService> executor;
    private final Consumer<C> end;

    /**
     * @param executor of a queue; may be the application's
     * @param end      ends a call's wait
     */
    public HeldCalls(Function<Q, ExecutorService> executor, Consumer<C> end) {
        this.executor = executor;
        this.end = end;
    }

    /** This call is held. */
    public void enters(Timer timer, Q queue, C call) {
        byQueue.compute(queue, (q, before) -> {
            Held held = before == null ? new Held(timer, queue) : before;
            held.calls.add(call);
            return held;
        }).lookLater();
    }

    /** This call is held no longer. */
    public void leaves(Q queue, C call) {
        byQueue.computeIfPresent(queue, (q, held) -> {
            held.calls.remove(call);
            return held.calls.isEmpty() ? null : held;
        });
    }

    /** The calls that would be in the queue if they were not held. */
    public List<C> from(Object queue) {
        Held held = byQueue.get(queue);
        return held == null ? Collections.emptyList() : new ArrayList<>(held.calls);
    }

    /** Whether this executor is shut down. The application's own may throw instead of an answer: it is taken for a running one. */
    public static boolean isShutDown(ExecutorService executor) {
        try {
            return executor.isShutdown();
        } catch (RuntimeException unknown) {
            return false;
        }
    }

    private final class Held extends Timer.Entry {
        private final Timer timer;
        private final Q queue;
        private final Set<C> calls = ConcurrentHashMap.newKeySet();
        /** Whether the timer has it; two threads at once may both enter it, which is once. */
        private volatile boolean looking;

        Held(Timer timer, Q queue) {
            this.timer = timer;
            this.queue = queue;
        }

        private void lookLater() {
            if (!looking) {
                looking = true;
                try {
                    timer.schedule(this, Clock.SYSTEM.nanos() + LOOK);
                } catch (Error outOfMemory) { // or of threads
                    looking = false;
                    throw outOfMemory;
                }
            }
        }

        /** The timer must not run what may be the application's. */
        @Override
        protected void fire() {
            CompletableFuture.runAsync(this::look);
        }

        private void look() {
            looking = false;
            if (byQueue.get(queue) != this) {
                return;
            }
            lookLater();
            if (isShutDown(executor.apply(queue))) {
                calls.forEach(end);
            }
        }
    }
}
