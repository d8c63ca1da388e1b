package io.tempolimit.it.contract;

import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Pace, faithfulness and waits, where {@link Cells} says. */
@Order(3)
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("cells")
@ExtendWith(Table.class)
@Execution(ExecutionMode.CONCURRENT)
record WaitingContractIT(Cell cell) implements Pace, Fidelity, Waits {
    static List<Cell> cells() {
        return Cells.waiting();
    }

    @AfterParameterizedClassInvocation
    static void end(Cell cell) {
        cell.close();
    }
}
