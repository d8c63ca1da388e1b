package io.tempolimit.clients.commons.hooks;

import io.tempolimit.gate.OpenBodies;
import io.tempolimit.gate.Waits;
import org.apache.commons.httpclient.HttpMethod;
import org.apache.commons.httpclient.HttpMethodBase;

/** What {@code abort} ends, from any thread. */
final class Calls {
    static final Waits<HttpMethod> WAITS = new Waits<>(Calls::isAborted);
    static final OpenBodies<HttpMethod> READING = new OpenBodies<>();

    private Calls() {
    }

    static boolean isAborted(HttpMethod method) {
        return method instanceof HttpMethodBase && ((HttpMethodBase) method).isAborted();
    }

    /** The method was aborted, and its connection, if it has one, is closed. */
    static void aborted(HttpMethod method) {
        WAITS.end(method);
        READING.cut(method);
    }
}
