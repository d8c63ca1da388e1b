package io.tempolimit.weave;

import java.lang.reflect.Method;
import java.net.URL;
import java.security.CodeSource;

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
            return new HookLoader(agent, anchor.getClassLoader(), clientOf(anchor.getName()).hooks);
        }
    };

    Hooks(Client[] clients, Gate gate, Reporter reporter) {
        this.clients = clients;
        this.gate = gate;
        this.reporter = reporter;
        this.agent = Hooks.class.getClassLoader();
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

    private Site site(int number) {
        int c = clients.length - 1;
        while (firstNumber[c] > number) {
            c--;
        }
        return clients[c].sites[number - firstNumber[c]];
    }

    private Client clientOf(String anchor) {
        for (Client client : clients) {
            if (client.anchor.equals(anchor)) {
                return client;
            }
        }
        throw new IllegalStateException(anchor);
    }

    private Hook[] hooksOf(Class<?> woven) {
        String name = woven.getName().replace('.', '/');
        for (int c = 0; c < clients.length; c++) {
            Client client = clients[c];
            for (Site site : client.sites) {
                if (site.className.equals(name)) {
                    return hooksOf(woven, name, client, firstNumber[c]);
                }
            }
        }
        return new Hook[0];
    }

    private Hook[] hooksOf(Class<?> woven, String name, Client client, int first) {
        HookLoader loader = null;
        try {
            Class<?> anchor = Class.forName(client.anchor, false, woven.getClassLoader());
            loader = byAnchor.get(anchor);
            if (loader.unfit) {
                return new Hook[0];
            }
            boolean firstTime = loader.announced.compareAndSet(false, true);
            if (client.needs != null && !has(woven.getClassLoader(), client.needs)) {
                if (firstTime) {
                    reporter.notPaced(client.label, "version " + version(anchor) + " is older than the hooks");
                }
                return new Hook[0];
            }
            Hook[] hooks = new Hook[first + client.sites.length];
            for (int i = 0; i < client.sites.length; i++) {
                if (client.sites[i].className.equals(name)) {
                    Class<?> type = loader.loadClass(client.hooks + "." + client.sites[i].hook);
                    hooks[first + i] = (Hook) type.getDeclaredConstructor(Gate.class).newInstance(gate);
                }
            }
            if (firstTime) {
                reporter.woven(client.label, version(anchor));
            }
            return hooks;
        } catch (ReflectiveOperationException | LinkageError e) {
            if (loader != null) {
                loader.unfit = true;
            }
            reporter.notPaced(client.label, "its hooks do not fit this version: " + e);
            return new Hook[0];
        }
    }

    private static boolean has(ClassLoader loader, String[] classAndMethod) throws ClassNotFoundException {
        for (Method m : Class.forName(classAndMethod[0], false, loader).getMethods()) {
            if (m.getName().equals(classAndMethod[1])) {
                return true;
            }
        }
        return false;
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
