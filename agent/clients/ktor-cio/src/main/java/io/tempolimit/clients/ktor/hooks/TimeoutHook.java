package io.tempolimit.clients.ktor.hooks;

import io.ktor.client.request.HttpRequestBuilder;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import kotlin.Result;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.DelayKt;

/**
 * The coroutine that ends a call after its {@code requestTimeoutMillis} begins, or has slept for that long. The argument is what its
 * sleep came to, the field is its state: 0 when it begins.
 */
public final class TimeoutHook extends Hook {
    /** The shortest sleep while a hop waits, in milliseconds: its turn may be far away. */
    private static final long SHORTEST = 100;

    /** By coroutine: for how long its call had waited, in nanoseconds, when that was last added to its sleep. */
    private final WeakMap<Object, Long> added = new WeakMap<>();
    /** From the coroutine to the request. */
    private volatile MethodHandle request;

    public TimeoutHook(Gate gate) {
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if (args[0] instanceof Result.Failure) {
            return null; // the call is over
        }
        Waited waited = Waited.of(request(lookup, self).getAttributes());
        if (waited == null) {
            return null;
        }
        long nanos = waited.nanos();
        if ((Integer) args[1] == 0) {
            added.put(self, nanos); // that was before it began
            return null;
        }
        Long before = added.get(self);
        long millis = (nanos - (before == null ? 0 : before)) / 1_000_000;
        boolean goesOn = waited.goesOn();
        if (millis == 0 && !goesOn) {
            return null;
        }
        added.put(self, nanos);
        return DelayKt.delay(goesOn ? Math.max(millis, SHORTEST) : millis, (Continuation<Unit>) self);
    }

    private HttpRequestBuilder request(MethodHandles.Lookup lookup, Object self) throws ReflectiveOperationException {
        MethodHandle getter = request;
        if (getter == null) {
            for (Field field : lookup.lookupClass().getDeclaredFields()) { // its name differs
                if (field.getType() == HttpRequestBuilder.class) {
                    getter = lookup.unreflectGetter(field).asType(MethodType.methodType(HttpRequestBuilder.class, Object.class));
                }
            }
            request = getter;
        }
        try {
            return (HttpRequestBuilder) getter.invokeExact(self);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
