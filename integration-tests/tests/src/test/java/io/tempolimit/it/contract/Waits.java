package io.tempolimit.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Http2Server;
import io.tempolimit.it.harness.Server;
import io.tempolimit.it.harness.Server.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;

/** What a call that waits does not hold, how its wait ends, and what does not end it. */
interface Waits extends Contract {
    /** The interval of {@link Network#SLOWEST}, from the first call; and what a busy machine may add. */
    Duration INTERVAL = Duration.ofSeconds(4);
    Duration LATE = Duration.ofMillis(7500);

    @Check
    default void heldCallsHoldNeitherTheirCallerNorAThread() {
        needs("ASYNC");
        Server.Site slow = site(Network.SLOWEST);
        Server.Site free = site(Network.FREE);
        String client = program().open("threads=2");
        long begun = System.nanoTime();
        Program.Calls held = program().many(client, "async", 200, 1, slow.url("/"));
        // Were it held for one of them, it would be for four seconds each.
        assertTrue(held.callerMicros() < 20_000_000, () -> "200 calls took their caller " + held.callerMicros() + " µs");
        slow.await(1, PATIENCE);
        long with = median(program(), client, free);
        Program.Call fresh = program().get(client, "async", slow.url("/fresh"));
        if (program().can("UNSTOPPABLE")) {
            program().ask("close " + client);
        } else {
            held.cancel();
            fresh.join().expect(200);
        }
        String joined = held.join(PATIENCE);
        assertTrue(joined.contains("pending=0"), joined);
        long without = median(cell().plain(), cell().plain().open("threads=2"), free);
        assertTrue(with <= 4 * without + 500_000,
                () -> "a call to another host took " + with + " µs, without the agent " + without + " µs");
        // 198 tokens came back, so the last one did not wait for 800 s; how many had been sent by then depends on the machine.
        assertTrue(slow.arrivals().size() < 10, () -> slow.arrivals().size() + " requests");
        paced(Network.SLOWEST, begun, slow.host(), slow.times());
    }

    private static long median(Program program, String client, Server.Site site) {
        List<Long> micros = new ArrayList<>();
        for (int i = 0; i < 21; i++) {
            micros.add(Long.parseLong(program.get(client, "async", site.url("/" + i)).join().expect(200).get("micros")));
        }
        micros.sort(null);
        return micros.get(micros.size() / 2);
    }

    @Check
    default void aCallbackMayWaitForAnotherHeldCall() {
        needs("ASYNC");
        Server.Site site = site(Network.SLOW);
        String client = program().open();
        long begun = System.nanoTime();
        program().get(client, "async", site.url("/0")).join().expect(200);
        program().nest(client, site.url("/1"), site.url("/2")).join().expect(200);
        assertEquals(3, site.arrivals().size());
        oneTokenEach(Network.SLOW, begun, site.host(), site.times());
    }

    @Check
    default void cancellingEndsAWaitAndTheTokenGoesToTheNext() {
        SideBySide.each(cancellableModes(), mode -> {
            Ended ended = new Ended(this, mode, Program.Call::cancel);
            assertEquals(program().cancelledBy(), withoutFuture(ended.outcome), () -> mode + ": " + ended.outcome);
            ended.next();
        });
    }

    /** Perhaps before one of the client's threads has begun with them. */
    @Check
    default void callsThatAreCancelledAtOnceTakeNoToken() {
        needs("CANCEL_ASYNC");
        Server.Site site = site(Network.SLOWEST);
        String client = program().open();
        long begun = System.nanoTime();
        program().get(client, "async", site.url("/first")).join().expect(200);
        program().many(client, "cancelled", 20, 1, site.url("/cancelled"));
        program().get(program().open(), "async", site.url("/next")).join().expect(200);
        assertEquals(List.of("/first", "/next"), site.arrivals().stream().map(Server.Arrival::path).toList());
        Contract.due(INTERVAL, LATE, begun, site.times(), 1, () -> "the next one went after");
    }

    @Check
    default void interruptingEndsAWaitAndTheTokenGoesToTheNext() {
        without("UNSTOPPABLE");
        Ended ended = new Ended(this, "sync", Program.Call::interrupt);
        assertEquals(program().interruptedBy(), ended.outcome.failure(), () -> ended.outcome.toString());
        if (program().can("KEEPS_INTERRUPT")) {
            assertEquals("true", ended.outcome.get("flag"), () -> ended.outcome.toString());
        }
        ended.next();
    }

    /** A call that was ended while it waited, and one beside it. */
    final class Ended {
        /** Before its turn comes. */
        private static final Duration ENDED = INTERVAL.minusMillis(500);

