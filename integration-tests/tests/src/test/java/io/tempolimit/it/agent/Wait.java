package io.tempolimit.it.agent;

import io.tempolimit.it.harness.Fork;
import java.util.concurrent.Callable;

/** Waits for what a program does by itself. */
final class Wait {
    private Wait() {
    }

    /** Looks every few milliseconds; fails when that is in vain for long. */
    static void until(String what, Fork fork, Callable<Boolean> look) throws Exception {
        for (long end = System.nanoTime() + Jvm.LONG.toNanos(); !look.call(); Thread.sleep(20)) {
            if (System.nanoTime() - end > 0) {
                throw fork.trouble("is not as far as that " + what);
            }
        }
    }
}
