package io.tempolimit.watch;

/**
 * Does something again and again for as long as the JVM runs, on a daemon thread that keeps nothing of the application.
 * No error ends it, nor does an interrupt: an application may interrupt all threads that it finds.
 */
public abstract class Periodic extends Thread {
    private final long everyMillis;
    private final Watch watch;

    /** @param everyMillis how long to wait before the first time, and between two */
    protected Periodic(String name, long everyMillis, Watch watch) {
        this(null, name, everyMillis, watch);
    }

    /** @param group for it and the threads that it makes; null for the current one */
    protected Periodic(ThreadGroup group, String name, long everyMillis, Watch watch) {
        super(group, name);
        this.everyMillis = everyMillis;
        this.watch = watch;
        setDaemon(true);
        setContextClassLoader(null);
    }

    /**
     * Does it once.
     *
     * @return false if that was the last time
     */
    protected abstract boolean act() throws Exception;

    @Override
    public final void run() {
        boolean again = true;
        while (again) {
            try {
                sleep(everyMillis);
            } catch (InterruptedException e) {
                // then a little earlier
            }
            try {
                again = act();
            } catch (Throwable t) { // and not to the application, whose handler may end the JVM
                watch.trouble(t);
            }
        }
    }
}
