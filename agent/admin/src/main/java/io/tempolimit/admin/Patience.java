package io.tempolimit.admin;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cuts off whoever keeps a thread of ours waiting: who sends half a request, or does not read what it asked for. The
 * JDK's server knows such limits as settings of the whole JVM only, which are the application's. An interrupt closes
 * the channel that the thread waits for.
 *
 * <p>Thread-safe. A thread says when it begins and when it got on; another one calls {@link #check} every now and then.
 */
final class Patience {
    private final long step;
    private final long whole;
    private final Map<Thread, long[]> busy = new ConcurrentHashMap<>();

    /**
     * @param step  nanoseconds without getting on
     * @param whole nanoseconds from the beginning
     */
    Patience(long step, long whole) {
        this.step = step;
        this.whole = whole;
    }

    /** This thread may have to wait from now on. */
    void begin() {
        long now = System.nanoTime();
        busy.put(Thread.currentThread(), new long[] {now, now});
    }

    /** What this thread waited for has come. */
    void gotOn() {
        busy.computeIfPresent(Thread.currentThread(), (thread, since) -> new long[] {since[0], Math.max(System.nanoTime(), since[0] + 1)});
    }

    /** This thread waits for nobody any longer; no interrupt of ours comes after that. */
    void end() {
        busy.remove(Thread.currentThread());
        Thread.interrupted();
    }

    /** Interrupts who began longer than so many nanoseconds ago, and has not got on at all. */
    void checkBeginners(long most) {
        long now = System.nanoTime();
        for (Thread each : busy.keySet()) {
            busy.computeIfPresent(each, (thread, since) -> {
                if (since[0] == since[1] && now - since[0] > most) {
                    thread.interrupt();
                }
                return since;
            });
        }
    }

    /** Interrupts who has waited for too long. */
    void check() {
        long now = System.nanoTime();
        for (Thread each : busy.keySet()) {
            busy.computeIfPresent(each, (thread, since) -> { // within it, since end() must not come in between
                if (now - since[0] > whole || now - since[1] > step) {
                    thread.interrupt();
                }
                return since;
            });
        }
    }
}
