package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Permit;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.HttpURLConnection;

/** Where a response's head is read: the arguments are the header to fill and, last, the connection; then the request's header. */
public final class AnswerHook extends Hook {
    /** The permits whose answers are being read. */
    private static final WeakMap<HttpURLConnection, Permit> READ = new WeakMap<>(permit -> { });

    private final Gate gate;
    /** {@code MessageHeader.getKey(int)} and {@code getValue(int)}: the first key is the request line, the first value the status line. */
    private volatile MethodHandle key;
    private volatile MethodHandle value;

    public AnswerHook(Gate gate) {
        this.gate = gate;
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) args[args.length - 2];
        Permit latest = ConnectHook.PERMITS.get(connection);
        if (latest == null) {
            return null;
        }
        Object response = args[0];
        Object request = args[args.length - 1];
        prepare(lookup, response.getClass());
        if (request != null) {
            String line = call(key, request);
            if (line != null && line.startsWith("CONNECT ")) {
                return null; // to the proxy
            }
        }
        if (READ.get(connection) == latest) {
            latest.abandoned(); // the kept connection was closed by the site: this is a retry, from within the first attempt
        }
        Permit permit = latest;
        if (latest.done()) { // this round did not connect anew
            permit = gate.limiter().charge(new UrlTarget(connection.getURL()));
            if (permit == null) {
                return null;
            }
            ConnectHook.PERMITS.put(connection, permit);
        }
        READ.put(connection, permit);
        return new Answer(permit, connection, response);
    }

    private void prepare(MethodHandles.Lookup lookup, Class<?> header) throws ReflectiveOperationException {
        if (value == null) {
            MethodType type = MethodType.methodType(String.class, int.class);
            key = lookup.findVirtual(header, "getKey", type).asType(MethodType.methodType(String.class, Object.class, int.class));
            value = lookup.findVirtual(header, "getValue", type).asType(MethodType.methodType(String.class, Object.class, int.class));
        }
    }

    private static String call(MethodHandle getter, Object header) {
        try {
            return (String) getter.invokeExact(header, 0);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private final class Answer extends Call {
        private final Permit permit;
        private final HttpURLConnection connection;
        private final Object response;

        Answer(Permit permit, HttpURLConnection connection, Object response) {
            this.permit = permit;
            this.connection = connection;
            this.response = response;
        }

        @Override
        public Object exit(Object result) {
            READ.remove(connection);
            int status = status(call(value, response));
            if (status > 0) {
                permit.answered(status);
            } else {
                permit.abandoned();
            }
            return result;
        }

        @Override
        public Throwable fail(Throwable failure) {
            READ.remove(connection);
            permit.failed(failure);
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
