package io.tempolimit.clients.commons.hooks;

import io.tempolimit.weave.RejectionResponse;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import org.apache.commons.httpclient.Header;
import org.apache.commons.httpclient.HeaderGroup;
import org.apache.commons.httpclient.HttpConnection;
import org.apache.commons.httpclient.HttpMethodBase;
import org.apache.commons.httpclient.StatusLine;

/** What public types do not give: a director's connection, and a response that no site has sent. */
final class Internals {
    private static volatile Internals internals;

    private final MethodHandle setConnection;
    private final MethodHandle setLocked;
    private final MethodHandle fakeResponse;

    private Internals(MethodHandles.Lookup director) throws ReflectiveOperationException {
        setConnection = director.findSetter(director.lookupClass(), "conn", HttpConnection.class)
                .asType(MethodType.methodType(void.class, Object.class, HttpConnection.class));
        setLocked = director.findVirtual(HttpConnection.class, "setLocked", MethodType.methodType(void.class, boolean.class));
        fakeResponse = director.findVirtual(HttpMethodBase.class, "fakeResponse",
                MethodType.methodType(void.class, StatusLine.class, HeaderGroup.class, InputStream.class));
    }

    /** @param director the lookup of {@code HttpMethodDirector} */
    static Internals by(MethodHandles.Lookup director) throws ReflectiveOperationException {
        Internals in = internals;
        if (in == null) {
            in = new Internals(director);
            internals = in;
        }
        return in;
    }

    /** As the director does it, if its connection is to another host. */
    void giveBack(Object director, HttpConnection connection) {
        try {
            setLocked.invokeExact(connection, false);
            connection.releaseConnection();
            setConnection.invokeExact(director, (HttpConnection) null);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** As the director does it for its first round. */
    void lease(Object director, HttpConnection connection) {
        try {
            setLocked.invokeExact(connection, true);
            setConnection.invokeExact(director, connection);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** As the director does it, if a proxy makes no tunnel. */
    void answer(HttpMethodBase method, RejectionResponse rejection) {
        HeaderGroup headers = new HeaderGroup();
        for (Map.Entry<String, String> header : rejection.headers().entrySet()) {
            headers.addHeader(new Header(header.getKey(), header.getValue()));
        }
        InputStream body = rejection.body().length == 0 ? null : new ByteArrayInputStream(rejection.body());
        try {
            fakeResponse.invokeExact(method, new StatusLine("HTTP/1.1 " + rejection.status() + " " + rejection.reason()), headers, body);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }
}
