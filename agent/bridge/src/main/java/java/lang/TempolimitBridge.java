package java.lang;

import java.lang.invoke.MethodHandles;

/**
 * What woven code links to. The agent defines this one class into {@code java.lang} of the running JVM: every class
 * loader delegates {@code java.*} (OSGi and application servers too), every module reads it, and nothing has to be
 * appended to the boot class path (which would print a warning and switch application class-data archives off).
 *
 * <p>MUST NOT be loaded by anything but the boot loader, and must need nothing but {@code java.base}. All methods are
 * safe to be called from any thread, and answer "as if there were no agent" until one is installed.
 */
public abstract class TempolimitBridge {
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

    protected abstract Object onEnter(int hook, MethodHandles.Lookup lookup, Object self, Object[] args) throws Throwable;

    protected abstract Object onExit(Object call, Object result);

    protected abstract Object onFail(Object call, Throwable failure) throws Throwable;
}
