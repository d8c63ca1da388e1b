package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.RejectionResponse;
import io.tempolimit.weave.Stack;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.protocol.HttpContext;

/** A request of a minimal client, in the place of the exchange's handler: only that one knows the request, and is told of its end. */
abstract class HandlerHop extends Hop implements AsyncClientExchangeHandler {
    final AsyncClientExchangeHandler handler;
    private volatile boolean cancelled;
    private volatile boolean handedOver;
    /** Of the response; null if nobody wants to see it. */
    private volatile Body body;

    HandlerHop(Gate gate, Object client, AsyncClientExchangeHandler handler) {
        super(gate, client);
        this.handler = handler;
    }

    @Override
    abstract void send() throws HttpException, IOException;

    abstract HttpContext context();

    /** It is given to the client now, or never will be. Called at least once. */
    void settled() {
    }

    /** The request is known. Sends it, now or later. */
    final void known(HttpRequest request) throws HttpException, IOException {
        Permit permit;
        try {
            permit = request.getAuthority() == null ? null
                    : gate().arrive(new HostTarget(new HttpHost(request.getScheme(), request.getAuthority()), null, request, null));
        } catch (RequestRejectedException e) {
            end(e);
            return;
        }
        if (permit != null && permit.waiting()) {
            waitsFor(permit);
            if (cancelled) {
                endWait();
            }
            return;
        }
        if (permit != null) {
            goesWith(permit);
        }
        handedOver = true;
        send();
    }

    /** Whether the client has had the request at once, and what it gave to cancel it is enough. */
    final boolean handedOver() {
        return handedOver;
    }

    final void cancelCall() {
        cancelled = true;
        endWait();
    }

    @Override
    final boolean cancelled() {
        return cancelled;
    }

    @Override
    final void endCancelled() {
        settled();
        handler.cancel();
    }

    @Override
    final void end(Exception failure) {
        settled();
        RejectionResponse rejection = RejectionResponse.of(failure);
        if (rejection == null) {
            handler.failed(failure);
        } else {
            respond(rejection);
        }
    }

    /** Gives the exchange a response, as its connection would. */
    private void respond(RejectionResponse rejection) {
        try {
            EntityDetails entity = RejectionMessage.entity(rejection);
            handler.consumeResponse(RejectionMessage.head(rejection), entity, context());
            if (entity != null) {
                handler.consume(ByteBuffer.wrap(rejection.body()));
                handler.streamEnd(Collections.emptyList());
            }
            handler.releaseResources();
        } catch (Exception e) { // of the application's handler
            handler.failed(e);
        }
    }

    @Override
    public final void consumeResponse(HttpResponse response, EntityDetails details, HttpContext context) throws HttpException, IOException {
        body = answered(response, details);
        Body b = body;
        if (b != null && b.stream()) {
            gate().opened(b, () -> { }); // it ends with its next event: only the client knows its connection
        }
        handler.consumeResponse(response, details, context);
    }

    @Override
    public final void consumeInformation(HttpResponse response, HttpContext context) throws HttpException, IOException {
        handler.consumeInformation(response, context);
    }

    @Override
    public final void failed(Exception cause) {
        over(cause);
        gone();
        Stack.clean(cause);
        handler.failed(cause);
    }

    @Override
    public final void cancel() {
        cancelled = true;
        over(null);
        gone();
        handler.cancel();
    }

    @Override
    public final void releaseResources() {
        gone();
        handler.releaseResources();
    }

    @Override
    public final int available() {
        return handler.available();
    }

    @Override
    public final void produce(DataStreamChannel channel) throws IOException {
        handler.produce(channel);
    }

    @Override
    public final void updateCapacity(CapacityChannel channel) throws IOException {
        handler.updateCapacity(channel);
    }

    @Override
    public final void consume(ByteBuffer source) throws IOException {
        Body b = body;
        if (b != null && b.closed()) {
            throw b.failure(new ConnectionClosedException());
        } else if (b != null) {
            b.add(source);
        }
        handler.consume(source);
    }

    @Override
    public final void streamEnd(List<? extends Header> trailers) throws HttpException, IOException {
        Body b = body;
        if (b != null) {
            b.end();
        }
        handler.streamEnd(trailers);
    }
}
