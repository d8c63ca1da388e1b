package io.tempolimit.start;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;

/**
 * Defines the bridge class into {@code java.lang} of this JVM: by opening that package to the agent alone (Java 9 and
 * later), by {@code Unsafe} before. To append a jar to the boot class path would work too, with a warning on every start
 * and application class-data archives switched off.
 */
final class Bridge {
    private static final String NAME = "java.lang.TempolimitBridge";

    private Bridge() {
    }

    /** False if it is there already: another copy of the agent runs. */
    static boolean define(Instrumentation instrumentation) throws ReflectiveOperationException, IOException {
        byte[] bytes = bytes();
        try {
            if (System.getProperty("java.specification.version").startsWith("1.")) {
                defineByUnsafe(bytes);
            } else {
                ModularBridge.define(instrumentation, bytes);
            }
            return true;
        } catch (InvocationTargetException | LinkageError e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            if (cause.getClass() == LinkageError.class) { // duplicate definition
                return false;
            }
            throw e;
        }
    }

    private static void defineByUnsafe(byte[] bytes) throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        type.getMethod("defineClass", String.class, byte[].class, int.class, int.class, ClassLoader.class,
                java.security.ProtectionDomain.class)
                .invoke(field.get(null), NAME, bytes, 0, bytes.length, null, null);
    }

    private static byte[] bytes() throws IOException {
        try (InputStream in = Bridge.class.getClassLoader().getResourceAsStream(NAME.replace('.', '/') + ".class")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
            byte[] buffer = new byte[4096];
            for (int n; (n = in.read(buffer)) > 0; ) {
                out.write(buffer, 0, n);
            }
            return out.toByteArray();
        }
    }
}
