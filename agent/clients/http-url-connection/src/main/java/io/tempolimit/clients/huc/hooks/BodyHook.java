package io.tempolimit.clients.huc.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.gate.WeakMap;
import io.tempolimit.weave.Call;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.net.HttpURLConnection;
import java.net.ProtocolException;
import java.util.function.Consumer;

/**
 * Waits for the answer, the first time it is called: then the connection has its body's stream, which the application gets by this
 * method or, of an error, by another; a tap takes its place. The field is that stream.
 */
public final class BodyHook extends Hook {
    /** Bodies that are to be seen, and have no tap yet. */
    private static final WeakMap<HttpURLConnection, Untapped> UNTAPPED = new WeakMap<>(new Consumer<Untapped>() {
        @Override
        public void accept(Untapped untapped) {
            untapped.body.cut();
        }
    });

    private volatile Streams streams;

    public BodyHook(Gate gate) {
    }

    /** A body, and how long it is. */
    private static final class Untapped {
        final Body body;
        final long length;

        Untapped(Body body, long length) {
            this.body = body;
            this.length = length;
        }
    }

    /** The answer to the latest hop is there; {@code body}: who is to see its body, or null. */
    static void answered(HttpURLConnection connection, Body body, ResponseHead head) {
        skipped(connection);
        if (body != null) {
            UNTAPPED.put(connection, new Untapped(body, head.length()));
        }
    }

    /** The client goes on from the answer before, of a redirect or one that wants a password, whose body it reads by itself. */
    static void skipped(HttpURLConnection connection) {
        Untapped before = UNTAPPED.remove(connection);
        if (before != null) {
            before.body.cut();
        }
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        if (args[0] != null) {
            return null;
        }
        HttpURLConnection connection = (HttpURLConnection) self;
        return new Call() {
            @Override
            public Object exit(Object result) {
                return tap(lookup, connection, (InputStream) result);
            }

            @Override
            public Throwable fail(Throwable failure) {
                tap(lookup, connection, null); // of an error page
                if (failure instanceof ProtocolException) {
                    ConnectHook.notSent(connection);
                } else {
                    ConnectHook.notAnswered(connection, failure); // while it was written
                }
                return failure;
            }
        };
    }

    private InputStream tap(MethodHandles.Lookup lookup, HttpURLConnection connection, InputStream result) {
        Untapped untapped = UNTAPPED.remove(connection);
        if (untapped == null) {
            return result;
        }
        if (untapped.length == 0) {
            untapped.body.end();
            return result;
        }
        try {
            Streams s = streams;
            if (s == null) {
                s = new Streams(lookup);
                streams = s;
            }
            return s.tap(connection, untapped, result);
        } catch (Throwable t) {
            untapped.body.cut();
            throw new IllegalStateException(t);
        }
    }

    /**
     * Where a connection keeps its body's stream: one, and with {@code sun.net.http.errorstream.enableBuffering}
     * another for an error page.
     */
    private static final class Streams {
        private final MethodHandle getInput;
        private final MethodHandle setInput;
        private final MethodHandle getError;
        private final MethodHandle setError;

        Streams(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
            Class<?> connection = Class.forName("sun.net.www.protocol.http.HttpURLConnection");
            MethodType get = MethodType.methodType(InputStream.class, HttpURLConnection.class);
            MethodType set = MethodType.methodType(void.class, HttpURLConnection.class, InputStream.class);
            Field input = field(lookup, connection, "inputStream");
            getInput = lookup.unreflectGetter(input).asType(get);
            setInput = lookup.unreflectSetter(input).asType(set);
            Field error = field(lookup, connection, "errorStream");
            getError = lookup.unreflectGetter(error).asType(get);
            setError = lookup.unreflectSetter(error).asType(set);
        }

        private static Field field(MethodHandles.Lookup lookup, Class<?> owner, String name) throws ReflectiveOperationException {
            Field field = owner.getDeclaredField(name);
            if (lookup.lookupClass() != owner) { // Java 8, which gives such classes no lookup of their own
                field.setAccessible(true);
            }
            return field;
        }

        InputStream tap(HttpURLConnection connection, Untapped untapped, InputStream result) throws Throwable {
            InputStream error = (InputStream) getError.invokeExact(connection);
            if (error != null) {
                setError.invokeExact(connection, (InputStream) new Tap(error, untapped.body, untapped.length));
                return result;
            }
            InputStream input = (InputStream) getInput.invokeExact(connection);
            if (input == null) {
                untapped.body.cut();
                return result;
            }
            InputStream tap = new Tap(input, untapped.body, untapped.length);
            setInput.invokeExact(connection, tap);
            return result == input ? tap : result;
        }
    }
}
