package io.tempolimit.clients.ktor.hooks;

import io.ktor.client.engine.ClientEngineClosedException;
import io.ktor.client.engine.HttpClientEngine;
import io.ktor.client.request.HttpRequestData;
import io.ktor.client.request.HttpResponseData;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Stack;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import kotlin.ResultKt;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.ContinuationInterceptor;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.DisposableHandle;
import kotlinx.coroutines.ExecutorsKt;
import kotlinx.coroutines.Job;

/** One request of a call, and the continuation that the engine gets for it: the answer passes through here to whoever asked. */
final class Hop implements Continuation<HttpResponseData> {
    private final Gate gate;
    private final Permit permit;
    private final HttpClientEngine engine;
    private final HttpRequestData request;
    private final Continuation<? super HttpResponseData> caller;
    private final Job job;
    /** Null if the call has no timeout that runs meanwhile, or the hop does not wait. */
    private Waited waited;
    /** Null until it is told of the end of its job. */
    private volatile DisposableHandle told;

    Hop(Gate gate, Permit permit, HttpClientEngine engine, HttpRequestData request, Continuation<? super HttpResponseData> caller) {
        this.gate = gate;
        this.permit = permit;
        this.engine = engine;
        this.request = request;
        this.caller = caller;
        this.job = caller.getContext().get(Job.Key);
    }

    /** Has the engine send it: what the engine returns. */
    Object send() {
        Object result;
        try {
            result = engine.execute(request, this);
        } catch (Throwable t) {
            failed(t);
            throw t;
        }
        if (result != IntrinsicsKt.getCOROUTINE_SUSPENDED()) {
            answered((HttpResponseData) result);
        }
        return result;
    }

    /** Sends it when its turn has come: it is suspended. */
    Object hold() {
        waited = Waited.begins(request);
        Hold hold;
        try {
            hold = Hold.start(gate.timer(), permit, executor(), this::resume, false);
        } catch (RuntimeException | Error e) {
            waitIsOver();
            permit.cancel(); // it goes on at once, and nobody is to wait behind it
            throw e;
        }
        try {
            CloseHook.CLOSED.waits(permit, engine, hold::cancel);
            endWithJob(hold);
        } catch (RuntimeException | Error e) {
            // out of memory, say: it waits for its turn
        }
        return IntrinsicsKt.getCOROUTINE_SUSPENDED();
    }

    private void endWithJob(Hold hold) {
        if (job == null) {
            return;
        }
        told = job.invokeOnCompletion(true, true, cause -> {
            hold.cancel();
            return Unit.INSTANCE;
        });
        if (!permit.waiting()) {
            told.dispose(); // it was over before it was entered
        }
    }

    /** The engine's dispatcher. */
    private Executor executor() {
        Object interceptor = caller.getContext().get(ContinuationInterceptor.Key);
        return interceptor instanceof CoroutineDispatcher ? ExecutorsKt.asExecutor((CoroutineDispatcher) interceptor)
                : CompletableFuture::runAsync;
    }

    private void resume() {
        waitIsOver();
        Object result;
        try {
            checkMayGo();
            result = send();
        } catch (Throwable t) {
            result = ResultKt.createFailure(t);
        }
        if (result != IntrinsicsKt.getCOROUTINE_SUSPENDED()) {
            caller.resumeWith(result);
        }
    }

    private void waitIsOver() {
        CloseHook.CLOSED.waitIsOver(permit);
        if (waited != null) {
            waited.ends();
        }
        DisposableHandle handle = told;
        if (handle != null) {
            handle.dispose();
        }
    }

    /** Throws what the caller shall see if it may not go. */
    private void checkMayGo() throws Exception {
        if (permit.rejection() != null) {
            throw permit.rejection();
        }
        if (job != null && !job.isActive()) {
            permit.unused();
            throw job.getCancellationException();
        }
        if (permit.cancelled()) {
            throw closed();
        }
    }

    /** What the engine itself says then, without our stack. */
    private static Exception closed() {
        Exception closed = new ClientEngineClosedException(null);
        closed.setStackTrace(new StackTraceElement[0]);
        return closed;
    }

    @Override
    public CoroutineContext getContext() {
        return caller.getContext();
    }

    /** The engine had suspended the hop, and has an answer or a failure. */
    @Override
    public void resumeWith(Object result) {
        try {
            look(result);
        } finally {
            caller.resumeWith(result);
        }
    }

    private void look(Object result) {
        try {
            ResultKt.throwOnFailure(result);
        } catch (Throwable t) {
            failed(t);
            return;
        }
        answered((HttpResponseData) result);
    }

    private void answered(HttpResponseData response) {
        try {
            Body body = permit.answered(new ResponseHead(response));
            if (body != null) {
                Bodies.begin(response, body);
            }
            if (body != null && body.stream()) {
                gate.opened(body, executor(), Bodies.closer(response));
            }
        } catch (RuntimeException | LinkageError e) {
            permit.abandoned(); // the answer reaches the caller all the same
        }
    }

    /** A cancelled call tells why: its timeout, or nothing if nobody wants it. */
    private void failed(Throwable failure) {
        Stack.clean(failure);
        Throwable why = failure;
        while (why instanceof CancellationException && why.getCause() != null && why.getCause() != why) {
            why = why.getCause();
        }
        if (why instanceof ClientEngineClosedException) {
            permit.unused();
        } else if (why instanceof CancellationException) {
            permit.abandoned();
        } else {
            permit.failed(why);
        }
    }
}
