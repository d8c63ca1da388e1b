package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Pacing;
import io.tempolimit.it.harness.Server;
import io.tempolimit.it.harness.Unjudged;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Sixty requests at rate 20, burst 5: as the gate lets them go, exactly, and as the site sees them, as far as the
 * machine lets it.
 */
interface Pace extends Contract {
    @Check
    default void threadsArePaced() {
        cell().inCalm(() -> sixty("sync"));
    }

    @Check
    default void asynchronousCallsArePaced() {
        needs("ASYNC");
        cell().inCalm(() -> sixty("async"));
    }

    @Check
    default void asynchronousCallsGoInTheirOrder() {
        needs("ASYNC");
        without("OVERTAKES");
        cell().inCalm(() -> {
            Server.Site site = site(Network.TIGHT);
            // By one thread: where a client brings calls to the gate on its executor's threads, their order is the executor's.
            String client = program().open("threads=1");
            cell().warmUp(program(), client); // a cold one has several on their way to its first connections
            long begun = System.nanoTime();
            program().many(client, "async", 20, 1, site.url("/")).allOk(Duration.ofSeconds(30));
            List<Server.Arrival> arrivals = site.arrivals();
            List<String> paths = arrivals.stream().map(Server.Arrival::path).toList();
            List<String> inOrder = IntStream.range(0, 20).mapToObj(i -> "/" + i).toList();
            assertEquals(Set.copyOf(inOrder), Set.copyOf(paths));
            paced(Network.TIGHT, begun, site.host(), site.times());
            // On two connections one that was late by some tokens' time comes so many places after its own.
            long late = Math.max(hiccupSince(begun), Pacing.longestWay(departures(site.host()), site.times()));
            int explained = (int) (late / 1e9 * Network.TIGHT.pacing().rate());
            int moved = IntStream.range(0, 20).map(i -> Math.abs(paths.indexOf(inOrder.get(i)) - i)).max().getAsInt();
            String what = "moved by " + moved + " places: " + paths + "; requests or threads were up to " + late / 1_000_000 + " ms late";
            // In order, the fifth call arrives after the fifth departure at the earliest, however late those before it are.
            List<Long> departures = departures(site.host());
            arrivals.forEach(a -> assertTrue(a.nanos() >= departures.get(inOrder.indexOf(a.path())), what));
            // The ways are those of sorted times: one that was late by many tokens' time shows as late by one or two.
            if (moved > explained || moved > 0 && explained >= 10) {
                throw new Unjudged(what);
            }
        });
    }

    private void sixty(String mode) {
        Server.Site site = site(Network.BRISK);
        String client = program().open();
        cell().warmUp(program(), client);
        long begun = System.nanoTime();
        program().many(client, mode, 60, 8, site.url("/")).allOk(Duration.ofSeconds(30));
        assertEquals(60, site.arrivals().size());
        paced(Network.BRISK, begun, site.host(), site.times());
        if (program().can("LAGS")) {
            Pacing.checkNoneBefore(departures(site.host()), site.times());
            return;
        }
        int kept = program().fork().recording().unused(site.host());
        Network.BRISK.pacing().checkSeen(departures(site.host()), site.times(), hiccupSince(begun), kept);
    }

    private long hiccupSince(long begun) {
        return program().fork().recording().hiccup(begun, System.nanoTime());
    }

    @Check
    default void anUnpacedHostIsNotDelayedAndItsRequestsAreCounted() {
        Server.Site site = site(Network.FREE);
        String client = program().open();
        int before = excluded();
        for (String mode : program().modes()) {
            program().many(client, mode, 100, 1, site.url("/")).allOk(Duration.ofSeconds(30));
        }
        long took = site.times().get(site.times().size() - 1) - site.times().get(0);
        long most = 25_000_000_000L * program().modes().size(); // paced by default it were 30 s for each
        assertTrue(took < most, () -> "took " + took / 1_000_000 + " ms");
        tokens(0, site.host());
        assertEquals(100 * program().modes().size(), excluded() - before);
    }

    private int excluded() {
        return JsonParser.parseString(program().ask("statistics")).getAsJsonObject().get("excluded_requests").getAsInt();
    }
}
