package io.tempolimit.clients.jsoup.hooks;

import io.tempolimit.gate.Parking;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** A body is told when its request began, and how long that may take; the request was made by this thread. */
public final class TimeoutHook extends Hook {
    /** {@code startTime} of such a body. */
    private volatile MethodHandle startTime;

    public TimeoutHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws IllegalAccessException {
        long start = (Long) args[0];
        long waited = Parking.waitedSince(start);
        if (waited == 0) {
            return null;
        }
        if (startTime == null) {
            try {
                startTime = lookup.findSetter(self.getClass(), "startTime", long.class)
                        .asType(MethodType.methodType(void.class, Object.class, long.class));
            } catch (NoSuchFieldException e) {
                return null; // a version that we do not know
            }
        }
        MethodHandle setter = startTime;
        return new Call() {
            @Override
            public Object exit(Object result) {
                try {
                    setter.invokeExact(self, start + waited);
                } catch (Throwable t) {
                    throw new IllegalStateException(t);
                }
                return result;
            }
        };
    }
}
