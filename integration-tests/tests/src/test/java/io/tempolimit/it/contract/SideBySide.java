package io.tempolimit.it.contract;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Parts of a check that wait most of their time, and do not meet: each has hosts and a client of its own. */
final class SideBySide {
    private SideBySide() {
    }

    /** What is done for each. */
    interface Part<T> {
        void run(T each) throws Exception;
    }

    /**
     * Does it for each, on a thread of its own, and waits for all. What the check needs it says before. Fails with the failure of the first of them, in the list's order, that failed,
     * whose message begins with its name; the others' are suppressed in it.
     */
    static <T> void each(List<T> all, Part<T> part) {
        Map<T, FutureTask<Void>> running = new LinkedHashMap<>();
        all.forEach(each -> running.put(each, new FutureTask<>(() -> {
            part.run(each);
            return null;
        })));
        Map<T, Thread> threads = new LinkedHashMap<>();
        running.forEach((each, task) -> threads.put(each, new Thread(task, Thread.currentThread().getName() + ", " + each)));
        threads.values().forEach(Thread::start);
        Error failure = null;
        try {
            for (Map.Entry<T, FutureTask<Void>> task : running.entrySet()) {
                Error next = end(task.getKey(), task.getValue());
                if (failure == null) {
                    failure = next;
                } else if (next != null) {
                    failure.addSuppressed(next);
                }
            }
        } catch (InterruptedException e) {
            threads.values().forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + all + " ran", e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Null if it succeeds. */
    private static Error end(Object each, FutureTask<Void> task) throws InterruptedException {
        try {
            task.get();
            return null;
        } catch (ExecutionException e) {
            return new AssertionError(each + ": " + e.getCause().getMessage(), e.getCause());
        }
    }
}
