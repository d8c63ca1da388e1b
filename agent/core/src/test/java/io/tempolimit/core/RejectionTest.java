package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.request.Target;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RejectionTest {
    private static final long SECOND = Scene.SECOND;

    private static final class Answerable extends Target {
        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public String host() {
            return "a.example";
        }

        @Override
        public int port() {
            return -1;
        }

        @Override
        public String path() {
            return "/";
        }

        @Override
        public String method() {
            return "HEAD";
        }

        @Override
        public boolean answerable() {
            return true;
        }
    }

    private static RequestRejectedException rejected(Scene scene) {
        return assertThrows(RequestRejectedException.class, scene::arrive);
    }

    @Test
    void aRejectionForTheRateTellsTheLimitAndItsUse() throws Exception {
        Scene scene = new Scene(p -> p.rate(3).burst(5).reject(true));
        scene.arrive(5);
        RequestRejectedException e = rejected(scene);
        assertEquals("RATE_LIMIT_EXCEEDED: a.example, retry after 1 s (Tempolimit)", e.getMessage());
        assertEquals("rate", e.limitType());
        assertEquals("6/5", e.currentUsage());
        assertEquals("limit: 3 requests/s per host", e.hint());
        assertEquals("GET", e.method());
        scene.limiter.charge(new TestTarget("a.example")); // a debt
        scene.limiter.charge(new TestTarget("a.example"));
        assertEquals("8/5", rejected(scene).currentUsage());
        scene.pass(3 * SECOND);
        assertTrue(scene.arrive().granted());
    }

    @Test
    void aFullWindowAndRequestsInFlightAreToldLikewise() throws Exception {
        Scene scene = new Scene(p -> p.burst(50).reject(true).windows(new WindowLimit(100, 3600 * SECOND), new WindowLimit(2,
                60 * SECOND)));
        scene.arrive(2);
        RequestRejectedException e = rejected(scene);
        assertEquals(Arrays.asList("WINDOW_EXCEEDED", "window", "3/2", "limit: 2 requests in 60 s per host"),
                Arrays.asList(e.code(), e.limitType(), e.currentUsage(), e.hint()));
        assertEquals(60, e.retryAfterSeconds());
        scene = new Scene(p -> p.burst(50).reject(true).concurrency(2));
        for (int i = 0; i < 2; i++) {
            Thread other = new Thread(new Arrival(scene)); // one that has a place is not made to wait for another
            other.start();
            other.join();
        }
        e = rejected(scene);
        assertEquals(Arrays.asList("CONCURRENCY_LIMIT_EXCEEDED", "concurrency", "3/2", "limit: 2 requests in flight per host"),
                Arrays.asList(e.code(), e.limitType(), e.currentUsage(), e.hint()));
    }

    private static final class Arrival implements Runnable {
        private final Scene scene;

        Arrival(Scene scene) {
            this.scene = scene;
        }

        @Override
        public void run() {
            try {
                scene.arrive();
            } catch (RequestRejectedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void aLimitIsToldInTheUnitThatReadsBest() {
        assertEquals("3 requests/s", new Limit(3, 1).toString());
        assertEquals("0.5 requests/s", new Limit(0.5, 1).toString());
        assertEquals("1.67 requests/s", new Limit(5 / 3.0, 1).toString());
        assertEquals("5 requests/min", new Limit(5 / 60.0, 1).toString());
        assertEquals("2 requests/h", new Limit(2 / 3600.0, 1).toString());
    }

    @Test
    void aHostThatRestsTellsItsBlocksAndForHowLong() throws Exception {
        Scene scene = new Scene(p -> p.reject(true).burst(10).cooldownThreshold(3).cooldownDuration(40 * SECOND, 40 * SECOND));
        scene.trip(3);
        RequestRejectedException e = rejected(scene);
        assertEquals(Arrays.asList("HOST_COOLING_DOWN", "cooldown", "3/3"), Arrays.asList(e.code(), e.limitType(), e.currentUsage()));
        assertEquals(40, e.retryAfterSeconds());
    }

    @Test
    void aPauseThatTheSiteAskedForHasNoUse() throws Exception {
        Scene scene = new Scene(p -> p.reject(true).burst(10));
        scene.arrive().answered(new Head() {
            @Override
            public int status() {
                return 429;
            }

            @Override
            public void headers(Headers to) {
                to.add("Retry-After", "30");
                to.add("Content-Length", "0");
            }
        });
        RequestRejectedException e = rejected(scene);
        assertEquals("HOST_COOLING_DOWN", e.code());
        assertNull(e.currentUsage());
    }

    @Test
    void whatNoWaitChangesHasNoUseAndNoTime() {
        Scene scene = new Scene(p -> p.denied(true));
        RequestRejectedException e = rejected(scene);
        assertEquals(Arrays.asList("HOST_BLOCKED", "blocked", null), Arrays.asList(e.code(), e.limitType(), e.currentUsage()));
        assertEquals(-1, e.retryAfterSeconds());
        assertTrue(e.hint().contains("deny"), e.hint());
    }

    /** A name as its client has it may be written in another way. */
    @Test
    void theHostIsToldAsTheNetworkSeesIt() throws Exception {
        Scene scene = new Scene(p -> p.burst(1).reject(true));
        scene.arrive();
        assertEquals("a.example", assertThrows(RequestRejectedException.class, () ->
                scene.limiter.arrive(new TestTarget("A.Example."))).host());
    }

    /** Where its client lets one be made; and there nobody sees a stack. */
    @Test
    void aRejectionBecomesAResponseWhereThatIsAskedForAndCanBe() throws Exception {
        Scene scene = new Scene(p -> p.rate(1).burst(1).reject(true).respond(true));
        scene.arrive();
        RequestRejectedException thrown = rejected(scene);
        assertFalse(thrown.becomesResponse());
        assertEquals(0, thrown.getStackTrace().length, "it is decided without one");
        assertEquals(getClass().getName(), thrown.fillInStackTrace().getStackTrace()[0].getClassName());
        RequestRejectedException answered = assertThrows(RequestRejectedException.class, () -> scene.limiter.arrive(new Answerable()));
        assertTrue(answered.becomesResponse());
        assertEquals("HEAD", answered.method());
        assertEquals("a.example", answered.host());
        assertEquals(0, answered.fillInStackTrace().getStackTrace().length);
        scene.policy(p -> p.rate(1).burst(1).reject(true));
        assertFalse(assertThrows(RequestRejectedException.class, () -> scene.limiter.arrive(new Answerable())).becomesResponse());
    }

    /** A loop that asks as fast as it can must not fill the heap, with texts that nobody reads for instance. */
    @Test
    void aRejectionAllocatesLittle() throws Exception {
        Policy policy = new Policy.Builder().learn(false).rate(0.001).burst(1).reject(true).respond(true).build();
        Limiter limiter = new Limiter(new TurnedClock(0), new Seeded(), TestRules.of(policy), Listener.NONE); // a scene's history allocates
        Target target = new Answerable();
        limiter.arrive(target);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        List<String> code = Arrays.asList("");
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < 1000; i++) {
                try {
                    limiter.arrive(target);
                } catch (RequestRejectedException e) {
                    code.set(0, e.code());
                }
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
        }
        assertEquals("RATE_LIMIT_EXCEEDED", code.get(0));
        long each = least / 1000;
        assertTrue(each < 340, () -> each + " bytes");
    }
}
