package io.tempolimit.clients.netty.hooks;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.util.ReferenceCountUtil;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A channel's requests: one that is held, with what was written after it, and those whose answers are to come. Used by the channel's
 * executor alone.
 */
final class Line {
    private static final WeakMap<Channel, Line> ALL = new WeakMap<>(line -> line.abandon());

    private final Deque<Held> held = new ArrayDeque<>();
    private final Deque<Permit> sent = new ArrayDeque<>();
    private Hold hold;
    private boolean passing;

    private static final class Held {
        final Object message;
        final ChannelPromise promise;

        Held(Object message, ChannelPromise promise) {
            this.message = message;
            this.promise = promise;
        }

        void fail(Throwable why) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(why);
        }
    }

    /** Of this channel; null if it has had no request that is paced here. */
    static Line of(Channel channel) {
        return ALL.get(channel);
    }

    /** The same; it is entered if it is not known. */
    static Line made(Channel channel) {
        Line known = ALL.get(channel);
        if (known == null) {
            Line line = new Line();
            known = line;
            ALL.put(channel, line);
            channel.closeFuture().addListener(new ChannelFutureListener() {
                @Override
                public void operationComplete(ChannelFuture closed) {
                    line.close();
                }
            });
        }
        return known;
    }

    /** Whether what is written is one of its own that it lets go. */
    boolean passing() {
        return passing;
    }

    /** Whether something waits, behind which all that is written waits, too. */
    boolean holds() {
        return hold != null || !held.isEmpty();
    }

    /** Lets this wait behind what waits. */
    void add(Object message, ChannelPromise promise) {
        held.addLast(new Held(message, promise));
    }

    /** A request is written, and expected on the network; its answer is to come. */
    void goes(Gate gate, Permit permit) {
        gate.limiter().unseen().announced(permit.target().host());
        sent.addLast(permit);
    }

    /** The request whose answer comes next; null if it is none of these. */
    Permit answered() {
        return sent.pollFirst();
    }

    /** Holds a request, with the first place in the line. */
    void hold(Gate gate, Permit permit, GateHook gateHook, HttpRequestEncoder encoder, ChannelHandlerContext context, Object message,
            ChannelPromise promise) {
        held.addFirst(new Held(message, promise));
        try {
            hold = Hold.start(gate.timer(), permit, context.executor(), () -> resume(gate, permit, gateHook, encoder, context), false);
        } catch (RuntimeException | Error e) {
            held.pollFirst();
            throw e;
        }
        if (!context.channel().isOpen()) {
            hold.cancel(); // its end may have been told before
        }
    }

    private void resume(Gate gate, Permit permit, GateHook gateHook, HttpRequestEncoder encoder, ChannelHandlerContext context) {
        hold = null;
        if (!permit.granted()) {
            Throwable rejection = permit.rejection();
            Throwable why = rejection == null ? new ClosedChannelException() : rejection;
            for (Held h; (h = held.pollFirst()) != null; ) {
                h.fail(why);
            }
            context.close();
            return;
        }
        goes(gate, permit);
        write(encoder, context);
        while (hold == null && !held.isEmpty()) {
            Held next = held.peekFirst();
            if (next.message instanceof HttpRequest) {
                held.pollFirst();
                if (!gateHook.goes(this, encoder, context, (HttpRequest) next.message, next.promise)) {
                    break;
                }
                held.addFirst(next);
            }
            write(encoder, context);
        }
        context.flush();
    }

    private void write(HttpRequestEncoder encoder, ChannelHandlerContext context) {
        Held h = held.pollFirst();
        passing = true;
        try {
            encoder.write(context, h.message, h.promise);
        } catch (Exception e) {
            h.promise.tryFailure(e);
        } finally {
            passing = false;
        }
    }

    private void close() {
        Hold h = hold;
        if (h != null) {
            h.cancel();
        }
        abandon();
    }

    private void abandon() {
        for (Permit p; (p = sent.pollFirst()) != null; ) {
            p.abandoned();
        }
    }
}
