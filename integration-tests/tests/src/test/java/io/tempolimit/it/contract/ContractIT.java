package io.tempolimit.it.contract;

import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole contract, where {@link Cells} says, or for the cells that the system property {@code cell} names. */
@Order(3)
@ParameterizedClass(name = "{0}")
@MethodSource("cells")
@ExtendWith(Table.class)
@Execution(ExecutionMode.CONCURRENT)
record ContractIT(Cell cell)
        implements Pace, Hops, Waits, Refusals, Answers, Bodies, Flights, EventStreams, Protocols, Fidelity, Lifetimes {
    static List<Cell> cells() {
        return Cells.full();
    }

    @AfterParameterizedClassInvocation
    static void end(Cell cell) {
        cell.close();
    }
}
