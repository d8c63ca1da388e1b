package io.tempolimit.redis;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.policy.Limit;
import io.tempolimit.core.store.Answer;
import io.tempolimit.core.store.SharedKey;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * One key as the fleet has it: what is asked of Redis for it. Knows the version of the key's incident that its worker knows. Its methods
 * may be called from any thread and with the key's lock held: answers come later, on the fleet's thread.
 */
final class RedisKey implements SharedKey {
    private static final String[] NO_WINDOWS = {};
    static final String BUCKET = "bucket";
    static final String PROBE = "probe";
    /** So many arguments come before the windows. */
    private static final int OPTIONS = 14;
    /** Where it says under which number something is told. */
    private static final int TELLS = 11;
    private static final int HOW_LATE = 12;
    /** Of what judges: which bucket the worker knows, and what the time is there. */
    private static final int JUDGED = 21;
    /** A window has so many: count, duration, what is told of it. */
    private static final int EACH = 3;
    /**
     * Redis keeps a bucket for a minute at least, and until it is full. What has to be there for so much longer
     * still, and is gone, was lost.
     */
    private static final long REMEMBERED = 60_000_000_000L;
    /** A worker relies on a bucket for so much less long than it is kept. */
    private static final long ENDS_EARLIER = 10_000_000_000L;
    /** By so much more than this JVM's clock the server's has gone on where this machine was suspended, or the server's clock was set. */
    private static final long LEAP = 1_000_000_000L;
    /** A JVM that begins, on a busy machine, is as slow as this to read an answer. */
    private static final long SLOW = 1_000_000_000L;
    /** Length of a probe's lease: a worker that was killed does not keep the others waiting. */
    static final long PROBE_LEASE_MILLIS = 30_000;

    private final RedisFleet fleet;
    private final String name;
    private final String[] keys;
    private final String told;
    private volatile String[] windows = NO_WINDOWS;
    /** The longest of them. */
    private volatile long span;
    private volatile String longest = "-1";
    private volatile long version;
    /** The link that it last took by; 0: none yet. */
    private volatile int link;
    /** The bucket that this worker has been given tokens of. */
    private volatile Bucket bucket = Bucket.NONE;
    /** Whether it may have been paced by this worker alone before its first call. */
    private final boolean early;

    /** A bucket as it was when this worker last took from it. */
    private static final class Bucket {
        static final Bucket NONE = new Bucket(0, 0, 0, Long.MIN_VALUE / 2, 0);

        /** 0: none. */
        final long id;
        final long changes;
        /** Until when it has to be there. */
        final long until;
        /** The last slot that it has given to this worker: so long it counts in windows. */
        final long left;
        /** The server's clock was ahead of this JVM's by so much at most. */
        final long ahead;

        Bucket(long id, long changes, long until, long left, long ahead) {
            this.id = id;
            this.changes = changes;
            this.until = until;
            this.left = left;
            this.ahead = ahead;
        }

        boolean isThere(long now) {
            return id != 0 && now - until < 0;
        }

        /**
         * Whether that is another one, or this one as it was before; or whether what it gave is of an earlier time than this JVM's
         * clock makes of it, which stood still meanwhile.
         *
         * @param ahead the server's clock is ahead of this JVM's by so much at least
         */
        boolean isLost(Bucket next, long ahead) {
            return id != 0 && (next.id != id || next.changes < changes || ahead - this.ahead > LEAP);
        }
    }

    RedisKey(RedisFleet fleet, String name) {
        this.fleet = fleet;
        this.name = name;
        this.early = !fleet.answering();
        String begin = fleet.settings.prefix() + ":{" + name.replace("%", "%25").replace("}", "%7D") + "}:";
        keys = keys(begin);
        told = begin + "told:" + fleet.worker;
    }

    /** What Redis has of one key, whose names in Redis begin so: bucket, incident and probe, in this order. */
    static String[] keys(String begin) {
        return new String[] {begin + BUCKET, begin + "incident", begin + PROBE};
    }

    /** Which key's bucket or probe it is, as the others call it; null if it is none. */
    static String name(String prefix, String of, String what) {
        String begin = prefix + ":{";
        String end = "}:" + what;
        return of.length() > begin.length() + end.length() && of.startsWith(begin) && of.endsWith(end)
                ? of.substring(begin.length(), of.length() - end.length()).replace("%7D", "}").replace("%25", "%") : null;
    }

