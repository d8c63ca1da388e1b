package io.tempolimit.core;

import static io.tempolimit.core.Scene.MILLI;
import static io.tempolimit.core.Scene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.RequestRejectedException;
import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.detect.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Thousands of random histories of one key, against {@link Model} and against what must hold in every history. */
class ModelTest {
    private static final int[] STATUSES = {200, 200, 200, 302, 404, 401, 403, 429, 429, 500, 503};
    /**
     * The model counts tokens in fractions where a limit changes; the key rounds up to a nanosecond. A nanosecond at the highest of the
     * rates below is 1,081 at the lowest, and limits may change more than once.
     */
    private static final long ROUNDING = 3_000;
    private static final int SEEDS = 1000;

    private static Policy policy(Random random, boolean exact) {
        Policy.Builder b = new Policy.Builder();
        b.rate(new double[] {0.37, 1, 3, 10, 77, 400}[random.nextInt(6)]).burst(1 + random.nextInt(random.nextBoolean() ? 2 : 8));
        if (random.nextInt(3) == 0) {
            b.maxWait((long) (random.nextDouble() * random.nextInt(100) * SECOND) + 1);
        }
        if (random.nextInt(10) == 0) {
            b.reject(true);
        }
        if (!exact && random.nextInt(4) == 0) {
            b.jitter(random.nextDouble());
        }
        long pause = (long) (random.nextDouble() * 60 * SECOND) + MILLI;
        return b.learn(!exact && random.nextInt(5) == 0).cooldownThreshold(1 + random.nextInt(3)).cooldownDuration(pause, pause)
                .cooldownMemory((long) (random.nextDouble() * 100 * SECOND)).build();
    }

    // ---- sleepers that are on time: the same as the model, to the nanosecond

    @Test
    void behavesAsTheModelWhenSleepersAreOnTime(TestInfo test) {
        long[] sums = new long[2];
        Seeds.play(test, SEEDS, Exact::new, run -> {
            sums[0] += run.scene.stats().cooldowns;
            sums[1] += run.scene.awake.size();
        });
        assertTrue(!Seeds.usual() || sums[0] > SEEDS && sums[1] > 10 * SEEDS,
                sums[0] + " trips, " + sums[1] + " sleepers: too few to mean anything");
    }

    /** One history, lived by a key and by the model. */
    static final class Exact implements Seeds.Play {
        final Random random;
        final Scene scene;
        final Model model;
        final Map<Permit, Model.Request> twins = new IdentityHashMap<>();
        final List<Permit> waiting = new ArrayList<>();
        final List<Permit> inFlight = new ArrayList<>();

        Exact(int seed) {
            random = new Random(seed);
            Policy p = policy(random, true);
            scene = new Scene(seed, b -> b);
            scene.limiter.rules(TestRules.of(p));
            model = new Model(scene.clock.nanos(), p);
        }

        @Override
        public History history() {
            return scene.history;
        }

        @Override
        public void play() {
            arrive();
            for (int i = 0; i < 150; i++) {
                step();
                settle();
            }
            for (int i = 0; i < 1000 && !waiting.isEmpty(); i++) { // in the end every waiter has its answer
                pass(31 * SECOND);
                for (Permit p : new ArrayList<>(inFlight)) {
                    judge(p, 200);
                }
                settle();
            }
            assertTrue(waiting.isEmpty() && scene.asleep.isEmpty(), "forgotten waiters: " + waiting.size());
            inFlight.forEach(Permit::abandoned);
            assertEquals(0, scene.stats().activeRequests);
            assertEquals(0, scene.stats().waitingRequests);
        }

        private void step() {
            int what = random.nextInt(100);
            Permit sleeper = pick(waiting);
            Permit sent = pick(inFlight);
            if (what < 40) {
                for (int n = 1 + random.nextInt(3); n > 0; n--) {
                    arrive();
                }
            } else if (what < 62) {
                pass((long) (StrictMath.exp(random.nextDouble() * 13 - 9) * SECOND));
            } else if (what < 84 && sent != null) {
                judge(sent, STATUSES[random.nextInt(STATUSES.length)]);
            } else if (what < 87 && sent != null) {
                inFlight.remove(sent);
                scene.ends(sent, "fails", () -> sent.failed(new IOException("reset")));
                model.judge(twins.get(sent), Verdict.CONNECTION_ERROR);
            } else if (what < 93 && sleeper != null) {
                scene.ends(sleeper, "cancelled", () -> assertTrue(sleeper.cancel()));
                model.cancel(twins.get(sleeper));
            } else if (what < 95 && sent != null) {
                inFlight.remove(sent);
                scene.ends(sent, "abandoned", sent::abandoned);
                model.lost(twins.get(sent));
            } else if (what < 98) {
                Policy p = policy(random, true);
                scene.history.add("settings", p.limit().rate(), p.limit().burst());
                scene.limiter.rules(TestRules.of(p));
                model.settings(p, model.enabled, model.dryRun);
            } else if (random.nextBoolean()) {
                scene.history.add("enabled", !model.enabled);
                scene.limiter.setEnabled(!model.enabled);
                model.settings(model.policy, !model.enabled, model.dryRun);
            } else {
                scene.history.add("dry run", !model.dryRun);
                scene.limiter.setDryRun(!model.dryRun);
                model.settings(model.policy, model.enabled, !model.dryRun);
            }
        }

