package io.tempolimit.core;

import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.memory.Remembered;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.Rules;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A scraper of a guarded site, with some requests in flight; goes from event to event. */
final class Crawl implements Seeds.Play {
    private static final long SECOND = 1_000_000_000L;
    /** Of several in flight. */
    private static final double LATENCY = 0.3;

    final TurnedClock clock = new TurnedClock(Long.MAX_VALUE - 3600 * SECOND); // close to where it overflows
    Limiter limiter;
    final GuardedSite site;
    final long start = clock.nanos();
    final int inFlight;
    final int seed;
    private final double seconds;
    private double latency;
    private double restart = Double.MAX_VALUE;
    private final Rules rules;
    private final Random random;
    private final History history = new History(clock);
    private int asked;
    int pages;
    int blocks;
    /** Pages in each sixtieth of the time. */
    final int[] pagesByTime = new int[60];
    private final List<Permit> asleep = new ArrayList<>();
    /** Answers on their way, by when they are there. */
    private final PriorityQueue<Answer> answers = new PriorityQueue<>((a, b) -> Long.signum(a.time - b.time));

    private static final class Answer {
        final long time;
        final Permit permit;
        final TestHead head;
        final String body;

        Answer(long time, Permit permit, TestHead head, String body) {
            this.time = time;
            this.permit = permit;
            this.head = head;
            this.body = body;
        }
    }

    Crawl(String site, int inFlight, UnaryOperator<Policy.Builder> policy, int seed, double seconds) {
        this(GuardedSite.known().get(site).apply(new Random(seed * 7919L)), inFlight, policy, seed, seconds);
        history.add(site, inFlight + " in flight");
    }

    Crawl(GuardedSite site, int inFlight, UnaryOperator<Policy.Builder> policy, int seed, double seconds) {
        this.site = site;
        this.inFlight = inFlight;
        this.seed = seed;
        this.seconds = seconds;
        latency = inFlight > 1 ? LATENCY : 0;
        rules = TestRules.of(policy.apply(new Policy.Builder()).build());
        random = new Random(seed);
        limiter = limiter();
    }

    private Limiter limiter() {
        return new Limiter(clock, random::nextDouble, rules, new Listener() {
            @Override
            public void cooldownStarted(Key key, long durationNanos, String reason, int rung, boolean refusing) {
                history.add("rests", durationNanos, rung);
            }
        });
    }

    /** The program ends after so many seconds, and another one goes on with what its state file has. */
    Crawl restarted(double s) {
        restart = s;
        limiter.remember(Map.of()); // there is a file, and nothing in it
        return this;
    }

    private void restart() {
        Map<String, Remembered> known = limiter.remembered();
        limiter = limiter();
        limiter.remember(known);
        asleep.clear();
        answers.clear();
        restart = Double.MAX_VALUE;
    }

    /** Each answer takes so many seconds. */
    Crawl latency(double s) {
        latency = s;
        return this;
    }

    @Override
    public History history() {
        return history;
    }

    @Override
    public void play() throws Exception {
        while (clock.nanos() - start < seconds * SECOND) {
            if (clock.nanos() - start >= restart * SECOND) {
                restart();
            }
            while (asleep.size() + answers.size() < inFlight) {
                take(limiter.arrive(new TestTarget("a.example", "/" + asked++)));
            }
            long next = answers.isEmpty() ? Long.MAX_VALUE : answers.peek().time - start;
            for (Permit p : asleep) {
                next = Math.min(next, p.wakeAt() - start);
            }
            clock.set(start + Math.max(next, clock.nanos() - start));
            for (Permit p : new ArrayList<>(asleep)) {
                if (p.wakeAt() - clock.nanos() <= 0 && p.poll()) {
                    asleep.remove(p);
                    take(p);
                }
            }
            while (!answers.isEmpty() && answers.peek().time - clock.nanos() <= 0) {
                Answer answer = answers.poll();
                if (answer.head == null) {
                    answer.permit.failed(new ConnectException("refused"));
                } else {
                    Body body = answer.permit.answered(answer.head);
                    if (body != null) {
                        byte[] bytes = answer.body == null ? new byte[0] : answer.body.getBytes(StandardCharsets.US_ASCII);
                        body.add(bytes, 0, bytes.length);
                        body.end();
                    }
                }
                history.add(answer.head == null ? 0 : answer.head.status(), limiter.key("a.example").limit().rate());
            }
        }
    }

    private void take(Permit permit) {
        if (permit.waiting()) {
            asleep.add(permit);
            return;
        }
        double now = (clock.nanos() - start) / 1e9;
        boolean page = site.hit(now);
        pages += page ? 1 : 0;
        pagesByTime[(int) Math.min(pagesByTime.length - 1, now / seconds * pagesByTime.length)] += page ? 1 : 0;
        blocks += page ? 0 : 1;
        answers.add(new Answer(clock.nanos() + (long) ((latency + site.latency) * SECOND), permit, site.answer(page), site.body(page)));
    }

    double goodput() {
        return 100 * pages / site.best(seconds);
    }

    double blocksPerPage() {
        return 100.0 * blocks / Math.max(1, pages);
    }
}
