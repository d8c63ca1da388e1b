package io.tempolimit.core;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Count;
import io.tempolimit.core.learn.Learning;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.detect.Baseline;
import io.tempolimit.detect.Detector;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Verdict;
import java.util.Collections;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Asks a site for pages at the rate that is learnt, with the product's circuit and learning. What is its own is a token bucket, one
 * probe while the circuit is not open, and the clock.
 */
final class LearningClient {
    /** Close to where a clock of nanoseconds overflows. */
    private static final long EPOCH = Long.MAX_VALUE - 3_600_000_000_000L;

    private static final Detector DETECTOR = new Detector(Collections.emptyList());
    private static final Policy SETTINGS = new Policy.Builder().build();

    /** What it does with blocks: nothing, or what the circuit says, or that and what was learnt. */
    enum Kind { NONE, PLAIN, LEARNING }

    private final GuardedSite site;
    private final Kind kind;
    private final Circuit circuit;
    private final Random random;
    Learning learning;
    private final int inFlight;
    private final double latency;
    private final boolean hard;
    private final PriorityQueue<Answer> answers = new PriorityQueue<>((a, b) -> Double.compare(a.there, b.there));
    double now;
    private double tokens = 5;
    private double filled;
    private double gap = 1;
    int pages;
    int blocks;
    int gaveBack;
    int requests;

    private static final class Answer {
        final double there;
        final int epoch;
        final boolean page;
        final double retryAfter;

        Answer(double there, int epoch, boolean page, double retryAfter) {
            this.there = there;
            this.epoch = epoch;
            this.page = page;
            this.retryAfter = retryAfter;
        }
    }

    LearningClient(GuardedSite site, Kind kind, boolean auto, double rate, int inFlight, double latency, boolean hard,
            Random random) {
        this.site = site;
        this.kind = kind;
        this.random = random;
        this.inFlight = inFlight;
        this.latency = latency;
        this.hard = hard;
        learning = new Learning(auto, rate, 5, nanos(0));
        circuit = new Circuit(new Count(), random::nextDouble);
    }

    private double rate() {
        return kind == Kind.LEARNING ? learning.rate() : 3;
    }

    private int burst() {
        return kind == Kind.LEARNING ? learning.burst() : 5;
    }

    private double nextDeparture() {
        if (answers.size() >= inFlight || circuit.state == Circuit.State.PROBING) {
            return Double.MAX_VALUE;
        }
        if (!circuit.open()) {
            return now + circuit.pauseLeft(nanos(now)) / 1e9;
        }
        tokens = Math.min(burst(), tokens + Math.max(0, now - filled) * rate());
        filled = Math.max(now, filled);
        return tokens >= 1 ? filled : filled + (1 - tokens) / rate() * gap;
    }

    LearningClient run(double end) {
        for (;;) {
            double departure = nextDeparture();
            if (!answers.isEmpty() && answers.peek().there <= departure) {
                Answer answer = answers.poll();
                now = Math.max(now, answer.there);
                if (now >= end) {
                    return this;
                }
                judge(answer);
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
        if (!circuit.open()) {
            circuit.probe(nanos(now));
        } else {
            tokens = Math.max(0, Math.min(burst(), tokens + Math.max(0, now - filled) * rate()) - 1);
            filled = Math.max(now, filled);
            gap = 0.9 + 0.2 * random.nextDouble();
        }
        double there = now + latency * (0.5 + random.nextDouble());
        answers.add(new Answer(there, circuit.epoch, page, page ? 0 : site.retryAfter));
    }

    private void judge(Answer answer) {
        if (kind != Kind.NONE) {
            long then = nanos(now);
            Finding finding = answer.page ? Finding.of(Verdict.SUCCESS, 200) : block(answer.retryAfter);
            Learning learns = kind == Kind.LEARNING ? learning : null;
            if (circuit.judge(finding, answer.epoch, then, then, SETTINGS, learns) == Circuit.Effect.OPENED) {
                circuit.opened();
                tokens = 0;
                filled = now;
            }
            gaveBack += learning.gaveBack() ? 1 : 0;
        }
    }

    private Finding block(double retryAfter) {
        return !hard ? Finding.of(Verdict.FORBIDDEN, 403) : retryAfter == 0 ? Finding.of(Verdict.RATE_LIMITED, 429)
                : DETECTOR.look("GET", "site.example", "/", head(retryAfter), SETTINGS.detection(), new Baseline()).head();
    }

    private static TestHead head(double retryAfter) {
        return new TestHead(429, "Retry-After", Long.toString((long) Math.ceil(retryAfter)));
    }

    static long nanos(double seconds) {
        return EPOCH + (long) (seconds * 1e9);
    }
}
