package io.tempolimit.it.contract;

import io.tempolimit.it.harness.Javas;
import io.tempolimit.it.harness.Unjudged;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * Prints at the end what ran: client, version, Javas, checks, what was skipped and why, and what failed. No check is
 * tried a second time. One that
 * the machine disturbed too much says so ({@link Unjudged}) and is counted; the run fails if these are more than one in a hundred.
 */
final class Table implements InvocationInterceptor {
    /** By client and version, as far as their jars are there (-Pquick gathers some), in the order of {@link Row#ALL}. */
    private static final Map<Row, Line> LINES = new LinkedHashMap<>();
    /** Checks that failed or could not be judged, and why. */
    private static final List<String> TOLD = new ArrayList<>();
    /** So many may be without a judgement where only a few cells are run. */
    private static final int FEW = 1;

    static {
        Row.ALL.stream().filter(Row::isHere).forEach(row -> LINES.put(row, new Line()));
    }

    /** What is known of one row. */
    private static final class Line {
        /** The Javas on which checks of this class passed. */
        final Map<Class<?>, Set<Integer>> javas = new HashMap<>();
        int passed;
        int failed;
        int unjudged;
        final Map<String, Integer> skipped = new TreeMap<>();

        String javas(Class<?> contract) {
            return javas.getOrDefault(contract, Set.of()).stream().map(String::valueOf).collect(Collectors.joining(" "));
        }
    }

    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        context.getRoot().getStore(ExtensionContext.Namespace.create(Table.class))
                .computeIfAbsent("printer", key -> (AutoCloseable) Table::print);
        Contract contract = (Contract) method.getTarget().orElseThrow();
        Cell cell = contract.cell();
        String check = cell + " " + method.getExecutable().getName();
        Throwable failure = null;
        long begin = System.nanoTime();
        try {
            invocation.proceed();
        } catch (Throwable t) {
            failure = t;
            throw t;
        } finally {
            note(cell, contract.getClass(), check, failure);
            if (Boolean.getBoolean("tempolimit.verbose")) {
                System.err.println((failure == null ? "ok   " : failure instanceof TestAbortedException ? "skip " : "FAIL ") + check + " "
                        + (System.nanoTime() - begin) / 1_000_000 + " ms");
            }
        }
    }

    private static void note(Cell cell, Class<?> contract, String check, Throwable failure) {
        synchronized (LINES) {
            Line line = LINES.computeIfAbsent(cell.row(), row -> new Line());
            if (failure == null) {
                line.javas.computeIfAbsent(contract, c -> new TreeSet<>()).add(cell.java());
                line.passed++;
            } else if (failure instanceof Unjudged) {
                line.unjudged++;
                told(check, failure);
            } else if (failure instanceof TestAbortedException) {
                String why = failure.getMessage().contains("SKIPPED") ? "no Java " + cell.java() + " here"
                        : failure.getMessage().replace("Assumption failed: ", "");
                line.skipped.merge(why, 1, Integer::sum);
            } else {
                line.failed++;
                told("failed: " + check, failure);
            }
        }
    }

    private static void told(String check, Throwable failure) {
        TOLD.add(check + ": " + String.valueOf(failure.getMessage()).lines().findFirst().orElse(""));
    }

    /** Fails the run if too much of it says nothing. */
    private static void print() {
        StringBuilder s = new StringBuilder(String.format("%nThe contract, as it ran%n%-25s %-17s %-14s %-14s %-11s %6s %6s %8s  %s%n",
                "client", "version", "all on Java", "with waits on", "short on", "passed", "failed", "unjudged", "skipped, and why"));
        int judged = 0;
        int unjudged = 0;
        synchronized (LINES) {
            for (Map.Entry<Row, Line> e : LINES.entrySet()) {
                Row row = e.getKey();
                Line line = e.getValue();
                StringBuilder why = new StringBuilder();
                line.skipped.forEach((reason, n) -> why.append(why.length() == 0 ? "" : "; ").append(n).append(" ").append(reason));
                s.append(String.format("%-25s %-17s %-14s %-14s %-11s %6d %6d %8d  %s%n", row.client(), row.version(),
                        line.javas(ContractIT.class),
                        line.javas(WaitingContractIT.class), line.javas(QuickContractIT.class), line.passed, line.failed, line.unjudged,
                        why));
                judged += line.passed + line.failed;
                unjudged += line.unjudged;
            }
            s.append(String.format("could not be judged: %d of %d checks, as the machine stood still%n", unjudged, judged + unjudged));
            TOLD.forEach(told -> s.append(told).append(System.lineSeparator()));
            s.append(Javas.notTested());
        }
        System.err.println(s);
        if (unjudged > Math.max(FEW, (judged + unjudged) / 100)) {
            throw new AssertionError(unjudged + " of " + (judged + unjudged)
                    + " checks of the contract could not be judged; more than one in a hundred says nothing");
        }
    }
}
