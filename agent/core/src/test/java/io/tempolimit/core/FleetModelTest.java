package io.tempolimit.core;

import static io.tempolimit.core.FleetScene.MILLI;
import static io.tempolimit.core.FleetScene.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Reservation;
import io.tempolimit.core.store.FleetSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * Random histories of a few JVMs that share one key: messages take their time and come in any order, or not at all. What
 * must hold in every one.
 */
@Timeout(300)
class FleetModelTest {
    private static final int[] STATUSES = {200, 200, 200, 200, 302, 404, 403, 429, 429, 503};
    private static final int SEEDS = 300;
    /** After so many pauses all have gone: a hundred who wait where the fleet has learnt the slowest rate, one each ten minutes. */
    private static final int ENOUGH = 25_000;

    private static Policy.Builder policy(Policy.Builder b, Random random) {
        b.rate(new double[] {0.5, 3, 10, 77, 400}[random.nextInt(5)]).burst(1 + random.nextInt(random.nextBoolean() ? 2 : 8));
        if (random.nextInt(4) == 0) {
            b.maxWait((long) (random.nextDouble() * random.nextInt(60) * SECOND) + 1);
        }
        if (random.nextInt(8) == 0) {
            b.reject(true);
        }
        if (random.nextInt(5) == 0) {
            b.jitter(random.nextDouble());
        }
        if (random.nextInt(5) == 0) {
            b.windows(new WindowLimit(1 + random.nextInt(80), (1 + random.nextInt(20)) * SECOND));
        }
        if (random.nextInt(5) == 0) {
            b.concurrency(1 + random.nextInt(5));
        }
        long pause = (long) (random.nextDouble() * 20 * SECOND) + MILLI;
        return b.learn(random.nextInt(4) == 0).cooldownThreshold(1 + random.nextInt(3))
                .cooldownDuration(pause, pause + random.nextInt(2) * SECOND);
    }

    @Test
    void theBoundHoldsOneProbesAndNobodyIsForgotten(TestInfo test) {
        play(test, false, false);
    }

    /** As by SIGSTOP, or as a machine that is suspended: with slots in hand, and calls under way. */
    @Test
    void aWorkerThatStandsStillForUpToAMinuteBringsNoBurst(TestInfo test) {
        play(test, false, true);
    }

    @Test
    void whenMessagesAreLostNobodyIsForgottenAndAllAgreeAfterwards(TestInfo test) {
        play(test, true, false);
    }

    /** On machines with too little CPU: each thread up to a few intervals late. */
    @Test
    void threadsThatWakeLateBringNoBurst(TestInfo test) {
        Seeds.play(test, SEEDS, seed -> new Run(seed, false, false, true), run -> { });
    }

    /** By kill -9: with slots in hand, calls under way, places taken, or as the probe. Others begin; and Redis' clock is set back. */
    @Test
    void workersThatAreKilledHoldUpNobody(TestInfo test) {
        Seeds.play(test, SEEDS, seed -> new Run(seed, false, false, false, true), run -> { });
    }

    /**
     * Several probes of a worker that asked before it knew of the rest; calls without end, as long as a write of its own
     * was under way and another's heard of; and the record of a Redis that had forgotten taken for one that was known.
     */
    @Test
    void whatWentWrongOnceDoesNotAgain(TestInfo test) {
        Seeds.these(test, seed -> new Run(seed, false, false), 611, 1402, 1860, 2206, 2422, 2786);
        Seeds.these(test, seed -> new Run(seed, false, true), 611, 1402, 1860, 2206, 2422, 2786);
        Seeds.these(test, seed -> new Run(seed, true, false), 3556, 4774);
    }

    /** Slots of a faster limit were as late as the slower one lets them be: two went at once. A probe's token was the next one's too. */
    @Test
    void aLimitThatGrowsSlowerLetsNoTwoGoAtOnce(TestInfo test) {
        Seeds.these(test, seed -> new Run(seed, false, false), 1971, 4138, 10542);
    }

