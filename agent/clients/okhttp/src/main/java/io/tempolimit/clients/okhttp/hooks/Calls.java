package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.HeldCalls;
import io.tempolimit.gate.Lane;
import io.tempolimit.gate.OpenBodies;
import io.tempolimit.gate.Waits;
import io.tempolimit.gate.WeakMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import okhttp3.Call;
import okhttp3.Dispatcher;
import okhttp3.Request;

/** What is known of calls between their gates. */
final class Calls {
    /** For enqueued calls: the permit of the first hop, or the rejection that it will end in. */
    static final WeakMap<Call, Object> FIRST_HOP = new WeakMap<>(value -> {
        if (value instanceof Permit) {
            ((Permit) value).unused();
        }
    });
    /** Permits of hops that a proxy has asked for a password: the same request once more costs nothing. */
    static final WeakMap<Call, Permit> PREPAID = new WeakMap<>(Permit::unused);
    /** Up to 3.3: the hops by their engines, to which the calls refer; they go when they are answered or fail. */
    static final WeakMap<Object, Hop> HOPS = new WeakMap<>(Hop::abandoned);
    /**
     * Answers that keep others waiting until they are over. Up to 3.13 the client drops an answer that it has when its call is cancelled,
     * without closing it.
     */
    static final OpenBodies<Call> READING = new OpenBodies<>();
    /** The hop of a call whose rejection becomes a response. */
    static final WeakMap<Call, Request> REJECTED = new WeakMap<>();
    /** Of dispatchers: what brings back the calls that may not go. */
    private static final WeakMap<Dispatcher, Lane> LANES = new WeakMap<>();
    static final Waits<Call> WAITS = new Waits<>(Names::isCanceled);
    static final HeldCalls<Dispatcher, Call> HELD = new HeldCalls<>(Names::executor, WAITS::end);

    private Calls() {
    }

    /**
     * Whose threads hand held calls to the dispatcher: its own, if there is no end of them. A program's pool may have one
     * thread and no queue, and would refuse the call that this thread brings.
     */
    static Executor bringerOf(Dispatcher dispatcher) {
        ExecutorService executor = Names.executor(dispatcher);
        boolean endless = executor instanceof ThreadPoolExecutor
                && ((ThreadPoolExecutor) executor).getMaximumPoolSize() == Integer.MAX_VALUE;
        return endless ? executor : CompletableFuture::runAsync;
    }

    /**
     * Calls that were cancelled or rejected, perhaps thousands at once, are handed to the dispatcher by one thread. The dispatcher
     * has limits of its own for what it runs.
     */
    static Lane laneOf(Dispatcher dispatcher) {
        Lane lane = LANES.get(dispatcher);
        if (lane == null) {
            lane = new Lane(bringerOf(dispatcher));
            LANES.put(dispatcher, lane); // of two at a time the later one stays
        }
        return lane;
    }
}
