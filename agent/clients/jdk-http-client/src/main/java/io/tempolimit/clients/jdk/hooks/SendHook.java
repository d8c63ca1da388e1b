package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.gate.Parking;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.http.HttpResponse;

/** The blocking {@code send}. */
public final class SendHook extends Hook {
    private static final Call CALL = new Call() {
        @Override
        public Object exit(Object result) {
            long[] wait = Exchanges.WAITED.remove(((HttpResponse<?>) result).request());
            if (wait != null) {
                Parking.waited(wait[0], wait[1]);
            }
            return result;
        }

        @Override
        public Throwable fail(Throwable failure) {
            if (Exchanges.PASS_ON_CANCEL && failure instanceof InterruptedException) {
                Object exchange = Exchanges.startedLast();
                if (exchange != null) {
                    Exchanges.cancel(exchange);
                }
            }
            if (failure.getCause() instanceof RequestRejectedException) { // the client wraps what it does not know
                Throwable rejection = failure.getCause();
                rejection.setStackTrace(failure.getStackTrace());
                return rejection;
            }
            return failure;
        }
    };

    public SendHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return CALL;
    }
}