        private Permit pick(List<Permit> permits) {
            return permits.isEmpty() ? null : permits.get(random.nextInt(permits.size()));
        }

        private void arrive() {
            if (!model.enabled) {
                return;
            }
            Permit permit = null;
            try {
                permit = scene.arrive();
            } catch (RequestRejectedException e) {
                // the model will say whether that is right
            }
            Model.Request twin = model.arrive();
            assertEquals(twin.rejected, permit == null, "rejected");
            if (permit == null) {
                return;
            }
            assertEquals(twin.waiting, permit.waiting(), "waits");
            twins.put(permit, twin);
            (permit.waiting() ? waiting : inFlight).add(permit);
        }

        private void judge(Permit permit, int status) {
            inFlight.remove(permit);
            scene.ends(permit, "" + status, () -> permit.answered(status));
            model.judge(twins.get(permit), Verdict.of(status));
        }

        /** From event to event, and never to a time at which rounding would decide what happened first. */
        private void pass(long nanos) {
            long to = scene.clock.nanos() + nanos;
            for (;;) {
                long next = model.nextEvent();
                for (Scene.Sleeper s : scene.asleep) {
                    next = Math.min(next, s.alarm);
                }
                if (next > to + ROUNDING) {
                    break;
                }
                to = Math.max(to, next + ROUNDING);
                both(next + ROUNDING);
            }
            both(to);
        }

        private void both(long time) {
            scene.passTo(time);
            model.advance(time);
            settle();
        }

        /** Both have come to the same. */
        private void settle() {
            scene.pass(0);
            for (Permit p : new ArrayList<>(waiting)) {
                Model.Request twin = twins.get(p);
                assertEquals(twin.waiting, p.waiting(), "still waits at " + scene.clock.nanos());
                if (!p.waiting()) {
                    waiting.remove(p);
                    assertEquals(twin.granted, p.granted(), "granted");
                    assertEquals(twin.rejected, p.rejection() != null, "rejected");
                    long off = scene.sleeper(p).end - twin.end;
                    assertTrue(Math.abs(off) <= ROUNDING, off + " ns off");
                    if (p.granted()) {
                        inFlight.add(p);
                    }
                }
            }
            KeyStats s = scene.stats();
            assertEquals(model.closed ? model.probing ? "probing" : "cooling_down" : "open", s.state.replace("would_", ""));
            assertEquals(inFlight.size(), s.activeRequests);
            assertEquals(waiting.size(), s.waitingRequests);
            if (!model.closed && waiting.isEmpty()) {
                assertEquals((double) model.credit / model.policy.limit().interval, s.tokensAvailable, 1e-3, "tokens");
            }
        }
    }

    // ---- sleepers that come late, look too early, in any order: what must hold all the same

    @Test
    void theBoundHoldsAndNobodyIsForgottenWhenSleepersAreLate(TestInfo test) {
        int[] departures = new int[1];
        Seeds.play(test, SEEDS, Late::new, run -> departures[0] += run.total);
        assertTrue(!Seeds.usual() || departures[0] > 30 * SEEDS, departures[0] + " departures: too few to mean anything");
    }

    /** What one took that went before those in front of it, who were late; and what was taken by a limit that holds no more. */
    @Test
    void aTokenThatComesBackBringsOneTooMany(TestInfo test) {
        Seeds.these(test, Late::new, 6383, 12283, 39421);
    }

    static final class Late implements Seeds.Play {
        final Random random;
        final Scene scene;
        Policy policy;
        int total;
        /** Departures since the settings changed. */
        final List<Long> left = new ArrayList<>();
        final List<Permit> inFlight = new ArrayList<>();

        Late(int seed) {
            random = new Random(seed);
            scene = new Scene(seed, b -> b);
            change();
        }

        private void change() {
            check();
            policy = policy(random, false);
            scene.history.add("settings", policy.limit().rate(), policy.limit().burst());
            scene.limiter.rules(TestRules.of(policy));
        }

