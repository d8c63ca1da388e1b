package io.tempolimit.core;

import java.util.PriorityQueue;

/** A crawl of a guarded site by any {@link Pacer}, with some requests in flight; goes from event to event. */
final class PacedCrawl {
    private final GuardedSite site;
    private final Pacer pacer;
    private final int inFlight;
    private final double latency;
    private final int[] pages = new int[60];
    private int blocks;
    /** {when it is there, status, Retry-After, how long it took}. */
    private final PriorityQueue<double[]> answers = new PriorityQueue<>((a, b) -> Double.compare(a[0], b[0]));

    PacedCrawl(GuardedSite site, Pacer pacer, int inFlight, double latency) {
        this.site = site;
        this.pacer = pacer;
        this.inFlight = inFlight;
        this.latency = latency;
    }

    Goodput.Played play() {
        double now = 0;
        for (;;) {
            double next = answers.size() < inFlight ? Math.max(now, pacer.next(now)) : Double.MAX_VALUE;
            if (!answers.isEmpty() && answers.peek()[0] <= next) {
                double[] a = answers.poll();
                now = a[0];
                pacer.answered(now, (int) a[1], a[2], a[3]);
                continue;
            }
            now = next;
            if (now >= Goodput.HOURS) {
                return new Goodput.Played(pages, blocks);
            }
            send(now);
        }
    }

    private void send(double now) {
        pacer.sent(now);
        boolean page = site.hit(now);
        pages[(int) (now / Goodput.HOURS * pages.length)] += page ? 1 : 0;
        blocks += page ? 0 : 1;
        double takes = latency + site.latency;
        answers.add(new double[] {now + takes, page ? 200 : site.refusal, page ? 0 : site.retryAfter, takes});
    }
}
