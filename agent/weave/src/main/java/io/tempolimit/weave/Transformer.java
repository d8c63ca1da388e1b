package io.tempolimit.weave;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Weaves the classes that the clients name, as they load, and those of their copies. Its first act is to compare the
 * class's name, so all others cost a look at its last letters, and no bytecode library loads before the first client class shows up.
 * Thread-safe.
 */
public final class Transformer implements ClassFileTransformer {
    private static final int ENDINGS = 1 << 12;

    /** By class name: an Integer (which client), a String (the name of a client that is known, and not woven), or a Runnable. */
    private final Map<String, Object> names = new HashMap<>();
    /** Simple names of the classes of which there may be copies. */
    private final Set<String> copied = new HashSet<>();
    /** A bit for each {@link #ending} of a name that is in one of these. */
    private final long[] endings = new long[ENDINGS / 64];
    private final Set<String> said = Collections.synchronizedSet(new HashSet<>());
    private final Hooks hooks;
    private final Reporter reporter;
    private final ClassLoader agent = Transformer.class.getClassLoader();

    private Transformer(Hooks hooks, Map<String, String> unwoven, Map<String, Runnable> noticed, Reporter reporter) {
        this.hooks = hooks;
        this.reporter = reporter;
        names.putAll(unwoven);
        names.putAll(noticed);
        for (int i = 0; i < hooks.clients.length; i++) {
            for (Site site : hooks.clients[i].sites) {
                names.put(site.className, i);
                if (hooks.clients[i].root != null) {
                    copied.add(simpleName(site.className));
                }
            }
        }
        for (String name : names.keySet()) {
            int ending = ending(name);
            endings[ending >> 6] |= 1L << ending;
        }
    }

