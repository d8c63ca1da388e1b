package io.tempolimit.core;

import io.tempolimit.core.learn.Learning;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Asks a site for pages, at the rate that is learnt, and rests by the rules of the circuit: one probe, and a trip at the third
 * block in a row.
 */
final class LearningClient {
    /** Close to where a clock of nanoseconds overflows. */
    private static final long EPOCH = Long.MAX_VALUE - 3_600_000_000_000L;

    enum Policy { NONE, PLAIN, LEARNING }

    private final GuardedSite site;
    private final Policy policy;
    private final Random random;
    Learning learning;
    private final int inFlight;
    private final double latency;
    private final boolean hard;
    /** {when it is there, epoch, 1 for a page, Retry-After}. */
    private final PriorityQueue<double[]> answers = new PriorityQueue<>((a, b) -> Double.compare(a[0], b[0]));
    double now;
    private double tokens = 5;
    private double filled;
    private double gap = 1;
    private boolean resting;
    private boolean probing;
    private double until;
    private int epoch;
    private int inARow;
    int pages;
    int blocks;
    int gaveBack;
    int requests;

    LearningClient(GuardedSite site, Policy policy, boolean auto, double rate, int inFlight, double latency, boolean hard,
            Random random) {
        this.site = site;
        this.policy = policy;
        this.random = random;
        this.inFlight = inFlight;
        this.latency = latency;
        this.hard = hard;
        learning = new Learning(auto, rate, 5, nanos(0));
    }

    private double rate() {
        return policy == Policy.LEARNING ? learning.rate() : 3;
    }

    private int burst() {
        return policy == Policy.LEARNING ? learning.burst() : 5;
    }

    private double nextDeparture() {
        if (answers.size() >= inFlight || probing) {
            return Double.MAX_VALUE;
        }
        if (resting) {
            return Math.max(now, until);
        }
        tokens = Math.min(burst(), tokens + Math.max(0, now - filled) * rate());
        filled = Math.max(now, filled);
        return tokens >= 1 ? filled : filled + (1 - tokens) / rate() * gap;
    }

    LearningClient run(double end) {
        for (;;) {
            double departure = nextDeparture();
            if (!answers.isEmpty() && answers.peek()[0] <= departure) {
                double[] answer = answers.poll();
                now = Math.max(now, answer[0]);
                if (now >= end) {
                    return this;
                }
                if (answer[1] == epoch) {
                    judge(answer[2] == 1, answer[3]);
                }
                continue;
            }
            now = Math.max(now, departure);
            if (now >= end) {
                return this;
            }
            send();
        }
    }

    private void send() {
        requests++;
        boolean page = site.hit(now);
        pages += page ? 1 : 0;
        blocks += page ? 0 : 1;
        if (resting) {
            probing = true;
        } else {
            tokens = Math.max(0, Math.min(burst(), tokens + Math.max(0, now - filled) * rate()) - 1);
            filled = Math.max(now, filled);
            gap = 0.9 + 0.2 * random.nextDouble();
        }
        double there = now + latency * (0.5 + random.nextDouble());
        answers.add(new double[] {there, epoch, page ? 1 : 0, page ? 0 : site.retryAfter});
    }

    private void judge(boolean page, double retryAfter) {
        if (page) {
            inARow = 0;
            learning.good(nanos(now));
            if (probing) {
                probing = false;
                resting = false;
                tokens = 0;
                filled = now;
            }
        } else {
            boolean trip = ++inARow >= 3;
            double pause = trip ? 30 + 30 * random.nextDouble() : 0;
            long least = learning.blocked(hard, trip, nanos(now));
            if (policy == Policy.LEARNING) {
                pause = Math.max(pause, least / 1e9);
            }
            pause = Math.max(pause, retryAfter);
            if (pause > 0 && policy != Policy.NONE) {
                probing = false;
                resting = true;
                until = now + pause;
                epoch++;
            }
        }
        gaveBack += learning.gaveBack() ? 1 : 0;
    }

    static long nanos(double seconds) {
        return EPOCH + (long) (seconds * 1e9);
    }
}
