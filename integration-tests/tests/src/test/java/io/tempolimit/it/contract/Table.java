package io.tempolimit.it.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * Runs the checks, and prints at the end what ran: client, version, Javas, checks, what was skipped and why, and what failed.
 *
 * <p>Thousands of checks that keep time run side by side on what may be two cores. So one that has failed is tried once more, while no other runs; the
 * table names it and says why it had failed, also if it passes then: a machine that stood still passes, and so may a rare race, which somebody has to look at.
 */
final class Table implements InvocationInterceptor {
    /** By client and version, in the order of {@link Row#ALL}. */
    private static final Map<Row, Line> LINES = new LinkedHashMap<>();
    /** Checks that failed, and how. */
    private static final List<String> FAILURES = new ArrayList<>();
    /** Read: side by side; write: alone. */
    private static final ReadWriteLock ALONE = new ReentrantReadWriteLock(true);

    static {
        Row.ALL.forEach(row -> LINES.put(row, new Line()));
    }

    /** What is known of one row. */
    private static final class Line {
        final Map<Integer, int[]> passedByJava = new TreeMap<>();
        final Set<Integer> full = new TreeSet<>();
        int failed;
        final Map<String, Integer> skipped = new TreeMap<>();

        String javas(boolean fully) {
            StringBuilder s = new StringBuilder();
            passedByJava.forEach((java, passed) -> {
                if (passed[0] > 0 && full.contains(java) == fully) {
                    s.append(s.length() == 0 ? "" : " ").append(java);
                }
            });
            return s.toString();
        }

        int passed() {
            return passedByJava.values().stream().mapToInt(p -> p[0]).sum();
        }
    }

    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        context.getRoot().getStore(ExtensionContext.Namespace.create(Table.class)).computeIfAbsent("printer", key -> (AutoCloseable) Table::print);
        Contract contract = (Contract) method.getTarget().orElseThrow();
        Cell cell = contract.cell();
        String check = cell + " " + method.getExecutable().getName();
        Throwable failure = null;
        long begin = System.nanoTime();
        try {
            try {
                under(ALONE.readLock(), invocation::proceed);
            } catch (TestAbortedException skipped) {
                throw skipped;
            } catch (Throwable first) {
                failed("failed at first:", check, first);
                under(ALONE.writeLock(), () -> method.getExecutable().invoke(contract));
            }
        } catch (Throwable t) {
            failure = t instanceof InvocationTargetException ? t.getCause() : t;
            if (t instanceof InvocationTargetException) {
                failed("failed again:   ", check, failure);
            }
            throw failure;
        } finally {
            note(cell, contract instanceof ContractIT, failure);
            if (Boolean.getBoolean("tempolimit.verbose")) {
                System.err.println((failure == null ? "ok   " : failure instanceof TestAbortedException ? "skip " : "FAIL ") + check + " " + (System.nanoTime() - begin) / 1_000_000 + " ms");
            }
        }
    }

    private interface Try {
        Object run() throws Throwable;
    }

    private static void under(Lock lock, Try attempt) throws Throwable {
        lock.lock();
        try {
            attempt.run();
        } finally {
            lock.unlock();
        }
    }

    private static void failed(String when, String check, Throwable failure) {
        synchronized (LINES) {
            FAILURES.add(when + " " + check + ": " + String.valueOf(failure).lines().findFirst().orElse(""));
        }
    }

    private static void note(Cell cell, boolean full, Throwable failure) {
        synchronized (LINES) {
            Line line = LINES.get(cell.row());
            if (full) {
                line.full.add(cell.java());
            }
            int[] passed = line.passedByJava.computeIfAbsent(cell.java(), java -> new int[1]);
            if (failure == null) {
                passed[0]++;
            } else if (failure instanceof TestAbortedException) {
                String why = failure.getMessage().contains("SKIPPED") ? "no Java " + cell.java() + " here" : failure.getMessage().replace("Assumption failed: ", "");
                line.skipped.merge(why, 1, Integer::sum);
            } else {
                line.failed++;
            }
        }
    }

    private static void print() {
        StringBuilder s = new StringBuilder(String.format("%nThe contract, as it ran%n%-25s %-17s %-14s %-12s %6s %6s  %s%n",
                "client", "version", "all on Java", "short on", "passed", "failed", "skipped, and why"));
        synchronized (LINES) {
            LINES.forEach((row, line) -> {
                StringBuilder why = new StringBuilder();
                line.skipped.forEach((reason, n) -> why.append(why.length() == 0 ? "" : "; ").append(n).append(" ").append(reason));
                s.append(String.format("%-25s %-17s %-14s %-12s %6d %6d  %s%n",
                        row.client(), row.version(), line.javas(true), line.javas(false), line.passed(), line.failed, why));
            });
            FAILURES.forEach(failure -> s.append(failure).append(System.lineSeparator()));
        }
        System.err.println(s);
    }
}
