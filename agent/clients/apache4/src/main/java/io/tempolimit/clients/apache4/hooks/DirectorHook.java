package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.core.request.Target;
import io.tempolimit.gate.Parking;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.CloseHook;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import io.tempolimit.weave.Refusal;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.invoke.MethodHandles;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.apache.http.Header;
import org.apache.http.HttpHost;
import org.apache.http.HttpRequest;
import org.apache.http.client.methods.AbortableHttpRequest;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.params.ClientPNames;
import org.apache.http.conn.ClientConnectionRequest;
import org.apache.http.conn.ManagedClientConnection;
import org.apache.http.conn.params.ConnRouteParams;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.impl.conn.DefaultHttpRoutePlanner;
import org.apache.http.params.CoreProtocolPNames;
import org.apache.http.params.HttpParams;
import org.apache.http.protocol.HTTP;

/**
 * A call of the deprecated client begins: host (may be null), request, context; then the client's parameters, what plans
 * its routes, and its connection manager.
 */
@SuppressWarnings("deprecation")
public final class DirectorHook extends Hook {
    /** The permit of a call's latest hop; a director serves one call. */
    static final WeakMap<Object, Permit> PERMITS = new WeakMap<>(Permit::abandoned);

    private final Gate gate;

    public DirectorHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        HttpRequest request = (HttpRequest) args[1];
        Object manager = args[5];
        if (CloseHook.CLOSED.isClosed(manager)) {
            return null;
        }
        Permit permit = gate.arrive(new FirstTarget((HttpHost) args[0], request, (HttpParams) args[3], plansByParameters(args[4])));
        if (permit == null) {
            return null;
        }
        if (permit.waiting()) {
            await(permit, request, manager);
        }
        if (permit.cancelled()) {
            return null; // there are no connections any more, as the method itself will find
        }
        PERMITS.put(self, permit);
        return new Call() {
            @Override
            public Object exit(Object result) {
                PERMITS.get(self).unused(); // if the last round was not answered by the site, but by a proxy
                return result;
            }

            @Override
            public Throwable fail(Throwable failure) {
                permit.failed(failure);
                return failure;
            }
        };
    }

    /** Whether the parameters alone say which proxy a route has; other planners ask a {@code ProxySelector}, or are the application's. */
    static boolean plansByParameters(Object routePlanner) {
        return routePlanner != null && routePlanner.getClass() == DefaultHttpRoutePlanner.class;
    }

    /** The method itself would not find that it was aborted before it had a connection. */
    private static void await(Permit permit, HttpRequest request, Object manager) throws Exception {
        if (request instanceof AbortableHttpRequest) {
            try {
                ((AbortableHttpRequest) request).setConnectionRequest(new Abort(permit));
            } catch (IOException aborted) {
                permit.cancel();
            }
            if (request instanceof HttpUriRequest && ((HttpUriRequest) request).isAborted()) {
                permit.cancel();
            }
        }
        try {
            CloseHook.CLOSED.waits(permit, manager, permit::cancel);
            Parking.await(permit);
        } catch (InterruptedException e) {
            throw new Refusal(new InterruptedIOException());
        } finally {
            CloseHook.CLOSED.waitIsOver(permit);
        }
        if (permit.cancelled() && !CloseHook.CLOSED.isClosed(manager)) {
            throw new Refusal(new InterruptedIOException("Connection has been shut down"));
        }
    }

    /** What the request is told it waits for. */
    private static final class Abort implements ClientConnectionRequest {
        private final Permit permit;

        Abort(Permit permit) {
            this.permit = permit;
        }

        @Override
        public ManagedClientConnection getConnection(long timeout, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void abortRequest() {
            permit.cancel();
        }
    }

    /** Before there is a route. */
    private static final class FirstTarget extends Target {
        private final HttpHost host;
        private final HttpRequest request;
        private final HttpParams params;
        private final boolean planned;
        private final URI uri;

        FirstTarget(HttpHost host, HttpRequest request, HttpParams params, boolean planned) {
            this.host = host;
            this.request = request;
            this.params = params;
            this.planned = planned;
            this.uri = request instanceof HttpUriRequest ? ((HttpUriRequest) request).getURI()
                    : URI.create(request.getRequestLine().getUri());
        }

        @Override
        public String scheme() {
            return host == null ? uri.getScheme() : host.getSchemeName();
        }

        @Override
        public String host() {
            return host == null ? uri.getHost() : host.getHostName();
        }

        @Override
        public int port() {
            return host == null ? uri.getPort() : host.getPort();
        }

        @Override
        public String path() {
            return uri.getRawPath();
        }

        @Override
        public String method() {
            return request.getRequestLine().getMethod();
        }

        @Override
        public boolean answerable() {
            return true;
        }

        @Override
        public String proxy() {
            HttpRoute forced = planned ? ConnRouteParams.getForcedRoute(params) : null;
            return planned ? RouteTarget.proxy(forced == null ? ConnRouteParams.getDefaultProxy(params) : forced.getProxyHost()) : UNKNOWN;
        }

        /** With those that the client adds to a request when it has a connection for it. */
        @Override
        public String header(String name) {
            Header own = request.getFirstHeader(name);
            if (own != null) {
                return own.getValue();
            }
            Object added = params.getParameter(ClientPNames.DEFAULT_HEADERS);
            if (added instanceof Iterable) {
                for (Object header : (Iterable<?>) added) {
                    if (((Header) header).getName().equalsIgnoreCase(name)) {
                        return ((Header) header).getValue();
                    }
                }
            }
            return name.equalsIgnoreCase(HTTP.USER_AGENT) ? (String) params.getParameter(CoreProtocolPNames.USER_AGENT) : null;
        }
    }
}