        private void check() {
            if (policy != null) {
                Bound.check(left, policy.limit(), 0);
            }
            total += left.size();
            left.clear();
        }

        @Override
        public History history() {
            return scene.history;
        }

        @Override
        public void play() throws Exception {
            for (int i = 0; i < 300; i++) {
                step(random.nextInt(100));
            }
            for (int i = 0; i < 2000 && !scene.asleep.isEmpty(); i++) {
                for (Permit p : inFlight) {
                    scene.ends(p, "200", () -> p.answered(200));
                }
                inFlight.clear();
                scene.clock.turn(SECOND * (1 + random.nextInt(60)));
                for (Scene.Sleeper s : new ArrayList<>(scene.asleep)) {
                    look(s);
                }
            }
            assertTrue(scene.asleep.isEmpty(), "forgotten: " + scene.asleep.size());
            check();
            inFlight.forEach(Permit::abandoned);
            if (scene.key() != null) {
                assertEquals(0, scene.stats().activeRequests);
                assertEquals(0, scene.stats().waitingRequests);
            }
        }

        private void step(int what) throws Exception {
            Permit sent = inFlight.isEmpty() ? null : inFlight.get(random.nextInt(inFlight.size()));
            Scene.Sleeper sleeper = scene.asleep.isEmpty() ? null : scene.asleep.get(random.nextInt(scene.asleep.size()));
            if (what < 25) {
                try {
                    Permit p = scene.arrive();
                    if (p != null && p.granted()) {
                        leave(p);
                    }
                } catch (RequestRejectedException e) {
                    // fine
                }
            } else if (what < 45) {
                scene.clock.turn((long) (StrictMath.exp(random.nextDouble() * 8 - 4) * policy.limit().interval));
            } else if (what < 75 && sleeper != null) {
                look(sleeper);
            } else if (what < 82 && sent != null) {
                inFlight.remove(sent);
                int status = STATUSES[random.nextInt(random.nextInt(STATUSES.length) + 1)];
                scene.ends(sent, "" + status, () -> sent.answered(status));
            } else if (what < 86 && sleeper != null) {
                scene.ends(sleeper.permit, "cancelled", sleeper.permit::cancel);
                scene.asleep.remove(sleeper);
            } else if (what < 88 && sent != null) {
                inFlight.remove(sent);
                scene.ends(sent, "abandoned", sent::abandoned);
            } else if (what < 90 && sent != null) {
                // a client's own queue held it: it never left at the time of its first permit
                inFlight.remove(sent);
                try {
                    if (scene.enter(sent.depart()) == sent) {
                        inFlight.add(sent);
                    }
                } catch (RequestRejectedException e) {
                    assertTrue(policy.reject());
                }
            } else if (what < 92 && sent != null && left.remove((Long) Inside.of(sent).dueAt)) {
                inFlight.remove(sent);
                scene.ends(sent, "unused", sent::unused);
            } else if (what == 98) {
                change();
            } else if (what == 99 && random.nextInt(3) == 0) {
                scene.limiter.rules(TestRules.of(null));
                for (Scene.Sleeper s : new ArrayList<>(scene.asleep)) {
                    if (random.nextBoolean()) {
                        scene.look(s); // goes unpaced
                        inFlight.add(s.permit);
                    }
                }
                change();
            }
        }

        private void look(Scene.Sleeper s) {
            List<Scene.Sleeper> before = new ArrayList<>(scene.asleep.subList(0, scene.asleep.indexOf(s)));
            scene.look(s);
            Reservation p = Inside.of(s.permit);
            if (!p.granted()) {
                return;
            }
            for (Scene.Sleeper b : before) { // what its client held back has been before them already, and who was missed comes later
                Reservation q = Inside.of(b.permit);
                assertTrue(!q.waiting() || p.overdue || q.overdue || p.probe == 0 && q.dueAt - scene.clock.nanos() <= 0,
                        "overtook one that still has to wait");
            }
            leave(s.permit);
        }

        private void leave(Permit permit) {
            Reservation p = Inside.of(permit);
            left.add(scene.clock.nanos());
            inFlight.add(p);
            assertEquals(scene.clock.nanos(), p.dueAt);
            long probes = inFlight.stream().filter(q -> Inside.of(q).probe > 0 && q.granted()).count();
            if (p.probe > 0 && probes > 1) {
                long silent = inFlight.stream().map(Inside::of).filter(q -> q != p && q.probe > 0
                        && scene.clock.nanos() - q.dueAt < Circuit.PROBE_LEASE && q.epoch == p.epoch).count();
                assertEquals(0, silent, "more than one probe");
            }
        }
    }
}
