package io.tempolimit.weave;

import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.Channel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Who writes a request, by the classes on the stack. Thread-safe. */
public final class Senders {
    private static final String[] JVM = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
    /** What clients write with, also in copies under another name: whoever reads this wants to know the client. */
    private static final String[] LIBRARIES = {"io.netty.", "okio."};
    /** So many frames above those are a client's own: what called it further up does not send by itself. */
    private static final int DEEP = 16;

    /** Ends of the names of classes by which a thread gives itself away that serves many connections, and must not wait for one. */
    private static final String[] LOOPS = {"EventLoop", "SingleThreadEventExecutor", "IOReactor", "ManagedSelector", "SelectorRunner",
        "org.xnio.nio.WorkerThread"};
    /** What Reactor's threads say of themselves. */
    private static final String NON_BLOCKING = "reactor.core.scheduler.NonBlocking";
    /** So many are told; a program may make up names for its classes. */
    private static final int TOLD = 100;

    /** Who writes a request, without being known. Immutable. */
    public static final class Sender {
        private final String name;
        private final boolean mayBlock;

        Sender(String name, boolean mayBlock) {
            this.name = name;
            this.mayBlock = mayBlock;
        }

        /** A class, or a thread. */
        public String name() {
            return name;
        }

        /** Whether its thread may wait: it is no event loop's. */
        public boolean mayBlock() {
            return mayBlock;
        }
    }

    /** Of the clients that are woven, with what is below them; a name ends with a dot. */
    private final Set<String> packages = ConcurrentHashMap.newKeySet();
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private volatile Reporter reporter;

    void reportTo(Reporter r) {
        reporter = r;
    }

    /** A request of this one is paced; told once. */
    public void paced(Sender sender) {
        Reporter r = reporter;
        if (r != null && !told.contains(sender.name) && told.size() < TOLD && told.add(sender.name)) {
            r.woven(sender.name, null);
        }
    }

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
     * write with. If a woven client is further up, and the class is not of its project, the client has called it: an interceptor, say, that
     * fetches a token by itself.
     *
     * @return null if it is a woven client, whose retries and rounds on the same connection need not be announced, or another agent
     */
    public Sender unknown() {
        Class<?> caller = null;
        int above = 0;
        Class<?>[] frames = new Frames().classes();
        for (Class<?> c : frames) {
            String name = c.getName();
            if (isWoven(name)) {
                if (caller == null || sameProject(caller.getName(), name)) {
                    return null;
                }
                break;
            }
            if (caller != null) {
                if (++above == DEEP) {
                    break;
                }
            } else if (!begins(name, JVM) && !isOfLibrary(name) && !ours(c.getClassLoader()) && !isWrittenTo(c)) {
                caller = c;
            }
        }
        if (caller == null) {
            return new Sender("thread " + Thread.currentThread().getName(), mayBlock(frames));
        }
        return OtherAgents.have(caller) ? null : new Sender(named(caller.getName()), mayBlock(frames));
    }

    /** Name of {@link #unknown()}, for who may not need it; null if it is none. */
    public Supplier<String> naming() {
        return new Supplier<String>() { // not a lambda: the first of a JVM costs up to 100 ms
            @Override
            public String get() {
                Sender sender = unknown();
                return sender == null ? null : sender.name();
            }
        };
    }

    /** Whether this is a class of a client that is woven, or one beside it. */
    public boolean isOfWovenProject(String className) {
        for (String each : packages) {
            if (className.startsWith(each) || sameProject(className, each)) {
                return true;
            }
        }
        return false;
    }

    private boolean isWoven(String className) {
        for (String each : packages) {
            if (className.startsWith(each)) {
                return true;
            }
        }
        return false;
    }

    /** Whether it may be the program's own stream or socket, which it has given to a client. */
    private static boolean isWrittenTo(Class<?> type) {
        return OutputStream.class.isAssignableFrom(type) || Socket.class.isAssignableFrom(type) || Channel.class.isAssignableFrom(type);
    }

    /** Whether their names begin alike: {@code org.apache.http}, {@code io.ktor}. A client may write beside its own package. */
    private static boolean sameProject(String a, String b) {
        int end = b.indexOf('.', b.indexOf('.') + 1);
        if (end > 0 && (b.startsWith("org.") || b.startsWith("com."))) {
            end = b.indexOf('.', end + 1);
        }
        return end > 0 && a.regionMatches(0, b, 0, end + 1);
    }

    private static boolean mayBlock(Class<?>[] frames) {
        for (Class<?> type = Thread.currentThread().getClass(); type != null; type = type.getSuperclass()) {
            for (Class<?> is : type.getInterfaces()) {
                if (is.getName().endsWith(NON_BLOCKING)) {
                    return false;
                }
            }
        }
        for (Class<?> frame : frames) {
            for (String loop : LOOPS) {
                if (frame.getName().endsWith(loop)) {
                    return false;
                }
            }
        }
        return true;
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

    private static boolean isOfLibrary(String name) {
        for (String library : LIBRARIES) {
            int at = name.indexOf(library);
            if (at == 0 || at > 0 && name.charAt(at - 1) == '.') {
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
