package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.util.function.Consumer;

/** Before a hop takes its connection; the fields are whether it has one, and the headers and the proxy that the application has set. */
public final class ConnectHook extends Hook {
    /** The permit of a connection's latest hop. */
    static final WeakMap<HttpURLConnection, Permit> PERMITS = new WeakMap<>(new Consumer<Permit>() { // not a lambda: see Timer
        @Override
        public void accept(Permit permit) {
            permit.abandoned();
        }
    });

    /** Permits of hops that a proxy has asked for a password: the same request once more costs nothing. */
    static final WeakMap<HttpURLConnection, Permit> PREPAID = new WeakMap<>(new Consumer<Permit>() {
        @Override
        public void accept(Permit permit) {
            permit.unused(); // the application has none
        }
    });

    /** What the JVM says of itself where the application says nothing; it may be set for all connections, by {@code http.agent}. */
    static volatile String userAgent;

    private final Gate gate;

    public ConnectHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        if ((Boolean) args[0]) {
            return null; // connected already
        }
        HttpURLConnection connection = (HttpURLConnection) self;
        BodyHook.skipped(connection);
        Permit before = PERMITS.remove(connection);
        if (before != null) {
            before.abandoned();
        }
        Permit prepaid = PREPAID.remove(connection);
        Permit permit = prepaid != null ? prepaid : gate.pass(target(lookup, connection, args[1], (Proxy) args[2]));
        if (permit == null) {
            return null;
        }
        PERMITS.put(connection, permit);
        return new Call() {
            @Override
            public Throwable fail(Throwable failure) {
                permit.failed(failure);
                return failure;
            }
        };
    }

    /** The client gives up after {@code http.maxRedirects}: it has connected for one redirect more, and sends no request there. */
    static void notSent(HttpURLConnection connection) {
        Permit permit = PERMITS.get(connection);
        if (permit != null) {
            permit.unused(); // nothing, if it was answered
        }
    }

    /** The latest hop has failed; nothing, if it was answered before that. */
    static void notAnswered(HttpURLConnection connection, Throwable failure) {
        Permit permit = PERMITS.get(connection);
        if (permit != null) {
            permit.failed(failure);
        }
    }

    private static UrlTarget target(MethodHandles.Lookup lookup, HttpURLConnection connection, Object headers, Proxy proxy)
            throws ReflectiveOperationException {
        if (userAgent == null) {
            Class<?> type = Class.forName("sun.net.www.protocol.http.HttpURLConnection");
            try {
                userAgent = (String) lookup.findStaticGetter(type, "userAgent", String.class).invokeExact();
            } catch (Throwable t) {
                throw new IllegalStateException(t);
            }
        }
        return new UrlTarget(connection, MessageHeaders.by(lookup, headers), headers, userAgent, proxy);
    }
}
