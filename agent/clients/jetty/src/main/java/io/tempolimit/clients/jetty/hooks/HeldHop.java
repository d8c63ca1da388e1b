package io.tempolimit.clients.jetty.hooks;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.Hold;
import io.tempolimit.weave.Gate;
import java.nio.channels.AsynchronousCloseException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.client.HttpClient;

/** A hop that waits for its permit's turn. Of those who want to end the wait, the first one does. */
final class HeldHop {
    private final Hop hop;
    private final HttpClient client;
    private final Permit permit;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile Hold hold;

    private HeldHop(Hop hop, HttpClient client, Permit permit) {
        this.hop = hop;
        this.client = client;
        this.permit = permit;
    }

    /** @return null if it cannot wait */
    static HeldHop begin(Gate gate, Hop hop, HttpClient client, Permit permit) {
        HeldHop held = new HeldHop(hop, client, permit);
        if (!Calls.hold(hop.conversation, held)) {
            permit.cancel(); // the same request is sent twice at a time, which the client does not support either
            return null;
        }
        try {
            hop.pause();
            held.hold = Hold.start(gate.timer(), permit, client.getExecutor(), held::resume, false);
        } catch (RuntimeException | Error e) {
            held.end();
            permit.cancel();
            throw e;
        }
        if (held.over.get()) { // ended by who did not see the hold yet
            held.hold.cancel();
        } else if (!client.isRunning()) { // too late for the hook that ends those who wait
            held.stop();
        }
        return held;
    }

    Object destination() {
        return hop.destination;
    }

    HttpClient client() {
        return client;
    }

    private boolean end() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        Calls.waitIsOver(hop.conversation, this);
        return true;
    }

    /** On the client's executor. */
    private void resume() {
        if (!end()) {
            return;
        }
        RequestRejectedException rejection = permit.rejection();
        if (rejection != null) {
            hop.join();
            hop.in.abort(hop.request, rejection);
        } else {
            hop.proceed();
        }
    }

    /** One of the conversation's requests is being aborted: the client fails the hop itself. */
    void aborted() {
        if (!end()) {
            return;
        }
        hop.join();
        Hold h = hold;
        if (h != null) {
            h.cancel();
        } else {
            permit.cancel();
        }
        permit.unused(); // if its turn has come, and it was not handed over yet
    }

    /** Fails it as the client fails what is in its queues when it is stopped. */
    void stop() {
        hop.in.abort(hop.request, new AsynchronousCloseException());
    }
}