    /**
     * Connects the bridge and starts to weave, classes that are loaded already included.
     *
     * @param clients what to weave
     * @param unwoven classes (with slashes) by which known clients that are not woven give themselves away, and their names
     * @param noticed classes (with slashes) whose loading is worth an action, which must be quick and load nothing
     * @return what weaves from now on
     */
    public static Transformer install(Instrumentation instrumentation, Client[] clients, Map<String, String> unwoven,
            Map<String, Runnable> noticed, Gate gate, Reporter reporter) {
        Hooks hooks = new Hooks(clients, gate, reporter);
        new Gateway(hooks, reporter);
        Transformer transformer = new Transformer(hooks, unwoven, noticed, reporter);
        instrumentation.addTransformer(transformer, true);
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            Object what = transformer.find(loaded);
            if (what instanceof Runnable) {
                ((Runnable) what).run();
            } else if (what instanceof String) {
                transformer.sayUnwoven((String) what);
            } else if (what != null) {
                try {
                    instrumentation.retransformClasses(loaded); // one by one: a bad one must not spoil the others
                } catch (UnmodifiableClassException | LinkageError e) {
                    reporter.notPaced(loaded.getName(), e.toString());
                }
            }
        }
        return transformer;
    }

    /**
     * Makes the hooks of the classes that are loaded, which would else be made for the first request: so the reporter
     * hears now which clients there are, and whether their hooks fit.
     */
    public void prepare(Instrumentation instrumentation) {
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (loaded.getClassLoader() != agent && find(loaded) instanceof Integer) {
                hooks.prepare(loaded);
            }
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] original) {
        Object what = name == null || loader == agent || !mayMatter(name) ? null : find(name);
        if (what == null) {
            return null;
        }
        // Whose use of the class loads it is on the stack, and may not do what the agent does.
        return System.getSecurityManager() == null ? transform(what, loader, name, original)
                : AccessController.doPrivileged((PrivilegedAction<byte[]>) () -> transform(what, loader, name, original));
    }

    private byte[] transform(Object what, ClassLoader loader, String name, byte[] original) {
        try {
            if (what instanceof Runnable) {
                ((Runnable) what).run();
                return null;
            }
            if (what instanceof String) {
                sayUnwoven((String) what);
                return null;
            }
            return weave((Integer) what, loader, name, original);
        } catch (Throwable t) {
            String label = what instanceof Integer ? label((Integer) what, name) : what.toString();
            String why = "cannot weave " + name.replace('/', '.') + ": " + t;
            if (what instanceof Integer && said.add(label + name)) {
                hooks.tellNotWoven(hooks.clients[(Integer) what], label, why);
            } else if (!(what instanceof Integer) && said.add(label + name)) {
                reporter.notPaced(label, why);
            }
            return null;
        }
    }

    /**
     * Whether a class of this name may be one of those. A JVM that starts loads hundreds of others, before there is compiled code: so it
     * allocates nothing and loops over nothing.
     */
    private boolean mayMatter(String name) {
        int ending = ending(name);
        return (endings[ending >> 6] & 1L << ending) != 0;
    }

    /** A number for the last three letters of a name, which are those of a copy's name, too, and the same with dots. */
    private static int ending(String name) {
        int n = name.length();
        return n < 3 ? 0 : (name.charAt(n - 1) * 7 + name.charAt(n - 2) * 67 + name.charAt(n - 3) * 577) & ENDINGS - 1;
    }

    private Object find(Class<?> loaded) {
        String name = loaded.getName();
        return mayMatter(name) ? find(name.replace('.', '/')) : null;
    }

    /** What is to be done about a class; null if nothing. */
    private Object find(String name) {
        Object what = names.get(name);
        return what == null && copied.contains(simpleName(name)) ? clientOf(name) : what;
    }

    private Integer clientOf(String name) {
        for (int i = 0; i < hooks.clients.length; i++) {
            if (rootOf(i, name) != null) {
                return i;
            }
        }
        return null;
    }

    private String rootOf(int index, String name) {
        for (Site site : hooks.clients[index].sites) {
            String root = hooks.clients[index].rootOf(name, site.className);
            if (root != null) {
                return root;
            }
        }
        return null;
    }

    private String label(int index, String name) {
        return hooks.clients[index].label(rootOf(index, name));
    }

    private static String simpleName(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private void sayUnwoven(String client) {
        if (said.add(client)) {
            reporter.notPaced(client, "Tempolimit has no hooks for it");
        }
    }

    private byte[] weave(int index, ClassLoader loader, String name, byte[] original) {
        Client client = hooks.clients[index];
        String label = label(index, name);
        if (hooks.leftAlone(label, loader)) {
            return null;
        }
        if (!seesBridge(loader)) {
            return leaveAlone(client, label, loader,
                    "its class loader, " + loader.getClass().getName() + ", hides java.lang.TempolimitBridge");
        }
        List<Weaver.Numbered> sites = new ArrayList<>();
        for (int i = 0; i < client.sites.length; i++) {
            if (client.rootOf(name, client.sites[i].className) != null) {
                sites.add(new Weaver.Numbered(client.sites[i], hooks.firstNumber(index) + i));
            }
        }
        byte[] woven = new Weaver(original, sites).weave();
        boolean any = false;
        for (Weaver.Numbered n : sites) {
            any |= n.found;
            if (!n.found && !n.site.optional) {
                return leaveAlone(client, label, loader, "this version has no " + n.site);
            }
        }
        return any ? woven : null;
    }

    private byte[] leaveAlone(Client client, String label, ClassLoader loader, String why) {
        hooks.leaveAlone(label, loader);
        if (said.add(label)) {
            hooks.tellNotWoven(client, label, why);
        }
        return null;
    }

    /** Woven code calls the bridge by the class's own loader. Some let through only the names that they know. */
    private static boolean seesBridge(ClassLoader loader) {
        try {
            return loader == null || Class.forName("java.lang.TempolimitBridge", false, loader) != null;
        } catch (Exception | LinkageError e) { // whatever a loader of the application throws
            return false;
        }
    }
}
