package io.tempolimit.weave;

import io.tempolimit.gate.WeakMap;
import java.lang.reflect.Method;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All sites of all clients by number, and the hooks of the classes that are woven. Thread-safe. */
final class Hooks {
    final Client[] clients;
    private final int[] firstNumber;
    private final Gate gate;
    private final Reporter reporter;
    private final ClassLoader agent;
    /** The value hangs on the class, and goes with it. */
    private final ClassValue<Hook[]> byClass = new ClassValue<Hook[]>() {
        @Override
        protected Hook[] computeValue(Class<?> woven) {
            return hooksOf(woven);
        }
    };
    /** One loader for all woven classes of a client, on the class that stands for it. */
    private final ClassValue<HookLoader> byAnchor = new ClassValue<HookLoader>() {
        @Override
        protected HookLoader computeValue(Class<?> anchor) {
            return loaderOf(anchor);
        }
    };

    /** The clients that lack a hook, by the loader in which they do. */
    private final WeakMap<ClassLoader, Set<String>> lacking = new WeakMap<>();

    Hooks(Client[] clients, Gate gate, Reporter reporter) {
        this.clients = clients;
        this.gate = gate;
        this.reporter = reporter;
        this.agent = Hooks.class.getClassLoader();
        gate.senders().reportTo(reporter);
        this.firstNumber = new int[clients.length];
        int n = 0;
        for (int i = 0; i < clients.length; i++) {
            firstNumber[i] = n;
            n += clients[i].sites.length;
        }
    }

    /** The number of a client's first site; the others follow. */
    int firstNumber(int client) {
        return firstNumber[client];
    }

    /**
     * The hook with this number for this class; null if it could not be made.
     *
     * @param caller of the lookup; {@code Object} if it is the public one ({@link Weaver}), and then of the JVM itself
     */
    Hook get(int number, Class<?> caller) throws ClassNotFoundException {
        Class<?> woven = caller == Object.class ? Class.forName(site(number).className.replace('/', '.'), false, null) : caller;
        Hook[] hooks = byClass.get(woven);
        return number < hooks.length ? hooks[number] : null;
    }

    /** Makes the hooks of a woven class before they are needed. */
    void prepare(Class<?> woven) {
        byClass.get(woven);
    }

    /** One of the client's classes in this loader lacks a hook: all of the client is left alone there. */
    synchronized void leaveAlone(String label, ClassLoader loader) {
        Set<String> labels = lacking.get(loader == null ? agent : loader);
        if (labels == null) {
            labels = ConcurrentHashMap.newKeySet();
            lacking.put(loader == null ? agent : loader, labels);
        }
        labels.add(label);
    }

    boolean leftAlone(String label, ClassLoader loader) {
        Set<String> labels = lacking.get(loader == null ? agent : loader);
        return labels != null && labels.contains(label);
    }

    /** A hook of this class needs what the client's version does not have. */
    void unfit(int number, Class<?> caller, Throwable why) {
        Client client = clients[clientOf(number)];
        String root = client.rootOf(caller.getName().replace('.', '/'), site(number).className);
        String label = client.label(root);
        gate.senders().notWoven(classes(client, root));
        leaveAlone(label, caller.getClassLoader());
        Arrays.fill(byClass.get(caller), null);
        tellNotWoven(client, label, "its hooks do not fit this version: " + why);
    }

    /** The client is not woven; what is no client would only have counted. */
    void tellNotWoven(Client client, String label, String why) {
        if (client.looksOn) {
            reporter.notCounted(label, why);
        } else {
            reporter.notPaced(label, why);
        }
    }

    private Site site(int number) {
        int c = clientOf(number);
        return clients[c].sites[number - firstNumber[c]];
    }

    private int clientOf(int number) {
        int c = clients.length - 1;
        while (firstNumber[c] > number) {
            c--;
        }
        return c;
    }

    private HookLoader loaderOf(Class<?> anchor) {
        String name = anchor.getName().replace('.', '/');
        for (Client client : clients) {
            String root = client.rootOf(name, client.anchor.replace('.', '/'));
            if (root != null) {
                ClassLoader loader = anchor.getClassLoader();
                Relocation relocation = client.movesHooks(root) ? Relocation.of(client, root, loader) : null;
                return new HookLoader(agent, loader, client.hooks, relocation, OtherAgents.have(anchor));
            }
        }
        throw new IllegalStateException(name);
    }

