package io.tempolimit.start;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Set;

/**
 * {@link Bridge} on Java 9 and later. Compiled for 9, because it calls by name what 8 has not: the same by reflection took half of
 * the agent's start on Java 18 and later, where each new shape of a reflective call spins method handles.
 */
final class ModularBridge {
    private ModularBridge() {
    }

    static void define(Instrumentation instrumentation, byte[] bytes) throws IllegalAccessException {
        instrumentation.redefineModule(Object.class.getModule(), Set.of(), Map.of(),
                Map.of("java.lang", Set.of(ModularBridge.class.getModule())),
                Set.of(), Map.of());
        MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup()).defineClass(bytes);
    }
}
