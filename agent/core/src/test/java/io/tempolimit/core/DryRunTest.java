package io.tempolimit.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a dry run reports of a request is what the same request meets, after the same history, where it is no dry run. */
class DryRunTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String[] PATHS = {"/", "/queue"};
    private static final int STEPS = 30;

    /** One thing that happens, the same whenever it is played. */
    private static final class Step {
        final long gap;
        final int what;
        final int which;
        final String path;

        Step(Random random) {
            long[] gaps = {0, 0, SECOND / 20, SECOND / 3, SECOND, 3 * SECOND, 20 * SECOND};
            gap = gaps[random.nextInt(gaps.length)];
            what = random.nextInt(20);
            which = random.nextInt(1000);
            path = PATHS[random.nextInt(PATHS.length)];
        }
    }

    private static Policy policy(Random random) {
        Policy.Builder b = new Policy.Builder().learn(false).rate(1 + random.nextInt(5)).burst(1 + random.nextInt(4));
        long[] waits = {0, SECOND, 30 * SECOND, Policy.UNLIMITED};
        b.reject(random.nextInt(3) == 0).maxWait(waits[random.nextInt(waits.length)]);
        b.jitter(random.nextInt(3) == 0 ? 0.5 : 0);
        b.cooldownThreshold(1 + random.nextInt(3)).cooldownDuration(5 * SECOND, 10 * SECOND);
        if (random.nextInt(3) == 0) {
            b.windows(new WindowLimit(2 + random.nextInt(4), 10 * SECOND));
        }
        if (random.nextInt(3) == 0) {
            b.concurrency(1 + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            b.escalation(new Escalation(Escalation.COOLDOWN, 60 * SECOND, Escalation.LIFETIME));
        }
        if (random.nextInt(4) == 0) {
            b.escalationOn(true, true);
        }
        long[] most = {0, 4 * SECOND, 3600 * SECOND};
        return b.retryAfterMax(most[random.nextInt(most.length)]).build();
    }

    /** A limiter in a dry run that these steps have happened to. */
    private static final class Played {
        private final TurnedClock clock = new TurnedClock(1_000 * SECOND);
        private final List<String> heard = new ArrayList<>();
        private final List<Permit> open = new ArrayList<>();
        private final Limiter limiter;

        Played(Policy policy, long seed, List<Step> steps) throws Exception {
            Listener listener = (Listener) Proxy.newProxyInstance(Listener.class.getClassLoader(), new Class<?>[] {Listener.class},
                    (proxy, method, arguments) -> {
                        if (!method.getName().equals("throttled") && !method.getName().equals("waits")) {
                            heard.add(method.getName() + " " + Arrays.toString(Arrays.copyOfRange(arguments, 1, arguments.length))
                                    .replaceAll("io\\.tempolimit\\.core\\.TestTarget@\\w+", "target"));
                        }
                        return null;
                    });
            limiter = new Limiter(clock, new Random(seed)::nextDouble, TestRules.of(policy), listener);
            limiter.setDryRun(true);
            for (Step step : steps) {
                play(step);
            }
        }

        private void play(Step step) throws Exception {
            clock.turn(step.gap);
            Permit any = open.isEmpty() ? null : open.remove(step.which % open.size());
            if (step.what < 10 || any == null) {
                if (any != null) {
                    open.add(any);
                }
                open.add(arrive(step.path));
            } else if (step.what < 13) {
                any.answered(200);
            } else if (step.what < 17) {
                any.answered(429);
            } else if (step.what < 18) {
                any.abandoned();
            } else if (step.what < 19 && !Inside.of(any.key()).blockedForLife()) {
                any.key().pause(SECOND + step.which * SECOND / 100);
                any.unused();
            } else {
                Inside.redirected(any.key(), "/queue", step.which * SECOND / 100);
                any.answered(200);
            }
        }

        Permit arrive(String path) throws RequestRejectedException {
            heard.clear();
            return limiter.arrive(new TestTarget("a.example", path));
        }
    }

    @Test
    void whatItReportsIsWhatWouldHaveBeen() throws Exception {
        int rejected = 0;
        int delayed = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Policy policy = policy(random);
            List<Step> steps = new ArrayList<>();
            while (steps.size() < STEPS) {
                steps.add(new Step(random));
                String what = "seed " + seed + ", step " + steps.size();
                Step last = new Step(random);
                Played dry = new Played(policy, seed, steps);
                dry.clock.turn(last.gap);
                assertTrue(dry.arrive(last.path).granted(), what);
                String real = real(new Played(policy, seed, steps), last, what);
                assertEquals(real, dry.heard.toString(), what);
                rejected += real.contains("rejected") ? 1 : 0;
                delayed += real.contains("delayed") ? 1 : 0;
            }
        }
        assertTrue(rejected > 500 && delayed > 500, rejected + " were rejected, and " + delayed + " delayed");
    }

    /** What the listener hears of this request where it is no dry run any more. */
    private static String real(Played played, Step step, String what) throws Exception {
        played.clock.turn(step.gap);
        played.limiter.setDryRun(false);
        Permit permit;
        try {
            permit = played.arrive(step.path);
        } catch (RequestRejectedException e) {
            return played.heard.toString();
        }
        String heard = played.heard.toString();
        assertEquals(permit.waiting(), heard.contains("delayed"), what);
        boolean paced = heard.contains("RATE_LIMIT_EXCEEDED") || heard.contains("WINDOW_EXCEEDED");
        if (permit.waiting() && paced) {
            long nanos = Long.parseLong(heard.replaceAll(".*delayed \\[(\\d+),.*", "$1"));
            played.clock.turn(nanos - 1);
            assertFalse(permit.poll(), what);
            played.clock.turn(1);
            assertTrue(permit.poll() && permit.granted(), what);
        }
        return heard;
    }
}
