package io.tempolimit.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis is gone for long: how often one worker tries to reach it, and when it shares again. */
@Tag("long")
class AttemptsTest {
    /** Each look whether Redis is back began a row of attempts of its own, which never ended: 59 in ten seconds, and ever more. */
    @Test
    void whileRedisIsGoneAttemptsGetRarerAndNotMore() throws Exception {
        try (Server server = Server.start(Servers.first()); Proxy way = new Proxy(server.port);
                Worker worker = Worker.connected(way, 100, 20)) {
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

    /** What the script answers to a worker that could share again. */
    private static String returns(Server server, String worker) throws Exception {
        return server.ask("EVAL", Script.BEAT.text, "1", "tempolimit:workers", worker, "15000", Workers.RETURNS);
    }
}
