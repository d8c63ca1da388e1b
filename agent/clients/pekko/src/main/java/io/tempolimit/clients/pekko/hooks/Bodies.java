package io.tempolimit.clients.pekko.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.apache.pekko.http.scaladsl.model.HttpEntity;
import org.apache.pekko.http.scaladsl.model.HttpEntity.ChunkStreamPart;
import org.apache.pekko.http.scaladsl.model.HttpResponse;
import org.apache.pekko.http.scaladsl.model.ResponseEntity;
import org.apache.pekko.stream.scaladsl.Source;
import org.apache.pekko.util.ByteString;

/** Answers' entities, and those that the application gets in their place: of the same kind, type and length. */
final class Bodies {
    private Bodies() {
    }

    /** @return the answer, whose bytes are shown as they are read; itself if they are all there */
    static HttpResponse shown(HttpResponse response, Body body, Gate gate, Executor executor) {
        ResponseEntity entity = response.entity();
        if (entity instanceof HttpEntity.Strict) {
            show(body, ((HttpEntity.Strict) entity).data());
            body.end();
            return response;
        }
        if (entity.isKnownEmpty()) {
            body.end();
            return response;
        }
        ResponseEntity tapped;
        if (entity instanceof HttpEntity.Default) {
            HttpEntity.Default known = (HttpEntity.Default) entity;
            tapped = known.copy(known.contentType(), known.contentLength(), via(known.data(), body, gate, executor));
        } else if (entity instanceof HttpEntity.Chunked) {
            HttpEntity.Chunked chunked = (HttpEntity.Chunked) entity;
            tapped = chunked.copy(chunked.contentType(), via(chunked.chunks(), body, gate, executor));
        } else {
            HttpEntity.CloseDelimited delimited = (HttpEntity.CloseDelimited) entity;
            tapped = delimited.copy(delimited.contentType(), via(delimited.data(), body, gate, executor));
        }
        return response.withEntity(tapped);
    }

    private static <T> Source<T, Object> via(Source<T, Object> bytes, Body body, Gate gate, Executor executor) {
        Closer closer = body.stream() ? new Closer() : null;
        if (closer != null) {
            gate.opened(body, executor, closer);
        }
        return bytes.via(new Tap<>(body, closer));
    }

    /** @param part of an entity: bytes, or a chunk of them */
    static void showPart(Body body, Object part) {
        if (body.over()) {
            body.passed();
        } else {
            show(body, part instanceof ByteString ? (ByteString) part : ((ChunkStreamPart) part).data());
        }
    }

    private static void show(Body body, ByteString bytes) {
        for (ByteBuffer buffer : bytes.getByteBuffers()) {
            body.add(buffer);
        }
    }
}
