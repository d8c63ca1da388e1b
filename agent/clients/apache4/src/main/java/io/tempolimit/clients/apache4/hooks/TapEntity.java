package io.tempolimit.clients.apache4.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.gate.OpenBodies;
import io.tempolimit.weave.TapStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.http.HttpEntity;
import org.apache.http.HttpResponse;
import org.apache.http.entity.HttpEntityWrapper;

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

    private final Body body;
    private final TapStream content;

    private TapEntity(HttpEntity entity, InputStream content, Body body) {
        super(entity);
        this.body = body;
        this.content = new TapStream(content, body, entity.isChunked() || entity.getContentLength() >= 0);
    }

    /** Shows the body of a response that nobody has read from so far; null: nobody wants to see it. */
    static void show(HttpResponse response, Body body) {
        if (body == null) {
            return;
        }
        HttpEntity entity = response.getEntity();
        if (entity == null || entity.getContentLength() == 0) {
            body.end();
        } else {
            InputStream content = content(entity);
            if (content == null) {
                body.cut();
            } else {
                response.setEntity(new TapEntity(entity, content, body));
            }
        }
    }

    /** Null if it does not come from a connection. */
    private static InputStream content(HttpEntity entity) {
        try {
            return entity.isStreaming() ? entity.getContent() : null;
        } catch (IOException e) { // the application will be told
            return null;
        }
    }

    /** The response keeps this connection until its body has been read, or it is closed. */
    static void keeps(HttpResponse response, Object connection) {
        if (response.getEntity() instanceof TapEntity) {
            BY_CONNECTION.put(connection, ((TapEntity) response.getEntity()).body);
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

    /** As the wrapped entity does it. */
    @Override
    public void writeTo(OutputStream out) throws IOException {
        try (InputStream in = content) {
            byte[] buffer = new byte[4096];
            for (int n; (n = in.read(buffer)) >= 0; ) {
                out.write(buffer, 0, n);
            }
        }
    }

    @Override
    public String toString() {
        return wrappedEntity.toString();
    }
}
