package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * What the whole limiter makes of what was learnt: real keys, buckets and circuits against models of sites. {@link
 * LearningTest} has the rest.
 */
@Tag("long")
class LearnedPaceTest {
    private static final double HOURS = 4 * 3600;
    private static final int SEEDS = 4;

    private static Figures figures(TestInfo test, String site, int inFlight, UnaryOperator<Policy.Builder> policy) {
        Figures figures = new Figures();
        Seeds.play(test, SEEDS, seed -> new Crawl(site, inFlight, policy, seed, HOURS),
                crawl -> figures.add(crawl.seed, crawl.goodput(), crawl.blocksPerPage()));
        return figures;
    }

    private static UnaryOperator<Policy.Builder> learning(String site) {
        return site.startsWith("D") ? b -> b.auto(Double.POSITIVE_INFINITY) : b -> b.rate(3);
    }

    /** A crawl of one of the sites, for a while: what {@link ReplayTest} plays. */
    static Crawl crawl(int seed) {
        List<String> sites = List.copyOf(GuardedSite.known().keySet());
        String site = sites.get(seed % sites.size());
        return new Crawl(site, seed % 4 + 1, learning(site), seed, HOURS / 16);
    }

    /** The same bounds as for the class alone: what the key adds must not cost anything. */
    @Test
    void aCrawlGetsNearlyWhatOneGetsWhoKnowsTheRule(TestInfo test) {
        List<String> sites = List.copyOf(GuardedSite.known().keySet());
        double[] bounds = {97, 97, 85, 93, 93, 85};
        List<String> faults = new ArrayList<>();
        StringBuilder table = new StringBuilder();
        table.append(String.format("%-40s %18s %18s %18s%n", "whole limiter, % of pages, blocks per 100", "learn=false", "learning",
                "4 in flight"));
        for (int i = 0; i < bounds.length; i++) {
            String site = sites.get(i);
            Figures plain = figures(test, site, 1, b -> b.rate(3).learn(false));
            Figures alone = figures(test, site, 1, learning(site));
            Figures four = figures(test, site, 4, learning(site));
            table.append(String.format("%-40s %s %s %s%n", site, plain, alone, four));
            for (Figures got : List.of(alone, four)) {
                if (got.goodput() < bounds[i] || got.blocks() > 0.6) {
                    faults.add(site + ":" + got + ", the worst of it: " + Seeds.command(test, got.worst()));
                }
            }
        }
        System.out.print(table);
        assertEquals(List.of(), faults);
        Golden.check("LearnedPaceTest", table);
    }

    @Test
    void withoutLearningTheRateStaysAndTheSiteBansAgain() throws Exception {
        Crawl crawl = new Crawl(GuardedSite.ban(60, 60, 300, true), 1, b -> b.learn(false), 0, HOURS);
        crawl.play();
        assertTrue(crawl.goodput() < 5, crawl.goodput() + "%");
        assertEquals(0, crawl.limiter.key("a.example").stats().learnedRate);
    }

    @Test
    void whatWasLearntIsShownAndForgottenByAReset() throws Exception {
        Crawl crawl = new Crawl(GuardedSite.bucket(1, 10), 1, b -> b, 0, HOURS);
        crawl.play();
        Key key = crawl.limiter.key("a.example");
        assertEquals(1, key.stats().learnedRate, 0.3, "a look above may be going on");
        key.reset();
        assertEquals(0, key.stats().learnedRate);
        assertEquals(3, key.limit().rate());
    }

    @Test
    void aFirstHardBlockBringsAShortPauseAndNoTrip() throws Exception {
        TurnedClock clock = new TurnedClock(0);
        List<String> heard = new ArrayList<>();
        Limiter limiter = new Limiter(clock, new Seeded(), TestRules.of(new Policy.Builder().build()), new Listener() {
            @Override
            public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
                heard.add(durationNanos / 1_000_000 + " ms, rung " + rung);
            }
        });
        for (int block = 0; block < 3; block++) {
            Permit permit = limiter.arrive(new TestTarget("a.example"));
            while (permit.waiting()) {
                clock.set(permit.wakeAt());
                permit.poll();
            }
            permit.answered(429);
        }
        assertEquals(List.of("1500 ms, rung 0", "6000 ms, rung 0"), heard.subList(0, 2));
        assertTrue(heard.get(2).endsWith(" ms, rung 1") && heard.get(2).length() == "30000 ms, rung 1".length(), heard.get(2));
    }

    @Test
    void a403ActsOnlyWithATrip() throws Exception {
        TurnedClock clock = new TurnedClock(0);
        Limiter limiter = new Limiter(clock, new Seeded(), TestRules.of(new Policy.Builder().build()), Listener.NONE);
        for (int block = 0; block < 2; block++) {
            limiter.arrive(new TestTarget("a.example")).answered(403);
            assertEquals("open", limiter.key("a.example").stats().state);
        }
        limiter.arrive(new TestTarget("a.example")).answered(403);
        assertEquals("cooling_down", limiter.key("a.example").stats().state);
    }
}
