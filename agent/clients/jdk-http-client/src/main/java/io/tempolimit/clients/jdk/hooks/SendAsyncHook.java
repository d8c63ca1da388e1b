package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** Both {@code send} and {@code sendAsync} pass here: where cancelling the future does nothing by itself, it ends a wait. */
public final class SendAsyncHook extends Hook {
    private static final Call PASS_ON_CANCEL = new Call() {
        @Override
        public Object exit(Object result) {
            Object exchange = Exchanges.startedLast();
            CompletableFuture<?> future = (CompletableFuture<?>) result;
            if (exchange != null && future != null && !future.isDone()) {
                future.whenComplete((response, failure) -> {
                    if (failure instanceof CancellationException) {
                        Exchanges.cancel(exchange);
                    }
                });
            }
            return result;
        }
    };

    public SendAsyncHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        return Exchanges.PASS_ON_CANCEL ? PASS_ON_CANCEL : null;
    }
}
