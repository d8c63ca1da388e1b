package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much a worker takes that is alone: the less it knows of the others, the less. */
@Timeout(120)
class FleetShareTest {
    private static final Limit ALL = new Limit(20, 8);

    private static FleetScene scene(int workers, FleetSettings settings) {
        return new FleetScene(1, workers, MILLI, settings, b -> b.rate(ALL.rate()).burst(ALL.burst()));
    }

    private static void arrive(FleetScene.Worker w, String host, int n) {
        for (int i = 0; i < n; i++) {
            w.arrive(host);
        }
    }

    /** Their calls fail until they have given up. */
    private static void lose(FleetScene s, List<FleetScene.Worker> workers) {
        workers.forEach(w -> w.link.cut = true);
        for (int i = 0; i < 5; i++) {
            workers.forEach(w -> w.arrive("other.example"));
            s.pass(SECOND);
        }
        for (FleetScene.Worker w : workers) {
            assertTrue(!w.link.shared(), "it still asks");
        }
        s.departures.clear();
    }

    private static void neverCounted(FleetScene s) {
        s.workers.forEach(w -> w.link.counted = false);
    }

    @Test
    void aHostThatWasNewWhileRedisWasGoneGotTheWholeRateFromEachWorker() {
        FleetScene s = scene(4, FleetScene.settings());
        lose(s, s.workers);
        s.workers.forEach(w -> arrive(w, "new.example", 100));
        s.pass(4 * SECOND);
        Bound.check(s.departures, new Limit(ALL.rate(), 4), 0); // each is let wake at the same moment
        assertEquals(80, s.departures.size(), "and all of the rate is used");
    }

    @Test
    void whoHasNotCountedTheOthersTakesATenthAndNoBurst() {
        FleetScene s = scene(6, FleetScene.settings());
        neverCounted(s);
        lose(s, s.workers);
        s.workers.forEach(w -> arrive(w, "new.example", 100));
        s.pass(SECOND / 2 - 1);
        assertEquals(0, s.departures.size(), "a tenth of 20/s is one in half a second, the first of them included");
        s.pass(10 * SECOND);
        assertEquals(6 * 20, s.departures.size());
        s.pass(200 * SECOND);
        s.departures.clear();
        s.workers.forEach(w -> arrive(w, "new.example", 10));
        s.pass(SECOND / 4);
        assertEquals(6, s.departures.size(), "one each after a time without requests: there is no burst");
    }

    @Test
    void whatTheSettingsSayIsBelievedButNoBurstIsTakenBeforeTheOthersAreCounted() {
        FleetScene s = scene(4, FleetScene.settings().workers(4));
        neverCounted(s);
        lose(s, s.workers);
        s.workers.forEach(w -> arrive(w, "new.example", 100));
        s.pass(4 * SECOND);
        assertEquals(80, s.departures.size());
        s.pass(100 * SECOND);
        s.departures.clear();
        s.workers.forEach(w -> arrive(w, "new.example", 10));
        s.pass(SECOND / 10);
        assertEquals(4, s.departures.size());
    }

    @Test
    void whoHasTheWholeRateWithoutRedisHasNoBurstBeforeTheOthersAreCounted() {
        FleetScene s = scene(1, FleetScene.settings().fallback(FleetSettings.Fallback.LOCAL));
        neverCounted(s);
        lose(s, s.workers);
        arrive(s.workers.get(0), "new.example", 100);
        s.pass(2 * SECOND);
        assertEquals(40, s.departures.size());
        s.pass(100 * SECOND);
        s.departures.clear();
        arrive(s.workers.get(0), "new.example", 10);
        assertEquals(1, s.departures.size());
    }

    /** The fleet ran at 35.6 requests/s instead of 20, for as long as one of them was alone. */
    @Test
    void aWorkerThatLostRedisBeforeItHadCountedTheOthersTookTheWholeRate() {
        FleetScene s = scene(4, FleetScene.settings());
        FleetScene.Worker lost = s.workers.get(0);
        lost.link.counted = false;
        lose(s, List.of(lost));
        s.workers.forEach(w -> arrive(w, "new.example", 1000));
        s.pass(40 * SECOND);
        assertTrue(s.departures.size() <= ALL.burst() + 40 * 1.1 * ALL.rate(), s.departures.size() + " in 40 s");
        Bound.check(s.departures, new Limit(1.1 * ALL.rate(), ALL.burst() + 1), 0.5);
    }

    /** They cannot know that the others have Redis, nor can those know that they have not. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void workersThatLoseRedisAloneAddTheirPartsAndNoMore(int cut) {
        FleetScene s = scene(4, FleetScene.settings());
        s.workers.forEach(w -> arrive(w, "a.example", 600));
        s.pass(5 * SECOND);
        s.workers.subList(0, cut).forEach(w -> w.link.breaks());
        s.pass(20 * SECOND);
        long healed = s.clock.nanos();
        s.workers.forEach(w -> w.link.cut = false);
        s.pass(10 * SECOND);
        double rate = (1 + cut / 4.0) * ALL.rate();
        Bound.check(s.departures, new Limit(rate, ALL.burst() + 1), 0.5);
        long meanwhile = s.departures.stream().filter(t -> t - healed <= 0 && healed - t < 10 * SECOND).count();
        assertEquals(10 * rate, meanwhile, 5, "the others have the whole rate");
        s.departures.removeIf(t -> t - healed <= SECOND);
        Bound.check(s.departures, ALL, 1);
        assertEquals(9 * ALL.rate(), s.departures.size(), 2, "and then all together have it");
    }

    /** Half of its calls fail, two in a row at the most, so it is never given up; what fails goes by this worker's part. */
    @Test
    void aRedisThatStandsStillForHalfOfTheTimeAddsTheWorkersPartsAndNoMore() {
        FleetScene s = scene(3, FleetScene.settings());
        neverCounted(s);
        for (long t = 0; t < 40; t++) {
            long from = s.clock.nanos() + t * 400 * MILLI;
            s.redis.at(from + 200 * MILLI, () -> s.workers.forEach(w -> w.link.cut = true));
            s.redis.at(from + 400 * MILLI, () -> s.workers.forEach(w -> w.link.cut = false));
        }
        List<Permit> all = new ArrayList<>();
        for (int i = 0; i < 160; i++) {
            s.workers.forEach(w -> all.add(w.arrive()));
            s.pass(100 * MILLI);
        }
        assertTrue(s.departures.size() <= ALL.burst() + 16 * 1.3 * ALL.rate(), s.departures.size() + " in 16 s");
    }

    @Test
    void windowsAreDividedByTheSameNumber() {
        FleetScene s = new FleetScene(1, 1, MILLI, FleetScene.settings(),
                b -> b.rate(1000).burst(8).windows(new WindowLimit(100, 60 * SECOND)));
        neverCounted(s);
        lose(s, s.workers);
        arrive(s.workers.get(0), "new.example", 100);
        s.pass(30 * SECOND);
        assertEquals(10, s.departures.size());
    }
}
