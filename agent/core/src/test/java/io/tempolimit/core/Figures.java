package io.tempolimit.core;

import java.util.Locale;

/**
 * What crawls of several seeds got: good pages as % of those that a client who knows the site's rule gets, and blocked answers
 * per 100 good pages.
 */
final class Figures {
    private double goodput;
    private double blocks;
    private int seeds;
    private double least = Double.MAX_VALUE;
    private int worst;

    /** Of the next seed. */
    void add(int seed, double share, double blocksPerPage) {
        goodput += share;
        blocks += blocksPerPage;
        seeds++;
        if (share < least) {
            least = share;
            worst = seed;
        }
    }

    /** The mean of all seeds. */
    double goodput() {
        return goodput / seeds;
    }

    /** The mean of all seeds. */
    double blocks() {
        return blocks / seeds;
    }

    /** The seed that got the fewest pages. */
    int worst() {
        return worst;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%9.1f %8.2f", goodput(), blocks());
    }
}
