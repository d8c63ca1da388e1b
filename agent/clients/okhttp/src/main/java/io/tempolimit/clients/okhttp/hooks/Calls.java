package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.Lane;
import io.tempolimit.gate.WeakMap;
import java.util.concurrent.ConcurrentHashMap;
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
    /** The hop of a call whose rejection becomes a response. */
    static final WeakMap<Call, Request> REJECTED = new WeakMap<>(request -> { });
    /** Of dispatchers, whose pools have no bound: what brings back the calls that may not go. */
    private static final WeakMap<Dispatcher, Lane> LANES = new WeakMap<>(lane -> { });
    /** What ends the waits of calls, with or without a thread. */
    private static final ConcurrentHashMap<Call, Runnable> WAITING = new ConcurrentHashMap<>();

    private Calls() {
    }

    /** Enters a wait, so that {@code Call.cancel} ends it. */
    static void waits(Call call, Permit permit, Runnable end) {
        WAITING.put(call, end);
        if (call.isCanceled()) {
            end.run();
        }
        if (!permit.waiting()) {
            WAITING.remove(call); // it was over before it was entered
        }
    }

    /**
     * Calls that were cancelled or rejected, perhaps thousands at once, are handed to the dispatcher by one thread. The dispatcher
     * has limits of its own for what it runs.
     */
    static Lane laneOf(Dispatcher dispatcher) {
        Lane lane = LANES.get(dispatcher);
        if (lane == null) {
            lane = new Lane(dispatcher.executorService());
            LANES.put(dispatcher, lane); // of two at a time the later one stays
        }
        return lane;
    }

    static void waitIsOver(Call call) {
        WAITING.remove(call);
    }

    /** Ends the call's wait, if it waits: it goes on, and finds out itself why. */
    static void endWait(Call call) {
        Runnable end = WAITING.get(call);
        if (end != null) {
            end.run();
        }
    }
}
