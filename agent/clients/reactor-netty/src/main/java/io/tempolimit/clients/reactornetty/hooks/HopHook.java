package io.tempolimit.clients.reactornetty.hooks;

import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Target;
import io.tempolimit.gate.Closings;
import io.tempolimit.gate.Hold;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.net.SocketAddress;
import reactor.core.publisher.MonoSink;
import reactor.netty.http.client.HttpClientConfig;

/** At the beginning of each hop; the arguments are the call's handler, the hop's sink, and the field is the client's configuration. */
public final class HopHook extends Hook {
    /** Event loops that have ended, and the hops that wait. */
    private static final Closings LOOPS = new Closings();
    /** Those of whose end we are told. */
    private static final WeakMap<EventLoopGroup, Boolean> WATCHED = new WeakMap<>();

    private final Gate gate;
    private volatile Internals internals;

    public HopHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        Object handler = args[0];
        MonoSink<?> sink = (MonoSink<?>) args[1];
        HttpClientConfig config = (HttpClientConfig) args[2];
        if (Hop.BY_SINK.get(sink) != null) {
            return null; // begun again after its wait
        }
        Internals in = internals;
        if (in == null) {
            in = new Internals(lookup, handler.getClass());
            internals = in;
        }
        Permit permit;
        try {
            permit = gate.arrive(in.target(handler, config));
        } catch (RequestRejectedException e) {
            sink.error(e);
            return sink;
        }
        if (permit == null) {
            Hop.OF_CALL.remove(handler); // that of an earlier hop, which never got a channel
            return null;
        }
        Hop hop = new Hop(permit);
        Hop.BY_SINK.put(sink, hop);
        Hop.OF_CALL.put(handler, permit);
        return permit.granted() ? null : hold(in, self, handler, sink, hop, config);
    }

    private Object hold(Internals in, Object self, Object handler, MonoSink<?> sink, Hop hop, HttpClientConfig config) {
        try {
            EventLoopGroup loops = config.loopResources().onClient(config.isPreferNative());
            hop.willWait(sink);
            Hold hold = Hold.start(gate.timer(), hop.permit, loops.next(), () -> resume(in, self, handler, sink, hop), false);
            hop.waits(hold);
            endWithLoops(loops, hold);
            return sink;
        } catch (Exception | Error e) {
            hop.permit.cancel();
            throw e;
        }
    }

    /** A call of which all event loops have ended fails as it begins. So when they end, one that waits goes on at once. */
    private static void endWithLoops(EventLoopGroup loops, Hold hold) {
        try {
            if (WATCHED.put(loops, true) == null) {
                loops.terminationFuture().addListener(ended -> LOOPS.closed(loops));
            }
            LOOPS.waits(hold.permit(), loops, hold::cancel);
        } catch (RuntimeException | Error e) {
            // out of memory, say: it waits for its turn
        }
    }

    private static void resume(Internals in, Object self, Object handler, MonoSink<?> sink, Hop hop) {
        LOOPS.waitIsOver(hop.permit);
        if (!hop.waitIsOver()) {
            hop.permit.unused();
            return;
        }
        RequestRejectedException rejection = hop.permit.rejection();
        if (rejection != null) {
            sink.error(rejection);
            return;
        }
        try {
            in.begin(self, handler, sink);
        } catch (Throwable t) {
            sink.error(t); // as Mono.create does
        }
    }

    /** What is not public. */
    private static final class Internals {
        private static final MethodType OF_ONE = MethodType.methodType(Object.class, Object.class);
        /** The body of {@code Mono.create}. */
        private final MethodHandle begin;
        /** From {@code HttpClientHandler} to {@code UriEndpoint}. */
        private final MethodHandle endpoint;
        private final MethodHandle method;
        private final MethodHandle headers;
        /** Those with which the application may add headers to a request that has its connection. */
        private final MethodHandle send;
        private final MethodHandle doOnRequest;
        /** Those of {@code UriEndpoint}. */
        private final MethodHandle scheme;
        private final MethodHandle address;
        private final MethodHandle path;

        Internals(MethodHandles.Lookup lookup, Class<?> handler) throws ReflectiveOperationException {
            Method body = lookup.lookupClass().getDeclaredMethod("lambda$subscribe$0", handler, MonoSink.class);
            begin = lookup.unreflect(body).asType(MethodType.methodType(void.class, Object.class, Object.class, MonoSink.class));
            Class<?> uriEndpoint = handler.getDeclaredField("toURI").getType();
            endpoint = getter(lookup, handler, "toURI");
            method = getter(lookup, handler, "method");
            headers = getter(lookup, handler, "defaultHeaders");
            send = getter(lookup, handler, "handler");
            doOnRequest = getter(lookup, HttpClientConfig.class, "doOnRequest");
            scheme = getter(lookup, uriEndpoint, "scheme");
            path = getter(lookup, uriEndpoint, "pathAndQuery");
            address = lookup.findVirtual(uriEndpoint, "getRemoteAddress", MethodType.methodType(SocketAddress.class)).asType(OF_ONE);
        }

        private static MethodHandle getter(MethodHandles.Lookup lookup, Class<?> type, String field) throws ReflectiveOperationException {
            return lookup.findGetter(type, field, type.getDeclaredField(field).getType()).asType(OF_ONE);
        }

        void begin(Object self, Object handler, MonoSink<?> sink) throws Throwable {
            begin.invokeExact(self, handler, sink);
        }

        EndpointTarget target(Object handler, HttpClientConfig config) {
            try {
                Object uri = endpoint.invokeExact(handler);
                Object schemeOfUri = scheme.invokeExact(uri);
                Object pathOfUri = path.invokeExact(uri);
                Object verb = method.invokeExact(handler);
                Object known = headers.invokeExact(handler);
                return new EndpointTarget((String) schemeOfUri, address(uri), (String) pathOfUri, (HttpMethod) verb, (HttpHeaders) known,
                        mayGetHeaders(handler, config) ? Target.UNKNOWN : null, config);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
        }

        private boolean mayGetHeaders(Object handler, HttpClientConfig config) throws Throwable {
            Object sender = send.invokeExact(handler);
            if (sender != null) {
                return true;
            }
            Object listener = doOnRequest.invokeExact((Object) config);
            return listener != null;
        }

        /**
         * Null if there is none: the application's supplier of it fails, or the port is out of range. The client will
         * find that out, too.
         */
        private SocketAddress address(Object uri) throws Throwable {
            try {
                Object remote = address.invokeExact(uri);
                return (SocketAddress) remote;
            } catch (RuntimeException none) {
                return null;
            }
        }
    }
}
