package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.core.KeyStats;
import io.tempolimit.detect.Verdict;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;

/** What the page shows of a key. Not thread-safe: guarded by the {@link Board}. */
final class Row {
    /** Over how many seconds a rate is smoothed. */
    private static final double SMOOTHING = 10;
    /** Clocks are read one after the other, and a countdown need not be exact to the millisecond. */
    private static final long SAME_MOMENT = 500_000_000L;

    /** Most blocks first, then longest cooldowns, then most failures, then longest wait. */
    static final Comparator<Row> WORST_FIRST = Comparator.<Row>comparingLong(row -> -row.stats.blockedRequests())
            .thenComparingLong(row -> -row.stats.cooldownNanos)
            .thenComparingLong(row -> -row.troubles())
            .thenComparingLong(row -> -row.stats.totalWaitNanos)
            .thenComparingLong(row -> -row.stats.totalRequests)
            .thenComparing(row -> row.stats.domain);

    KeyStats stats;
    /** Of these statistics. */
    private boolean dryRun;
    /** When it was looked at first, by {@link System#nanoTime}. */
    private final long since;
    /** When it was looked at last, by {@link System#nanoTime}. */
    long at;
    /** At which look it changed last. */
    long changed;
    /** At which look it was there still. */
    long seen;
    /** Whether the metrics show it by its own name. */
    final boolean named;
    /** Null until something happened. */
    History history;
    private double perSecond;
    /** Requests that went to the network. An arriving one is among them for a moment, though it may be rejected then. */
    private long counted;
    /** The same, as it is shown: never falls. */
    private long sent;
    /** What the statistics were when the running slot began. */
    private long sentBefore;
    private long blocksBefore;
    private long waitBefore;
    private long cooldownBefore;

    /**
     * @param dryRun whether those go as well that count as rejected
     * @param named  whether the metrics show it by its own name
     */
    Row(KeyStats stats, long at, boolean dryRun, boolean named) {
        this.stats = stats;
        this.dryRun = dryRun;
        this.since = at;
        this.at = at;
        this.named = named;
        count(stats.sentRequests(dryRun), dryRun);
    }

    /** So many more went to the network; of a host in {@code deny} none. Returns how many of them are shown. */
    private long count(long more, boolean dryRun) {
        long before = sent;
        counted += more;
        sent = stats.denied && !dryRun ? sent : Math.max(sent, counted);
        return sent - before;
    }

    /** Takes in the statistics as they are now; whether something changed that is shown. */
    boolean update(KeyStats now, long nanos, boolean dryRun) {
        KeyStats before = stats;
        double shown = shownRate();
        long span = nanos - at;
        boolean anew = now.totalRequests < before.totalRequests;
        long went = count(now.sentRequests(dryRun) - (anew ? 0 : before.sentRequests(dryRun)), dryRun);
        if (span > 0) {
            double meanwhile = went * 1e9 / span;
            // the plain mean, until that is of more than ten seconds
            double weight = Math.max(-Math.expm1(-span / 1e9 / SMOOTHING), (double) span / (nanos - since));
            perSecond += (meanwhile - perSecond) * weight;
        }
        this.stats = now;
        this.dryRun = dryRun;
        this.at = nanos;
        return shown != shownRate() || !same(before, now) || !sameEnd(before, now, span) || !sameWait(before, now, span);
    }

    /** Whether the counters were set to zero since it was looked at last. */
    boolean begunAnew(KeyStats now) {
        KeyStats before = stats;
        boolean less = now.totalRequests < before.totalRequests || now.delayedRequests < before.delayedRequests
                || now.cancelledRequests < before.cancelledRequests
                || now.totalWaitNanos < before.totalWaitNanos || now.rejectedRequests < before.rejectedRequests
                || now.failedRequests < before.failedRequests || now.overloads < before.overloads || now.cooldowns < before.cooldowns
                || now.cooldownNanos < before.cooldownNanos;
        for (Verdict type : Verdict.values()) {
            less |= now.blocks(type) < before.blocks(type);
        }
        return less;
    }

