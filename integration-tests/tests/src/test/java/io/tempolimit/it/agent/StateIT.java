package io.tempolimit.it.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.it.harness.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** {@code state=FILE}: what one run of a program has used up and met, the next one knows. */
class StateIT {
    private static final Server SERVER = Server.start();

    /** Of a window: three requests, each with its age. */
    private static final Pattern ALL_THREE = Pattern.compile(":\\d+x1,\\d+x1,\\d+x1\"");

    @AfterAll
    static void end() {
        SERVER.close();
    }

    private static Scraper start(Path state) {
        return Scraper.start(Jvm.scraper(17)
                .agent("user-agent.check=off,learn=false,exclude=-private,rate=1000,burst=1000,on-limit=reject,window=5/1h,"
                        + "cooldown.threshold=1,cooldown.duration=1h,state=" + state), "UrlConnection");
    }

    /** The window's five are five for both, also where the first had no time to say good-bye. */
    @Test
    void aProgramThatIsKilledLeavesItsQuotaAndItsCooldownsToTheNext() throws Exception {
        Server.Site site = SERVER.site("127.75", Server.Script.status(200));
        Server.Site blocking = SERVER.site("127.76", Server.Script.status(429));
        Path state = Source.folder().resolve("state");
        try (Scraper first = start(state)) {
            assertEquals("429", first.get(blocking.url("/")));
            for (int i = 0; i < 3; i++) {
                assertEquals("200", first.get(site.url("/")));
            }
            Wait.until("its state is written", first.fork, () -> Files.exists(state) && ALL_THREE.matcher(Files.readString(state)).find());
            assertTrue(new ProcessBuilder("kill", "-9", "" + first.fork.pid()).start().waitFor() == 0);
            first.fork.exit(Jvm.LONG);
        }
        String refused = "io.tempolimit.RequestRejectedException";
        try (Scraper second = start(state)) {
            assertEquals(refused, second.get(blocking.url("/")));
            assertEquals("200", second.get(site.url("/")));
            assertEquals("200", second.get(site.url("/")));
            assertEquals(refused, second.get(site.url("/")));
            assertEquals(0, second.end());
        }
        try (Scraper third = start(state)) {
            assertEquals(refused, third.get(site.url("/")));
            assertEquals(refused, third.get(blocking.url("/")));
            assertEquals("cooling_down", third.statistics(blocking.host()).get("state").getAsString(), third.fork::stderr);
        }
        assertEquals(5, site.arrivals().size());
        assertEquals(1, blocking.arrivals().size());
    }
}
