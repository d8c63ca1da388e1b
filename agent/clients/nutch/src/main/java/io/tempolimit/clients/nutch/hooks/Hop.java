package io.tempolimit.clients.nutch.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.weave.Call;

/** One request, from the connection to the end of the answer's body, all on one thread. */
final class Hop extends Call {
    /** The one that this thread sends, until its head has come. */
    private static final ThreadLocal<Hop> SENT = new ThreadLocal<>();

    private final Internals plugin;
    private final Permit permit;
    private boolean answered;
    /** Null if the body does not matter, or the head has not come. */
    private Body body;

    Hop(Internals plugin, Permit permit) {
        this.plugin = plugin;
        this.permit = permit;
        SENT.set(this);
    }

    /** The head of an answer has come on this thread. */
    static void headOf(Object response) {
        Hop hop = SENT.get();
        if (hop != null) {
            hop.answered(response);
        }
    }

    private void answered(Object response) {
        if (answered || plugin.code(response) / 100 == 1) { // which the answer itself follows
            return;
        }
        answered = true;
        body = permit.answered(new ResponseHead(plugin, response));
    }

    @Override
    public Object exit(Object result) {
        SENT.remove();
        if (result == null) {
            permit.answered();
            return null;
        }
        answered(result); // if the plugin has another way to read a head
        byte[] content = body == null ? null : plugin.content(result);
        if (content != null) {
            body.add(content, 0, content.length);
        }
        if (body != null) {
            body.end();
        }
        return result;
    }

    @Override
    public Throwable fail(Throwable failure) {
        SENT.remove();
        if (!answered) {
            permit.failed(failure);
        } else if (body != null) {
            body.cut();
        }
        return failure;
    }
}
