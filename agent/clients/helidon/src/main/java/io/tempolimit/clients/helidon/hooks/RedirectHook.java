package io.tempolimit.clients.helidon.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.HttpURLConnection;

/**
 * The head of a redirect that answers a request whose body the application has written: of HTTP/1.1 the headers alone, of HTTP/2
 * what holds them.
 */
public final class RedirectHook extends Hook {
    public RedirectHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws ReflectiveOperationException {
        Object head = args[0];
        Object headers = head instanceof Iterable ? head : head.getClass().getMethod("httpHeaders").invoke(head);
        Hop.redirected(HttpURLConnection.HTTP_MOVED_TEMP, headers);
        return null;
    }
}
