package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.core.store.SharedKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said when the fleet is lost and found. */
class FleetLinesTest {
    /** A fleet of four, in which nothing is blocked. */
    private static final class Four implements Fleet {
        State state = State.SHARED;
        int workers = 4;

        @Override
        public boolean shared() {
            return state == State.SHARED;
        }

        @Override
        public State state() {
            return state;
        }

        @Override
        public String trouble() {
            return state == State.SHARED || state == State.CONNECTING ? null : "why";
        }

        @Override
        public int workers() {
            return workers;
        }

        @Override
        public boolean counted() {
            return workers > 0;
        }

        @Override
        public long noticesWithin() {
            return 0;
        }

        @Override
        public SharedKey key(String name) {
            return null; // the count of the whole fleet has one from the start, and needs it at the first block
        }

        @Override
        public void close() {
        }
    }

    @Test
    void aFleetThatIsLostAndFoundIsALineAndAnEventEach(@TempDir Path dir) throws Exception {
        String[] holds = {"it takes a share of each rate, that of one worker in 4", "it takes the whole of each rate",
                "requests are rejected"};
        for (FleetSettings.Fallback fallback : FleetSettings.Fallback.values()) {
            Path file = dir.resolve("events-" + fallback);
            Scene s = new Scene();
            s.start(s.options().events(file.toString(), 1 << 20));
            FleetSettings settings = new FleetSettings("redis://h", null, false).fallback(fallback);
            s.watch.shares(settings);
            Four four = new Four();
            s.limiter.join((given, listener) -> four, settings);
            s.watch.fleetRestored(false);
            assertEquals("", s.errText());
            assertTrue(StatsJson.of(s.limiter, s.watch).contains("\"redis\":{\"state\":\"shared\",\"workers\":4,\"alone\":false}"));
            four.state = Fleet.State.ALONE;
            s.watch.fleetLost(Fleet.State.ALONE, "no answer in time");
            assertTrue(StatsJson.of(s.limiter, s.watch)
                    .contains("\"redis\":{\"state\":\"alone\",\"workers\":4,\"alone\":true,\"reason\":\"why\"}"));
            s.watch.fleetRestored(true);
            s.watch.fleetWarning("Redis refuses database 2; database 0 is used");
            s.watch.close();
            List<String> lines = s.lines();
            assertEquals(List.of("WARN Redis does not answer (no answer in time). Until it does, this JVM is alone: "
                    + holds[fallback.ordinal()] + ". redis.fallback changes that",
                    "INFO Redis answers again; limits are shared", "WARN Redis refuses database 2; database 0 is used"), lines);
            assertEquals(List.of("{\"event\":\"redis_lost\",\"reason\":\"no answer in time\"}", "{\"event\":\"redis_restored\"}",
                    "{\"event\":\"warning\",\"message\":\"Redis refuses database 2; database 0 is used\"}"),
                    Files.readAllLines(file).stream().map(l -> l.replaceFirst("\"time\":\"[^\"]+\",", "")).toList());
        }
    }

    /** Who was never counted: a line says what is taken then, and by which setting it would be more. */
    @Test
    void whatHoldsBeforeTheOthersWereCountedIsSaid(@TempDir Path dir) throws Exception {
        FleetSettings unknown = new FleetSettings("redis://h", null, false);
        FleetSettings known = new FleetSettings("redis://h", null, false).workers(6);
        FleetSettings local = new FleetSettings("redis://h", null, false).fallback(FleetSettings.Fallback.LOCAL);
        String[] holds = {"it takes a tenth of each rate and no burst, because it does not know how many share it; set redis.workers",
            "it takes a share of each rate, that of one worker in 6, and no burst", "it takes the whole of each rate, and no burst"};
        int i = 0;
        for (FleetSettings settings : List.of(unknown, known, local)) {
            Path file = dir.resolve("events" + i);
            Scene s = new Scene();
            s.start(s.options().events(file.toString(), 1 << 20));
            s.watch.shares(settings);
            Four none = new Four();
            none.workers = 0;
            none.state = Fleet.State.CONNECTING;
            s.limiter.join((given, listener) -> none, settings);
            s.watch.fleetLost(Fleet.State.CONNECTING, "still connecting");
            assertTrue(StatsJson.of(s.limiter, s.watch).contains("\"redis\":{\"state\":\"connecting\",\"workers\":1,\"alone\":true}"));
            none.state = Fleet.State.REFUSED;
            for (int minute = 0; minute < 2; minute++) {
                s.watch.fleetLost(Fleet.State.REFUSED, "WRONGPASS at h:6379: this or that");
            }
            s.watch.close();
            List<String> lines = s.lines();
            String refused = "ERROR Redis cannot be used: WRONGPASS at h:6379: this or that. Until that is changed, this "
                    + "JVM is alone: " + holds[i];
            assertEquals(List.of("WARN Redis is not reached yet (still connecting). Until it is, this JVM is alone: " + holds[i]
                    + ". redis.start makes requests wait for longer", refused, refused), lines);
            assertEquals(2, Files.readAllLines(file).size(), "what is said each minute is one event");
            i++;
        }
    }
}
