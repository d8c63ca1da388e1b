package io.tempolimit.it.programs;

import io.tempolimit.it.programs.Adapter.Callback;
import io.tempolimit.it.programs.Adapter.Http;
import io.tempolimit.it.programs.Adapter.Reply;
import io.tempolimit.it.programs.Adapter.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** An asynchronous client whose calls complete a future: synchronous is a thread that waits for it. */
abstract class FutureHttp implements Http {
    /**
     * Begins a call.
     *
     * @param reply to be completed when the head of the response is there; its body is read while it comes
     * @return what the client gives to cancel the call by
     */
    abstract Future<?> begin(Request request, CompletableFuture<Reply> reply);

    @Override
    public Reply send(Request request) throws Exception {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        Future<?> call = begin(request, reply);
        request.cancel = () -> call.cancel(true);
        try {
            return reply.get();
        } catch (InterruptedException e) {
            call.cancel(true); // as a program does that is interrupted
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }

    /** Called back on a thread that may block, for that is what they do. */
    @Override
    public void start(Request request, Callback callback) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        reply.handleAsync((r, failure) -> {
            if (failure == null) {
                callback.replied(r);
            } else {
                callback.failed(failure);
            }
            return null;
        });
        Future<?> call = begin(request, reply);
        request.cancel = () -> call.cancel(true);
    }
}
