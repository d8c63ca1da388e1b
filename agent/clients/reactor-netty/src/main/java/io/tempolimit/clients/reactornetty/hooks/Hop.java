package io.tempolimit.clients.reactornetty.hooks;

import io.netty.channel.Channel;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.WeakMap;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.MonoSink;

/** One request of a call. Refers to its sink only while it waits. */
final class Hop {
    static final WeakMap<MonoSink<?>, Hop> BY_SINK = new WeakMap<>(hop -> hop.permit.abandoned());
    /** The permit of a call's latest hop, until it has a channel. The key is the {@code HttpClientHandler}. */
    static final WeakMap<Object, Permit> OF_CALL = new WeakMap<>(Permit::abandoned);
    /** The permit of the request that is on a channel, until it is answered. */
    static final WeakMap<Channel, Permit> ON_CHANNEL = new WeakMap<>(Permit::abandoned);

    final Permit permit;
    /** What is ended when the subscriber cancels. Null if the sink has nothing of ours; taken out once the connection is in it. */
    private Disposable.Swap ends;
    private volatile Hold hold;

    Hop(Permit permit) {
        this.permit = permit;
    }

    /** Before the wait: from now on cancelling ends it. */
    void willWait(MonoSink<?> sink) {
        ends = Disposables.swap();
        ends.update(() -> {
            Hold waiting = hold;
            if (waiting != null) {
                waiting.cancel();
            }
        });
        sink.onCancel(ends);
    }

    void waits(Hold started) {
        hold = started;
        Disposable.Swap waiting = ends; // null if it is on its connection by now
        if (waiting != null && waiting.isDisposed()) {
            started.cancel();
        }
        if (!permit.waiting()) {
            hold = null; // it was over before it was entered
        }
    }

    /** @return whether anybody still waits for it */
    boolean waitIsOver() {
        hold = null;
        return !ends.isDisposed();
    }

    /** Cancelling now ends the connection, and tells the permit first. */
    void connected(MonoSink<?> sink, Disposable connection) {
        Disposable both = Disposables.composite(permit::abandoned, connection);
        if (ends == null) {
            sink.onCancel(both);
        } else {
            ends.replace(both);
            ends = null;
        }
    }
}