    /** A slot that was over was there again once later ones might be later: its run was forgotten. */
    @Test
    void aSlotThatIsOverStaysSo(TestInfo test) {
        Seeds.these(test, seed -> new Run(seed, false, false, true), 653);
    }

    /**
     * Two workers opened a key at one moment. The second wrote so although it was open by then: the bucket was emptied once more, and the
     * first one, which heard of no other rest, kept the slots that it had been given meanwhile.
     */
    @Test
    void aKeyThatTwoOpenIsOpenedOnce(TestInfo test) {
        Seeds.these(test, seed -> new Run(seed, false, false, true), 11057);
    }

    /**
     * Ninety wait where the fleet has learnt to send one each 394 s, most of them for a place. Each second one of them looks whether an
     * answer was dropped. Redis is not asked for that.
     */
    @Test
    void manyThatWaitForAPlaceAreNotForgottenAndAskRedisForNothing(TestInfo test) {
        Seeds.these(test, seed -> new Run(seed, false, false, true) {
            @Override
            public void play() {
                super.play();
                assertTrue(scene.redis.calls < 300, scene.redis.calls + " calls in ten hours");
            }
        }, 8255);
    }

    /** A dozen calls that were late together counted as a dozen that fail in a row: a worker that stood still for a moment was alone. */
    @Test
    void aWorkerThatStandsStillForAMomentIsNotAlone(TestInfo test) {
        Seeds.these(test, seed -> new Run(seed, false, true), 9561);
    }

    /** Its lease was over, and it was given up as the worker asked for the next one: that one's lease went with it. */
    @Test
    void aProbeThatIsGivenUpLateGivesUpNoOther(TestInfo test) {
        Seeds.these(test, seed -> new Run(seed, false, true), 23609);
    }

    private static void play(TestInfo test, boolean faults, boolean stops) {
        long[] sums = new long[2];
        Seeds.play(test, SEEDS, seed -> new Run(seed, faults, stops), run -> {
            sums[0] += run.scene.departures.size();
            sums[1] += run.probes;
        });
        assertTrue(!Seeds.usual() || sums[0] > 20L * SEEDS && sums[1] > SEEDS / 2,
                sums[0] + " departures, " + sums[1] + " probes: too few to mean anything");
    }

    static class Run implements Seeds.Play {
        final Random random;
        final boolean faults;
        final boolean stops;
        final boolean kills;
        final FleetScene scene;
        final Policy policy;
        /** By when it left: by how much a departure may have been later than the turn that it was given. */
        final Map<Long, Long> late = new HashMap<>();
        int probes;

        Run(int seed, boolean faults, boolean stops) {
            this(seed, faults, stops, false);
        }

        Run(int seed, boolean faults, boolean stops, boolean lateThreads) {
            this(seed, faults, stops, lateThreads, false);
        }

        Run(int seed, boolean faults, boolean stops, boolean lateThreads, boolean kills) {
            this.random = new Random(seed);
            this.faults = faults;
            this.stops = stops;
            this.kills = kills;
            int lease = new int[] {FleetSettings.AUTO, FleetSettings.OFF, 5}[random.nextInt(3)];
            Policy.Builder[] built = new Policy.Builder[1];
            int workers = 2 + random.nextInt(3);
            long latency = (long) (random.nextDouble() * 20 * MILLI);
            scene = new FleetScene(seed, workers, latency, FleetScene.settings().lease(lease), b -> {
                built[0] = policy(b, random);
                return built[0];
            });
            policy = built[0].build();
            if (lateThreads) {
                scene.workers.forEach(this::wakesLate);
            }
            scene.leaves = (w, p) -> late.merge(Inside.of(p).dueAt, late(w), Math::max);
        }

