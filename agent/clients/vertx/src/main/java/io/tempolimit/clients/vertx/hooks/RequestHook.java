package io.tempolimit.clients.vertx.hooks;

import io.tempolimit.core.Target;
import io.tempolimit.weave.Gate;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.lang.invoke.MethodHandles;

/**
 * A request of a client, each redirect one of its own. The arguments are, among others, host, port, whether it is TLS, and
 * URI, in a row (Vert.x 4), or port, host and options at the end (5).
 */
public final class RequestHook extends CallHook {
    public RequestHook(Gate gate) {
        super(gate, "request", "doRequest");
    }

    @Override
    Target target(MethodHandles.Lookup lookup, Object self, Object[] args) {
        int n = args.length;
        if (args[n - 1] instanceof RequestOptions) {
            RequestOptions options = (RequestOptions) args[n - 1];
            return new HostTarget((String) args[n - 2], (Integer) args[n - 3], options.isSsl(), options.getURI(),
                    options.getMethod(), options.getHeaders());
        }
        int host = 0;
        while (!(args[host] instanceof String)) {
            host++;
        }
        Object headers = args[host + 4];
        return new HostTarget((String) args[host], (Integer) args[host + 1], (Boolean) args[host + 2], (String) args[host + 3],
                (HttpMethod) args[0], headers instanceof MultiMap ? (MultiMap) headers : null);
    }
}