    @Override
    public void windows(long maxWait, long... countsAndDurations) {
        longest = micros(maxWait);
        String[] w = new String[countsAndDurations.length / 2 * EACH];
        long spans = 0;
        for (int i = 0; 2 * i < countsAndDurations.length; i++) {
            w[EACH * i] = Long.toString(countsAndDurations[2 * i]);
            w[EACH * i + 1] = length(countsAndDurations[2 * i + 1]);
            w[EACH * i + 2] = "";
            spans = Math.max(spans, countsAndDurations[2 * i + 1]);
        }
        windows = w;
        span = spans;
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
    public void take(double interval, double burst, long margin, int n, long maxWait, Taker taker) {
        call(interval, burst, margin, n, maxWait, "0", keys, null, taker);
    }

    @Override
    public void look(double interval, double burst, Taker taker) {
        call(interval, burst, 0, 0, Long.MAX_VALUE, "2", keys, null, taker);
    }

    @Override
    public void tell(double interval, double burst, long number, List<String> went, Taker taker) {
        call(interval, burst, 0, 0, Long.MAX_VALUE, "0", new String[] {keys[0], keys[1], keys[2], told}, arguments -> {
            arguments[TELLS] = Long.toString(number);
            for (String window : went) {
                String count = window.substring(0, window.indexOf('/'));
                String duration = length(Long.parseLong(window.substring(count.length() + 1, window.indexOf(':'))));
                for (int i = OPTIONS; i < arguments.length; i += EACH) {
                    if (arguments[i].equals(count) && arguments[i + 1].equals(duration)) {
                        arguments[i + 2] = window.substring(window.indexOf(':') + 1);
                    }
                }
            }
        }, taker);
    }

    /** Of a window, in microseconds. */
    private static String length(long nanos) {
        return Long.toString((nanos + 999) / 1000);
    }

    /** {@code more}: what else is said; null: nothing. */
    private void call(double interval, double burst, long margin, int n, long maxWait, String how, String[] keys, Consumer<String[]> more,
            Taker taker) {
        int l = fleet.links();
        boolean empty = link == 0 ? early && fleet.wasLost() : link != l;
        String[] arguments = arguments(Amount.micros(interval), size(burst), Integer.toString(n), micros(maxWait), empty ? "1" : how);
        arguments[HOW_LATE] = Amount.micros(margin);
        long begun = fleet.clock.nanos();
        if (more != null) {
            more.accept(arguments);
        }
        fleet.run(Script.TAKE, this, keys, arguments, (answer, failure, took) -> {
            long now = fleet.clock.nanos();
            Answer a = failure == null ? answer(answer, took > fleet.settings.timeout() + SLOW, now) : null;
            if (a == null) {
                taker.taken(null);
                return;
            }
            Bucket before = bucket;
            Bucket is = bucket((List<?>) answer, a, burst, margin, before, begun, now);
            boolean lost = before.isLost(is, number((List<?>) answer, 0) * 1000 - now);
            if (a.kind != Answer.Kind.REFUSED && a.kind != Answer.Kind.LOST) { // which store nothing: the bucket may be full still
                link = l == 0 ? fleet.links() : l;
            }
            if (a.kind == Answer.Kind.GO || a.kind == Answer.Kind.PROBE) {
                bucket = is;
            }
            taker.taken(lost ? a.ofLostBucket() : a);
        });
    }

    /** What is stored by then: a bucket, until it is full and no request of the last minute could want to know. */
    private Bucket bucket(List<?> answer, Answer a, double burst, long margin, Bucket before, long begun, long now) {
        double ahead = (double) a.step * a.count + Math.max(0, a.step - margin) * (burst - 1);
        long full = a.count == 0 ? now : a.slot + (long) Math.min(Long.MAX_VALUE / 8, ahead);
        long last = a.slot + (a.count - 1) * a.step;
        long left = a.count > 0 && last - before.left > 0 ? last : before.left;
        long until = Math.max(now + REMEMBERED, Math.max(full, left + span)) - ENDS_EARLIER;
        return new Bucket(number(answer, 8), number(answer, 9), until, left, number(answer, 0) * 1000 - begun);
    }

    private static String micros(long maxWait) {
        return maxWait == Long.MAX_VALUE ? "-1" : Long.toString(maxWait / 1000);
    }

    private static String size(double burst) {
        return burst == Math.rint(burst) ? Integer.toString((int) burst) : Double.toString(burst);
    }

    private String[] arguments(String interval, String burst, String n, String maxWait, String empty) {
        String[] w = windows;
        Bucket b = bucket;
        long now = fleet.clock.nanos();
        boolean known = b.isThere(now);
        String[] arguments = new String[OPTIONS + w.length];
        arguments[0] = interval;
        arguments[1] = burst;
        arguments[2] = n;
        arguments[3] = maxWait;
        arguments[4] = fleet.worker;
        arguments[5] = Long.toString(version);
        arguments[6] = empty;
        arguments[7] = Long.toString(PROBE_LEASE_MILLIS);
        arguments[8] = longest;
        arguments[9] = known ? Long.toString(b.id) : "0";
        arguments[10] = known ? Long.toString(b.changes) : "0";
        arguments[TELLS] = "";
        arguments[HOW_LATE] = "0";
        arguments[OPTIONS - 1] = known ? there(b, now) : "0";
        System.arraycopy(w, 0, arguments, OPTIONS, w.length);
        return arguments;
    }

    /** What time it is there by this worker's clock, as that was when it took from this bucket last. */
    private static String there(Bucket b, long now) {
        return Long.toString((now + b.ahead) / 1000);
    }

    /** A call that takes nothing, to find out whether Redis answers for this key. */
    String[] trial() {
        return arguments("1000000", "1", "0", "0", "0");
    }

    /** One token of a bucket that has it, for a worker that knows nothing. */
    static String[] trial(String worker) {
        return new String[] {"1", "1", "1", "0", worker, "0", "0", Long.toString(PROBE_LEASE_MILLIS), "-1", "0", "0", "", "0", "0"};
    }

    String[] keys() {
        return keys;
    }

    @Override
    public void write(Incident incident, Limit opens, long memory, Writer writer) {
        long at = fleet.clock.nanos();
        String[] arguments = judging(version, incident, opens, memory, fleet.channel, name, at);
        Bucket b = bucket;
        if (b.isThere(at)) {
            arguments[JUDGED] = Long.toString(b.id);
            arguments[JUDGED + 1] = there(b, at);
        }
        fleet.run(Script.JUDGE, this, keys, arguments, (answer, failure, took) -> {
            Incident stored = null;
            boolean written = false;
            try {
                if (failure == null) {
                    List<?> l = (List<?>) answer;
                    written = (Long) l.get(1) == 1;
                    later(l.get(2));
                    stored = Record.parse((String) l.get(2), (Long) l.get(0), fleet.clock.nanos());
                }
            } catch (RuntimeException e) {
                stored = null;
            }
            if (stored != null) {
                if (written) {
                    version = stored.version;
                }
            }
            writer.written(written && stored != null, stored);
        });
    }

    static String[] judging(long version, Incident incident, Limit opens, long memory, String channel, String name, long now) {
        String[] arguments = new String[JUDGED + 2];
        arguments[JUDGED] = "0";
        arguments[JUDGED + 1] = "0";
        arguments[0] = Long.toString(version);
        arguments[1] = opens != null ? "1" : "0";
        arguments[2] = opens != null ? Amount.micros(1e9 / opens.rate()) : "0";
        arguments[3] = opens != null ? size(opens.burst()) : "0";
        arguments[4] = channel;
        arguments[5] = name;
        arguments[6] = Long.toString(Record.worth(incident, now, memory));
        Record.write(incident, arguments, 7, now);
        return arguments;
    }

    @Override
    public void give(long given, int n, double interval, Runnable taken) {
        fleet.run(Script.GIVE, this, new String[] {keys[0]}, new String[] {Long.toString(given), Integer.toString(n),
                Amount.micros(interval), Long.toString(bucket.id)}, (answer, failure, took) -> {
            if (failure == null && !Collections.singletonList((long) n).equals(answer)) {
                taken.run();
            }
        });
    }

    @Override
    public void release() {
        fleet.run(Script.RELEASE, this, new String[] {keys[2]}, new String[] {fleet.worker, fleet.channel}, (answer, failure, took) -> { });
    }

    @Override
    public void later(long nanos, Runnable what) {
        Loop loop = fleet.loop;
        if (loop != null) { // else nobody was asked
            loop.schedule(what, nanos);
        }
    }

    private void later(Object record) {
        if (Record.isLater((String) record)) {
            fleet.laterVersion();
        }
    }

    /** @return null if it is no answer of ours, or one that says nothing: what is stored is of a later version */
    private Answer answer(Object answer, boolean stale, long now) {
        try {
            List<?> l = (List<?>) answer;
            if (l.size() > 1 && "later".equals(l.get(1))) {
                fleet.laterVersion();
                return null;
            }
            String text = l.size() > 10 ? (String) l.get(10) : null;
            Incident incident = text == null ? null : Record.parse(text, number(l, 0), now);
            return new Answer(kind((String) l.get(1)), (int) number(l, 2), now + number(l, 3), number(l, 4),
                    number(l, 5), (int) number(l, 7), stale,
                    text != null && incident == null ? Incident.NONE : incident);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static long number(List<?> l, int i) {
        return (Long) l.get(i);
    }

    private static Answer.Kind kind(String word) {
        switch (word) {
            case "go":
                return Answer.Kind.GO;
            case "probe":
                return Answer.Kind.PROBE;
            case "refused":
                return Answer.Kind.REFUSED;
            case "closed":
                return Answer.Kind.CLOSED;
            case "probed":
                return Answer.Kind.PROBED;
            case "lost":
                return Answer.Kind.LOST;
            default:
                throw new IllegalArgumentException();
        }
    }
}
