package io.tempolimit.weave;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.AccessController;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Defines a client's hooks beside the client: they see its types, the agent's, and the JVM's. Refers to the client's
 * loader, and is referred to by its classes only, so both go together.
 */
final class HookLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    /** What a policy grants the agent. Asked for once: to ask takes a right that a program on the stack may lack. */
    private final ProtectionDomain domain = HookLoader.class.getProtectionDomain();
    private final ClassLoader agent;
    private final ClassLoader client;
    private final String hooks;
    private final Relocation relocation;
    /** Whether the client is part of another agent, whose traffic is not the application's. */
    final boolean foreign;
    /** Whether somebody was told of this client. */
    final AtomicBoolean announced = new AtomicBoolean();
    /** Whether a hook turned out not to fit: the client's other hooks could do nothing without it but fail. */
    volatile boolean unfit;

    /**
     * @param client     the loader of the woven classes; null for the boot loader
     * @param relocation how the client's names were changed; null if they were not
     */
    HookLoader(ClassLoader agent, ClassLoader client, String hooks, Relocation relocation, boolean foreign) {
        super(agent);
        this.agent = agent;
        this.client = client;
        this.hooks = hooks + ".";
        this.relocation = relocation;
        this.foreign = foreign;
    }

    /** With the agent's rights alone: a program on the stack, to which a class of ours is new, may not do what this does. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (System.getSecurityManager() == null) {
            return find(name);
        }
        try {
            return AccessController.doPrivileged((PrivilegedExceptionAction<Class<?>>) () -> find(name));
        } catch (PrivilegedActionException e) {
            throw (ClassNotFoundException) e.getException();
        }
    }

    private Class<?> find(String name) throws ClassNotFoundException {
        if (name.startsWith(hooks)) {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }
        if (name.startsWith("io.tempolimit.") || name.startsWith("java.lang.Tempolimit")) {
            return agent.loadClass(name);
        }
        return Class.forName(name, false, client);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = agent.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
            byte[] buffer = new byte[4096];
            for (int n; (n = in.read(buffer)) > 0; ) {
                out.write(buffer, 0, n);
            }
            byte[] read = out.toByteArray();
            byte[] hook = relocation == null ? read : relocation.apply(read);
            return defineClass(name, hook, 0, hook.length, domain);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
