package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.store.Answer;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.SharedKey;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What tests of stores that workers share have in common. Intervals are long and time is turned, so what really passes while a
 * slow server answers changes no decision; it is the tolerance of each time that is compared.
 */
public abstract class SharedStoreCase {
    protected static final long SECOND = 1_000_000_000L;
    protected static final long ANY = Long.MAX_VALUE;
    static final long MINUTE = 60 * SECOND;
    static final long HOUR = 60 * MINUTE;
    static final long DAY = 24 * HOUR;
    static final String HOST = "shop.example";
    static final long MEMORY = 2 * HOUR;

    SharedStore store;

    /** A store in which nothing is. */
    protected abstract SharedStore open() throws Exception;

    @BeforeEach
    void begin() throws Exception {
        store = open();
    }

    @AfterEach
    void end() throws Exception {
        store.close();
    }

    /** One worker, and its view of one key. */
    final class Shop {
        final Queue<Incident> heard = new ConcurrentLinkedQueue<>();
        final Queue<String> lost = new ConcurrentLinkedQueue<>();
        final Queue<String> givenUp = new ConcurrentLinkedQueue<>();
        final Fleet fleet;
        final SharedKey key;

        Shop() throws Exception {
            this(HOST);
        }

        Shop(String name) throws Exception {
            fleet = store.join(new Fleet.Listener() {
                @Override
                public void lost(Fleet.State how, String why) {
                    throw new AssertionError(why);
                }

                @Override
                public void restored(boolean again) {
                }

                @Override
                public void incident(String key, Incident incident) {
                    if (key.equals(name)) {
                        heard.add(incident);
                    }
                }

                @Override
                public void bucketLost(String key) {
                    lost.add(key);
                }

                @Override
                public void probeGivenUp(String key) {
                    givenUp.add(key);
                }

                @Override
                public void warning(String text) {
                }
            });
            key = fleet.key(name);
        }

        Answer take(long interval, double burst, int n, long maxWait) throws Exception {
            CompletableFuture<Optional<Answer>> answer = SharedStoreCase.this.take(key, interval, burst, n, maxWait);
            return store.answer(answer).orElseThrow(() -> new AssertionError("no answer"));
        }

        /** The same, of slots that may be used so much later. */
        Answer takeLater(long interval, double burst, long margin, int n, long maxWait) throws Exception {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            key.take(interval, burst, margin, n, maxWait, answer::complete);
            return store.answer(answer);
        }

        /** As after news that the bucket is gone. */
        Answer look() throws Exception {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            key.look(HOUR, 3, answer::complete);
            return store.answer(answer);
        }

        /** The same, where it has. */
        Answer takeOrLose(int n) throws Exception {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            key.take(SECOND, 1000, n, HOUR, answer::complete);
            return store.answer(answer);
        }

        Answer tell(long number, String... went) throws Exception {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            key.tell(SECOND, 1000, number, Arrays.asList(went), answer::complete);
            return store.answer(answer);
        }

        /** One token of a bucket that has as many as are asked for. */
        Answer take() throws Exception {
            return take(SECOND, 1000, 1, ANY);
        }

        /** The record that is there then; null and it was not written: {@code refused}. */
        Incident write(Incident incident, Limit opens) throws Exception {
            CompletableFuture<Incident> stored = new CompletableFuture<>();
            key.write(incident, opens, MEMORY, (written, i) -> {
                refused = written ? null : i;
                stored.complete(written ? i : null);
            });
            return store.answer(stored);
        }

        Incident refused;

        Incident write(Incident incident) throws Exception {
            return write(incident, null);
        }

        /** Gives back; whether they were taken back. */
        boolean gives(long given, int n, long interval) throws Exception {
            AtomicInteger kept = new AtomicInteger();
            key.give(given, n, interval, kept::incrementAndGet);
            take(SECOND, 1000, 0, ANY); // on the same connection, so the one before is over
            return kept.get() == 0;
        }
    }

    /** With windows, who meets a loss has nothing to tell. */
    CompletableFuture<Optional<Answer>> take(SharedKey key, long interval, double burst, int n, long maxWait) {
        CompletableFuture<Optional<Answer>> answer = new CompletableFuture<>();
        key.take(interval, burst, n, maxWait, a -> {
            if (a != null && a.kind == Answer.Kind.LOST) { // by the turned time they have ended, which a worker's clock does not know
                key.tell(interval, burst, store.nanos(), Collections.emptyList(),
                        told -> key.take(interval, burst, n, maxWait, b -> answer.complete(Optional.ofNullable(b))));
            } else {
                answer.complete(Optional.ofNullable(a));
            }
        });
        return answer;
    }

    Incident incident(int state, long length, int trips, double interval, int burst, String learned) {
        long now = store.nanos();
        return new Incident.Builder(now).epoch(5).rest(state, now + length, length, now).tripped(trips > 0)
                .trips(trips, now).count(trips, now).learned(interval, burst, learned).build();
    }

    Incident cooling(long length) {
        return incident(Incident.COOLING_DOWN, length, 1, 0, 0, "-");
    }

    Incident opened() {
        return incident(Incident.OPEN, 0, 1, 0, 0, "-");
    }

    /** A wait, or a time between two others, but for what has really passed. */
    void assertTime(long expected, long actual, String what) {
        long slack = store.elapsed() + 10_000;
        assertTrue(Math.abs(actual - expected) <= slack, what + ": " + actual + " and not " + expected + ", within " + slack);
    }

    long wait(Answer a) {
        return a.slot - store.nanos();
    }

    void assertGoes(Answer a, int count, long wait, String what) {
        assertEquals(Answer.Kind.GO, a.kind, what);
        assertEquals(count, a.count, what);
        if (wait > 0) {
            assertTime(wait, wait(a), what);
        } else {
            assertTrue(wait(a) <= 0, what + " goes at once: " + wait(a));
        }
    }

    void assertHolds(Answer.Kind kind, Answer a, long wait, String what) {
        assertEquals(kind, a.kind, what);
        assertEquals(0, a.count, what);
        assertTime(wait, wait(a), what);
    }
}
