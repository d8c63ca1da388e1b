package io.tempolimit.core;

import io.tempolimit.core.circuit.Circuit;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.store.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** What a {@link FakeRedis} stores of one key, in times of the workers' clock, and how it decides by that. */
final class FakeStored {
    /** So long a worker may go on with what it has reserved, until it hears of the rest. */
    private static final long UNHEARD = 100_000_000L;
    /** So much later than they were due requests may count. */
    private static final long MARGIN = 500_000_000L;
    /** How many it gave is of interest for so long. */
    static final long REMEMBERED = 60_000_000_000L;
    /** By so much the clock may be set forward unnoticed. */
    private static final long FORWARD = 5_000_000_000L;
    /** So many replicas of one bucket are told from another bucket. */
    static final int REPLICAS = 1000;
    /** So many windows that others have set are kept. */
    private static final int OTHERS = 4;

    private final LongSupplier ids;
    long full;
    long given;
    /** Which bucket it is; 0: there is none. And how often it was taken from. */
    long id;
    long changes;
    /** When it was changed last. */
    private long changedAt;
    /** Whether a later version of the agent has stored it. */
    boolean later;
    /** When all that would be known of the bucket is over. */
    long bucketEnds;
    /** Null: none. */
    Incident incident;
    long incidentEnds;
    FakeRedis.Worker prober;
    long probeEnds;
    final List<Cap> windows = new ArrayList<>();
    /** What each worker told last. */
    private final Map<FakeRedis.Worker, Long> told = new HashMap<>();

    FakeStored(LongSupplier ids) {
        this.ids = ids;
    }

    /** Makes the bucket what it is now. */
    Runnable rollback() {
        long[] was = {full, given, id, changes, changedAt, bucketEnds};
        List<Cap> caps = new ArrayList<>();
        for (Cap w : windows) {
            Cap copy = new Cap(w.count, w.duration);
            copy.times.addAll(w.times);
            caps.add(copy);
        }
        return () -> {
            full = was[0];
            given = was[1];
            id = was[2];
            changes = was[3];
            changedAt = was[4];
            bucketEnds = was[5];
            windows.clear();
            windows.addAll(caps);
        };
    }

    /** The clock was set forward by so much. */
    void older(long nanos) {
        full -= nanos;
        changedAt -= nanos;
        bucketEnds -= nanos;
        for (Cap w : windows) {
            w.times.replaceAll(t -> t - nanos);
        }
    }

    /** The clock is ahead of a worker's by so much: it moves on with it, but for what others have changed since. */
    void movesOn(long ahead, long now) {
        long by = Math.min(ahead, now - changedAt);
        if (by > FORWARD) {
            older(-by);
        }
    }

    /** Whether it is that bucket, or a replica of it that was behind. */
    boolean follows(long before) {
        return id >= before && id < before + REPLICAS;
    }

    /** Until when it is there for sure, where that was the last slot that a worker was given. */
    long keptUntil(long last, long[] w, long now) {
        long span = 0;
        for (int c = 1; c < w.length; c += 2) {
            span = Math.max(span, w[c]);
        }
        return Math.max(Math.max(full, now + REMEMBERED), last + span);
    }

    /** What was reserved for a time that has not come is void. */
    void forgetReserved(long now) {
        for (Cap w : windows) {
            w.times.removeIf(t -> t - now > UNHEARD + MARGIN);
            w.times.replaceAll(t -> t - now > UNHEARD ? Long.valueOf(now + UNHEARD) : t);
        }
    }

    /** What is over is forgotten. */
    void expire(long now) {
        if (now - bucketEnds > 0) {
            full = now;
            given = 0;
            id = 0;
            changedAt = now - Limit.HORIZON;
            windows.clear();
        }
        if (incident != null && now - incidentEnds > 0) {
            incident = null;
        }
    }

