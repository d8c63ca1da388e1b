package io.tempolimit.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Listener;
import io.tempolimit.core.Permit;
import io.tempolimit.core.Seeded;
import io.tempolimit.core.TestRules;
import io.tempolimit.core.TestTarget;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.runtime.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LanesTest {
    private final Lanes lanes = new Lanes();
    private final Limiter limiter = new Limiter(Clock.SYSTEM, new Seeded(),
            TestRules.of(new Policy.Builder().rate(1).burst(1).build()), Listener.NONE);

    private Permit arrive(String host) throws Exception {
        return limiter.arrive(new TestTarget(host));
    }

    @Test
    void whatIsGrantedGoesInOrder() throws Exception {
        Permit granted = arrive("a.example");
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(1000);
        for (int i = 0; i < 1000; i++) {
            int n = i;
            lanes.of(granted).execute(() -> {
                order.add(n);
                all.countDown();
                if (n == 10) {
                    throw new IllegalStateException("one that fails keeps nobody");
                }
            });
        }
        assertTrue(all.await(10, TimeUnit.SECONDS));
        assertEquals(IntStream.range(0, 1000).boxed().toList(), order);
    }

    @Test
    void whatIsNotGrantedOvertakes() throws Exception {
        Permit granted = arrive("a.example");
        Permit cancelled = arrive("a.example");
        assertTrue(cancelled.cancel());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        lanes.of(granted).execute(() -> {
            begun.countDown();
            try {
                assertTrue(told.await(10, TimeUnit.SECONDS));
                over.countDown();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        lanes.of(cancelled).execute(told::countDown);
        assertTrue(over.await(10, TimeUnit.SECONDS));
    }
}
