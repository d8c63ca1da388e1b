package io.tempolimit.core;

import io.tempolimit.core.policy.Policy;
import java.io.PrintStream;
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
    static final double HOURS = 4 * 3600;
    private static final double LATENCY = 0.3;
    /** More blocks than this per 100 pages are one as bad as the other. */
    private static final double MOST_BLOCKS = 20;
    private static final int[] IN_FLIGHT = {1, 4};
    private static final double[] LATENCIES = {0, LATENCY};

    private final PrintStream out;
    private final int seeds;
    private final int first;

    private Goodput(PrintStream out, int seeds, int first) {
        this.out = out;
        this.seeds = seeds;
        this.first = first;
    }

    /** What one policy gets from a site. */
    interface Player {
        Played play(GuardedSite site, int seed, int inFlight, double latency) throws Exception;
    }

    /** One crawl: its pages in each sixtieth of the time, and how many requests were refused. */
    static final class Played {
        final int[] pages;
        final int blocks;

        Played(int[] pages, int blocks) {
            this.pages = pages;
            this.blocks = blocks;
        }

        int all() {
            int sum = 0;
            for (int n : pages) {
                sum += n;
            }
            return sum;
        }
    }

    /** Means: pages in % of those that a client gets who knows the site's rule, and blocks per 100 pages. */
    private static final class Mean {
        private double pages;
        private double blocks;
        private int n;

        void add(double share, double refused) {
            pages += share;
            blocks += Math.min(MOST_BLOCKS, refused);
            n++;
        }

        void add(Mean other) {
            add(other.pages / other.n, other.blocks / other.n);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, " %6.1f %8.2f", pages / n, blocks / n);
        }
    }

    /**
     * Prints the tables.
     *
     * @param seeds how many seeds to play of each site
     * @param first the first seed
     */
    public static void print(PrintStream out, int seeds, int first) throws Exception {
        Goodput goodput = new Goodput(out, seeds, first);
        out.printf("Pages in %% of what is possible / blocks per 100 pages (up to %.0f), rate=auto, %d seeds from %d%n", MOST_BLOCKS, seeds,
                first);
        goodput.columns();
        for (int inFlight : IN_FLIGHT) {
            goodput.besideOthers(inFlight);
        }
    }

    /** Draws pages over time. */
    public static String picture(int seed) throws Exception {
        Map<String, Function<Random, GuardedSite>> all = new LinkedHashMap<>();
        groups().values().forEach(all::putAll);
        Picture picture = new Picture();
        for (String name : List.of("C  60 a minute, ban 5 min, extends", "nginx 503, fail2ban 10 min x 2",
                "Cloudflare 20 in 10 s, 10 s, 429", "AWS WAF 300 in 5 min, each 30 s", "100 pages, captcha till 10 min silent")) {
            Map<String, int[]> lines = new LinkedHashMap<>();
            for (Map.Entry<String, Player> policy : players().entrySet()) {
                lines.put(policy.getKey(), policy.getValue().play(site(all.get(name), seed), seed, 1, LATENCY).pages);
            }
            picture.panel(name, lines);
        }
        return picture.svg();
    }

    /** Tempolimit alone, with one and four in flight, and answers at once and after a while. */
    private void columns() throws Exception {
        out.printf("%nTempolimit%n%-46s", "");
        for (int inFlight : IN_FLIGHT) {
            for (double latency : LATENCIES) {
                out.printf(Locale.ROOT, " %15s", inFlight + " in flight " + (int) (1000 * latency) + " ms");
            }
        }
        out.println();
        Player player = players().get("Tempolimit");
        table(IN_FLIGHT.length * LATENCIES.length,
                i -> (make) -> mean(make, player, IN_FLIGHT[i / LATENCIES.length], LATENCIES[i % LATENCIES.length]));
    }

    private void besideOthers(int inFlight) throws Exception {
        List<Player> players = new ArrayList<>(players().values());
        out.printf(Locale.ROOT, "%nBeside other policies: %d in flight, answers after %.1f s%n%-46s", inFlight, LATENCY, "");
        players().keySet().forEach(name -> out.printf(" %15s", name));
        out.println();
        table(players.size(), i -> make -> mean(make, players.get(i), inFlight, LATENCY));
    }

    private interface Cell {
        Mean of(Function<Random, GuardedSite> make) throws Exception;
    }

    private interface Cells {
        Cell at(int column);
    }

    private void table(int columns, Cells cells) throws Exception {
        for (Map.Entry<String, Map<String, Function<Random, GuardedSite>>> group : groups().entrySet()) {
            Mean[] means = new Mean[columns];
            for (Map.Entry<String, Function<Random, GuardedSite>> site : group.getValue().entrySet()) {
                out.printf("%-46s", site.getKey());
                for (int i = 0; i < columns; i++) {
                    Mean mean = cells.at(i).of(site.getValue());
                    means[i] = means[i] == null ? new Mean() : means[i];
                    means[i].add(mean);
                    out.print(mean);
                }
                out.println();
            }
            out.printf("%-46s", "mean of " + group.getKey());
            for (Mean mean : means) {
                out.print(mean);
            }
            out.println();
        }
    }

    private Mean mean(Function<Random, GuardedSite> make, Player player, int inFlight, double latency) throws Exception {
        Mean mean = new Mean();
        for (int seed = first; seed < first + seeds; seed++) {
            Played played = player.play(site(make, seed), seed, inFlight, latency);
            double best = site(make, seed).best(HOURS);
            best = latency > 0 ? Math.min(best, HOURS * inFlight / latency) : best;
            mean.add(100 * played.all() / best, 100.0 * played.blocks / Math.max(1, played.all()));
        }
        return mean;
    }

    private static Map<String, Map<String, Function<Random, GuardedSite>>> groups() {
        Map<String, Map<String, Function<Random, GuardedSite>>> groups = new LinkedHashMap<>();
        groups.put("A to F", GuardedSite.known());
        groups.put("U", GuardedSite.unseen());
        groups.put("V", GuardedSite.others());
        Map<String, Function<Random, GuardedSite>> real = new LinkedHashMap<>(RealSites.all());
        real.putAll(ServiceSites.all());
        groups.put("guards that people run", real);
        groups.put("random families", RandomSites.all());
        return groups;
    }

    private static GuardedSite site(Function<Random, GuardedSite> make, int seed) {
        return make.apply(new Random(seed * 7919L));
    }

    private static Map<String, Player> players() {
        Map<String, Player> players = new LinkedHashMap<>();
        players.put("learn=false", ours(b -> b.learn(false)));
        players.put("Tempolimit", ours(b -> b.auto(Double.POSITIVE_INFINITY)));
        Pacers.all().forEach((name, policy) -> players.put(name, other(policy)));
        return players;
    }

    private static Player ours(UnaryOperator<Policy.Builder> policy) {
        return (site, seed, inFlight, latency) -> {
            Crawl crawl = new Crawl(site, inFlight, policy, seed, HOURS).latency(latency);
            crawl.play();
            return new Played(crawl.pagesByTime, crawl.blocks);
        };
    }

    private static Player other(Supplier<Pacer> policy) {
        return (site, seed, inFlight, latency) -> new PacedCrawl(site, policy.get(), inFlight, latency).play();
    }
}
