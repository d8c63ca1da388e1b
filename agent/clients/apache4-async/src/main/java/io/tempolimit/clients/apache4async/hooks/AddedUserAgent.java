package io.tempolimit.clients.apache4async.hooks;

import io.tempolimit.core.request.Target;
import io.tempolimit.gate.WeakMap;
import java.lang.reflect.Field;
import org.apache.http.Header;
import org.apache.http.HttpRequest;
import org.apache.http.HttpRequestInterceptor;
import org.apache.http.client.protocol.RequestDefaultHeaders;
import org.apache.http.message.BasicHttpRequest;
import org.apache.http.protocol.BasicHttpContext;
import org.apache.http.protocol.HTTP;
import org.apache.http.protocol.RequestUserAgent;

/**
 * The user agent that a client gives to requests without one, when it writes them, which is after the gate: what the application has
 * set for all of them, or the client's own. Not known where the application has interceptors, which may do anything.
 */
final class AddedUserAgent {
    private static final String NONE = "";
    /** By the object that does it. */
    private static final WeakMap<Object, String> BY_PROCESSOR = new WeakMap<>();

    private static final ClassValue<Field> EXEC = field("exec");
    private static final ClassValue<Field> PROCESSOR = field("httpProcessor");
    private static final ClassValue<Field> INTERCEPTORS = field("requestInterceptors");

    private AddedUserAgent() {
    }

    /** What will complete a call's request; null if that cannot be told. */
    static Object processorOf(Object handler) {
        Object exec = get(EXEC, handler); // the minimal clients do it themselves
        return get(PROCESSOR, exec == null ? handler : exec);
    }

    /** Null if it adds none; {@link Target#UNKNOWN} if that cannot be told. */
    static String of(Object processor) {
        if (processor == null) {
            return Target.UNKNOWN;
        }
        String userAgent = BY_PROCESSOR.get(processor);
        if (userAgent == null) {
            userAgent = find(processor);
            BY_PROCESSOR.put(processor, userAgent);
        }
        return userAgent == NONE ? null : userAgent;
    }

    /** Asks the library's own two interceptors what they would add. */
    private static String find(Object processor) {
        HttpRequest request = new BasicHttpRequest("GET", "/");
        try {
            for (HttpRequestInterceptor interceptor : (HttpRequestInterceptor[]) get(INTERCEPTORS, processor)) {
                if (interceptor instanceof RequestDefaultHeaders || interceptor instanceof RequestUserAgent) {
                    interceptor.process(request, new BasicHttpContext());
                } else if (!interceptor.getClass().getName().startsWith("org.apache.http.")) {
                    return Target.UNKNOWN;
                }
            }
        } catch (Exception e) { // another processor than the client's own
            return Target.UNKNOWN;
        }
        Header header = request.getFirstHeader(HTTP.USER_AGENT);
        return header == null ? NONE : header.getValue();
    }

    /** Finds a field of a class by its name; none if there is none, or it must not be read. */
    private static ClassValue<Field> field(String name) {
        return new ClassValue<Field>() {
            @Override
            protected Field computeValue(Class<?> type) {
                for (Class<?> t = type; t != null; t = t.getSuperclass()) {
                    try {
                        Field field = t.getDeclaredField(name);
                        field.setAccessible(true);
                        return field;
                    } catch (NoSuchFieldException | RuntimeException e) {
                        // a superclass may have it
                    }
                }
                return null;
            }
        };
    }

    /** Null if there is nothing to be found. */
    private static Object get(ClassValue<Field> field, Object object) {
        Field f = object == null ? null : field.get(object.getClass());
        try {
            return f == null ? null : f.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // it was made accessible
        }
    }
}
