package io.tempolimit.weave;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Methods of clients that no hook can be compiled against: they are found by name, and called by reflection. */
public final class Methods {
    private Methods() {
    }

    /**
     * Calls a method that throws nothing which a hook could do anything about.
     *
     * @param self null for a static method
     * @throws IllegalStateException with what it threw as the cause, or if it may not be called
     */
    public static Object invoke(Method method, Object self, Object... args) {
        try {
            return method.invoke(self, args);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
