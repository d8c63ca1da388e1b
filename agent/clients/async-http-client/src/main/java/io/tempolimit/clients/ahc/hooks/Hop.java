package io.tempolimit.clients.ahc.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.detect.Head;
import io.tempolimit.gate.Closings;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.WeakMap;
import java.util.concurrent.ConcurrentHashMap;
import org.asynchttpclient.netty.NettyResponseFuture;
import org.asynchttpclient.netty.channel.ChannelManager;
import org.asynchttpclient.netty.request.NettyRequest;

/** The request of a call that is to be sent, or was sent last. A call is known by its future. */
final class Hop {
    private static final WeakMap<NettyResponseFuture<?>, Hop> LATEST = new WeakMap<>(hop -> hop.permit.abandoned());
    /** Calls that were begun where nothing is a request: their later hops are begun by other threads. */
    private static final WeakMap<NettyResponseFuture<?>, Boolean> EXEMPT = new WeakMap<>();
    /** Clients that were closed, and the hops that wait. */
    static final Closings CLIENTS = new Closings();
    /** Calls that wait, to be found when they are cancelled. */
    private static final ConcurrentHashMap<NettyResponseFuture<?>, Hold> WAITING = new ConcurrentHashMap<>();

    final Permit permit;
    /** Its wait is over: it is about to be sent. */
    private volatile boolean released;
    /** A proxy has answered in place of the site. */
    private volatile boolean stoppedByProxy;

    private Hop(Permit permit) {
        this.permit = permit;
    }

    /** Null if the call's latest request is not paced, or the call is over. */
    static Hop latest(NettyResponseFuture<?> call) {
        return LATEST.get(call);
    }

    /** The call goes on with this request. */
    static Hop begin(NettyResponseFuture<?> call, Permit permit) {
        Hop hop = new Hop(permit);
        LATEST.put(call, hop);
        return hop;
    }

    /** The call is over, or goes on with a request that is not paced. */
    static Hop forget(NettyResponseFuture<?> call) {
        return LATEST.remove(call);
    }

    /** None of the call's hops is a request. */
    static void exempt(NettyResponseFuture<?> call) {
        EXEMPT.put(call, true);
    }

    static boolean isExempt(NettyResponseFuture<?> call) {
        return EXEMPT.get(call) != null;
    }

    static void waits(NettyResponseFuture<?> call, Hold hold, ChannelManager client) {
        WAITING.put(call, hold);
        if (call.isDone()) { // before anybody could find it
            hold.cancel();
        }
        CLIENTS.waits(hold.permit(), client, hold::cancel);
        if (!hold.permit().waiting()) {
            WAITING.remove(call); // it was over before it was entered
        }
    }

    /** The next gate that the call comes to lets it through. */
    void waitIsOver(NettyResponseFuture<?> call) {
        WAITING.remove(call);
        CLIENTS.waitIsOver(permit);
        released = true;
    }

    static void endWait(NettyResponseFuture<?> call) {
        Hold hold = WAITING.get(call);
        if (hold != null) {
            hold.cancel();
        }
    }

    /** Whether what comes to the gate is this same request again: after its wait, or now that a proxy lets it through to the site. */
    boolean comesAgain(NettyResponseFuture<?> call) {
        if (released) {
            released = false;
            return true;
        }
        boolean again = permit.granted() && (stoppedByProxy || isConnect(call));
        stoppedByProxy = false;
        return again;
    }

    /** @return who is to be shown the body; null if nobody */
    Body answered(NettyResponseFuture<?> call, Head head) {
        if (head.status() == 407 && call.getProxyServer() != null) {
            stoppedByProxy = true;
            return null;
        }
        return isConnect(call) ? null : permit.answered(head);
    }

    private static boolean isConnect(NettyResponseFuture<?> call) {
        NettyRequest sent = call.getNettyRequest();
        return sent != null && sent.getHttpRequest().getMethod().name().equals("CONNECT");
    }
}
