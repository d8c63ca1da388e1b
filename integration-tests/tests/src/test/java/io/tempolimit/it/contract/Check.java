package io.tempolimit.it.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A test of the contract: cells run side by side, the checks of one in turn. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(value = Check.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@interface Check {
    /** Then it is given up. */
    int SECONDS = 180;
    Duration LIMIT = Duration.ofSeconds(SECONDS);
}
