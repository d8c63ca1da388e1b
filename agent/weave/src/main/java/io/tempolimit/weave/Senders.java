package io.tempolimit.weave;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Who writes a request, by the classes on the stack. Thread-safe. */
public final class Senders {
    private static final String[] JVM = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
    /** What clients write with: whoever reads this wants to know the client. */
    private static final String[] LIBRARIES = {"io.netty.", "okio."};
    /** So many frames above those are a client's own: what called it further up does not send by itself. */
    private static final int DEEP = 16;

    /** Of the clients that are woven; a name ends with a dot. */
    private final Set<String> packages = ConcurrentHashMap.newKeySet();

    /** These classes are of a client that is woven. */
    void woven(List<String> classNames) {
        for (String name : classNames) {
            packages.add(packageOf(name));
        }
    }

    /** These classes are of a client that is left alone after all. */
    void notWoven(List<String> classNames) {
        for (String name : classNames) {
            packages.remove(packageOf(name));
        }
    }

    /**
     * Who writes on this thread, where nobody has announced a request: the first class that is neither the JVM's nor of a library to
     * write with.
     *
     * @return null if it is a woven client, whose retries and rounds on the same connection need not be announced, or another agent
     */
    public String unknown() {
        Class<?> caller = null;
        int above = 0;
        for (Class<?> c : new Frames().classes()) {
            String name = c.getName();
            if (packages.contains(packageOf(name))) {
                return null;
            }
            if (caller != null) {
                if (++above == DEEP) {
                    break;
                }
            } else if (!begins(name, JVM) && !begins(name, LIBRARIES) && !ours(c.getClassLoader())) {
                caller = c;
            }
        }
        if (caller == null) {
            return "thread " + Thread.currentThread().getName();
        }
        return OtherAgents.have(caller) ? null : named(caller.getName());
    }

    private static String named(String className) {
        int lambda = className.indexOf("$$");
        return lambda > 0 ? className.substring(0, lambda) : className;
    }

    private static String packageOf(String className) {
        return className.substring(0, className.lastIndexOf('.') + 1);
    }

    private static boolean begins(String name, String[] prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean ours(ClassLoader loader) {
        return loader == Senders.class.getClassLoader() || loader instanceof HookLoader;
    }

    /** Java 8 has no other way to get the classes themselves; it is never set as anything. */
    private static final class Frames extends SecurityManager {
        Class<?>[] classes() {
            return getClassContext();
        }
    }
}
