package io.tempolimit.core;

import io.tempolimit.core.policy.Policy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Pages that a crawl of four virtual hours gets from models of guarded sites, beside what other policies get: the benchmark
 * {@code goodput}. A site is a {@link GuardedSite}, a policy a {@link Pacer}. Seeds replay: the same ones give the same table.
 */
public final class Goodput {
    private static final double HOURS = 4 * 3600;
    private static final double LATENCY = 0.3;
    /** More blocks than this per 100 pages are one as bad as the other. */
    private static final double MOST_BLOCKS = 20;

    private Goodput() {
    }

    /** One figure: pages in % of those that a client gets who knows the site's rule, and blocks per 100 pages. */
    private static final class Got {
        private final Figures figures = new Figures();
        private double blocks;

        void add(int seed, int pages, int refused, double best) {
            double share = 100.0 * refused / Math.max(1, pages);
            figures.add(seed, 100 * pages / best, share);
            blocks += Math.min(MOST_BLOCKS, share);
        }
    }

    /** Prints the table, for so many seeds. */
    public static void print(int seeds) throws Exception {
        Map<String, Supplier<Pacer>> others = Pacers.all();
        System.out.printf("Pages in %% of what is possible / blocks per 100 pages. One request in flight, %.1f s; rate=auto; %d seeds%n%n",
                LATENCY, seeds);
        System.out.printf("%-46s %15s %15s", "", "learn=false", "Tempolimit");
        others.keySet().forEach(name -> System.out.printf(" %15s", name));
        System.out.println();
        double[] pages = new double[others.size() + 2];
        double[] blocks = new double[pages.length];
        int sites = 0;
        for (Map.Entry<String, Function<Random, GuardedSite>> site : sites().entrySet()) {
            List<Got> row = new ArrayList<>();
            row.add(ours(site.getValue(), b -> b.learn(false), seeds));
            row.add(ours(site.getValue(), b -> b.auto(Double.POSITIVE_INFINITY), seeds));
            for (Supplier<Pacer> other : others.values()) {
                row.add(other(site.getValue(), other, seeds));
            }
            System.out.printf("%-46s", site.getKey());
            for (int i = 0; i < row.size(); i++) {
                Got got = row.get(i);
                System.out.printf(Locale.ROOT, " %6.1f %8.2f", got.figures.goodput(), Math.min(9999, got.figures.blocks()));
                pages[i] += got.figures.goodput();
                blocks[i] += got.blocks / seeds;
            }
            System.out.println();
            sites++;
        }
        System.out.printf("%-46s", "mean (blocks up to " + (int) MOST_BLOCKS + " each)");
        for (int i = 0; i < pages.length; i++) {
            System.out.printf(Locale.ROOT, " %6.1f %8.2f", pages[i] / sites, blocks[i] / sites);
        }
        System.out.println();
    }

    private static Map<String, Function<Random, GuardedSite>> sites() {
        Map<String, Function<Random, GuardedSite>> all = new LinkedHashMap<>(GuardedSite.known());
        all.putAll(GuardedSite.unseen());
        all.putAll(GuardedSite.others());
        all.putAll(RealSites.all());
        return all;
    }

    private static GuardedSite site(Function<Random, GuardedSite> make, int seed) {
        return make.apply(new Random(seed * 7919L));
    }

    private static Got ours(Function<Random, GuardedSite> make, UnaryOperator<Policy.Builder> policy, int seeds) throws Exception {
        Got got = new Got();
        for (int seed = 0; seed < seeds; seed++) {
            Crawl crawl = new Crawl(site(make, seed), 1, policy, seed, HOURS).latency(LATENCY);
            crawl.play();
            got.add(seed, crawl.pages, crawl.blocks, site(make, seed).best(HOURS));
        }
        return got;
    }

    private static Got other(Function<Random, GuardedSite> make, Supplier<Pacer> policy, int seeds) {
        Got got = new Got();
        for (int seed = 0; seed < seeds; seed++) {
            GuardedSite site = site(make, seed);
            Pacer pacer = policy.get();
            int pages = 0;
            int blocks = 0;
            for (double now = 0; now < HOURS; ) {
                now = Math.max(now, pacer.next(now));
                if (now >= HOURS) {
                    break;
                }
                pacer.sent(now);
                boolean page = site.hit(now);
                double latency = LATENCY + site.latency;
                pages += page ? 1 : 0;
                blocks += page ? 0 : 1;
                now += latency;
                pacer.answered(now, page ? 200 : site.refusal, page ? 0 : site.retryAfter, latency);
            }
            got.add(seed, pages, blocks, site(make, seed).best(HOURS));
        }
        return got;
    }
}
