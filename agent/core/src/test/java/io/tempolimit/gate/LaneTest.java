package io.tempolimit.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LaneTest {
    private final List<Runnable> given = new ArrayList<>();
    private final List<Integer> ran = new ArrayList<>();

    /** An unbounded pool had a thread for each. */
    @Test
    void sixThousandTasksAtOnceTakeOneThread() {
        Lane lane = new Lane(given::add);
        for (int i = 0; i < 6000; i++) {
            int n = i;
            lane.execute(() -> ran.add(n));
        }
        assertEquals(1, given.size());
        given.remove(0).run();
        assertEquals(6000, ran.size());
        assertEquals(5999, ran.get(5999));
        lane.execute(() -> ran.add(6000));
        assertEquals(1, given.size(), "the next one is brought again");
    }

    @Test
    void whatATaskAddsIsRunToo() {
        Lane lane = new Lane(given::add);
        lane.execute(() -> {
            lane.execute(() -> ran.add(2));
            ran.add(1);
            throw new IllegalStateException("a test");
        });
        given.remove(0).run();
        assertEquals(List.of(1, 2), ran);
    }

    @Test
    void whereTheExecutorRefusesTheCommonPoolRuns() throws Exception {
        Executor closed = task -> {
            throw new RejectedExecutionException("a test");
        };
        CountDownLatch done = new CountDownLatch(1);
        new Lane(closed).execute(done::countDown);
        assertEquals(true, done.await(60, TimeUnit.SECONDS));
    }

    @Test
    void nothingIsStuckAfterATaskThatEndsTheLane() {
        Lane lane = new Lane(Runnable::run);
        lane.execute(() -> ran.add(1));
        lane.execute(() -> ran.add(2));
        assertEquals(List.of(1, 2), ran);
        assertThrows(NullPointerException.class, () -> lane.execute(null));
        lane.execute(() -> ran.add(3));
        assertEquals(List.of(1, 2, 3), ran);
    }
}
