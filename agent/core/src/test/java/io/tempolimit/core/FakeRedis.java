package io.tempolimit.core;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.store.Answer;
import io.tempolimit.core.store.Fleet;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.core.store.SharedKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What several limiters share, in place of a Redis: the same decisions as the scripts of agent/redis ({@link FakeStored}), in a
 * model with a turned clock. Calls take their time, one after the other as on a connection; what is published takes its own.
 */
final class FakeRedis {
    private static final long MOMENT = 1_000_000L;
    /** 300 days: what is kept for ever is kept so long. */
    private static final long LONGEST = 300 * 86_400_000_000_000L;
    private static final long ANY = Long.MAX_VALUE;
    /** A worker relies on a bucket for so much less long than it is kept. */
    private static final long ENDS_EARLIER = 10_000_000_000L;
    /** By so much a clock may stand still unnoticed. */
    private static final long LEAP = 1_000_000_000L;

    final TurnedClock clock;
    final Random random;
    /** Longest way of a message, in nanoseconds. */
    long latency;
    final long timeout;
    final List<Worker> workers = new ArrayList<>();
    private final PriorityQueue<FakeEvent> events = new PriorityQueue<>();
    private final Map<String, FakeStored> keys = new HashMap<>();
    /** How far the store's clock is behind that of the workers. */
    private long behind;
    /** By how much it was set forward. */
    private long ahead;
    private long order;
    /** Calls that came. */
    int calls;
    private long ids;

    FakeRedis(TurnedClock clock, long seed, long latency, long timeout) {
        this.clock = clock;
        this.random = new Random(seed);
        this.latency = latency;
        this.timeout = timeout;
    }

    void at(long time, Runnable what) {
        events.add(new FakeEvent(time, order++, what));
    }

    /** When something happens next; {@link Long#MAX_VALUE} if nothing does. */
    long next() {
        return events.isEmpty() ? Long.MAX_VALUE : events.peek().time;
    }

    /** Lets happen what is due. */
    void run() {
        while (!events.isEmpty() && events.peek().time - clock.nanos() <= 0) {
            events.poll().what.run();
        }
    }

    private long way() {
        return (long) (random.nextDouble() * latency);
    }

    /** Its clock, which nothing but new numbers of records go by: all that is stored moves with it. */
    void setBack(long nanos) {
        behind += nanos;
    }

    /** Its clock is set forward: all that is stored is that much older. */
    void setForward(long nanos) {
        ahead += nanos;
        keys.values().forEach(s -> s.older(nanos));
    }

    /** All is forgotten, and nobody is told: FLUSHALL. */
    void flush() {
        keys.clear();
    }

    /** What is stored is of a later version. */
    void later() {
        keys.values().forEach(s -> s.later = true);
    }

    /** The buckets are as they were then, and nobody is told: a replica had not heard of the last calls. */
    Runnable rollback() {
        Map<String, Runnable> before = new HashMap<>();
        keys.forEach((name, s) -> before.put(name, s.rollback()));
        return () -> before.values().forEach(Runnable::run);
    }

    /** All is forgotten, as after a restart, which takes a second or more: records that begin anew have other numbers. */
    void forget() {
        keys.clear();
        behind -= FleetScene.SECOND;
        for (Worker w : workers) {
            w.link++;
        }
    }

    Incident incident(String key) {
        FakeStored s = keys.get(key);
        return s == null ? null : s.incident;
    }

    /** How many slots its bucket has given. */
    long given(String key) {
        return stored(key).given;
    }

    /** Workers that have not ended. */
    int members() {
        return (int) workers.stream().filter(w -> !w.closed).count();
    }

    private FakeStored stored(String key) {
        FakeStored s = keys.get(key);
        if (s == null) {
            s = new FakeStored(() -> ids += FakeStored.REPLICAS);
            s.full = clock.nanos();
            keys.put(key, s);
        }
        s.expire(clock.nanos());
        return s;
    }

    private void publish(Consumer<Fleet.Listener> what) {
        for (Worker w : workers) {
            w.wakes(clock.nanos() + way(), () -> {
                if (!w.cut && !w.deaf) {
                    what.accept(w.listener);
                }
            });
        }
    }

    /** One worker's connection. */
    final class Worker implements Fleet {
        final Listener listener;
        final FleetSettings settings;
        /** Whether messages get lost. */
        boolean cut;
        /** Whether what is published does not reach it. */
        boolean deaf;
        boolean closed;
        /** Whether it has counted the others. */
        boolean counted = true;
        private final FakeHealth health;
        private long lastSent;
        private long lastAnswered;
        int link = 1;
        /** Until when it stands still. */
        private final LongSupplier frozen;
        /** By so much its clock is behind, since its machine was suspended. Incidents are not told by it. */
        long suspended;

