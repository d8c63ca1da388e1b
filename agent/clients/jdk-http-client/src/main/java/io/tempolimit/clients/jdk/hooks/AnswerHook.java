package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Each hop's response passes here; the argument is it. */
public final class AnswerHook extends Hook {
    /** {@code Response.statusCode} */
    private volatile MethodHandle status;

    public AnswerHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Permit permit = Exchanges.PERMITS.remove(self);
        if (permit != null) {
            permit.answered(status(lookup, args[0]));
        }
        return null;
    }

    private int status(MethodHandles.Lookup lookup, Object response) throws ReflectiveOperationException {
        if (status == null) {
            status = lookup.findGetter(response.getClass(), "statusCode", int.class)
                    .asType(MethodType.methodType(int.class, Object.class));
        }
        try {
            return (int) status.invokeExact(response);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
