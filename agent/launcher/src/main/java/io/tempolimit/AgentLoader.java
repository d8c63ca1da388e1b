package io.tempolimit;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.security.AccessController;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads what the agent is made of from where no other loader looks: entries of its jar below {@code META-INF/tempolimit}.
 * Sees the JVM's classes and these, none of the application's; and nobody sees it.
 *
 * <p>The classes of a package are one entry, as {@code Pack} of the jar's build puts them together. A JVM pays for each entry of a jar
 * when it opens it, and again for each that is read. An entry for each class makes the jar larger, too.
 */
final class AgentLoader extends ClassLoader {
    private static final String ROOT = "META-INF/tempolimit/";
    private static final String CLASS = ".class";

    static {
        registerAsParallelCapable();
    }

    /** What a policy grants the jar. Asked for once: to ask takes a right that a program on the stack may lack. */
    private final ProtectionDomain domain = AgentLoader.class.getProtectionDomain();
    /** Open for as long as the JVM runs: to open a jar in the middle of loading a class can deadlock. */
    private final ZipFile jar;
    /** By name, with dots. What the collector takes away is read again. */
    private final Map<String, SoftReference<Classes>> packages = new ConcurrentHashMap<>();
    private final String location;
    private final ClassLoader visible;

    /** @param visible loader of the classes that the application sees, too */
    AgentLoader(File jar, ClassLoader visible) throws IOException {
        super(ClassLoader.getSystemClassLoader().getParent());
        this.jar = new ZipFile(jar);
        this.location = "jar:" + jar.toURI() + "!/";
        this.visible = visible;
    }

    /** With the agent's rights alone: a program on the stack, to which a class of ours is new, may not do what this does. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (System.getSecurityManager() == null) {
            return load(name);
        }
        try {
            return AccessController.doPrivileged(new PrivilegedExceptionAction<Class<?>>() {
                @Override
                public Class<?> run() throws ClassNotFoundException {
                    return load(name);
                }
            });
        } catch (PrivilegedActionException e) {
            throw (ClassNotFoundException) e.getException();
        }
    }

    private Class<?> load(String name) throws ClassNotFoundException {
        if (!name.startsWith("io.tempolimit.")) {
            return super.loadClass(name, false);
        }
        if (name.equals("io.tempolimit.RequestRejectedException") || name.equals("io.tempolimit.AgentCode")) {
            return visible.loadClass(name);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
            Classes classes = packageOf(name);
            int at = classes.find(name);
            if (at >= 0) {
                return defineClass(name, classes.entry, classes.from(at), classes.length(at), domain);
            }
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
        throw new ClassNotFoundException(name);
    }

    /** The agent's own resources, classes included; then those of the JVM. */
    @Override
    public InputStream getResourceAsStream(String name) {
        try {
            if (name.endsWith(CLASS)) {
                String type = name.substring(0, name.length() - CLASS.length()).replace('/', '.');
                Classes classes = packageOf(type);
                int at = classes.find(type);
                return at < 0 ? super.getResourceAsStream(name)
                        : new ByteArrayInputStream(classes.entry, classes.from(at), classes.length(at));
            }
            byte[] b = read(name);
            return b == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(b);
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    protected URL findResource(String name) {
        try {
            return jar.getEntry(ROOT + name) == null ? null : new URL(location + ROOT + name);
        } catch (MalformedURLException e) {
            return null;
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL found = findResource(name);
        return found == null ? Collections.<URL>emptyEnumeration() : Collections.enumeration(Collections.singleton(found));
    }

    private Classes packageOf(String type) throws IOException {
        String name = type.substring(0, Math.max(type.lastIndexOf('.'), 0));
        SoftReference<Classes> known = packages.get(name);
        Classes found = known == null ? null : known.get();
        if (found == null) {
            found = new Classes(read(name + ".classes"));
            packages.put(name, new SoftReference<>(found));
        }
        return found;
    }

    /** The classes of a package. Immutable. */
    private static final class Classes {
        /** Of the index: a hash, a place and a length. */
        private static final int RECORD = 12;

        final byte[] entry;
        private final int count;

        /** @param entry null if there are none */
        Classes(byte[] entry) {
            this.entry = entry;
            count = entry == null ? 0 : four(0);
        }

        /** The number of a class; negative if it is not there. Nothing is made of the index, for a start needs few classes of a package. */
        int find(String type) {
            int hash = type.substring(type.lastIndexOf('.') + 1).hashCode();
            int low = 0;
            int high = count - 1;
            while (low <= high) {
                int middle = low + high >>> 1;
                int there = four(4 + middle * RECORD);
                if (there == hash) {
                    return middle;
                } else if (there < hash) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return -1;
        }

        int from(int number) {
            return four(4 + number * RECORD + 4);
        }

        int length(int number) {
            return four(4 + number * RECORD + 8);
        }

        private int four(int at) {
            byte[] b = entry;
            return b[at] << 24 | (b[at + 1] & 255) << 16 | (b[at + 2] & 255) << 8 | b[at + 3] & 255;
        }
    }

    private byte[] read(String name) throws IOException {
        ZipEntry entry = jar.getEntry(ROOT + name);
        if (entry == null) {
            return null;
        }
        byte[] b = new byte[(int) entry.getSize()];
        try (InputStream in = jar.getInputStream(entry)) {
            for (int n = 0, r; n < b.length && (r = in.read(b, n, b.length - n)) > 0; ) {
                n += r;
            }
        }
        return b;
    }
}
