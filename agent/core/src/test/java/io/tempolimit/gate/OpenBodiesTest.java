package io.tempolimit.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Body;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenBodiesTest {
    private final OpenBodies<Object> open = new OpenBodies<>();
    private final List<String> over = new ArrayList<>();
    /** As the responses keep them. */
    private final List<Body> responses = new ArrayList<>();

    private Body body(String name) {
        Object owner = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Body.Owner.class},
                (self, method, args) -> method.getName().equals("over") ? over.add(name) : null);
        responses.add(new Body((Body.Owner) owner, null, null));
        return responses.get(responses.size() - 1);
    }

    @Test
    void whatLosesItsConnectionIsOverOnce() {
        String one = new String("connection");
        String other = new String("connection");
        open.put(one, body("one"));
        open.put(other, body("other"));
        open.cut(one);
        assertEquals(List.of("one"), over);
        open.cut(one);
        open.cut(new Object());
        assertEquals(List.of("one"), over);
        open.cut(other);
        assertEquals(List.of("one", "other"), over);
    }

    @Test
    void theNextAnswerOnAConnectionEndsTheOneBefore() {
        Object connection = new Object();
        Body read = body("read");
        open.put(connection, read);
        read.end();
        Body dropped = body("dropped");
        open.put(connection, dropped);
        assertEquals(List.of("read"), over);
        open.put(connection, body("last"));
        assertEquals(List.of("read", "dropped"), over);
        open.cut(connection);
        assertEquals(List.of("read", "dropped", "last"), over);
    }

    /** A program keeps a connection for hours. */
    @Test
    void aBodyIsNotKeptByItsConnection() throws InterruptedException {
        Object connection = new Object();
        WeakReference<Body> dropped = new WeakReference<>(body("dropped"));
        open.put(connection, dropped.get());
        responses.clear();
        for (long deadline = System.nanoTime() + 60_000_000_000L; dropped.get() != null; Thread.sleep(1)) {
            assertTrue(System.nanoTime() < deadline, "it is kept");
            System.gc();
        }
        open.cut(connection);
        assertEquals(List.of(), over);
    }
}