        Worker(FleetSettings settings, Listener listener, LongSupplier frozen) {
            this.settings = settings;
            this.listener = listener;
            this.frozen = frozen;
            health = new FakeHealth(this, clock, timeout);
            workers.add(this);
        }

        @Override
        public boolean shared() {
            return !health.alone && !closed;
        }

        @Override
        public State state() {
            return health.alone ? State.ALONE : State.SHARED;
        }

        @Override
        public String trouble() {
            return health.alone ? "no answer in time" : null;
        }

        @Override
        public int workers() {
            return counted ? members() : 1;
        }

        @Override
        public boolean counted() {
            return counted;
        }

        @Override
        public long noticesWithin() {
            return health.noticesWithin();
        }

        @Override
        public SharedKey key(String name) {
            return new FakeKey(this, name);
        }

        @Override
        public void close() {
            closed = true;
        }

        /** Its connection breaks, which it is told, and none is made. */
        void breaks() {
            cut = true;
            health.breaks();
        }

        /** Something that this worker does then, or when it has come to itself again. */
        void wakes(long time, Runnable what) {
            at(time, () -> {
                if (frozen.getAsLong() - clock.nanos() > 0) {
                    wakes(frozen.getAsLong(), what);
                } else {
                    what.run();
                }
            });
        }

        /** A call, whose answer comes once. */
        private void call(java.util.function.Supplier<Runnable> there, Runnable failed) {
            calls++;
            boolean[] over = new boolean[1];
            if (health.alone) {
                wakes(clock.nanos(), failed);
                return;
            }
            health.used();
            long begun = clock.nanos();
            long until = begun + timeout;
            wakes(until, () -> wakes(Math.max(until, frozen.getAsLong() + MOMENT), () -> { // what has come meanwhile is read first
                if (!over[0]) {
                    over[0] = true;
                    health.failed(begun);
                    failed.run();
                }
            }));
            lastSent = Math.max(lastSent, clock.nanos() + way());
            at(lastSent, () -> {
                if (cut) {
                    return;
                }
                Runnable answer = there.get();
                lastAnswered = Math.max(lastAnswered, clock.nanos() + way());
                wakes(lastAnswered, () -> {
                    if (!over[0] && !cut) {
                        over[0] = true;
                        health.succeeded();
                        answer.run();
                    }
                });
            });
        }
    }

    private final class FakeKey implements SharedKey {
        private final Worker worker;
        private final String name;
        private long[] windows = {};
        private long longest = Long.MAX_VALUE;
        private long version;
        private int link;
        /** The bucket that it has been given slots of, as it was then; and until when that is there for sure. */
        private long knownId;
        private long knownChanges;
        private long knownUntil;
        private long knownLeft;
        private long knownAhead;

        FakeKey(Worker worker, String name) {
            this.worker = worker;
            this.name = name;
        }

        @Override
        public void windows(long maxWait, long... countsAndDurations) {
            longest = maxWait;
            windows = countsAndDurations.clone();
        }

        @Override
        public long version() {
            return version;
        }

        @Override
        public void known(long v) {
            version = v;
        }

        @Override
        public void look(double interval, double burst, Taker taker) {
            call(interval, burst, 0, 0, ANY, false, null, 0, taker);
        }

        @Override
        public void take(double interval, double burst, long margin, int n, long maxWait, Taker taker) {
            call(interval, burst, margin, n, maxWait, true, null, 0, taker);
        }

        @Override
        public void tell(double interval, double burst, long number, List<String> went, Taker taker) {
            call(interval, burst, 0, 0, ANY, true, went, number, taker);
        }