        /** Always, or each time another time, or now and then; up to 600 ms, or a few intervals. */
        private void wakesLate(FleetScene.Worker w) {
            Random late = new Random(random.nextInt());
            double most = random.nextDouble() * Math.min(600 * MILLI, 4 * policy.limit().interval);
            double each = random.nextInt(2) * random.nextDouble();
            double share = random.nextBoolean() ? 1 : random.nextDouble();
            w.lateness = () -> late.nextDouble() < share ? (long) (most * (1 - each * late.nextDouble())) : 0;
        }

        @Override
        public History history() {
            return scene.history;
        }

        @Override
        public void play() {
            for (int i = 0; i < 200; i++) {
                step(random.nextInt(100));
                probes();
            }
            for (FleetScene.Worker w : scene.workers) {
                w.link.cut = false;
                scene.pass(Math.max(0, w.frozenUntil - scene.clock.nanos())); // who comes to himself reads what has come meanwhile
            }
            scene.pass(SECOND);
            for (int i = 0; i < ENOUGH && scene.workers.stream().anyMatch(w -> !w.asleep.isEmpty()); i++) {
                for (FleetScene.Worker w : scene.workers) {
                    for (Permit p : new ArrayList<>(w.gone)) {
                        w.ends(p, "200", () -> p.answered(200));
                        w.gone.remove(p);
                    }
                }
                scene.pass((1 + random.nextInt(5)) * SECOND);
                probes();
                assertTrue(scene.redis.calls < 100_000, "they call and call");
            }
            for (FleetScene.Worker w : scene.workers) {
                assertTrue(w.asleep.isEmpty(), "forgotten: " + w.asleep.size());
                w.gone.forEach(p -> w.ends(p, "200", () -> p.answered(200)));
                w.gone.clear();
            }
            scene.pass(100 * SECOND);
            agree();
            if (!faults) {
                double latency = 3.0 * scene.redis.latency / policy.limit().interval;
                Bound.check(scene.departures, policy.limit(), (stops ? 1.5 : 0.5) + latency + 1e6 / policy.limit().interval);
                for (WindowLimit w : policy.windows()) {
                    if (!stops) { // whose calls fail meanwhile, takes its share
                        checkWindow(w);
                    }
                }
            }
        }

        /** A waiter comes so late at the most. An answer takes its time, and a turn that came meanwhile is still good. */
        private long late(FleetScene.Worker w) {
            return Math.max(scene.redis.latency, Math.max(MILLI, w.key().limit().interval / 2));
        }

        private void checkWindow(WindowLimit w) {
            List<Long> t = new ArrayList<>(scene.departures);
            t.sort(Long::compare);
            for (int i = w.count; i < t.size(); i++) {
                long first = t.get(i - w.count);
                long span = t.get(i) - first;
                assertTrue(span >= w.duration - late.get(first),
                        () -> w.count + 1 + " in " + span + " of " + w.duration + ", from " + (first - scene.start));
            }
        }

        /** All that have a key know the same of it. */
        private void agree() {
            for (FleetScene.Worker w : scene.workers) {
                if (w.key() != null && w.link.shared()) {
                    try {
                        Permit p = w.arrive();
                        scene.pass(SECOND);
                        if (p != null && p.granted()) {
                            scene.departures.remove((Long) Inside.of(p).dueAt);
                            p.unused();
                        } else if (p != null) {
                            p.cancel();
                        }
                    } finally {
                        scene.settle();
                    }
                }
            }
            Incident is = scene.redis.incident("a.example");
            for (FleetScene.Worker w : scene.workers) {
                if (is != null && w.key() != null) {
                    Circuit c = Inside.of(w.key()).circuit();
                    assertEquals(is.state == Incident.OPEN, c == null || c.open(), "state of " + scene.workers.indexOf(w));
                    assertEquals(is.epoch, c == null ? 0 : c.epoch, "epoch of " + scene.workers.indexOf(w));
                    assertEquals(is.count, c == null ? 0 : c.count(), "count of " + scene.workers.indexOf(w));
                }
            }
        }

