package io.tempolimit;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.security.AccessController;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads what the agent is made of from where no other loader looks: entries of its jar below {@code META-INF/tempolimit},
 * classes with the ending {@code .bin}. Sees the JVM's classes and these, none of the application's; and nobody sees it.
 */
final class AgentLoader extends ClassLoader {
    private static final String ROOT = "META-INF/tempolimit/";

    static {
        registerAsParallelCapable();
    }

    /** What a policy grants the jar. Asked for once: to ask takes a right that a program on the stack may lack. */
    private final ProtectionDomain domain = AgentLoader.class.getProtectionDomain();
    /** Open for as long as the JVM runs: to open a jar in the middle of loading a class can deadlock. */
    private final ZipFile jar;
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
            byte[] b = read(name.replace('.', '/') + ".class");
            if (b != null) {
                return defineClass(name, b, 0, b.length, domain);
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
            byte[] b = read(name);
            return b == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(b);
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    protected URL findResource(String name) {
        try {
            return jar.getEntry(hidden(name)) == null ? null : new URL(location + hidden(name));
        } catch (MalformedURLException e) {
            return null;
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL found = findResource(name);
        return found == null ? Collections.<URL>emptyEnumeration() : Collections.enumeration(Collections.singleton(found));
    }

    private static String hidden(String name) {
        return ROOT + (name.endsWith(".class") ? name.substring(0, name.length() - 5) + "bin" : name);
    }

    private byte[] read(String name) throws IOException {
        ZipEntry entry = jar.getEntry(hidden(name));
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
