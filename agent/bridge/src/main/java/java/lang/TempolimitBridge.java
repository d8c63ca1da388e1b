package java.lang;

import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;

/**
 * What woven code links to. The agent defines this one class into {@code java.lang} of the running JVM: every class
 * loader delegates {@code java.*} (OSGi and application servers too), every module reads it, and nothing has to be
 * appended to the boot class path (which would print a warning and switch application class-data archives off).
 *
 * <p>MUST NOT be loaded by anything but the boot loader, and must need nothing but {@code java.base}. All methods are
 * safe to be called from any thread, and answer "as if there were no agent" until one is installed.
 */
public abstract class TempolimitBridge {
    /** {@code GET / HTTP/1.1} and the end of the line. */
    private static final int SHORTEST = 16;
    /** No method is longer: with a space and one byte more, it is in what is {@link #SHORTEST}. */
    private static final int LONGEST = 14;

    private static volatile TempolimitBridge agent;

    /** One agent a JVM: the first one to be constructed is it, a later one fails. */
    protected TempolimitBridge() {
        synchronized (TempolimitBridge.class) {
            if (agent != null) {
                throw new IllegalStateException("a Tempolimit agent runs already");
            }
            agent = this;
        }
    }

    /**
     * Called first thing in a woven method.
     *
     * @param hook   number of the hook
     * @param lookup the woven class's own, full-power lookup
     * @param self   {@code this} of the woven method
     * @param args   its arguments, then the fields that the hook asked for
     * @return null to go on. For a gate: what to return in place of running the method. For a method that is watched
     *     to its end: what to hand to {@link #exit} or {@link #fail}
     * @throws Throwable a rejection, as the client's own kind of I/O error
     */
    public static Object enter(int hook, MethodHandles.Lookup lookup, Object self, Object[] args) throws Throwable {
        TempolimitBridge a = agent;
        return a == null ? null : a.onEnter(hook, lookup, self, args);
    }

    /** Called with what {@link #enter} gave and with what a woven method is about to return; gives what it shall return. */
    public static Object exit(Object call, Object result) {
        return call == null ? result : agent.onExit(call, result);
    }

    /**
     * Called with what {@link #enter} gave and with what a woven method is about to throw; gives what it shall return
     * instead, or throws.
     */
    public static Object fail(Object call, Throwable failure) throws Throwable {
        if (call == null) {
            throw failure;
        }
        return agent.onFail(call, failure);
    }

    /** As {@link #exit(Object, Object)}, for a number: most writes have no call, and box nothing. */
    public static int exit(int result, Object call) {
        return call == null ? result : (Integer) agent.onExit(call, result);
    }

    /** As {@link #exit(Object, Object)}, for a number. */
    public static long exit(long result, Object call) {
        return call == null ? result : (Long) agent.onExit(call, result);
    }

    /**
     * Whether bytes on their way to the network may begin a request: a word in capitals, and then a path or a URL. All that is written
     * comes by here. So this looks at the first byte, then at the first word, and allocates nothing.
     */
    public static boolean begins(byte[] bytes, int from, int length) {
        if (length < SHORTEST || bytes == null || from < 0 || length > bytes.length - from || bytes[from] < 'A' || bytes[from] > 'Z') {
            return false;
        }
        int i = from + 1;
        while (i - from < LONGEST && capital(bytes[i])) {
            i++;
        }
        return i - from > 2 && bytes[i] == ' ' && target(bytes[i + 1]);
    }

    /** The same of what a buffer has. */
    public static boolean begins(ByteBuffer bytes) {
        if (bytes == null || bytes.remaining() < SHORTEST) {
            return false;
        }
        try {
            int from = bytes.position();
            byte first = bytes.get(from);
            if (first < 'A' || first > 'Z') {
                return false;
            }
            int i = from + 1;
            while (i - from < LONGEST && capital(bytes.get(i))) {
                i++;
            }
            return i - from > 2 && bytes.get(i) == ' ' && target(bytes.get(i + 1));
        } catch (RuntimeException e) { // another thread has moved it, which is the application's own error
            return false;
        }
    }

    /** The same of the first buffer that has something. */
    public static boolean begins(ByteBuffer[] buffers, int from, int count) {
        if (buffers == null || from < 0 || count > buffers.length - from) {
            return false;
        }
        for (int i = from; i < from + count; i++) {
            if (buffers[i] != null && buffers[i].hasRemaining()) {
                return begins(buffers[i]);
            }
        }
        return false;
    }

    private static boolean capital(byte b) {
        return b >= 'A' && b <= 'Z' || b == '-';
    }

    private static boolean target(byte b) {
        return b == '/' || b == 'h' || b == 'H' || b == '*';
    }

    protected abstract Object onEnter(int hook, MethodHandles.Lookup lookup, Object self, Object[] args) throws Throwable;

    protected abstract Object onExit(Object call, Object result);

    protected abstract Object onFail(Object call, Throwable failure) throws Throwable;
}
