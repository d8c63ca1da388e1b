package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.weave.Gate;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import java.util.concurrent.Executor;

/** A call from its arrival until the client has begun it: there is a request that can be sent, or an open web socket, or it has failed. */
final class PacedCall {
    private final Gate gate;
    private final Beginning beginning;
    private final Object client;
    private final Object[] args;
    private final Context context;
    /** What the application waits for. */
    private final Promise<Object> answer;
    /** Must not be collected before; never read. */
    @SuppressWarnings("unused")
    private final Object facade = Calls.FACADE.get();
    private final Permit permit;

    /** @param args of the call; they are this object's from now on */
    PacedCall(Gate gate, Beginning beginning, Object client, Object[] args, Permit permit) {
        this.gate = gate;
        this.beginning = beginning;
        this.client = client;
        this.args = args;
        this.permit = permit;
        this.context = beginning.context(client, args);
        this.answer = beginning.takesPromise() ? promiseOf(args) : beginning.newPromise(context);
    }

    @SuppressWarnings("unchecked")
    private static Promise<Object> promiseOf(Object[] args) {
        return (Promise<Object>) args[args.length - 1];
    }

    /** What the woven method shall return: a future, if any. */
    private Object result() {
        return answer.future();
    }

    Object reject(RequestRejectedException rejection) {
        answer.tryFail(rejection);
        return result();
    }

    /** Begins now or later; null if the client does not want the call, which it then says itself. */
    Object start() {
        if (permit.granted()) {
            try {
                begin();
            } catch (Throwable t) { // without us it is thrown anew, and has the application's stack
                permit.unused();
                return null;
            }
        } else {
            OptionsCopy.in(args);
            hold();
        }
        return result();
    }

    private void hold() {
        Hold hold = Hold.start(gate.timer(), permit, new OnContext(context), this::resume, false);
        Calls.CLIENTS.waits(permit, client, hold::cancel);
    }

    /** Equal for calls on the same context. */
    private static final class OnContext implements Executor {
        private final Context context;

        OnContext(Context context) {
            this.context = context;
        }

        @Override
        public void execute(Runnable task) {
            context.runOnContext(v -> task.run());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof OnContext && ((OnContext) other).context == context;
        }

        @Override
        public int hashCode() {
            return context.hashCode();
        }
    }

    private void resume() {
        Calls.CLIENTS.waitIsOver(permit);
        try {
            if (permit.rejection() != null) {
                throw permit.rejection();
            }
            if (permit.cancelled() || beginning.isClosed(client)) {
                throw closed();
            }
            begin();
        } catch (Throwable t) {
            permit.cancel();
            permit.unused();
            answer.tryFail(t);
        }
    }

    /** What the client itself says then, without our stack. */
    private static Exception closed() {
        Exception closed = new IllegalStateException("Client is closed");
        closed.setStackTrace(new StackTraceElement[0]);
        return closed;
    }

    private void begin() throws Throwable {
        beginning.run(client, args, context).onComplete(this::begun);
    }

    private void begun(AsyncResult<Object> begun) {
        if (begun.failed()) {
            failed(begun.cause());
            answer.tryFail(begun.cause());
            return;
        }
        if (begun.result() instanceof WebSocket) {
            permit.answered(101);
        } else {
            Calls.PERMITS.put(begun.result(), permit);
        }
        answer.tryComplete(begun.result());
    }

    private void failed(Throwable failure) {
        if (failure instanceof UpgradeRejectedException) {
            permit.answered(((UpgradeRejectedException) failure).getStatus());
        } else if (failure instanceof ConnectionPoolTooBusyException) {
            permit.unused();
        } else {
            Calls.failed(permit, failure);
        }
    }
}
