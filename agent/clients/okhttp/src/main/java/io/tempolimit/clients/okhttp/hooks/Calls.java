package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.Lane;
import io.tempolimit.gate.WeakMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    /** Calls that wait, with or without a thread. */
    private static final ConcurrentHashMap<Call, Wait> WAITING = new ConcurrentHashMap<>();

    private Calls() {
    }

    private static final class Wait {
        /** Null if a thread waits, of the dispatcher or of the application. */
        final Object heldFrom;
        final Runnable end;

        Wait(Object heldFrom, Runnable end) {
            this.heldFrom = heldFrom;
            this.end = end;
        }
    }

    /**
     * Enters a wait, so that {@code Call.cancel} ends it.
     *
     * @param heldFrom the dispatcher, if it does not know of the call; else null
     */
    static void waits(Call call, Object heldFrom, Permit permit, Runnable end) {
        WAITING.put(call, new Wait(heldFrom, end));
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

    static void cancelled(Call call) {
        Wait wait = WAITING.get(call);
        if (wait != null) {
            wait.end.run();
        }
    }

    /** The calls that would be in the dispatcher's queue if they were not held. */
    static List<Call> heldFrom(Object dispatcher) {
        List<Call> held = new ArrayList<>();
        for (Map.Entry<Call, Wait> e : WAITING.entrySet()) {
            if (e.getValue().heldFrom == dispatcher) {
                held.add(e.getKey());
            }
        }
        return held;
    }
}
