package io.tempolimit.it.contract;

import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Pace and faithfulness, with -Pquick: see {@link Cells}. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("cells")
@ExtendWith(Table.class)
@Execution(ExecutionMode.CONCURRENT)
record QuickContractIT(Cell cell) implements Pace, Fidelity {
    static List<Cell> cells() {
        return Cells.quick();
    }

    @AfterParameterizedClassInvocation
    static void end(Cell cell) {
        cell.close();
    }
}
