package io.tempolimit.core;

import io.tempolimit.core.circuit.Circuit;
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
import java.util.function.LongSupplier;

/**
 * What several limiters share, in place of a Redis: the same decisions as the scripts of agent/redis, in a model with a turned clock. Calls take their
 * time, one after the other as on a connection; what is published takes its own.
 */
final class FakeRedis {
    private static final int IN_A_ROW = 3;
    private static final long MOMENT = 1_000_000L;
    /** So long a worker may go on with what it has reserved, until it hears of the rest. */
    private static final long UNHEARD = 100_000_000L;
    /** 300 days: what is kept for ever is kept so long. */
    private static final long LONGEST = 300 * 86_400_000_000_000L;
    /** How many it gave is of interest for so long. */
    private static final long REMEMBERED = 60_000_000_000L;
    private static final long ANY = Long.MAX_VALUE;
    /** A worker relies on a bucket for so much less long than it is kept. */
    private static final long MARGIN = 10_000_000_000L;
    /** So many windows that others have set are kept. */
    private static final int OTHERS = 4;

    final TurnedClock clock;
    final Random random;
    /** Longest way of a message, in nanoseconds. */
    long latency;
    final long timeout;
    final List<Worker> workers = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<String, Stored> keys = new HashMap<>();
    /** How far the store's clock is behind that of the workers. */
    private long behind;
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

    private static final class Event implements Comparable<Event> {
        final long time;
        final long order;
        final Runnable what;

        Event(long time, long order, Runnable what) {
            this.time = time;
            this.order = order;
            this.what = what;
        }

        @Override
        public int compareTo(Event other) {
            return time != other.time ? Long.signum(time - other.time) : Long.compare(order, other.order);
        }
    }

    /** What is stored of one key, in times of the workers' clock. */
    private static final class Stored {
        long full;
        long given;
        /** Which bucket it is; 0: there is none. And how often it was taken from. */
        long id;
        long changes;
        /** Whether a later version of the agent has stored it. */
        boolean later;
        /** When all that would be known of the bucket is over. */
        long bucketEnds;
        /** Null: none. */
        Incident incident;
        long incidentEnds;
        Worker prober;
        long probeEnds;
        final List<Cap> windows = new ArrayList<>();

        /** What was reserved for a time that has not come is void. */
        void forgetReserved(long now) {
            windows.forEach(w -> w.times.removeIf(t -> t - now > UNHEARD));
        }

        /** What is over is forgotten. */
        void expire(long now) {
            if (now - bucketEnds > 0) {
                full = now;
                given = 0;
                id = 0;
                windows.clear();
            }
            if (incident != null && now - incidentEnds > 0) {
                incident = null;
            }
        }

        void changed(long now) {
            windows.removeIf(w -> w.ends(now) - now <= 0);
            bucketEnds = Math.max(full, now + REMEMBERED);
            windows.forEach(w -> bucketEnds = Math.max(bucketEnds, w.ends(now)));
        }
    }

    /** A window by the times of its requests, those that were promised included. */
    private static final class Cap {
        final int count;
        final long duration;
        final List<Long> times = new ArrayList<>();

        Cap(int count, long duration) {
            this.count = count;
            this.duration = duration;
        }

        /** When the last has left it. */
        long ends(long now) {
            return times.isEmpty() ? now : times.get(times.size() - 1) + duration;
        }

        long earliest(long time) {
            int n = times.size();
            long t = n > 0 ? Math.max(time, times.get(n - 1)) : time;
            return n < count ? t : Math.max(t, times.get(n - count) + duration);
        }
    }

    void at(long time, Runnable what) {
        events.add(new Event(time, order++, what));
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
        Map<String, long[]> before = new HashMap<>();
        keys.forEach((name, s) -> before.put(name, new long[] {s.full, s.given, s.id, s.changes}));
        return () -> before.forEach((name, was) -> {
            Stored s = keys.get(name);
            s.full = was[0];
            s.given = was[1];
            s.id = was[2];
            s.changes = was[3];
        });
    }

    /** All is forgotten, as after a restart. */
    void forget() {
        keys.clear();
        for (Worker w : workers) {
            w.link++;
        }
    }

    Incident incident(String key) {
        Stored s = keys.get(key);
        return s == null ? null : s.incident;
    }

    /** Workers that have not ended. */
    int members() {
        return (int) workers.stream().filter(w -> !w.closed).count();
    }

