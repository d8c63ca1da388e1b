package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What was learnt of a site goes on after a restart, which costs next to nothing. */
class RestartTest {
    private static final double HOURS = 4 * 3600;
    private static final int SEEDS = 2;

    private static Figures figures(TestInfo test, Function<Random, GuardedSite> make, double restart) {
        Figures figures = new Figures();
        Seeds.play(test, SEEDS, seed -> new Crawl(make.apply(new Random(seed * 7919L)), 1,
                b -> b.auto(Double.POSITIVE_INFINITY), seed, HOURS).restarted(restart),
                crawl -> figures.add(crawl.seed, crawl.goodput(), crawl.blocksPerPage()));
        return figures;
    }

    @Test
    void aRestartInTheMiddleOfEachModelLosesTwoPointsAtTheMost(TestInfo test) {
        Map<String, Function<Random, GuardedSite>> sites = new LinkedHashMap<>(GuardedSite.known());
        sites.putAll(RealSites.all());
        List<String> faults = new ArrayList<>();
        sites.forEach((name, make) -> {
            Figures whole = figures(test, make, Double.MAX_VALUE);
            Figures restarted = figures(test, make, HOURS / 2);
            System.out.printf("%-40s %s %s%n", name, whole, restarted);
            if (restarted.goodput() < whole.goodput() - 2) {
                faults.add(name + ": " + restarted + " instead of " + whole);
            }
        });
        assertEquals(List.of(), faults);
    }
}
