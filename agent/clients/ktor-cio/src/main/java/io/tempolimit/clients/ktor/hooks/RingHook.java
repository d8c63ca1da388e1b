package io.tempolimit.clients.ktor.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.weave.Gate;
import io.tempolimit.weave.Hook;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;

/**
 * Ktor 2: bytes were taken out of a channel, a ring. The arguments are the ring, its state, and how many; the fields are where they
 * begin, and how many bytes at the ring's end are no part of it.
 */
public final class RingHook extends Hook {
    public RingHook(Gate gate) {
    }

    @Override
    public Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) {
        Body body = Bodies.toShow(self);
        if (body == null) {
            return null;
        }
        ByteBuffer ring = ((ByteBuffer) args[0]).duplicate();
        int count = (Integer) args[2];
        int from = (Integer) args[3];
        int size = ring.capacity() - (Integer) args[4];
        int first = Math.min(count, size - from);
        show(body, ring, from, first);
        show(body, ring, 0, count - first);
        return null;
    }

    private static void show(Body body, ByteBuffer ring, int from, int count) {
        ring.clear();
        ring.position(from).limit(from + count);
        body.add(ring);
    }
}
