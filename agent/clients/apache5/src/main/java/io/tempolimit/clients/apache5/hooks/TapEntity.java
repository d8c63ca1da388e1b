package io.tempolimit.clients.apache5.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.gate.OpenBodies;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.apache.hc.core5.http.io.entity.HttpEntityWrapper;

/**
 * The entity that comes from the connection, whose bytes are shown as they are read. The client wraps it in its own one, which
 * releases the connection; so the application sees what it is used to.
 */
final class TapEntity extends HttpEntityWrapper {
    /**
     * What is tapped, by what holds its connection. The request's end of that refers to the connection again, so only
     * the response keeps it.
     */
    private static final OpenBodies<Object> BY_CONNECTION = new OpenBodies<>();

    private final HttpEntity entity;
    private final TrailedTapStream content;

    private TapEntity(HttpEntity entity, InputStream content, Body body) {
        super(entity);
        this.entity = entity;
        this.content = new TrailedTapStream(content, body, entity.isChunked() || entity.getContentLength() >= 0);
    }

    /** Shows the body of a response that nobody has read from so far, and which keeps this connection; null: nobody wants to see it. */
    static void show(ClassicHttpResponse response, Object connection, Body body) {
        if (body == null) {
            return;
        }
        HttpEntity entity = response.getEntity();
        if (entity == null || entity.getContentLength() == 0) {
            body.end();
            return;
        }
        InputStream content = content(entity);
        if (content == null) {
            body.cut();
            return;
        }
        response.setEntity(new TapEntity(entity, content, body));
        BY_CONNECTION.put(connection, body);
    }

    /** Null if it does not come from a connection. */
    private static InputStream content(HttpEntity entity) {
        try {
            return entity.isStreaming() ? entity.getContent() : null;
        } catch (IOException e) { // the application will be told
            return null;
        }
    }

    /** The connection is gone. */
    static void gone(Object connection) {
        BY_CONNECTION.cut(connection);
    }

    @Override
    public InputStream getContent() {
        return content;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        AbstractHttpEntity.writeTo(this, out);
    }

    @Override
    public void close() throws IOException {
        content.close();
    }

    @Override
    public String toString() {
        return entity.toString();
    }
}
