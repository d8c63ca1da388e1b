package io.tempolimit.clients.huc.hooks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Reads the JVM's own {@code sun.net.www.MessageHeader}: lines of a key and a value, of which the first is the request or status line. */
final class MessageHeaders {
    private static volatile MessageHeaders instance;

    private final MethodHandle key;
    private final MethodHandle value;

    private MessageHeaders(MethodHandles.Lookup lookup, Class<?> header) throws ReflectiveOperationException {
        MethodType type = MethodType.methodType(String.class, int.class);
        MethodType generic = MethodType.methodType(String.class, Object.class, int.class);
        key = lookup.findVirtual(header, "getKey", type).asType(generic);
        value = lookup.findVirtual(header, "getValue", type).asType(generic);
    }

    /** By the lookup of a class that sees the type of {@code header}. */
    static MessageHeaders by(MethodHandles.Lookup lookup, Object header) throws ReflectiveOperationException {
        MessageHeaders known = instance;
        if (known == null) {
            known = new MessageHeaders(lookup, header.getClass());
            instance = known;
        }
        return known;
    }

    /** The key of a line; null if it has none, or there is no such line. The key of the first is a request line. */
    String key(Object header, int line) {
        try {
            return (String) key.invokeExact(header, line);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** The value of a line; null if there is no such line. The value of the first, without a key, is a status line. */
    String value(Object header, int line) {
        try {
            return (String) value.invokeExact(header, line);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** The last value of this name, in any case; null if there is none. By lines, since a handle of another shape costs a start 2 ms. */
    String find(Object header, String name) {
        String found = null;
        for (int line = 0; ; line++) {
            String key = key(header, line);
            String value = value(header, line);
            if (name.equalsIgnoreCase(key)) {
                found = value;
            } else if (line > 0 && key == null && value == null) {
                return found;
            }
        }
    }
}
