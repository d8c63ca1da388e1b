package io.tempolimit.clients.apache5.hooks;

import java.lang.reflect.Field;

/** From what runs a classic call to the connection manager that it leases from, which no public type tells. */
final class Managers {
    private Managers() {
    }

    /** Null if it is not known: what runs the call is the application's, say. */
    static Object of(Object execRuntime) {
        try {
            Field field = execRuntime.getClass().getDeclaredField("manager");
            field.setAccessible(true);
            return field.get(execRuntime);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }
}
