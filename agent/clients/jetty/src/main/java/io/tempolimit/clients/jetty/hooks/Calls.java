package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.client.HttpClient;

/** What is known of calls. */
final class Calls {
    /** By request, of which each hop has its own. */
    static final WeakMap<Object, Permit> PERMITS = new WeakMap<>(Permit::abandoned);
    /** By request, who is to see its response's body. */
    static final WeakMap<Object, Body> BODIES = new WeakMap<>(Body::cut);
    /** By conversation: permits of hops that a proxy has asked for a password. The same request once more costs nothing. */
    static final WeakMap<Object, Permit> PREPAID = new WeakMap<>(Permit::unused);
    /** By conversation (a call of the application, with all its hops), the hop that waits. */
    private static final ConcurrentHashMap<Identity, HeldHop> HELD = new ConcurrentHashMap<>();

    private Calls() {
    }

    /** Enters a hop that waits; false if its conversation has one already. */
    static boolean hold(Object conversation, HeldHop hop) {
        return HELD.putIfAbsent(new Identity(conversation), hop) == null;
    }

    static void waitIsOver(Object conversation, HeldHop hop) {
        HELD.remove(new Identity(conversation), hop);
    }

    /** The hop of this conversation that waits, or null. */
    static HeldHop held(Object conversation) {
        return HELD.get(new Identity(conversation));
    }

    /** Whether a hop waits that will go through this destination. */
    static boolean waitFor(Object destination) {
        for (HeldHop hop : HELD.values()) {
            if (hop.destination() == destination) {
                return true;
            }
        }
        return false;
    }

    /** The client is stopped. */
    static void stopped(HttpClient client) {
        for (HeldHop hop : HELD.values()) {
            if (hop.client() == client) {
                hop.stop();
            }
        }
    }

    /** The client's conversations are equal if their attributes are. */
    private static final class Identity {
        private final Object object;

        Identity(Object object) {
            this.object = object;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(object);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Identity && ((Identity) other).object == object;
        }
    }
}
