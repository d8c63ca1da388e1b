package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Stack;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecChainHandler;
import org.apache.hc.client5.http.async.AsyncExecRuntime;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.nio.AsyncDataConsumer;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.util.TimeValue;

/** A hop of a client with an execution chain, as the callback that the rest of the chain reports to. */
final class ChainHop extends Hop implements AsyncExecCallback {
    /** Permits of calls that a proxy has asked for credentials: the same request once more costs nothing. */
    private static final ConcurrentHashMap<AsyncExecRuntime, Permit> PREPAID = new ConcurrentHashMap<>();

    private final AsyncExecChainHandler connect;
    private final HttpRequest request;
    private final AsyncEntityProducer entity;
    private final AsyncExecChain.Scope scope;
    private final AsyncExecChain chain;
    private final AsyncExecCallback callback;
    private boolean askedByProxy;
    /** Whether it has come to where the request is written, or it is not known whether it has. */
    private volatile boolean connected;

    ChainHop(Gate gate, Object client, AsyncExecChainHandler connect, HttpRequest request, AsyncEntityProducer entity,
            AsyncExecChain.Scope scope, AsyncExecChain chain, AsyncExecCallback callback) {
        super(gate, client);
        this.connect = connect;
        this.request = request;
        this.entity = entity;
        this.scope = scope;
        this.chain = chain;
        this.callback = callback;
        this.connected = !scope.route.isTunnelled();
    }

    static Permit prepaid(AsyncExecRuntime call) {
        return PREPAID.remove(call);
    }

    void waits(Permit waiting) {
        if (scope.execRuntime.isEndpointAcquired()) {
            scope.execRuntime.releaseEndpoint();
        }
        waitsFor(waiting);
        scope.cancellableDependency.setDependency(() -> {
            endWait();
            return true;
        });
        if (cancelled()) { // before that, so nobody has told the permit
            endWait();
        }
    }

    /**
     * A connection was leased, maybe after a long time in the pool's queue.
     *
     * @return whether it goes later, and the connection was given back
     */
    boolean departsLater() {
        Permit before = permit();
        Permit permit;
        try {
            permit = before.depart();
        } catch (RequestRejectedException e) {
            giveBack();
            callback.failed(e);
            return true;
        }
        if (permit == before) {
            return false;
        }
        if (permit.poll() && permit.granted()) {
            goesWith(permit);
            return false;
        }
        giveBack();
        waits(permit);
        return true;
    }

    private void giveBack() {
        AsyncExecRuntime runtime = scope.execRuntime;
        if (runtime.isEndpointConnected()) {
            runtime.markConnectionReusable(scope.clientContext.getUserToken(), TimeValue.NEG_ONE_MILLISECOND);
            runtime.releaseEndpoint();
        } else {
            runtime.discardEndpoint();
        }
    }

    void connected() {
        connected = true;
    }

    @Override
    void send() throws HttpException, IOException {
        connect.execute(request, entity, scope, chain, this);
    }

    @Override
    boolean cancelled() {
        return scope.cancellableDependency.isCancelled();
    }

    @Override
    void endCancelled() {
        callback.failed(new InterruptedIOException());
    }

    @Override
    void end(Exception failure) {
        callback.failed(failure);
    }

    @Override
    public AsyncDataConsumer handleResponse(HttpResponse response, EntityDetails details) throws HttpException, IOException {
        HttpRoute route = scope.route;
        Body body = null;
        if (!connected) {
            unsent(); // the proxy has refused the tunnel
        } else if (response.getCode() == HttpStatus.SC_PROXY_AUTHENTICATION_REQUIRED && route.getProxyHost() != null
        && !route.isTunnelled()) {
            askedByProxy = true;
        } else {
            body = answered(response, details);
            if (body != null && body.stream()) {
                gate().opened(body, CompletableFuture::runAsync, this::close);
            }
        }
        return TapConsumer.of(callback.handleResponse(response, details), body);
    }

    /**
     * Fails the call with what the client does not repeat, and closes its connection; that of HTTP/2 belongs to other
     * calls as well, and its stream ends with its next event.
     */
    private void close(IOException why) {
        failed(why instanceof RequestRejectedException ? why : new ConnectionClosedException(why.getMessage()));
        if (!scope.execRuntime.getClass().getName().endsWith(".InternalH2AsyncExecRuntime")) {
            scope.execRuntime.discardEndpoint();
        }
    }

    @Override
    public void handleInformationResponse(HttpResponse response) throws HttpException, IOException {
        callback.handleInformationResponse(response);
    }

    @Override
    public void completed() {
        if (!askedByProxy) {
            callback.completed();
            return;
        }
        PREPAID.put(scope.execRuntime, permit());
        try {
            callback.completed();
        } finally {
            if (PREPAID.remove(scope.execRuntime, permit())) {
                unsent(); // the client has no credentials
            }
        }
    }

    @Override
    public void failed(Exception cause) {
        if (!gone()) {
            return; // closed before, and that is how the connection ends
        }
        if (cancelled() && !scope.execRuntime.isEndpointAcquired()) {
            unsent();
        } else {
            over(cause);
        }
        Stack.clean(cause);
        callback.failed(cause);
    }
}
