package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.Closings;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.http.impl.engine.client.PoolId;
import org.apache.pekko.http.impl.engine.client.PoolMaster;
import org.apache.pekko.http.scaladsl.model.HttpRequest;
import org.apache.pekko.http.scaladsl.model.HttpResponse;
import org.apache.pekko.stream.ActorMaterializer;
import org.apache.pekko.stream.Materializer;
import scala.concurrent.ExecutionContextExecutor;
import scala.concurrent.Future;
import scala.concurrent.Promise;
import scala.runtime.AbstractFunction1;
import scala.util.Success;
import scala.util.Try;

/** What is needed to send a request, and the future that its caller has of it. It is told what the pool's own future comes to. */
final class Sending extends AbstractFunction1<Try<HttpResponse>, Object> {
    /** Actor systems that have ended, and the requests that wait. */
    private static final Closings SYSTEMS = new Closings();
    /** Those of whose end we are told. */
    private static final WeakMap<ActorSystem, Boolean> WATCHED = new WeakMap<>();

    private final Gate gate;
    private final Hop hop;
    private final PoolMaster master;
    private final PoolId pool;
    private final HttpRequest request;
    private final Materializer materializer;
    private final Promise<HttpResponse> promise = Futures.promise();

    Sending(Gate gate, Permit permit, PoolMaster master, PoolId pool, HttpRequest request, Materializer materializer) {
        this.gate = gate;
        this.hop = new Hop(gate, permit, materializer.executionContext());
        this.master = master;
        this.pool = pool;
        this.request = request;
        this.materializer = materializer;
    }

    Future<HttpResponse> promised() {
        return promise.future();
    }

    /** Has a pool send it. */
    void send() {
        HttpRequest copy = request.withProtocol(request.protocol());
        Hop.goesAs(copy);
        Future<HttpResponse> answer = master.dispatchRequest(pool, copy, materializer);
        hop.answeredBy(answer);
        answer.onComplete(this, OnTheSpot.EXECUTOR);
    }

    /** The pool has an answer or a failure. */
    @Override
    public Object apply(Try<HttpResponse> answer) {
        Try<HttpResponse> seen = answer;
        try {
            if (answer.isSuccess()) {
                seen = new Success<>(hop.answered(answer.get()));
            } else {
                hop.failed(answer.failed().get());
            }
        } catch (RuntimeException | LinkageError e) { // the answer reaches the caller all the same
            hop.permit().abandoned();
        }
        return promise.tryComplete(seen);
    }

    /** Sends it when its turn has come. */
    void hold() {
        Permit permit = hop.permit();
        ExecutionContextExecutor executor = materializer.executionContext();
        Hold hold = Hold.start(gate.timer(), permit, executor, this::resume, false);
        try {
            ActorSystem system = system();
            SYSTEMS.waits(permit, system, hold::cancel);
            if (WATCHED.put(system, true) == null) {
                system.registerOnTermination(() -> SYSTEMS.closed(system));
            }
        } catch (RuntimeException | Error e) {
            // out of memory, say: it waits for its turn
        }
    }

    private ActorSystem system() {
        try {
            return materializer.system();
        } catch (NoSuchMethodError older) { // Akka 2.5
            return ((ActorMaterializer) materializer).system();
        }
    }

    private void resume() {
        Permit permit = hop.permit();
        SYSTEMS.waitIsOver(permit);
        Throwable failure = permit.rejection();
        if (failure == null && permit.cancelled()) {
            failure = ended();
        }
        if (failure == null) {
            try {
                send();
                return;
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        try {
            permit.unused();
        } finally {
            promise.tryFailure(failure);
        }
    }

    /** As the library itself says it. */
    private static IllegalStateException ended() {
        IllegalStateException ended = new IllegalStateException("Pool shutdown unexpectedly");
        ended.setStackTrace(new StackTraceElement[0]);
        return ended;
    }
}
