package io.tempolimit.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WeakMapTest {
    private final BlockingQueue<String> left = new LinkedBlockingQueue<>();
    private final WeakMap<Object, String> map = new WeakMap<>(left::add);

    @Test
    void goesByIdentity() {
        String one = new String("same");
        String other = new String("same");
        assertNull(map.put(one, "1"));
        assertNull(map.get(other));
        assertNull(map.put(other, "2"));
        assertEquals("1", map.get(one));
        assertEquals("2", map.get(other));
        assertEquals("1", map.put(one, "3"));
        assertEquals("3", map.remove(one));
        assertNull(map.remove(one));
        assertEquals("2", map.get(other));
        assertTrue(left.isEmpty());
    }

    /** A program that has dropped all that it had sent, and waits for that to end, sends nothing more. */
    @Test
    void aValueIsGivenAwayThoughNobodyPutsAnythingMore() throws Exception {
        map.put(new Object(), "gone");
        String gone = null;
        for (long deadline = System.nanoTime() + 60_000_000_000L; gone == null; gone = left.poll(1, TimeUnit.MILLISECONDS)) {
            assertTrue(System.nanoTime() < deadline, "it was not given away");
            System.gc();
            WeakMap.lookAll();
        }
        assertEquals("gone", gone);
    }

    /** An error at the end of one value must not keep the others. */
    @Test
    void anErrorAtTheEndOfAValueIsItsOwn() throws Exception {
        BlockingQueue<String> ended = new LinkedBlockingQueue<>();
        WeakMap<Object, String> faulty = new WeakMap<>(value -> {
            ended.add(value);
            throw new IllegalStateException(value);
        });
        for (int i = 0; i < 10; i++) {
            faulty.put(new Object(), "gone" + i);
        }
        for (long deadline = System.nanoTime() + 60_000_000_000L; ended.size() < 10; ) {
            assertTrue(System.nanoTime() < deadline, () -> "only " + ended);
            System.gc();
            WeakMap.lookAll();
        }
    }

    @Test
    void asksNeitherEqualsNorHashCodeOfTheObject() {
        Object hostile = new Object() {
            @Override
            public boolean equals(Object o) {
                throw new AssertionError("equals");
            }

            @Override
            public int hashCode() {
                throw new AssertionError("hashCode");
            }
        };
        map.put(hostile, "1");
        assertEquals("1", map.get(hostile));
        assertEquals("1", map.remove(hostile));
    }

    @Test
    void aValueIsGivenAwayWhenItsObjectIsCollected() throws Exception {
        Object kept = new Object();
        map.put(kept, "kept");
        for (int i = 0; i < 100; i++) {
            map.put(new Object(), "gone" + i);
        }
        Object removed = new Object();
        map.put(removed, "removed");
        map.remove(removed);
        removed = null;
        long deadline = System.nanoTime() + 60_000_000_000L;
        List<String> gone = new ArrayList<>();
        while (gone.size() < 100) {
            assertTrue(System.nanoTime() < deadline, "only " + gone.size() + " were given away");
            System.gc();
            map.put(kept, "kept"); // looks after the others
            left.drainTo(gone);
        }
        assertEquals(100, gone.stream().filter(g -> g.startsWith("gone")).distinct().count());
        assertEquals("kept", map.get(kept));
    }
}
