package io.tempolimit.core.runtime;

/**
 * Lets threads of ours wait until the program is past the first lines of its {@code main}. There programs set system properties of
 * the JDK, such as {@code user.timezone}. The JDK reads many of them only once, when it first needs them; what our threads do must
 * not be that first need. One for the JVM, thread-safe, never throws.
 */
public final class ProgramStart {
    private static final Object LOCK = new Object();
    private static final long LOOK_MILLIS = 50;
    /** For so many looks at a running {@code main} these are its first lines. Not a time: on a busy machine both get on slowly. */
    private static final int FIRST_LINES = 20;
    /** So many looks are enough in any case: in a JVM without a launcher no {@code main} may ever be seen. */
    private static final int ENOUGH = 200;
    /** Runs {@code main} after all agents; null if nobody has to wait. Guarded by the lock. */
    private static Thread main;

    private ProgramStart() {
    }

    /** To be called in {@code premain}: this thread will run {@code main}. Without it nobody waits. */
    public static void isToCome() {
        synchronized (LOCK) {
            main = Thread.currentThread();
        }
    }

    /** Waits for {@code main}, and about a second longer. */
    public static void await() {
        synchronized (LOCK) {
            int running = 0;
            for (int looks = 0; main != null && looks < ENOUGH && running < FIRST_LINES; looks++) {
                if (runs(main)) {
                    running++;
                }
                try {
                    LOCK.wait(LOOK_MILLIS);
                } catch (InterruptedException e) {
                    // by an application that interrupts all threads it finds
                }
            }
            isOver();
        }
    }

    /** Nobody waits any longer, whatever {@code main} does: the JVM ends. */
    public static void isOver() {
        synchronized (LOCK) {
            main = null;
            LOCK.notifyAll();
        }
    }

    /** At the bottom of the thread's stack are the JVM's launcher and agents until then. */
    private static boolean runs(Thread thread) {
        try {
            StackTraceElement[] stack = thread.getStackTrace();
            return stack.length == 0 ? !thread.isAlive() : !stack[stack.length - 1].getClassName().startsWith("sun.");
        } catch (Throwable t) { // no right to see it, no memory
            return true;
        }
    }
}
