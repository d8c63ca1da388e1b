package io.tempolimit.start;

import io.tempolimit.core.store.Fleet;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.security.ProtectionDomain;

/**
 * Loads what talks to Redis, which most JVMs never need: {@code io.tempolimit.redis} and its libraries, from the
 * agent's entry {@code redis.jar}. Sees the rest of the agent, which does not see it. The entry is read into memory,
 * and again where the collector has taken that away: a JVM may have no folder that it could write files to, or only one
 * that others can write to as well.
 */
final class RedisLoader extends ClassLoader {
    private static final String ENTRY = "redis.jar";

    static {
        registerAsParallelCapable();
    }

    /** What a policy grants the agent's jar. Asked for once: to ask takes a right that a program on the stack may lack. */
    private final ProtectionDomain domain = RedisLoader.class.getProtectionDomain();
    private SoftReference<JarInMemory> jar;

    /** @throws IOException if it is not there, or not readable */
    RedisLoader() throws IOException {
        super(RedisLoader.class.getClassLoader());
        jar();
    }

    /** @throws ReflectiveOperationException if it is not what it should be */
    Fleet.Factory redis() throws ReflectiveOperationException {
        return (Fleet.Factory) loadClass("io.tempolimit.redis.Redis").getDeclaredConstructor().newInstance();
    }

    /** @throws ReflectiveOperationException if it is not what it should be */
    Fleet.Trial trial() throws ReflectiveOperationException {
        return (Fleet.Trial) loadClass("io.tempolimit.redis.RedisTrial").getDeclaredConstructor().newInstance();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("io.tempolimit.")) {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                byte[] b;
                try {
                    b = jar().read(name.replace('.', '/') + ".class");
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
                if (b != null) {
                    return defineClass(name, b, 0, b.length, domain);
                }
            }
        }
        if (name.startsWith("jdk.jfr.")) {
            throw new ClassNotFoundException(name); // netty would wake Flight Recorder only to know whether it is there
        }
        return super.loadClass(name, resolve);
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        try {
            byte[] b = jar().read(name);
            return b == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(b);
        } catch (IOException e) {
            return null;
        }
    }

    private synchronized JarInMemory jar() throws IOException {
        JarInMemory there = jar == null ? null : jar.get();
        if (there == null) {
            there = new JarInMemory(entry());
            jar = new SoftReference<>(there);
        }
        return there;
    }

    private byte[] entry() throws IOException {
        try (InputStream in = getParent().getResourceAsStream(ENTRY)) {
            if (in == null) {
                throw new IOException("no " + ENTRY + " in the agent's jar");
            }
            byte[] b = new byte[in.available()]; // it is in memory already
            for (int n = 0, r; n < b.length; n += r) {
                r = in.read(b, n, b.length - n);
                if (r < 0) {
                    throw new EOFException(ENTRY);
                }
            }
            return b;
        }
    }
}
