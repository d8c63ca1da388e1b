package io.tempolimit.admin;

import io.tempolimit.config.Settings;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.watch.Watch;
import java.lang.instrument.Instrumentation;

/** Opens {@code admin.port}. Links to nothing of the JDK's server, which may not be there. */
public final class Admin {
    private Admin() {
    }

    /**
     * Begins on a thread of its own, and returns at once. What goes wrong is one warning, and the program runs without
     * the page.
     *
     * @param settings with a port
     */
    public static void start(Settings settings, Limiter limiter, Watch watch, Instrumentation instrumentation) {
        new PortKeeper(settings, limiter, watch, instrumentation).start();
    }
}
