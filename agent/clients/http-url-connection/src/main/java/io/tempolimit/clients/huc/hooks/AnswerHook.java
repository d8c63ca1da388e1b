package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;

/** Where a response's head is read: the arguments are the header to fill and, last, the connection; then the request's header. */
public final class AnswerHook extends Hook {
    /** The permits whose answers are being read. */
    private static final WeakMap<HttpURLConnection, Permit> READ = new WeakMap<>();

    private final Gate gate;
    /** {@code HttpClient.closeServer()} */
    private volatile MethodHandle closeServer;

    public AnswerHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) args[args.length - 2];
        Permit latest = latest(connection);
        if (latest == null) {
            return null;
        }
        Object response = args[0];
        Object request = args[args.length - 1];
        MessageHeaders headers = MessageHeaders.by(lookup, response);
        if (request != null) {
            String line = headers.key(request, 0);
            if (line != null && line.startsWith("CONNECT ")) {
                return null; // to the proxy
            }
        }
        boolean retry = READ.get(connection) == latest && !latest.done(); // from within the first attempt, whose connection broke
        Permit permit = latest;
        if (retry || latest.done()) { // this round did not connect anew
            permit = gate.limiter().charge(new UrlTarget(connection, headers, request, ConnectHook.userAgent,
            ((UrlTarget) latest.target()).namedProxy()));
            if (permit == null) {
                return null;
            }
            if (retry) { // its answer is the first one's, which may be the probe
                permit.abandoned();
                permit = latest;
            } else {
                ConnectHook.PERMITS.put(connection, permit);
            }
        }
        READ.put(connection, permit);
        return new Answer(permit, connection, headers, response) {
            @Override
            void opened(Body body) throws ReflectiveOperationException {
                if (closeServer == null) {
                    closeServer = lookup.findVirtual(Class.forName("sun.net.www.http.HttpClient"), "closeServer",
                            MethodType.methodType(void.class))
                            .asType(MethodType.methodType(void.class, Object.class));
                }
                gate.opened(body, new Runnable() {
                    @Override
                    public void run() {
                        close(self);
                    }
                });
            }
        };
    }

    /** The stream cannot be closed while it is read, which waits for the next byte; but its connection can. */
    private void close(Object client) {
        try {
            closeServer.invokeExact(client);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static Permit latest(HttpURLConnection connection) {
        Permit prepaid = ConnectHook.PREPAID.remove(connection); // and has not connected anew since
        if (prepaid != null) {
            ConnectHook.PERMITS.put(connection, prepaid);
        }
        return ConnectHook.PERMITS.get(connection);
    }

    private abstract static class Answer extends Call {
        private final Permit permit;
        private final HttpURLConnection connection;
        private final MessageHeaders headers;
        private final Object response;

        Answer(Permit permit, HttpURLConnection connection, MessageHeaders headers, Object response) {
            this.permit = permit;
            this.connection = connection;
            this.headers = headers;
            this.response = response;
        }

        /** An event stream has begun that may have to be closed. */
        abstract void opened(Body body) throws ReflectiveOperationException;

        @Override
        public Object exit(Object result) {
            if (READ.remove(connection) != permit) {
                return result; // a retry, from within, has read the answer
            }
            int status = status(headers.value(response, 0));
            if (status == HttpURLConnection.HTTP_PROXY_AUTH && connection.usingProxy()
                    && connection.getURL().getProtocol().equals("http")) {
                ConnectHook.PERMITS.remove(connection);
                ConnectHook.PREPAID.put(connection, permit);
            } else if (status > 0) {
                ResponseHead head = new ResponseHead(status, headers, response);
                Body body = permit.answered(head);
                if (body != null && body.stream()) {
                    try {
                        opened(body);
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalStateException(e);
                    }
                }
                BodyHook.answered(connection, body, head);
            } else {
                permit.abandoned();
            }
            return result;
        }

        @Override
        public Throwable fail(Throwable failure) {
            READ.remove(connection);
            if (!(failure instanceof SocketTimeoutException && ExpectHook.asks())) {
                permit.failed(failure);
            }
            return failure;
        }
    }

    /** Of a line like {@code HTTP/1.1 200 OK}; 0 if it is none. */
    static int status(String line) {
        if (line == null || !line.startsWith("HTTP/")) {
            return 0;
        }
        int space = line.indexOf(' ');
        if (space < 0 || line.length() < space + 4) {
            return 0;
        }
        int status = 0;
        for (int i = space + 1; i < space + 4; i++) {
            int digit = line.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            status = status * 10 + digit;
        }
        return status;
    }
}
