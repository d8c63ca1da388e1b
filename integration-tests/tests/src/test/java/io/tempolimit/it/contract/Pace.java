package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Server;
import java.time.Duration;
import java.util.stream.IntStream;

/** Sixty requests at rate 20, burst 5. */
interface Pace extends Contract {
    @Check
    default void threadsArePaced() {
        cell().inCalm("threads", () -> sixty("sync"));
    }

    @Check
    default void asynchronousCallsArePaced() {
        needs("ASYNC");
        cell().inCalm("asynchronous calls", () -> sixty("async"));
    }

    @Check
    default void asynchronousCallsGoInTheirOrder() {
        needs("ASYNC");
        cell().inCalm("their order", () -> {
            Server.Site site = site(Network.TIGHT);
            // By one thread: where a client brings calls to the gate on its executor's threads, their order is the executor's.
            String client = program().open("threads=1");
            cell().warmUp(program(), client); // a cold one has several on their way to its first connections
            program().many(client, "async", 20, 1, site.url("/")).allOk(Duration.ofSeconds(30));
            assertEquals(IntStream.range(0, 20).mapToObj(i -> "/" + i).toList(), site.arrivals().stream().map(Server.Arrival::path).toList());
        });
    }

    private void sixty(String mode) {
        Server.Site site = site(Network.BRISK);
        String client = program().open();
        cell().warmUp(program(), client);
        program().many(client, mode, 60, 8, site.url("/")).allOk(Duration.ofSeconds(30));
        Network.BRISK.pacing().check(site.times());
        assertEquals(60, site.arrivals().size());
    }

    @Check
    default void anUnpacedHostIsNotDelayed() {
        Server.Site site = site(Network.FREE);
        String client = program().open();
        for (String mode : program().modes()) {
            program().many(client, mode, 100, 1, site.url("/")).allOk(Duration.ofSeconds(30));
        }
        long took = site.times().get(site.times().size() - 1) - site.times().get(0);
        assertTrue(took < 10_000_000_000L, () -> "took " + took / 1_000_000 + " ms"); // paced by default it were 30 s
    }
}
