package io.tempolimit.clients.awsnetty.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.lang.invoke.MethodHandles;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;

/** A request, the argument, is to be sent; the fields are the client's event loops, and its pools of connections. */
public final class SendHook extends Hook {
    private final Gate gate;

    public SendHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Refusal {
        if (Hop.isSending()) {
            return null; // it has been here
        }
        AsyncExecuteRequest request = (AsyncExecuteRequest) args[0];
        Sending sending = new Sending(gate, (NettyNioAsyncHttpClient) self, request, Loops.of((SdkEventLoopGroup) args[1]));
        Permit permit;
        try {
            permit = gate.arrive(new RequestTarget(request.request(), args[2]));
        } catch (RequestRejectedException e) {
            return sending.rejected(e);
        }
        if (permit == null) {
            return null;
        }
        Hop hop = new Hop(gate, permit, sending.loop);
        return permit.granted() ? sent(sending, hop) : sending.hold(hop);
    }

    /** What the client throws, its caller gets. */
    private static Object sent(Sending sending, Hop hop) throws Refusal {
        try {
            return sending.send(hop);
        } catch (RuntimeException | Error e) {
            throw new Refusal(e);
        }
    }
}
