package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Server;
import org.junit.jupiter.api.Assumptions;

/** Held calls keep alive what the client's own queue would have kept alive: the client itself, and the JVM or not. */
interface Lifetimes extends Contract {
    /** The pause before the seventh of seven calls; with -Pmatrix the full length of issue 2. */
    int PAUSE = Cell.MATRIX ? 70 : 4;

    @Check
    default void sevenEnqueuedCallsAreSentAfterMainHasReturned() {
        needs("KEEPS_ALIVE");
        Server.Site site = site(Network.OPEN);
        try (Program own = cell().start("exclude=-private,rate=" + 3600 / PAUSE + "/h,burst=6")) {
            String client = own.open();
            long begun = System.nanoTime();
            own.many(client, "async", 7, 1, site.url("/"));
            own.fork().tell("end");
            site.await(7, PATIENCE.plusSeconds(PAUSE));
            assertTrue(site.times().get(6) - begun >= PAUSE * 1_000_000_000L);
            assertEquals(0, own.fork().exit(PATIENCE));
        }
    }

    @Check
    default void heldCallsDoNotKeepTheJvmAlive() {
        needs("ASYNC");
        without("KEEPS_ALIVE");
        without("OUTLIVES");
        Server.Site site = site(Network.OPEN);
        try (Program own = cell().start("exclude=-private,rate=0.02,burst=1")) {
            own.many(own.open(), "async", 7, 1, site.url("/"));
            site.await(1, PATIENCE);
            own.fork().tell("end");
            assertEquals(0, own.fork().exit(PATIENCE));
            assertEquals(1, site.arrivals().size());
        }
    }

    @Check
    default void aClientThatNobodyRefersToCompletesItsHeldCall() {
        needs("ASYNC");
        Server.Site site = site(Network.SLOWEST);
        String first = program().open();
        long begun = System.nanoTime();
        program().send(first, site.url("/first")).expect(200);
        Program.Call lost = program().lose(site.url("/lost"));
        collectUntilDone(lost).expect(200);
        oneTokenEach(Network.SLOWEST, begun, site.host(), site.times());
    }
}
