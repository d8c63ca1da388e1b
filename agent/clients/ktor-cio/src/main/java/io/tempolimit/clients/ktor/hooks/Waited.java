package io.tempolimit.clients.ktor.hooks;

import io.ktor.client.engine.HttpClientEngineCapabilityKt;
import io.ktor.client.request.HttpRequestData;
import io.ktor.util.Attributes;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.gate.WeakMap;

/**
 * For how long hops of a call have waited, so that its timeout can be put off by that. A call is known by what it asks of its engine,
 * timeouts among that: an object that all its hops and retries share. Thread-safe.
 */
final class Waited {
    private static final WeakMap<Object, Waited> BY_CALL = new WeakMap<>();

    private int waiting;
    private long since;
    private long total;

    /** A hop begins to wait. @return null if its call has no timeouts */
    static Waited begins(HttpRequestData request) {
        Object call = callOf(request.getAttributes());
        if (call == null) {
            return null;
        }
        Waited waited;
        synchronized (BY_CALL) {
            waited = BY_CALL.get(call);
            if (waited == null) {
                waited = new Waited();
                BY_CALL.put(call, waited);
            }
        }
        waited.begins();
        return waited;
    }

    /** @return null if none of the call's hops has waited */
    static Waited of(Attributes attributes) {
        Object call = callOf(attributes);
        return call == null ? null : BY_CALL.get(call);
    }

    private static Object callOf(Attributes attributes) {
        return attributes.getOrNull(HttpClientEngineCapabilityKt.getENGINE_CAPABILITIES_KEY());
    }

    private synchronized void begins() {
        if (waiting++ == 0) {
            since = Clock.SYSTEM.nanos();
        }
    }

    /** The hop waits no longer. */
    synchronized void ends() {
        if (--waiting == 0) {
            total += Clock.SYSTEM.nanos() - since;
        }
    }

    /** Whether a hop waits just now. */
    synchronized boolean goesOn() {
        return waiting > 0;
    }

    /** Nanoseconds, those of a wait that goes on included. */
    synchronized long nanos() {
        return waiting == 0 ? total : total + Clock.SYSTEM.nanos() - since;
    }
}
