package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis is gone for long: how often one worker tries to reach it, and when it shares again. */
@Tag("long")
class ReturnTest {
    private static final long SECOND = 1_000_000_000L;
    private static final double RATE = 100;
    private static final int BURST = 20;

    /** Each look whether Redis is back began a row of attempts of its own, which never ended: 59 in ten seconds, and ever more. */
    @Test
    void whileRedisIsGoneAttemptsGetRarerAndNotMore() throws Exception {
        try (Server server = Server.start(Servers.first()); Proxy way = new Proxy(server.port);
                Worker worker = Worker.connected(way, RATE, BURST)) {
            int before = way.attempts();
            long from = System.nanoTime();
            way.shut(true);
            Thread.sleep(5_000); // how long it is gone is what is tried
            int attempts = way.attempts() - before;
            double seconds = (System.nanoTime() - from) / 1e9;
            System.out.printf("* Redis was gone for %.1f s: %d attempts of one worker%n", seconds, attempts);
            // at once, after 0.3 s, then each 0.6 s at the soonest
            assertTrue(attempts <= 3 + (seconds - 0.3) / 0.6, attempts + " attempts");
            assertTrue(attempts >= 2, "it does not try again: " + attempts);
            way.shut(false);
            Server.await(() -> worker.told.contains("restored"), "it is back: " + worker.told);
        }
    }

    /** It outlived the next outage, and some shared at once, while others were alone still: 74 to 99 tokens too many in 50 seconds. */
    @Test
    void aMomentThatNobodyHasWaitedForIsThatOfAnEarlierReturn() throws Exception {
        try (Server server = Server.start(Servers.first())) {
            assertEquals("1 3000", returns(server, "one"));
            String[] held = returns(server, "two").split(" ");
            assertEquals("2", held[0]);
            assertTrue(Integer.parseInt(held[1]) <= 3000, held[1]);
            Thread.sleep(1000); // for how long nobody asks is what is tried
            assertEquals("3 3000", returns(server, "three"));
        }
    }

    /** A worker that alone had lost its connection took its part beside the others for three seconds more, and waited for nobody. */
    @Test
    void whoHasLeftAloneWaitedForThoseThatHadNeverLeft() throws Exception {
        try (Server server = Server.start(Servers.first());
                Worker shares = new Worker(new FleetSettings(server.uri() + "/0", null, false).timeout(5 * SECOND).start(60 * SECOND),
                        RATE, BURST)) {
            assertTrue(shares.acquire("shop.example"));
            Server.await(() -> server.said("PUBSUB", "NUMSUB", "tempolimit:incidents").endsWith(" 1"), "it hears what is published");
            List<Integer> left = new ArrayList<>();
            do { // as long as it waits it says so again and again
                left.add(Integer.parseInt(returns(server, "another").substring("2 ".length())));
            } while (left.get(left.size() - 1) > 0);
            assertEquals(3000, left.get(0));
            assertTrue(left.get(left.size() - 2) > 500, "whoever shares says so, and it waits no longer: " + left.get(left.size() - 2));
        }
    }

    /**
     * After a password was changed back the last of four programs shared five seconds after the first, and took its part until then: 63
     * requests too many. Attempts are up to twice that far apart.
     */
    @Test
    void whoWasRefusedTriedAgainOnlyAfterTheFirstThatWasBackHadStoppedWaiting() {
        Matcher waits = Pattern.compile("local TOGETHER = ([0-9]+)").matcher(Script.BEAT.text);
        assertTrue(waits.find());
        assertTrue(2 * Transport.REFUSED_RETRY < TimeUnit.MILLISECONDS.toNanos(Long.parseLong(waits.group(1))));
    }

    /** As if it had heard of an earlier return, and its message had been under way since. */
    @Test
    void aMomentThatIsNotThisOneIsNobodys() throws Exception {
        try (Server server = Server.start(Servers.first())) {
            assertEquals("1 3000", returns(server, "one"));
            String says = server.ask("EVAL", Script.BEAT.text, "1", "tempolimit:workers", "two", "15000", Workers.LIVES, "1700000000000");
            assertTrue(Integer.parseInt(says.split(" ")[1]) > 0, says);
        }
    }

    /** What the script answers to a worker that could share again. */
    private static String returns(Server server, String worker) throws Exception {
        return server.ask("EVAL", Script.BEAT.text, "1", "tempolimit:workers", worker, "15000", Workers.RETURNS, "");
    }
}