    void changed(long now) {
        changedAt = now;
        windows.removeIf(w -> w.ends(now) - now <= 0);
        bucketEnds = Math.max(full, now + REMEMBERED);
        windows.forEach(w -> bucketEnds = Math.max(bucketEnds, w.ends(now)));
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

        void tell(Question q, long changedAt, long now) {
            for (String window : q.went) {
                if (window.startsWith(count + "/" + duration + ":")) {
                    for (String cell : window.substring(window.indexOf(':') + 1).split(",")) {
                        String[] parts = cell.split("x");
                        long time = now - Long.parseLong(parts[0]) * 1_000_000;
                        if (now - time < duration && !(q.earlier && time - changedAt < 0)) {
                            times.addAll(Collections.nCopies(Integer.parseInt(parts[1]), time));
                        }
                    }
                    times.sort(Long::compare);
                }
            }
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

    /** Those that were asked for; new settings know what has gone, and what others have set stays. */
    private List<Cap> asked(long[] w, long now) {
        List<Cap> all = new ArrayList<>();
        for (int i = 0; i < w.length; i += 2) {
            long count = w[i];
            long duration = w[i + 1];
            Cap is = windows.stream().filter(x -> x.count == count && x.duration == duration).findFirst().orElse(null);
            all.add(is == null ? new Cap((int) count, duration) : is);
        }
        windows.removeAll(all);
        for (Cap cap : all) {
            if (cap.times.isEmpty()) {
                Cap like = like(windows, cap.duration);
                if (like != null) {
                    like.times.stream().filter(t -> now - t < cap.duration).forEach(cap.times::add);
                }
            }
        }
        List<Cap> others = new ArrayList<>(windows.subList(0, Math.min(OTHERS, windows.size())));
        windows.clear();
        windows.addAll(all);
        windows.addAll(others);
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

    /** What a worker wants. */
    static final class Question {
        private double interval;
        private double burst;
        private final long margin;
        private int n;
        private final long maxWait;
        private final FakeRedis.Worker worker;
        private long number;
        /** What is told; null: nothing. */
        private List<String> went;
        /** Whether what went before the bucket was changed last is known. */
        private boolean earlier;

        Question(double interval, double burst, long margin, int n, long maxWait, FakeRedis.Worker worker) {
            this.interval = interval;
            this.burst = burst;
            this.margin = margin;
            this.n = n;
            this.maxWait = maxWait;
            this.worker = worker;
        }

        /** The question is to tell that. {@code earlier}: the bucket is as it was earlier. */
        void tells(long n, List<String> what, boolean earlier) {
            number = n;
            went = what;
            this.earlier = earlier;
        }

        private long step() {
            return (long) Math.ceil(interval);
        }

        private long tolerance() {
            return (long) (interval * (burst - 1));
        }
    }

    /** The bucket was taken from. */
    void taken() {
        id = id == 0 ? ids.getAsLong() : id;
        changes++;
    }

    /**
     * Gives what is asked for, or says why not.
     *
     * @param knows the version of the record that the worker knows
     * @param empty whether the bucket is taken for empty
     * @param lost  whether the windows are gone that the worker knew
     * @param w     counts and durations of the worker's windows
     * @param most  longest wait for one of them
     */
    Answer decide(Question q, long knows, boolean empty, boolean lost, long[] w, long most, long now) {
        Incident record = incident == null ? Incident.NONE : incident;
        q.interval = Math.max(record.interval, q.interval);
        q.burst = record.burst > 0 ? Math.min(record.burst, q.burst) : q.burst;
        if (full - now < 0) {
            full = now;
        }
        long before = full;
        if (empty) {
            full = Math.max(full, now + q.tolerance() + q.step());
        }
        Incident told = record.version != knows ? record : null;
        boolean probe = record.state != Incident.OPEN;
        if (probe) {
            Answer closed = rest(record, q, told, now);
            if (closed != null) {
                return closed;
            }
            q.n = Math.min(q.n, 1);
        }
        if (lost) {
            full = before;
            return new Answer(Answer.Kind.LOST, 0, now, 0, given, 0, false, told);
        }
        List<Cap> all = asked(w, now);
        if (q.went != null && !Long.valueOf(q.number).equals(this.told.put(q.worker, q.number))) {
            all.forEach(x -> x.tell(q, changedAt, now));
        }
        for (Cap x : all) {
            if (probe && q.n > 0 && x.earliest(now) - now > 0) {
                return closed(x.earliest(now), told);
            }
        }
        return slots(q, all, before, most, probe, told, now);
    }

    private Answer closed(long until, Incident told) {
        return new Answer(Answer.Kind.CLOSED, 0, until, 0, given, 0, false, told);
    }

    /** While the key rests: null if a probe may go. */
    private Answer rest(Incident record, Question q, Incident told, long now) {
        long left = Math.min(record.until - now, record.pause);
        if (record.state == Incident.LIFETIME_BLOCKED) {
            return closed(now + Limit.HORIZON, told);
        }
        if (left > 0) {
            return closed(now + left, told);
        }
        if (prober != null && prober != q.worker && probeEnds - now > 0) {
            return new Answer(Answer.Kind.PROBED, 0, probeEnds, 0, given, 0, false, told);
        }
        long since = Math.max(record.since - now, changedAt - now) + now;
        full = Math.max(now, Math.min(full, since + q.tolerance() + q.step()));
        forgetReserved(now);
        return q.n > 0 && full - q.tolerance() - now > 0 ? closed(full - q.tolerance(), told) : null;
    }

    private Answer slots(Question q, List<Cap> all, long before, long most, boolean probe, Incident told, long now) {
        int held = 0;
        long first = full - q.tolerance();
        int got = 0;
        long previous = now;
        long cost = q.step() + q.margin;
        long gap = cost;
        while (got < q.n) {
            long time = all.isEmpty() ? full - q.tolerance() : Math.max(full - q.tolerance(), previous);
            int by = 0;
            for (Cap x : all) {
                long room = x.earliest(time);
                by = room - time > 0 ? all.indexOf(x) + 1 : by;
                time = room;
            }
            if (time - now > q.maxWait || by > 0 && time - now > most) {
                if (got == 0) {
                    full = before;
                    return new Answer(Answer.Kind.REFUSED, 0, time, q.step(), given, by, false, told);
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
                x.times.add(time + q.margin);
            }
            full = (all.isEmpty() ? full : Math.max(full, time)) + cost;
            previous = time;
            got++;
        }
        given += got;
        taken();
        changed(now);
        if (probe && got > 0) {
            prober = q.worker;
            probeEnds = now + Circuit.PROBE_LEASE;
        }
        return new Answer(probe ? Answer.Kind.PROBE : Answer.Kind.GO, got, first, gap, given, held, false, told);
    }
}
