package io.tempolimit.it.contract;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/** Prints at the end what ran: client, version, Javas, checks, and what was skipped and why. */
final class Table implements InvocationInterceptor {
    /** By client and version, in the order of {@link Row#ALL}. */
    private static final Map<Row, Line> LINES = new LinkedHashMap<>();

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
        Throwable failure = null;
        long begin = System.nanoTime();
        try {
            invocation.proceed();
        } catch (Throwable t) {
            failure = t;
            throw t;
        } finally {
            note(cell, contract instanceof ContractIT, method.getExecutable().getName(), failure);
            if (Boolean.getBoolean("tempolimit.verbose")) {
                System.err.println((failure == null ? "ok   " : failure instanceof TestAbortedException ? "skip " : "FAIL ") + cell + " "
                        + method.getExecutable().getName() + " " + (System.nanoTime() - begin) / 1_000_000 + " ms");
            }
        }
    }

    private static void note(Cell cell, boolean full, String check, Throwable failure) {
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
        StringBuilder s = new StringBuilder(String.format("%nThe contract, as it ran%n%-20s %-10s %-14s %-12s %6s %6s  %s%n",
                "client", "version", "all on Java", "short on", "passed", "failed", "skipped, and why"));
        synchronized (LINES) {
            LINES.forEach((row, line) -> {
                StringBuilder why = new StringBuilder();
                line.skipped.forEach((reason, n) -> why.append(why.length() == 0 ? "" : "; ").append(n).append(" ").append(reason));
                s.append(String.format("%-20s %-10s %-14s %-12s %6d %6d  %s%n",
                        row.client(), row.version(), line.javas(true), line.javas(false), line.passed(), line.failed, why));
            });
        }
        System.err.println(s);
    }
}