    private static boolean same(KeyStats a, KeyStats b) {
        return a.totalRequests == b.totalRequests && a.waitingRequests == b.waitingRequests && a.activeRequests == b.activeRequests
                && a.rejectedRequests == b.rejectedRequests && a.failedRequests == b.failedRequests && a.overloads == b.overloads
                && a.totalWaitNanos == b.totalWaitNanos && a.cancelledRequests == b.cancelledRequests
                && a.consecutiveBlocks == b.consecutiveBlocks && a.cooldowns == b.cooldowns && a.rate == b.rate && a.burst == b.burst
                && a.learnedRate == b.learnedRate && a.learnedInFlight == b.learnedInFlight && a.denied == b.denied
                && a.state.equals(b.state) && Arrays.equals(a.blocks, b.blocks);
    }

    /** Whether a cooldown ends when it was to end before. */
    private static boolean sameEnd(KeyStats before, KeyStats now, long span) {
        return Math.abs(Math.max(0, before.cooldownRemainingNanos - span) - now.cooldownRemainingNanos) < SAME_MOMENT;
    }

    /** Whether it is the same request that has waited longest. */
    private static boolean sameWait(KeyStats before, KeyStats now, long span) {
        return before.longestWaitNanos == 0 ? now.longestWaitNanos == 0
                : Math.abs(before.longestWaitNanos + span - now.longestWaitNanos) < SAME_MOMENT;
    }

    /** Requests a second that go to the network, smoothed; to two decimals. */
    private double shownRate() {
        return Math.round(perSecond * 100) / 100.0;
    }

    /** How much there is to look at it for: blocks and failures. */
    long troubles() {
        return stats.blockedRequests() + stats.failedRequests + stats.overloads;
    }

    /**
     * What happened in the running slot.
     *
     * @param span how long that is up to now, in nanoseconds
     */
    History.Tally running(long span) {
        History.Tally t = new History.Tally();
        t.requests = sent - sentBefore;
        t.blocks = since(blocksBefore, stats.blockedRequests());
        t.waitMillis = since(waitBefore, stats.totalWaitNanos) / 1_000_000;
        t.cooldownMillis = Math.min(span, since(cooldownBefore, stats.cooldownNanos)) / 1_000_000;
        t.learned = stats.learnedRate;
        return t;
    }

    /** Counters may have been set to zero in between. */
    private static long since(long before, long now) {
        return now < before ? now : now - before;
    }

    /** The next slot begins. */
    void newSlot() {
        sentBefore = sent;
        blocksBefore = stats.blockedRequests();
        waitBefore = stats.totalWaitNanos;
        cooldownBefore = stats.cooldownNanos;
    }

    void write(JsonWriter w, long now) throws IOException {
        write(w, stats, now - at, shownRate(), dryRun);
    }

    /**
     * An array, as the page's script knows it.
     *
     * @param age       of the statistics, in nanoseconds
     * @param perSecond requests a second that go to the network
     * @param dryRun    whether those went as well that count as rejected
     */
    static void write(JsonWriter w, KeyStats s, long age, double perSecond, boolean dryRun) throws IOException {
        w.beginArray();
        w.value(s.domain);
        w.value(s.denied && s.state.equals("open") ? "denied" : s.state);
        w.value(s.cooldownReason);
        w.value(Math.max(0, s.cooldownRemainingNanos - age) / 1_000_000);
        w.value(perSecond);
        w.value(s.rate);
        w.value(s.burst);
        w.value(s.learnedRate);
        w.value(s.waitingRequests);
        w.value(s.activeRequests);
        w.value(s.totalRequests);
        w.value(s.totalWaitNanos / 1_000_000);
        w.value(s.rejectedRequests);
        w.value(s.cooldowns);
        w.value(s.cooldownNanos / 1_000_000);
        w.value(s.consecutiveBlocks);
        w.value(s.lastRequestMillis);
        w.beginObject();
        for (Verdict type : Verdict.values()) {
            if (s.blocks(type) > 0) {
                w.name(type.type()).value(s.blocks(type));
            }
        }
        w.endObject();
        w.value(s.failedRequests);
        w.value(s.overloads);
        w.value(s.delayedRequests);
        w.value(s.longestWaitNanos == 0 ? 0 : (s.longestWaitNanos + age) / 1_000_000);
        w.value(Math.max(0, s.sentRequests(dryRun)));
        w.value(s.learnedInFlight);
        w.beginArray();
        for (int i = 0; i < s.answers.size(); i++) {
            w.value(s.answers.status(i)).value(s.answers.count(i));
        }
        w.endArray();
        w.endArray();
    }
}
