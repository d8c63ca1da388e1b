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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads what the agent is made of from where no other loader looks: entries of its jar below {@code META-INF/tempolimit}.
 * Sees the JVM's classes and these, none of the application's; and nobody sees it.
 *
 * <p>The classes of a package are one entry, {@code classes.bin}, as the jar's build puts them together. A JVM pays for each entry of a
 * jar when it opens it, and again for each that is read. An entry for each class makes the jar larger, too.
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
    /** By folder. What the collector takes away is read again. */
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
            String path = name.replace('.', '/');
            Classes classes = classesBeside(path);
            int[] at = classes.at(path);
            if (at != null) {
                return defineClass(name, classes.entry, at[0], at[1], domain);
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
                String path = name.substring(0, name.length() - CLASS.length());
                Classes classes = classesBeside(path);
                int[] at = classes.at(path);
                return at == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(classes.entry, at[0], at[1]);
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

    private Classes classesBeside(String path) throws IOException {
        String folder = path.substring(0, path.lastIndexOf('/') + 1);
        SoftReference<Classes> known = packages.get(folder);
        Classes classes = known == null ? null : known.get();
        if (classes == null) {
            classes = new Classes(read(folder + "classes.bin"));
            packages.put(folder, new SoftReference<>(classes));
        }
        return classes;
    }

    /** The classes of a package. Immutable. */
    private static final class Classes {
        final byte[] entry;
        private final Map<String, int[]> places;

        /** @param entry null if there are none */
        Classes(byte[] entry) {
            this.entry = entry;
            int count = entry == null ? 0 : two(0);
            places = new HashMap<>(count * 2);
            int at = 2;
            for (int i = 0; i < count; i++) {
                at += 2 + two(at) + 4;
            }
            for (int i = 0, from = at, name = 2; i < count; i++) {
                int end = name + 2 + two(name);
                int length = two(end) << 16 | two(end + 2);
                places.put(ascii(name + 2, end), new int[] {from, length});
                from += length;
                name = end + 4;
            }
        }

        /** Where a class is in the entry, and its length; null if it is not there. */
        int[] at(String path) {
            return places.get(path.substring(path.lastIndexOf('/') + 1));
        }

        @SuppressWarnings("deprecation") // right for ASCII, and fast before there is compiled code
        private String ascii(int from, int to) {
            return new String(entry, 0, from, to - from);
        }

        private int two(int at) {
            return (entry[at] & 255) << 8 | entry[at + 1] & 255;
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
