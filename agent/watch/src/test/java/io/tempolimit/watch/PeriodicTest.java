package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PeriodicTest {
    private final Scene scene = new Scene();
    private final Watch watch = scene.start(scene.options()).watch;

    /** The application's own handler may end the JVM when it hears of an error. */
    @Test
    void neitherAnErrorNorAnInterruptEndsItAndNobodyElseHearsOfThem() throws Exception {
        AtomicInteger acts = new AtomicInteger();
        Periodic periodic = new Periodic("periodic", 1, watch) {
            @Override
            protected boolean act() {
                int n = acts.incrementAndGet();
                currentThread().interrupt();
                if (n == 2) {
                    throw new OutOfMemoryError("as if");
                }
                if (n == 3) {
                    throw new IllegalStateException("odd");
                }
                return n < 6;
            }
        };
        assertTrue(periodic.isDaemon());
        assertEquals(null, periodic.getContextClassLoader());
        AtomicReference<Throwable> heard = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> heard.set(error));
        try {
            periodic.start();
            periodic.join();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertEquals(6, acts.get());
        assertEquals(null, heard.get());
        assertEquals(2, scene.errLines().size(), scene.errText());
        assertFalse(scene.errLines().stream().anyMatch(l -> !l.contains("An error inside Tempolimit")), scene.errText());
    }
}