        /** At most one that is under way, and not lost, in each pause. */
        private void probes() {
            int n = 0;
            for (FleetScene.Worker w : scene.workers) {
                for (Permit permit : w.gone) {
                    Reservation p = Inside.of(permit);
                    n += p.granted() && p.probe > 0 && scene.clock.nanos() - p.dueAt < Circuit.PROBE_LEASE - SECOND
                            && w.frozenUntil - p.dueAt < 0 && Inside.of(w.key()).circuit().isProbe(p.probe)
                            && Inside.of(w.key()).circuit().epoch == p.epoch ? 1 : 0;
                }
            }
            if (!faults) {
                assertTrue(n <= 1, n + " probes");
            }
            probes += n;
        }

        private void step(int what) {
            FleetScene.Worker w = scene.workers.get(random.nextInt(scene.workers.size()));
            if (w.frozenUntil - scene.clock.nanos() > 0 && (what < 35 || what >= 65)) {
                return;
            }
            Permit sent = w.gone.isEmpty() ? null : w.gone.get(random.nextInt(w.gone.size()));
            FleetScene.Sleeper sleeper = w.asleep.isEmpty() ? null : w.asleep.get(random.nextInt(w.asleep.size()));
            if (what < 35) {
                for (int n = 1 + random.nextInt(4); n > 0; n--) {
                    w.arrive();
                }
            } else if (what < 65) {
                scene.pass((long) (StrictMath.exp(random.nextDouble() * 9 - 5) * policy.limit().interval));
            } else if (what < 82 && sent != null) {
                w.gone.remove(sent);
                int status = STATUSES[random.nextInt(random.nextInt(STATUSES.length) + 1)];
                if (status == 503 && random.nextBoolean()) {
                    w.ends(sent, "fails", () -> sent.failed(new IOException()));
                } else {
                    w.ends(sent, "" + status, () -> sent.answered(status));
                }
            } else if (what < 88 && sleeper != null) {
                w.asleep.remove(sleeper);
                w.ends(sleeper.permit, "cancelled", () -> {
                    if (!sleeper.permit.cancel()) {
                        sleeper.permit.unused(); // it was granted just now
                    }
                });
            } else if (what < 90 && sent != null) {
                w.gone.remove(sent);
                w.ends(sent, "abandoned", sent::abandoned);
            } else if (what < 92 && sent != null && scene.departures.remove((Long) Inside.of(sent).dueAt)) {
                w.gone.remove(sent);
                w.ends(sent, "unused", sent::unused);
            } else if (what == 92 && stops) {
                w.frozenUntil = scene.clock.nanos() + (long) (random.nextDouble() * 60 * SECOND);
                scene.history.add(w.name, "stands still");
            } else if (what == 93 && w.key() != null) {
                operate(w.key());
            } else if (what == 94 && faults) {
                w.link.cut = !w.link.cut;
                scene.history.add(w.name, w.link.cut ? "cut off" : "linked");
            } else if (what == 95 && faults && random.nextInt(4) == 0) {
                scene.redis.forget();
                scene.history.add("all is forgotten");
            } else if (what == 96 && kills && scene.workers.size() > 1) {
                scene.history.add(w.name, "is killed");
                w.kill();
            } else if (what == 97 && kills) {
                scene.history.add(scene.begin().name, "begins");
            } else if (what == 98 && kills) {
                scene.redis.setBack((long) (random.nextDouble() * 7200 * SECOND));
                scene.history.add("the clock is set back");
            }
        }

        private void operate(Key key) {
            try {
                switch (random.nextInt(3)) {
                    case 0:
                        key.pause((1 + random.nextInt(5)) * SECOND);
                        break;
                    case 1:
                        key.resume();
                        break;
                    default:
                        key.reset();
                }
            } catch (IllegalStateException e) {
                // blocked for good
            }
        }
    }
}
