package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.request.Target;
import io.tempolimit.gate.WeakMap;
import java.lang.reflect.Field;
import org.apache.hc.client5.http.impl.async.AsyncConnectExec;
import org.apache.hc.client5.http.impl.classic.ConnectExec;
import org.apache.hc.client5.http.protocol.RequestDefaultHeaders;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpRequestInterceptor;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.protocol.BasicHttpContext;
import org.apache.hc.core5.http.protocol.RequestUserAgent;

/**
 * The user agent that a client gives to requests without one, when it writes them, which from 5.1 on is after the gate: what the
 * application has set for all of them, or the client's own. Not known where the application has interceptors, which may do anything.
 */
final class AddedUserAgent {
    private static final String NONE = "";
    /** By the element of the client's chain that the gate is in. */
    private static final WeakMap<Object, String> BY_CONNECT = new WeakMap<>();

    private AddedUserAgent() {
    }

    /** Null if it adds none; {@link Target#UNKNOWN} if that cannot be told. */
    static String of(Object connect) {
        String userAgent = BY_CONNECT.get(connect);
        return userAgent == null ? Target.UNKNOWN : userAgent == NONE ? null : userAgent;
    }

    /** A client was made: looks for what comes behind the gate in its chain. */
    static void look(Object client) {
        Object connect = null;
        for (Object element = get(client, "execChain"); element != null; element = get(element, "next")) {
            Object handler = get(element, "handler");
            if (handler instanceof ConnectExec || handler instanceof AsyncConnectExec) {
                connect = handler;
            } else if (connect != null) {
                Object processor = get(handler, "httpProcessor");
                if (processor != null) {
                    BY_CONNECT.put(connect, find(processor));
                }
            }
        }
    }

    /** Asks the library's own two interceptors what they would add. */
    private static String find(Object processor) {
        HttpRequest request = new BasicHttpRequest("GET", "/");
        try {
            for (HttpRequestInterceptor interceptor : (HttpRequestInterceptor[]) get(processor, "requestInterceptors")) {
                if (interceptor instanceof RequestDefaultHeaders || interceptor instanceof RequestUserAgent) {
                    interceptor.process(request, null, new BasicHttpContext());
                } else if (!interceptor.getClass().getName().startsWith("org.apache.hc.")) {
                    return Target.UNKNOWN;
                }
            }
        } catch (Exception e) { // another processor than the client's own
            return Target.UNKNOWN;
        }
        Header header = request.getFirstHeader(HttpHeaders.USER_AGENT);
        return header == null ? NONE : header.getValue();
    }

    /** Null if there is no such field, or it must not be read. */
    private static Object get(Object object, String name) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(object);
            } catch (ReflectiveOperationException | RuntimeException e) {
                // a superclass may have it
            }
        }
        return null;
    }
}