        private void call(double i, double b, long margin, int n, long maxWait, boolean tells, List<String> went, long number,
                Taker taker) {
            long knows = version;
            int l = worker.link;
            boolean empty = link != 0 && link != l;
            long[] w = windows;
            long most = longest;
            long asked = clock.nanos();
            boolean known = knownId != 0 && asked - knownUntil < 0;
            long id = knownId;
            long changes = knownChanges;
            worker.call(() -> {
                FakeStored s = stored(name);
                if (s.later) {
                    return () -> taker.taken(null);
                }
                if (known && s.id == id) {
                    s.movesOn(ahead + worker.suspended - knownAhead, clock.nanos());
                }
                boolean gone = known && (s.id != id || s.changes < changes);
                if (gone && tells && (w.length == 0 || went != null)) {
                    tellOfLoss();
                }
                FakeStored.Question q = new FakeStored.Question(i, b, margin, n, maxWait, worker);
                if (went != null) {
                    q.tells(number, went, gone && s.follows(id));
                }
                Answer a = s.decide(q, knows, empty || gone, gone && w.length > 0 && went == null, w, most, clock.nanos());
                s.id += gone && s.id == id && (a.kind == Answer.Kind.GO || a.kind == Answer.Kind.PROBE) ? 1 : 0;
                long isId = s.id;
                long isChanges = s.changes;
                long atCall = ahead;
                long last = a.count == 0 ? knownLeft : Math.max(knownLeft, a.slot + (a.count - 1) * a.step);
                long until = s.keptUntil(last, w, clock.nanos()) - ENDS_EARLIER;
                return () -> {
                    boolean other = isId != knownId || isChanges < knownChanges || worker.suspended + atCall - knownAhead > LEAP;
                    boolean lost = knownId != 0 && other;
                    if (a.kind != Answer.Kind.REFUSED && a.kind != Answer.Kind.LOST) { // which change nothing: it may be full still
                        link = l;
                    }
                    if (a.kind == Answer.Kind.GO || a.kind == Answer.Kind.PROBE) {
                        knownId = isId;
                        knownChanges = isChanges;
                        knownUntil = until;
                        knownLeft = last;
                        knownAhead = worker.suspended + atCall;
                    }
                    Answer here = new Answer(a.kind, a.count, a.slot - worker.suspended, a.step, a.given, a.window, a.stale, a.incident);
                    Answer told = lost ? here.ofLostBucket() : here;
                    taker.taken(clock.nanos() - asked <= worker.settings.timeout() ? told : told.late());
                };
            }, () -> taker.taken(null));
        }

        private void tellOfLoss() {
            publish(l -> l.bucketLost(name));
        }

        @Override
        public void write(Incident incident, Limit opens, long memory, Writer writer) {
            long knows = version;
            long id = knownId;
            boolean known = id != 0 && clock.nanos() - knownUntil < 0;
            worker.call(() -> {
                long now = clock.nanos();
                FakeStored s = stored(name);
                if (s.later) {
                    return () -> writer.written(false, null);
                }
                long is = s.incident == null ? 0 : s.incident.version;
                if (is != knows && is > 0) {
                    Incident other = s.incident;
                    return () -> writer.written(false, other);
                }
                long from = is > 0 ? knows : Math.max(knows, (now - behind) / 1_000_000_000L * Incident.NUMBERS);
                Incident record = new Incident.Builder(incident).version(from + 1).build();
                s.incident = record;
                s.incidentEnds = now + worth(record, now, memory);
                if (opens != null) {
                    if (known && s.id == id) {
                        s.movesOn(ahead + worker.suspended - knownAhead, now);
                    }
                    s.full = now + opens.interval + opens.tolerance;
                    s.given++;
                    s.taken();
                    s.forgetReserved(now);
                    s.changed(now);
                }
                s.prober = null;
                publish(l -> l.incident(name, record));
                return () -> {
                    version = record.version;
                    writer.written(true, record);
                };
            }, () -> writer.written(false, null));
        }

        private long worth(Incident i, long now, long memory) {
            boolean kept = i.state == Incident.LIFETIME_BLOCKED || !i.learned.equals(Incident.NOTHING_LEARNED);
            return Math.min(LONGEST, kept ? LONGEST : i.state == Incident.OPEN ? memory : Math.max(memory, i.until - now + memory));
        }

        @Override
        public void give(long g, int n, double step, Runnable taken) {
            long id = knownId;
            worker.call(() -> {
                FakeStored s = stored(name);
                if (!s.later && s.id == id && s.given == g && s.windows.isEmpty()) {
                    s.given -= n;
                    s.full -= (long) (n * step);
                    return () -> { };
                }
                return taken;
            }, () -> { });
        }

        @Override
        public void release() {
            worker.call(() -> {
                FakeStored s = stored(name);
                if (s.prober == worker) {
                    s.prober = null;
                    publish(l -> l.probeGivenUp(name));
                }
                return () -> { };
            }, () -> { });
        }

        @Override
        public void later(long nanos, Runnable what) {
            worker.wakes(clock.nanos() + nanos, what);
        }
    }
}