        final String mode;
        final Program.Outcome outcome;
        private final Server.Site site;
        private final long begun;
        private final Program.Call beside;

        Ended(Contract contract, String mode, Consumer<Program.Call> end) {
            this.mode = mode;
            this.site = contract.site(Network.SLOWEST);
            Program program = contract.program();
            String client = program.open();
            begun = System.nanoTime();
            program.send(client, site.url("/first")).expect(200);
            Program.Call waiting = program.get(client, mode, site.url("/ended"));
            if (mode.equals("sync")) {
                waiting.parked();
            }
            beside = program.get(client, mode, site.url("/beside"));
            long begin = System.nanoTime();
            end.accept(waiting);
            outcome = waiting.join();
            long took = System.nanoTime() - begin;
            assertFalse(outcome.ok(), () -> mode + ": " + outcome);
            Contract.within(Duration.ZERO, ENDED, took, () -> mode + ": it ended after");
        }

        /** The one beside it goes in its place. */
        void next() {
            beside.join().expect(200);
            Contract.due(INTERVAL, LATE, begun, site.times(), 1, () -> mode + ": the next one went after");
            assertEquals(List.of("/first", "/beside"), site.arrivals().stream().map(Server.Arrival::path).toList());
        }
    }

    @Check
    default void aWaitDoesNotRunAgainstTheClientsTimeouts() {
        String client = program().open("timeout=2500");
        List<Program.Call> calls = new ArrayList<>();
        List<Server.Site> sites = new ArrayList<>();
        long begun = System.nanoTime();
        for (String mode : modesWithTimeouts()) {
            Server.Site direct = site(Network.SLOWEST);
            Server.Site target = site(Network.SLOWEST);
            Server.Site source = site(Network.FREE, Script.redirect(target.url("/hop")));
            program().send(client, direct.url("/")).expect(200);
            program().send(client, target.url("/")).expect(200);
            calls.add(program().get(client, mode, direct.url("/first-hop")));
            calls.add(program().get(client, mode, source.url("/")));
            sites.add(direct);
            sites.add(target);
        }
        List<String> hosts = program().can("HTTP2") ? startOverHttp2(calls) : List.of();
        for (Program.Call call : calls) {
            call.join().expect(200);
        }
        for (Server.Site site : sites) {
            Contract.due(INTERVAL, LATE, begun, site.times(), 1, () -> "the second request came after");
        }
        for (String host : hosts) {
            List<Long> times = cell().http2().arrivals(host).stream().map(Http2Server.Arrival::nanos).toList();
            Contract.due(INTERVAL, LATE, begun, times, 1, () -> "the second request over HTTP/2 came after");
        }
    }

    /** Starts a call in each mode that waits for longer than its timeouts, on a connection that is there; gives the hosts. */
    private List<String> startOverHttp2(List<Program.Call> calls) {
        List<String> hosts = new ArrayList<>();
        program().send(program().open("http2=true"), cell().http2().url(site(Network.FREE).host(), "/")).expect(200); // the server is awake
        for (String mode : modesWithTimeouts()) {
            String client = program().open("http2=true", "timeout=2500");
            String host = site(Network.SLOWEST).host();
            program().get(client, mode, cell().http2().url(host, "/first")).join().expect(200);
            calls.add(program().get(client, mode, cell().http2().url(host, "/next")));
            hosts.add(host);
        }
        return hosts;
    }

    /** Those whose timeouts do not run while a hop waits. */
    private List<String> modesWithTimeouts() {
        return program().can("TIMES_OUT_IN_SYNC") ? List.of("async") : program().modes();
    }

    @Check
    default void aTimeoutStillFires() {
        inEachMode(mode -> {
            Server.Site silent = site(Network.OPEN, exchange -> exchange.pause(Duration.ofSeconds(8)));
            Program.Outcome with = program().get(program().open("timeout=500"), mode, silent.url("/")).join();
            Program.Outcome without = cell().plain().get(cell().plain().open("timeout=500"), mode, silent.url("/")).join();
            Fidelity.same(without.get("classes").split(","), with.get("classes").split(","), true, mode);
            Contract.within(Duration.ofMillis(450), Duration.ofSeconds(5), with.took().toNanos(), () -> mode + ": " + with);
        });
    }

