package io.tempolimit.core.runtime;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.security.AccessController;
import java.security.PrivilegedAction;

/** Makes threads of ours where the application happens to be, and keeps no part of it by them. */
public final class Threads {
    private Threads() {
    }

    /**
     * A daemon thread in the topmost group, with no context loader and nothing inherited from who makes it. To be started by the caller.
     *
     * @param body not a lambda where every program with the agent comes by: the first of a JVM costs up to 100 ms
     */
    public static Thread detached(String name, Runnable body) {
        ThreadGroup current = Thread.currentThread().getThreadGroup();
        while (current.getParent() != null) {
            current = current.getParent();
        }
        ThreadGroup group = current;
        // Up to Java 23 a thread keeps the protection domains, and so the class loaders, of all who are on the stack of its maker.
        Thread t = AccessController.doPrivileged(new PrivilegedAction<Thread>() {
            @Override
            public Thread run() {
                return withoutInheritance(group, name, body);
            }
        });
        t.setDaemon(true);
        t.setContextClassLoader(null);
        return t;
    }

    private static Thread withoutInheritance(ThreadGroup group, String name, Runnable body) {
        try { // Java 9 and later
            Constructor<Thread> c = Thread.class.getConstructor(ThreadGroup.class, Runnable.class, String.class, long.class, boolean.class);
            return c.newInstance(group, body, name, 0L, false);
        } catch (ReflectiveOperationException notThere) {
            Thread t = new Thread(group, body, name);
            try {
                Field inherited = Thread.class.getDeclaredField("inheritableThreadLocals");
                inherited.setAccessible(true);
                inherited.set(t, null);
            } catch (ReflectiveOperationException | RuntimeException e) {
                // another JVM than we know: it keeps what the application made inheritable
            }
            return t;
        }
    }
}