    private Hook[] hooksOf(Class<?> woven) {
        String name = woven.getName().replace('.', '/');
        for (int c = 0; c < clients.length; c++) {
            for (Site site : clients[c].sites) {
                String root = clients[c].rootOf(name, site.className);
                if (root != null) {
                    return hooksOf(woven, name, clients[c], root, firstNumber[c]);
                }
            }
        }
        return new Hook[0];
    }

    private Hook[] hooksOf(Class<?> woven, String name, Client client, String root, int first) {
        if (leftAlone(client.label(root), woven.getClassLoader())) {
            return new Hook[0];
        }
        HookLoader loader = null;
        try {
            Class<?> anchor = find(there(client.anchor, client, root), woven.getClassLoader());
            if (anchor == null) {
                return new Hook[0]; // a library of the client's, in a program that has it without the client
            }
            loader = byAnchor.get(anchor);
            boolean firstTime = loader.announced.compareAndSet(false, true);
            if (loader.foreign && firstTime) {
                reporter.spared(client.label(root));
            }
            if (loader.foreign || loader.unfit) {
                return new Hook[0];
            }
            String version = client.isCopy(root) ? Client.packageName(root) : version(anchor);
            if (client.needs != null && !has(woven.getClassLoader(), there(client.needs[0], client, root), client.needs[1])) {
                if (firstTime) {
                    reporter.notPaced(client.label(root), client.isCopy(root) ? "it is older than the hooks"
                            : "version " + version + " is older than the hooks");
                }
                return new Hook[0];
            }
            Hook[] hooks = new Hook[first + client.sites.length];
            for (int i = 0; i < client.sites.length; i++) {
                if (client.rootOf(name, client.sites[i].className) != null) {
                    Class<?> type = loader.loadClass(client.sites[i].hookIn(client.hooks));
                    hooks[first + i] = (Hook) type.getDeclaredConstructor(Gate.class).newInstance(gate);
                }
            }
            if (firstTime && client.looksOn) {
                reporter.looksOn();
            } else if (firstTime) {
                gate.senders().woven(classes(client, root));
                reporter.woven(client.label, version);
            }
            return hooks;
        } catch (ReflectiveOperationException | LinkageError e) {
            if (loader != null) {
                loader.unfit = true;
            }
            gate.senders().notWoven(classes(client, root));
            tellNotWoven(client, client.label(root), "its hooks do not fit this version: " + e);
            return new Hook[0];
        }
    }

    /** Names of its woven classes, with dots, and of the one that stands for it. */
    private static List<String> classes(Client client, String root) {
        List<String> names = new ArrayList<>();
        names.add(there(client.anchor, client, root));
        for (Site site : client.sites) {
            names.add(there(site.className.replace('/', '.'), client, root));
        }
        return names;
    }

    /** Name of the client's class, with dots, where its root is this one. */
    static String there(String className, Client client, String root) {
        return client.root == null ? className : root.replace('/', '.') + className.substring(client.root.length());
    }

    private static boolean has(ClassLoader loader, String className, String method) {
        Class<?> type = find(className, loader);
        if (type != null) {
            for (Method m : type.getMethods()) {
                if (m.getName().equals(method)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Null if it is not there. */
    private static Class<?> find(String className, ClassLoader loader) {
        try {
            return Class.forName(className, false, loader);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** By the manifest, else by the name of the jar; reads nothing. */
    private static String version(Class<?> type) {
        if (type.getClassLoader() == null || type.getName().startsWith("java.")) {
            return System.getProperty("java.version");
        }
        Package p = type.getPackage();
        String version = p == null ? null : p.getImplementationVersion();
        if (version != null) {
            return version;
        }
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        String path = location == null ? "" : location.toString();
        int jar = path.lastIndexOf(".jar");
        String file = path.substring(path.lastIndexOf('/', jar) + 1, Math.max(jar, 0));
        for (int i = 1; i < file.length(); i++) {
            if (file.charAt(i - 1) == '-' && Character.isDigit(file.charAt(i))) {
                return file.substring(i);
            }
        }
        return "unknown";
    }
}
