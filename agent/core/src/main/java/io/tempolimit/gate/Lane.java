package io.tempolimit.gate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs tasks one after the other, in their order, on one thread at a time of an executor that may have any number of them: thousands of
 * short tasks that come at once would make it start thousands. Thread-safe.
 */
public final class Lane implements Executor {
    private final Executor executor;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();

    /** @param executor where it refuses, the JVM's common pool runs the tasks */
    public Lane(Executor executor) {
        this.executor = executor;
    }

    /** Runs it, some time later. Where memory or threads are wanting, an error says so; then a task that comes later brings it along. */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (running.compareAndSet(false, true)) {
            boolean started = false;
            try {
                start();
                started = true;
            } finally {
                if (!started) {
                    running.set(false);
                }
            }
        }
    }

    private void start() {
        try {
            executor.execute(this::run);
        } catch (Throwable refused) { // shut down, say
            CompletableFuture.runAsync(this::run);
        }
    }

    private void run() {
        do {
            for (Runnable task; (task = tasks.poll()) != null; ) {
                try {
                    task.run();
                } catch (Throwable t) {
                    // it reports its own trouble; the others must go
                }
            }
            running.set(false);
        } while (!tasks.isEmpty() && running.compareAndSet(false, true));
    }
}
