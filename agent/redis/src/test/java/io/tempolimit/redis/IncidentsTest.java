package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.Permit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to one limiter happens to all, through a real server. */
@Timeout(120)
class IncidentsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String HOST = "shop.example";

    @Test
    void aBlockAnywhereStopsAllAndOneProbeOpensAll() throws Exception {
        Policy policy = new Policy.Builder().rate(1000).burst(50).learn(false).cooldownThreshold(3)
                .cooldownDuration(2 * SECOND, 2 * SECOND).build();
        List<Worker> workers = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Server server = Server.start(Servers.first())) {
            for (int i = 0; i < 3; i++) {
                workers.add(new Worker(new FleetSettings(server.uri(), null, false).timeout(5 * SECOND).start(60 * SECOND), policy));
            }
            for (Worker w : workers) {
                assertTrue(w.acquire(HOST));
            }
            for (Worker w : workers) { // one block each
                w.permit(HOST).answered(429);
                Server.await(() -> workers.stream().allMatch(x -> count(x) == count(w)), "a block counts everywhere");
            }
            long tripped = System.nanoTime();
            Server.await(() -> workers.stream().allMatch(w -> state(w).equals("cooling_down")), "all rest");
            System.out.println("a cooldown is everywhere after " + (System.nanoTime() - tripped) / 1_000 + " us");

            BlockingQueue<Permit> gone = new LinkedBlockingQueue<>();
            for (Worker w : workers) {
                for (int t = 0; t < 2; t++) {
                    threads.submit(() -> gone.add(w.permit(HOST)));
                }
            }
            Permit probe = gone.poll(60, TimeUnit.SECONDS);
            assertTrue(System.nanoTime() - tripped >= 1_900_000_000L, "not before the pause is over");
            assertEquals(null, gone.poll(1, TimeUnit.SECONDS), "one probe in the fleet");
            probe.answered(200);
            for (int i = 0; i < 5; i++) {
                gone.poll(60, TimeUnit.SECONDS).answered(200);
            }
            Server.await(() -> workers.stream().allMatch(w -> state(w).equals("open")), "all are open");

            workers.get(0).limiter.key(HOST).pause(3600 * SECOND);
            Server.await(() -> workers.stream().allMatch(w -> state(w).equals("cooling_down")), "an operator's pause is everywhere");
            workers.get(1).limiter.key(HOST).reset();
            Server.await(() -> workers.stream().allMatch(w -> state(w).equals("open")), "and so is its end");
            for (Worker w : workers) {
                assertTrue(w.acquire(HOST));
            }
        } finally {
            workers.forEach(Worker::close);
            threads.shutdownNow();
        }
    }

    @Test
    void blocksOfAllHostsCountTogetherWhereTheSettingsSaySo() throws Exception {
        Policy policy = new Policy.Builder().rate(1000).burst(50).learn(false).cooldownThreshold(3)
                .cooldownDuration(2 * SECOND, 2 * SECOND).global(true).build();
        List<Worker> workers = new ArrayList<>();
        try (Server server = Server.start(Servers.first())) {
            for (int i = 0; i < 3; i++) {
                workers.add(new Worker(new FleetSettings(server.uri(), null, false).timeout(5 * SECOND).start(60 * SECOND), policy));
            }
            for (Worker w : workers) {
                assertTrue(w.acquire(HOST)); // is connected, and listens
            }
            for (int i = 0; i < 3; i++) {
                int blocks = i + 1;
                Worker w = workers.get(i);
                w.permit("host" + i).answered(429);
                Server.await(() -> workers.stream()
                        .allMatch(x -> x.heard.containsKey("*") && x.heard.get("*").count >= blocks), "all count");
            }
            for (int i = 0; i < 3; i++) {
                int n = i;
                Server.await(() -> workers.get(n).limiter.key("host" + n).stats().state.equals("cooling_down"), "all rest");
            }
        } finally {
            workers.forEach(Worker::close);
        }
    }

    @Test
    void aProgramThatEndsGivesUpItsProbe() throws Exception {
        Policy policy = new Policy.Builder().rate(1000).burst(50).learn(false).cooldownThreshold(1)
                .cooldownDuration(SECOND / 2, SECOND / 2).build();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Server server = Server.start(Servers.first())) {
            FleetSettings settings = new FleetSettings(server.uri(), null, false).timeout(5 * SECOND).start(60 * SECOND);
            Worker ends = new Worker(settings, policy);
            Worker stays = new Worker(settings, policy);
            assertTrue(stays.acquire(HOST));
            ends.permit(HOST).answered(429);
            assertTrue(ends.permit(HOST) != null, "the probe");
            Future<Permit> next = threads.submit(() -> stays.permit(HOST));
            Server.await(() -> stays.limiter.key(HOST).stats().waitingRequests == 1, "it waits");
            ends.limiter.leaveFleet();
            assertTrue(next.get(20, TimeUnit.SECONDS) != null, "and not for half a minute");
            stays.close();
        } finally {
            threads.shutdownNow();
        }
    }

    private static String state(Worker w) {
        return w.limiter.key(HOST).stats().state;
    }

    private static int count(Worker w) {
        return w.limiter.key(HOST).stats().consecutiveBlocks;
    }
}