    @Check
    default void aTimeoutFiresAfterAWaitToo() {
        inEachMode(mode -> {
            Script silent = exchange -> exchange.pause(Duration.ofSeconds(12));
            Server.Site site = site(Network.SLOW, Script.inTurn(Script.status(200), silent));
            String client = program().open("timeout=4000");
            program().send(client, site.url("/")).expect(200);
            Program.Outcome outcome = program().get(client, mode, site.url("/silent")).join();
            Program plain = cell().plain();
            Program.Outcome without = plain.get(plain.open("timeout=4000"), mode, site(Network.OPEN, silent).url("/")).join();
            assertFalse(outcome.ok(), outcome::toString);
            Fidelity.same(without.get("classes").split(","), outcome.get("classes").split(","), true, mode);
            Contract.within(Duration.ZERO, Duration.ofSeconds(10), outcome.took().toNanos(), () -> mode + ": " + outcome);
        });
    }

    /**
     * A call that waits meets what a call meets that begins when the client is closed. It fails at once, or goes in its
     * turn where it needs nothing that was closed.
     */
    @Check
    default void closingTheClientEndsCallsThatWait() {
        needs("CLOSE");
        inEachMode(mode -> {
            Program.Outcome expected = beginsWhenClosed(cell().plain(), mode);
            assertEquals(withoutFuture(expected), withoutFuture(beginsWhenClosed(program(), mode)), mode);
            Server.Site site = site(Network.SLOWEST);
            String client = program().open("closes=true");
            long begun = System.nanoTime();
            program().send(client, site.url("/first")).expect(200);
            program().many(client, mode, 2, 2, site.url("/before")); // so that its turn is still far away when it has ended
            Program.Call waiting = program().get(client, mode, site.url("/waiting"));
            if (mode.equals("sync")) {
                waiting.parked();
            }
            program().ask("close " + client);
            long closed = System.nanoTime();
            Program.Outcome outcome = waiting.join();
            long took = System.nanoTime() - closed;
            assertEquals(expected.ok(), outcome.ok(), () -> mode + ": expected " + expected + ", but: " + outcome);
            if (expected.ok()) {
                paced(Network.SLOWEST, begun, site.host(), site.times());
            } else {
                if (!program().can("CANCELS_UNSENT")) {
                    assertEquals(withoutFuture(expected), withoutFuture(outcome), () -> mode + ": " + outcome);
                }
                Contract.within(Duration.ZERO, PROMPT, took, () -> mode + ": it ended after the client was closed");
            }
        });
    }

    /** The exception. A future may learn it from what it depends on first. */
    private static String withoutFuture(Program.Outcome outcome) {
        String wrapper = "^java.util.concurrent.(Completion|Execution)Exception,";
        return outcome.ok() ? "none" : outcome.get("classes").replaceFirst(wrapper, "").split(",")[0];
    }

    private Program.Outcome beginsWhenClosed(Program program, String mode) {
        Server.Site site = site(Network.FREE);
        String client = program.open("closes=true");
        program.send(client, site.url("/first")).expect(200);
        program.ask("close " + client);
        return program.get(client, mode, site.url("/late")).join();
    }

    @Check
    default void theDispatchersQueueHasTheHeldCalls() {
        needs("QUEUE");
        Server.Site site = site(Network.SLOWEST);
        String client = program().open();
        program().send(client, site.url("/first")).expect(200);
        Program.Calls held = program().many(client, "async", 10, 1, site.url("/"));
        assertEquals("10 10", program().ask("control " + client + " queued"));
        long begin = System.nanoTime();
        program().ask("control " + client + " cancel-all");
        String joined = held.join(PATIENCE);
        long took = System.nanoTime() - begin;
        assertTrue(joined.startsWith("ok=0 failed=10 "), joined);
        assertTrue(joined.contains("classes=" + program().cancelledBy() + " "), joined);
        Contract.within(Duration.ZERO, PROMPT, took, () -> "all were cancelled after");
        while (!program().ask("control " + client + " queued").equals("0 0")) { // a call leaves the dispatcher after its callback
            assertTrue(System.nanoTime() - begin < 10_000_000_000L, "calls that are over stay in the dispatcher");
        }
        assertEquals(1, site.arrivals().size());
    }

    @Check
    default void manyVirtualThreadsWait() {
        Assumptions.assumeTrue(cell().java() >= 21, "no virtual threads before Java 21");
        int count = Cell.MATRIX ? 1000 : 200;
        Server.Site busy = site(Cell.MATRIX ? Network.FAST : Network.BRISK); // some seconds of waiting, either way
        Server.Site free = site(Network.FREE);
        String client = program().open();
        Program.Calls calls = program().many(client, "virtual", count, 1, busy.url("/"));
        Program.Outcome beside = program().get(client, "virtual", free.url("/")).join().expect(200);
        int reached = busy.arrivals().size();
        assertTrue(reached < count, () -> "it came back when nobody waited any more: " + beside); // if those who wait pin their carriers
        calls.allOk(Duration.ofSeconds(60));
        assertEquals(count, busy.arrivals().size());
    }
}