    private Stored stored(String key) {
        Stored s = keys.get(key);
        if (s == null) {
            s = new Stored();
            s.full = clock.nanos();
            keys.put(key, s);
        }
        s.expire(clock.nanos());
        return s;
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
        private boolean alone;
        private int row;
        private long lastSent;
        private long lastAnswered;
        int link = 1;
        /** Until when it stands still. */
        private final LongSupplier frozen;

        Worker(FleetSettings settings, Listener listener, LongSupplier frozen) {
            this.settings = settings;
            this.listener = listener;
            this.frozen = frozen;
            workers.add(this);
        }

        @Override
        public boolean shared() {
            return !alone && !closed;
        }

        @Override
        public State state() {
            return alone ? State.ALONE : State.SHARED;
        }

        @Override
        public String trouble() {
            return alone ? "no answer in time" : null;
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
        public SharedKey key(String name) {
            return new FakeKey(this, name);
        }

        @Override
        public void close() {
            closed = true;
        }

        private void failed() {
            if (!alone && ++row >= IN_A_ROW) {
                alone = true;
                row = 0;
                listener.lost(State.ALONE, "no answer in time");
                wakes(clock.nanos() + timeout, this::trial);
            }
        }

        private void succeeded() {
            if (!alone) {
                row = 0;
            }
        }

        private void trial() {
            if (cut) {
                row = 0;
            } else if (++row >= IN_A_ROW) {
                row = 0;
                alone = false;
                link++;
                listener.restored(true);
                return;
            }
            wakes(clock.nanos() + timeout, this::trial);
        }

        /** Something that this worker does then, or when it has come to itself again. */
        private void wakes(long time, Runnable what) {
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
            if (alone) {
                wakes(clock.nanos(), failed);
                return;
            }
            long until = clock.nanos() + timeout;
            wakes(until, () -> wakes(Math.max(until, frozen.getAsLong() + MOMENT), () -> { // what has come meanwhile is read first
                if (!over[0]) {
                    over[0] = true;
                    failed();
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
                        succeeded();
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
            call(interval, burst, 0, ANY, false, taker);
        }

        @Override
        public void take(double interval, double burst, int n, long maxWait, Taker taker) {
            call(interval, burst, n, maxWait, true, taker);
        }

        private void call(double i, double b, int n, long maxWait, boolean tells, Taker taker) {
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
                Stored s = stored(name);
                if (s.later) {
                    return () -> taker.taken(null);
                }
                boolean other = known && (s.id != id || s.changes < changes);
                if (other && tells) {
                    tellOfLoss();
                }
                Answer a = decide(i, b, n, maxWait, knows, empty || other, w, most);
                long isId = s.id;
                long isChanges = s.changes;
                long until = s.bucketEnds - MARGIN;
                return () -> {
                    boolean lost = known && (isId != knownId || isChanges < knownChanges);
                    link = a.kind == Answer.Kind.REFUSED ? link : l; // nothing was changed, so the bucket is not known to be empty
                    if (a.kind == Answer.Kind.GO || a.kind == Answer.Kind.PROBE) {
                        knownId = isId;
                        knownChanges = isChanges;
                        knownUntil = until;
                    }
                    Answer told = lost ? a.ofLostBucket() : a;
                    taker.taken(clock.nanos() - asked <= worker.settings.timeout() ? told : told.late());
                };
            }, () -> taker.taken(null));
        }

        private void tellOfLoss() {
            for (Worker w : workers) {
                w.wakes(clock.nanos() + way(), () -> {
                    if (!w.cut && !w.deaf) {
                        w.listener.bucketLost(name);
                    }
                });
            }
        }

        private Answer decide(double i, double b, int n, long maxWait, long knows, boolean empty, long[] w, long most) {
            long now = clock.nanos();
            Stored s = stored(name);
            Incident record = s.incident == null ? Incident.NONE : s.incident;
            if (record.interval > i) {
                i = record.interval;
            }
            if (record.burst > 0 && record.burst < b) {
                b = record.burst;
            }
            long step = (long) Math.ceil(i);
            long tolerance = (long) (i * (b - 1));
            if (s.full - now < 0) {
                s.full = now;
            }
            long before = s.full;
            if (empty) {
                s.full = Math.max(s.full, now + tolerance + step);
            }
            Incident told = record.version != knows ? record : null;
            boolean probe = false;
            if (record.state != Incident.OPEN) {
                long left = Math.min(record.until - now, record.pause);
                if (record.state == Incident.LIFETIME_BLOCKED) {
                    return new Answer(Answer.Kind.CLOSED, 0, now + Limit.HORIZON, 0, s.given, 0, false, told);
                }
                if (left > 0) {
                    return new Answer(Answer.Kind.CLOSED, 0, now + left, 0, s.given, 0, false, told);
                }
                if (s.prober != null && s.prober != worker && s.probeEnds - now > 0) {
                    return new Answer(Answer.Kind.CLOSED, 0, s.probeEnds, 0, s.given, 0, false, told);
                }
                s.full = Math.max(now, Math.min(s.full, record.since + tolerance + step));
                s.forgetReserved(now);
                if (n > 0 && s.full - tolerance - now > 0) {
                    return new Answer(Answer.Kind.CLOSED, 0, s.full - tolerance, 0, s.given, 0, false, told);
                }
                probe = true;
                n = Math.min(n, 1);
            }
            List<Cap> all = windows(s, w, now);
            for (Cap x : all) {
                if (probe && n > 0 && x.earliest(now) - now > 0) {
                    return new Answer(Answer.Kind.CLOSED, 0, x.earliest(now), 0, s.given, 0, false, told);
                }
            }
            int held = 0;
            long first = s.full - tolerance;
            int got = 0;
            long previous = now;
            long gap = step;
            while (got < n) {
                long time = all.isEmpty() ? s.full - tolerance : Math.max(s.full - tolerance, previous);
                int by = 0;
                for (Cap x : all) {
                    long room = x.earliest(time);
                    by = room - time > 0 ? all.indexOf(x) + 1 : by;
                    time = room;
                }
                if (time - now > maxWait || by > 0 && time - now > most) {
                    if (got == 0) {
                        s.full = before;
                        return new Answer(Answer.Kind.REFUSED, 0, time, step, s.given, by, false, told);
                    }
                    break;
                }
                if (got == 0) {
                    first = time;
                    held = by;
                } else if (got == 1) {
                    gap = time - previous;
                } else if (time - previous != gap) {
                    break;
                }
                for (Cap x : all) {
                    x.times.add(time);
                }
                s.full = (all.isEmpty() ? s.full : Math.max(s.full, time)) + step;
                previous = time;
                got++;
            }
            s.given += got;
            s.id = s.id == 0 ? ++ids : s.id;
            s.changes++;
            s.changed(now);
            if (probe && got > 0) {
                s.prober = worker;
                s.probeEnds = now + Circuit.PROBE_LEASE;
            }
            return new Answer(probe ? Answer.Kind.PROBE : Answer.Kind.GO, got, first, gap, s.given, held, false, told);
        }

        /** Those that were asked for; new settings know what has gone, and what others have set stays. */
        private List<Cap> windows(Stored s, long[] w, long now) {
            List<Cap> all = new ArrayList<>();
            for (int i = 0; i < w.length; i += 2) {
                long count = w[i];
                long duration = w[i + 1];
                Cap is = s.windows.stream().filter(x -> x.count == count && x.duration == duration).findFirst().orElse(null);
                all.add(is == null ? new Cap((int) count, duration) : is);
            }
            s.windows.removeAll(all);
            for (Cap cap : all) {
                if (cap.times.isEmpty()) {
                    Cap like = like(s.windows, cap.duration);
                    if (like != null) {
                        like.times.stream().filter(t -> now - t < cap.duration).forEach(cap.times::add);
                    }
                }
            }
            List<Cap> others = new ArrayList<>(s.windows.subList(0, Math.min(OTHERS, s.windows.size())));
            s.windows.clear();
            s.windows.addAll(all);
            s.windows.addAll(others);
            return all;
        }

        /** The one that knows most of what a window of this duration must know. */
        private Cap like(List<Cap> others, long duration) {
            Cap like = null;
            for (Cap x : others) {
                boolean longer = like != null && like.duration < duration && x.duration > like.duration;
                boolean closer = like != null && x.duration >= duration && x.duration < like.duration;
                like = like == null || longer || closer ? x : like;
            }
            return like;
        }

        @Override
        public void write(Incident incident, Limit opens, long memory, Writer writer) {
            long knows = version;
            worker.call(() -> {
                long now = clock.nanos();
                Stored s = stored(name);
                if (s.later) {
                    return () -> writer.written(false, null);
                }
                long is = s.incident == null ? 0 : s.incident.version;
                if (is != knows && is > 0) {
                    Incident other = s.incident;
                    return () -> writer.written(false, other);
                }
                Incident i = incident;
                long from = is > 0 ? knows : Math.max(knows, (now - behind) / 1_000_000_000L * Incident.NUMBERS);
                Incident record = new Incident(from + 1, i.epoch, i.state, i.until, i.pause, i.since, i.tripped, i.held, i.trips, i.lastTrip, i.count, i.counted,
                        i.interval, i.burst, i.learned, i.saved);
                s.incident = record;
                s.incidentEnds = now + worth(record, now, memory);
                if (opens != null) {
                    s.full = now + opens.interval + opens.tolerance;
                    s.given++;
                    s.id = s.id == 0 ? ++ids : s.id;
                    s.changes++;
                    s.forgetReserved(now);
                    s.changed(now);
                }
                s.prober = null;
                for (Worker w : workers) {
                    w.wakes(now + way(), () -> {
                        if (!w.cut && !w.deaf) {
                            w.listener.incident(name, record);
                        }
                    });
                }
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
                Stored s = stored(name);
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
                Stored s = stored(name);
                if (s.prober == worker) {
                    s.prober = null;
                }
                return () -> { };
            }, () -> { });
        }
    }
}
