package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Gate;
import java.util.List;
import org.eclipse.jetty.client.HttpClient;

/** One request that is handed to its destination. */
abstract class Hop {
    final Internals in;
    final Object destination;
    final Object request;
    final Object conversation;
    /** Null if nothing of the kind runs during the wait. */
    private volatile TimeoutListeners timeouts;

    Hop(Internals in, Object destination, Object request) {
        this.in = in;
        this.destination = destination;
        this.request = request;
        this.conversation = in.conversation(request);
    }

    /** Makes it part of its conversation, so that aborting the request fails it. */
    abstract void join();

    /** Hands it to its destination again. */
    abstract void send();

    /** Listeners that its conversation does not know of yet. */
    abstract List<?> listeners();

    /** It begins to wait. */
    final void pause() {
        if (in.hasTimeoutListeners()) {
            timeouts = new TimeoutListeners(conversation, listeners(), in.client(destination).getScheduler());
            timeouts.stop();
        }
    }

    /** Its wait is over. */
    final void proceed() {
        if (timeouts != null) {
            timeouts.start();
        }
        send();
    }

    /** @return null if it may be handed over now; else it will be later, or never */
    final Object enter(Gate gate) {
        HttpClient client = in.client(destination);
        Permit latest = Calls.PERMITS.get(request);
        if (latest != null && latest.granted()) {
            gate.announced(latest.target());
            return null; // handed over again: after its wait, or because its connection was closed before it was sent
        }
        if (!client.isRunning() || in.isAborted(request)) {
            return null; // the client fails it
        }
        Permit prepaid = Calls.PREPAID.remove(conversation);
        if (prepaid != null) {
            Calls.PERMITS.put(request, prepaid);
            gate.announced(prepaid.target());
            return null;
        }
        Permit permit;
        try {
            permit = gate.arrive(in.target(request, destination));
        } catch (RequestRejectedException e) {
            join();
            in.abort(request, e);
            return e;
        }
        if (permit == null) {
            return null;
        }
        Calls.PERMITS.put(request, permit);
        return permit.granted() ? null : HeldHop.begin(gate, this, client, permit);
    }
}
