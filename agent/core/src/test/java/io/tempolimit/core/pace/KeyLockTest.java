package io.tempolimit.core.pace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tempolimit.core.Listener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The outbox of a key's lock. */
class KeyLockTest {
    private final List<String> heard = new ArrayList<>();
    private final KeyLock lock = new KeyLock(new Listener() {
        @Override
        public void trouble(Throwable error) {
            heard.add("trouble " + error.getMessage());
            throw new IllegalStateException("a listener that fails at this as well");
        }
    });

    private void tell(String news) {
        lock.tell(() -> {
            assertFalse(lock.isHeldByCurrentThread(), "told with the lock held");
            heard.add(news);
        });
    }

    @Test
    void whatIsPutInIsDeliveredInOrderByWhoeverReleasesTheLock() {
        lock.lock();
        tell("first");
        lock.lock();
        tell("second");
        lock.unlock();
        tell("third");
        assertEquals(Collections.emptyList(), heard, "the lock is held");
        lock.unlock();
        assertEquals(Arrays.asList("first", "second", "third"), heard);
        lock.lock();
        lock.unlock();
        assertEquals(3, heard.size(), "once");
    }

    @Test
    void anErrorSilencesNothingAndReachesNobody() {
        lock.lock();
        lock.tell(() -> {
            throw new IllegalStateException("one");
        });
        tell("two");
        lock.tell(() -> {
            throw new StackOverflowError("three");
        });
        tell("four");
        lock.unlock();
        assertEquals(Arrays.asList("trouble one", "two", "trouble three", "four"), heard);
    }

    /** A listener may ask a key for its statistics, say, which takes the lock. */
    @Test
    void aListenerMayTakeTheLockAndHaveMoreTold() {
        lock.lock();
        lock.tell(() -> {
            lock.lock();
            tell("more");
            lock.unlock();
            heard.add("asked");
        });
        lock.unlock();
        assertEquals(Arrays.asList("more", "asked"), heard);
    }
}
