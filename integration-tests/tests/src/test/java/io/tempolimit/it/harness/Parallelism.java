package io.tempolimit.it.harness;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.support.hierarchical.ParallelExecutionConfiguration;
import org.junit.platform.engine.support.hierarchical.ParallelExecutionConfigurationStrategy;

/**
 * How many tests run side by side: as many as {@code junit-platform.properties} says, and fewer where the machine lacks
 * the memory for what they
 * start.
 */
public final class Parallelism implements ParallelExecutionConfigurationStrategy {
    /** A cell of the contract has two JVMs. */
    private static final long EACH = 200L << 20;
    /** For Maven, the tests and the system. */
    private static final long REST = 1L << 30;

    @Override
    public ParallelExecutionConfiguration createConfiguration(ConfigurationParameters parameters) {
        int most = parameters.get("fixed.parallelism", Integer::valueOf).orElseThrow();
        long memory = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
        int n = (int) Math.max(2, Math.min(most, (memory - REST) / EACH));
        if (n < most) {
            System.err.println("Only " + n + " tests run side by side, instead of " + most + ": the machine has " + (memory >> 20)
                    + " MB.");
        }
        return new Configuration(n);
    }

    private record Configuration(int n) implements ParallelExecutionConfiguration {
        @Override
        public int getParallelism() {
            return n;
        }

        @Override
        public int getMinimumRunnable() {
            return n;
        }

        @Override
        public int getMaxPoolSize() {
            return n;
        }

        @Override
        public int getCorePoolSize() {
            return n;
        }

        @Override
        public int getKeepAliveSeconds() {
            return 30;
        }
    }
}
