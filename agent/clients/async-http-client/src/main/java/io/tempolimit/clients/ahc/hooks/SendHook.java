package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.Lanes;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import org.asynchttpclient.AsyncHandler;
import org.asynchttpclient.AsyncHttpClientConfig;
import org.asynchttpclient.Request;
import org.asynchttpclient.netty.NettyResponseFuture;
import org.asynchttpclient.netty.channel.ChannelManager;
import org.asynchttpclient.netty.request.NettyRequestSender;
import org.asynchttpclient.proxy.ProxyServer;

/**
 * One hop, before a connection is looked for. The arguments are the request, its handler, the call's future, which the first hop
 * does not have yet, and, somewhere behind, the proxy; the fields are the client's configuration and its connections.
 */
abstract class SendHook extends Hook {
    private static final int FUTURE = 2;
    private static final Lanes LANES = new Lanes();

    private final Gate gate;
    private final String[] methods;
    private volatile Internals internals;

    /** @param methods the woven method, by the names that it has in one version or another */
    SendHook(Gate gate, String... methods) {
        this.gate = gate;
        this.methods = methods;
    }

    @Override
    public final Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        NettyResponseFuture<?> call = (NettyResponseFuture<?>) args[FUTURE];
        Hop before = call == null ? null : Hop.latest(call);
        if (call != null && Hop.isExempt(call)) {
            gate.announced(target(args));
            return null;
        }
        if (before != null) {
            if (before.comesAgain(call)) {
                gate.announced(before.permit.target());
                return null;
            }
            before.permit.failed(call.pendingException); // unless it was answered: a retry
        }
        Internals in = internals;
        if (in == null) {
            in = new Internals(lookup, methods);
            internals = in;
        }
        RequestTarget target = target(args);
        Permit permit;
        try {
            permit = call != null && in.isBoundToConnection(call) ? gate.limiter().charge(target) : gate.arrive(target);
        } catch (RequestRejectedException e) {
            NettyResponseFuture<?> rejected = futureOf(in, (NettyRequestSender) self, call, args);
            ((NettyRequestSender) self).abort(null, rejected, e);
            return rejected;
        }
        if (permit != null && permit.waiting()) {
            return hold(in, (NettyRequestSender) self, call, args, permit);
        }
        if (call == null) {
            First.begins(permit);
        } else if (permit == null) {
            Hop.forget(call);
        } else {
            Hop.begin(call, permit);
        }
        return null;
    }

    private static RequestTarget target(Object[] args) {
        return new RequestTarget((Request) args[0], proxyOf(args), (AsyncHttpClientConfig) args[args.length - 2]);
    }

    /** Its place differs between versions and methods. */
    private static ProxyServer proxyOf(Object[] args) {
        for (int i = FUTURE + 1; i < args.length; i++) {
            if (args[i] instanceof ProxyServer) {
                return (ProxyServer) args[i];
            }
        }
        return null;
    }

    private Object hold(Internals in, NettyRequestSender sender, NettyResponseFuture<?> known, Object[] args,
            Permit permit) throws Exception {
        try {
            ChannelManager client = (ChannelManager) args[args.length - 1];
            NettyResponseFuture<?> call = futureOf(in, sender, known, args);
            Object[] arguments = Arrays.copyOf(args, args.length - 2);
            arguments[FUTURE] = call;
            Hop hop = Hop.begin(call, permit);
            Hop.waits(call, Hold.start(gate.timer(), permit, LANES.of(permit),
                    () -> resume(in, sender, call, hop, arguments), false), client);
            return call;
        } catch (Exception | Error e) {
            permit.cancel();
            throw e;
        }
    }

    /** The future for a hop that will not be sent now: a new one if it is the first; one that no longer holds a connection or a timeout. */
    private static NettyResponseFuture<?> futureOf(Internals in, NettyRequestSender sender, NettyResponseFuture<?> call, Object[] args) {
        if (call == null) {
            return in.newFuture(sender, (Request) args[0], (AsyncHandler<?>) args[1], (AsyncHttpClientConfig) args[args.length - 2], args);
        }
        call.cancelTimeouts();
        in.giveBackConnection(call, (ChannelManager) args[args.length - 1]);
        return call;
    }

    private static void resume(Internals in, NettyRequestSender sender, NettyResponseFuture<?> call, Hop hop, Object[] arguments) {
        hop.waitIsOver(call);
        RequestRejectedException rejection = hop.permit.rejection();
        if (call.isDone()) {
            hop.permit.unused();
        } else if (rejection != null) {
            sender.abort(null, call, rejection);
        } else if (hop.permit.cancelled() || sender.isClosed()) {
            hop.permit.unused();
            sender.abort(null, call, closed());
        } else {
            try {
                in.send(sender, arguments);
            } catch (Throwable t) {
                sender.abort(call.channel(), call, t);
            }
        }
    }

    /** As the client itself says it. */
    private static IllegalStateException closed() {
        IllegalStateException closed = new IllegalStateException("Closed");
        closed.setStackTrace(new StackTraceElement[0]);
        return closed;
    }
}
