package io.tempolimit.clients.jdk.hooks;

import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import io.tempolimit.weave.RejectionResponse;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The last hop's body is about to be read; the argument is the application's handler, the field the exchange. If that hop was rejected, and
 * {@link #response} has answered in its place, there is no connection to read from, and the handler gets what was made for it.
 */
public final class RejectionHook extends Hook {
    /** The constructor of the client's {@code Response}; null until it is needed. */
    private static volatile MethodHandle constructor;

    public RejectionHook(Gate gate) {
    }

    /**
     * A response of the client's own kind, as a hop gives it.
     *
     * @param request the hop's request
     */
    static Object response(MethodHandles.Lookup lookup, Object request, RejectionResponse rejection) throws ReflectiveOperationException {
        if (constructor == null) {
            ClassLoader loader = lookup.lookupClass().getClassLoader();
            Class<?> response = Class.forName("jdk.internal.net.http.Response", false, loader);
            constructor = lookup.findConstructor(response, MethodType.methodType(void.class, request.getClass(),
                    Class.forName("jdk.internal.net.http.Exchange", false, loader), HttpHeaders.class,
                    Class.forName("jdk.internal.net.http.HttpConnection", false, loader), int.class, HttpClient.Version.class))
                    .asType(MethodType.methodType(Object.class, Object.class, Object.class, HttpHeaders.class,
                            Object.class, int.class, HttpClient.Version.class));
        }
        try {
            return constructor.invokeExact(request, (Object) null, headers(rejection), (Object) null,
                    rejection.status(), HttpClient.Version.HTTP_1_1);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static HttpHeaders headers(RejectionResponse rejection) {
        Map<String, List<String>> headers = new HashMap<>();
        rejection.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        return HttpHeaders.of(headers, (name, value) -> true);
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        RejectionResponse rejection = Exchanges.REJECTED.remove(args[1]);
        return rejection == null ? null : read((HttpResponse.BodyHandler<?>) args[0], rejection);
    }

    /** What a handler does, and what its subscriber does, is the application's, and so are its errors. */
    private static <T> CompletableFuture<T> read(HttpResponse.BodyHandler<T> handler, RejectionResponse rejection) throws Refusal {
        try {
            HttpResponse.BodySubscriber<T> subscriber = handler.apply(new Info(rejection));
            new RejectionBody(subscriber, rejection.body()).begin();
            return subscriber.getBody().toCompletableFuture();
        } catch (Throwable t) {
            throw new Refusal(t);
        }
    }

    private static final class Info implements HttpResponse.ResponseInfo {
        private final RejectionResponse rejection;

        Info(RejectionResponse rejection) {
            this.rejection = rejection;
        }

        @Override
        public int statusCode() {
            return rejection.status();
        }

        @Override
        public HttpHeaders headers() {
            return RejectionHook.headers(rejection);
        }

        @Override
        public HttpClient.Version version() {
            return HttpClient.Version.HTTP_1_1;
        }
    }
}
