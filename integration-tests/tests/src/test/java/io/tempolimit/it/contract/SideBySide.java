package io.tempolimit.it.contract;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.opentest4j.TestAbortedException;

/** Parts of a check that wait most of their time, and do not meet: each has hosts and a client of its own. */
final class SideBySide {
    private SideBySide() {
    }

    /** What is done for each. */
    interface Part<T> {
        void run(T each) throws Exception;
    }

    /**
     * Does it for each, on a thread of its own, and waits for all. Fails as the first in the list's order that failed, with its name in
     * front; the others' failures are suppressed in that one. If none failed and one was aborted, the check is aborted.
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
        List<Throwable> failures = new ArrayList<>();
        try {
            for (Map.Entry<T, FutureTask<Void>> task : running.entrySet()) {
                end(task.getKey(), task.getValue(), failures);
            }
        } catch (InterruptedException e) {
            threads.values().forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + all + " ran", e);
        }
        // One that cannot be judged hides none that failed.
        failures.sort(Comparator.comparing(failure -> failure instanceof TestAbortedException));
        if (!failures.isEmpty()) {
            Throwable first = failures.remove(0);
            failures.forEach(first::addSuppressed);
            if (first instanceof TestAbortedException aborted) {
                throw aborted;
            }
            throw (AssertionError) first;
        }
    }

    private static void end(Object each, FutureTask<Void> task, List<Throwable> failures) throws InterruptedException {
        try {
            task.get();
        } catch (ExecutionException e) {
            Throwable failure = e.getCause();
            boolean aborted = failure instanceof TestAbortedException;
            failures.add(aborted ? failure : new AssertionError(each + ": " + failure.getMessage(), failure));
        }
    }
}
