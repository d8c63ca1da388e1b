package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import io.tempolimit.it.harness.Server.Script;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that are not sent: rejected, or held back from a site that blocks. */
interface Refusals extends Contract {
    String REJECTED = "io.tempolimit.RequestRejectedException";

    @Check
    default void aRejectionIsThrownOnce() {
        inEachMode(mode -> {
            for (Network network : new Network[] {Network.REJECTING, Network.IMPATIENT}) {
                Server.Site site = site(network);
                String client = program().open();
                program().get(client, mode, site.url("/first")).join().expect(200);
                Program.Outcome outcome = program().get(client, mode, site.url("/rejected")).join();
                assertTrue(Arrays.asList(outcome.get("classes").split(",")).contains(REJECTED), () -> network + ", " + mode + ": "
                        + outcome);
                assertEquals("true", outcome.get("interrupted-io"), outcome::toString);
                assertTrue(outcome.get("chain").contains("RATE_LIMIT_EXCEEDED")
                        && outcome.get("chain").contains(site.host()), outcome::toString);
                assertTrue(outcome.took().compareTo(PROMPT) < 0, outcome::toString);
                assertEquals(1, site.arrivals().size());
                if (program().can("UNCHECKED")) {
                    assertEquals("java.io.UncheckedIOException," + REJECTED, outcome.get("classes"), outcome::toString);
                } else if (mode.equals("sync")) {
                    assertEquals(REJECTED, outcome.failure(), outcome::toString); // as the client throws I/O errors: as they are
                } else {
                    assertEquals(refused(mode).length, outcome.get("classes").split(",").length, outcome::toString);
                }
            }
        });
    }

    /** The chain of exceptions of an ordinary I/O error: as long as that of a rejection ought to be. */
    private String[] refused(String mode) {
        Server.Site silent = site(Network.OPEN, Server.Exchange::drop);
        String[] classes = cell().plain().get(cell().plain().open(), mode, silent.url("/")).join().get("classes").split(",");
        int first = 0;
        while (first < classes.length && !classes[first].matches("(java\\.io|io\\.ktor)\\..*")) { // Ktor has I/O errors of its own
            first++;
        }
        return Arrays.copyOf(classes, Math.min(first + 1, classes.length)); // a cause of the I/O error is its own affair
    }

    @Check
    default void threeBlocksStartACooldownWithOneProbe() {
        inEachMode(mode -> {
            // A client that repeats a 429 by itself would be another story.
            cooldown(mode, mode.equals("async") || program().can("REPEATS_429") ? 403 : 429);
        });
    }

    private void cooldown(String mode, int status) {
        AtomicInteger round = new AtomicInteger();
        long[] opened = new long[1];
        Server.Site site = site(Network.GUARDED, exchange -> {
            int n = round.incrementAndGet();
            if (n <= 4) { // three, and the first probe
                exchange.status(status).send("go away");
            } else if (n == 5) { // the second probe, whose answer the others must wait for
                exchange.pause(Duration.ofMillis(400));
                opened[0] = System.nanoTime();
                exchange.send("welcome back");
            } else {
                exchange.send("page");
            }
        });
        String client = program().open();
        for (int i = 0; i < 3; i++) {
            program().get(client, mode, site.url("/" + i)).join().expect(status);
        }
        program().many(client, mode, 8, 8, site.url("/w")).join(Duration.ofSeconds(20));
        List<Long> times = site.times();
        assertEquals(11, times.size());
        Contract.within(Network.PAUSE, Network.PAUSE.plus(PROMPT), times.get(3) - times.get(2), () -> "the first probe went after");
        Contract.within(Network.PAUSE, Network.PAUSE.plus(PROMPT), times.get(4) - times.get(3), () -> "the second probe went after");
        for (int i = 1; i <= 6; i++) { // from an empty bucket; no request arrives before it goes, so this is exact
            long after = times.get(4 + i) - opened[0];
            assertTrue(after >= i * 50_000_000L, () -> "a herd after the probe: " + Pacing.milliseconds(times));
        }
    }
}
