package io.tempolimit.clients.netty.hooks;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.util.ReferenceCountUtil;
import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Senders;
import java.lang.invoke.MethodHandles;

/** A message comes to the encoder; the arguments are its context, the message, and the promise that it will be written. */
public final class GateHook extends Hook {
    private final Gate gate;

    public GateHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (!(self instanceof HttpRequestEncoder)) {
            return null;
        }
        ChannelHandlerContext context = (ChannelHandlerContext) args[0];
        ChannelPromise promise = (ChannelPromise) args[2];
        Line line = Line.of(context.channel());
        if (line != null && line.passing()) {
            return null;
        }
        if (line != null && line.holds()) {
            line.add(args[1], promise);
            return self;
        }
        boolean goes = !(args[1] instanceof HttpRequest) || goes(line, (HttpRequestEncoder) self, context, (HttpRequest) args[1], promise);
        return goes ? null : self;
    }

    /** Whether this request may be written now; else it is held, or was rejected. */
    boolean goes(Line known, HttpRequestEncoder encoder, ChannelHandlerContext context, HttpRequest request, ChannelPromise promise) {
        if (HttpMethod.CONNECT.equals(request.getMethod()) || gate.limiter().unseen().early()) {
            return true;
        }
        RequestTarget target = new RequestTarget(request, context);
        if (target.host() == null || known == null && Transport.ofWovenClient(context, gate.senders())) {
            return true; // a request to its host may be expected, too, and be another channel's, or another client's
        }
        long idle = Transport.mayBeIdle(context);
        Senders.Sender sender = idle == 0 ? null : gate.senders().unknown();
        if (sender == null) {
            return true; // counted where it is written
        }
        Permit permit;
        try {
            permit = gate.arrive(target);
        } catch (RequestRejectedException e) {
            ReferenceCountUtil.release(request);
            promise.tryFailure(e);
            context.close(); // who does not look at the promise waits for an answer
            return false;
        }
        if (permit == null) {
            return true;
        }
        if (permit.waiting() && permit.wakeAt() - Clock.SYSTEM.nanos() > idle / 2) {
            permit.cancel();
            return true; // its channel would not outlast the wait
        }
        gate.senders().paced(sender);
        Line line = known == null ? Line.made(context.channel()) : known;
        if (permit.granted()) {
            line.goes(gate, permit);
            return true;
        }
        line.hold(gate, permit, this, encoder, context, request, promise);
        return false;
    }
}
