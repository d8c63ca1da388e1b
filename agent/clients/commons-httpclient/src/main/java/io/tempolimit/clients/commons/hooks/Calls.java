package io.tempolimit.clients.commons.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.gate.Waits;
import io.tempolimit.gate.WeakMap;
import java.lang.ref.WeakReference;
import org.apache.commons.httpclient.HttpMethod;
import org.apache.commons.httpclient.HttpMethodBase;

/** What {@code abort} ends, from any thread. */
final class Calls {
    static final Waits<HttpMethod> WAITS = new Waits<>(Calls::isAborted);
    /** What is read; the streams keep it. */
    private static final WeakMap<HttpMethod, WeakReference<Body>> READING = new WeakMap<>();

    private Calls() {
    }

    static boolean isAborted(HttpMethod method) {
        return method instanceof HttpMethodBase && ((HttpMethodBase) method).isAborted();
    }

    static void reads(HttpMethod method, Body body) {
        READING.put(method, new WeakReference<>(body));
    }

    /** The method was aborted, and its connection, if it has one, is closed. */
    static void aborted(HttpMethod method) {
        WAITS.end(method);
        WeakReference<Body> reading = READING.remove(method);
        Body body = reading == null ? null : reading.get();
        if (body != null) {
            body.cut();
        }
    }
}
