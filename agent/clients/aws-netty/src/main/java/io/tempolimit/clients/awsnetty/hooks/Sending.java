package io.tempolimit.clients.awsnetty.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Stack;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;

/** What is needed to send a request; and what its caller has of it while it waits. */
final class Sending {
    final Executor loop;
    private final Gate gate;
    private final NettyNioAsyncHttpClient client;
    private final AsyncExecuteRequest request;

    Sending(Gate gate, NettyNioAsyncHttpClient client, AsyncExecuteRequest request, Executor loop) {
        this.gate = gate;
        this.client = client;
        this.request = request;
        this.loop = loop;
    }

    /** Has the client send it: what that returns. */
    CompletableFuture<Void> send(Hop hop) {
        CompletableFuture<Void> sent;
        Hop.sends(hop);
        try {
            sent = client.execute(request);
        } catch (RuntimeException | Error e) {
            hop.permit.unused();
            Stack.clean(e);
            throw e;
        } finally {
            Hop.sends(null);
        }
        hop.began(sent);
        return sent;
    }

    CompletableFuture<Void> rejected(RequestRejectedException rejection) {
        CompletableFuture<Void> promised = new CompletableFuture<>();
        gate.timer().handOver(loop, () -> fail(promised, rejection));
        return promised;
    }

    /** Sends it when its turn has come. */
    CompletableFuture<Void> hold(Hop hop) {
        CompletableFuture<Void> promised = new CompletableFuture<>();
        Permit permit = hop.permit;
        Hold hold = Hold.start(gate.timer(), permit, loop, () -> resume(hop, promised), false);
        try {
            CloseHook.CLOSED.waits(permit, client, hold::cancel);
            promised.whenComplete((none, failure) -> {
                if (failure != null) {
                    hold.cancel();
                }
            });
        } catch (RuntimeException | Error e) {
            // out of memory, say: it waits for its turn
        }
        return promised;
    }

    /** If the client was closed meanwhile, it says so itself. */
    private void resume(Hop hop, CompletableFuture<Void> promised) {
        Permit permit = hop.permit;
        CloseHook.CLOSED.waitIsOver(permit);
        Throwable failure = permit.rejection();
        if (failure == null) {
            failure = failureOf(promised);
        }
        if (failure == null) {
            try {
                join(send(hop), promised);
                return;
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        try {
            permit.unused();
        } finally {
            fail(promised, failure);
        }
    }

    /** They end together, whichever ends first. */
    private static void join(CompletableFuture<Void> sent, CompletableFuture<Void> promised) {
        sent.whenComplete((none, failure) -> {
            if (failure == null) {
                promised.complete(null);
            } else {
                promised.completeExceptionally(failure);
            }
        });
        promised.whenComplete((none, failure) -> {
            if (failure != null) {
                sent.completeExceptionally(failure);
            }
        });
    }

    /** Null if it has not failed, nor been cancelled. */
    private static Throwable failureOf(CompletableFuture<Void> future) {
        return future.isCompletedExceptionally() ? future.<Throwable>handle((none, failure) -> failure).join() : null;
    }

    /** As the client does with a request for which it gets no connection. */
    private void fail(CompletableFuture<Void> promised, Throwable failure) {
        try {
            request.responseHandler().onError(failure);
        } finally {
            promised.completeExceptionally(failure);
        }
    }
}
