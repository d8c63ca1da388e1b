package io.tempolimit.clients.okhttp.hooks;

import io.tempolimit.core.runtime.Clock;
import io.tempolimit.gate.Timer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.Call;
import okhttp3.Dispatcher;

/**
 * The calls that are held from one dispatcher, as long as there are any.
 *
 * <p>No method closes a client. Programs shut down the dispatcher's executor, which tells nobody. The client itself finds
 * out when it hands the next call over, and then fails those in its queue. The turn of a held call may be hours away, so
 * meanwhile the executor is looked at.
 */
final class Held extends Timer.Entry {
    /** Often enough for a program that waits for its calls to end. */
    private static final long LOOK = 250_000_000L;
    private static final ConcurrentHashMap<Dispatcher, Held> BY_DISPATCHER = new ConcurrentHashMap<>();

    private final Timer timer;
    private final Dispatcher dispatcher;
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    /** Whether the timer has it; two threads at once may both enter it, which is once. */
    private volatile boolean looking;

    private Held(Timer timer, Dispatcher dispatcher) {
        this.timer = timer;
        this.dispatcher = dispatcher;
    }

    /** This call is held. */
    static void enters(Timer timer, Dispatcher dispatcher, Call call) {
        BY_DISPATCHER.compute(dispatcher, (d, before) -> {
            Held held = before == null ? new Held(timer, d) : before;
            held.calls.add(call);
            return held;
        }).lookLater();
    }

    /** This call is held no longer. */
    static void leaves(Dispatcher dispatcher, Call call) {
        BY_DISPATCHER.computeIfPresent(dispatcher, (d, held) -> {
            held.calls.remove(call);
            return held.calls.isEmpty() ? null : held;
        });
    }

    /** The calls that would be in the dispatcher's queue if they were not held. */
    static List<Call> from(Object dispatcher) {
        Held held = BY_DISPATCHER.get(dispatcher);
        return held == null ? Collections.emptyList() : new ArrayList<>(held.calls);
    }

    private void lookLater() {
        if (!looking) {
            looking = true;
            try {
                timer.schedule(this, Clock.SYSTEM.nanos() + LOOK);
            } catch (Error outOfMemory) { // or of threads
                looking = false;
                throw outOfMemory;
            }
        }
    }

    /** The executor may be the application's, and the timer must not run that. */
    @Override
    protected void fire() {
        CompletableFuture.runAsync(this::look);
    }

    private void look() {
        looking = false;
        if (BY_DISPATCHER.get(dispatcher) != this) {
            return;
        }
        lookLater();
        if (dispatcher.executorService().isShutdown()) {
            calls.forEach(Calls::endWait);
        }
    }
}
