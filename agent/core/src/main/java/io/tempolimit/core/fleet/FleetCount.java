package io.tempolimit.core.fleet;

import io.tempolimit.core.Listener;
import io.tempolimit.core.circuit.Count;
import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.pace.Common;
import io.tempolimit.core.store.SharedKey;

/**
 * In a fleet, the count of keys with {@code cooldown.scope=global}, and the last rest of all of them: the record of a key of its
 * own, {@value #NAME}, which no host is called.
 *
 * <p>It counts at once, and tells afterwards. Where another worker was faster, that one's count holds, and what was counted
 * here since is added. One write is under way at a time. What could not be written is written when the fleet answers again.
 */
public final class FleetCount extends Count {
    public static final String NAME = "*";
    /** Two ends of one rest may differ by so much. */
    private static final long MOMENT = 1_000_000L;
    private static final double ANY = 1e9;
    /** So often it is asked while requests come: what is published may get lost, and a user of Redis may lack the right to listen. */
    private static final long LOOK = 5_000_000_000L;

    private final Common common;
    private final SharedKey shared;
    /** When to ask again, once anybody does. */
    private volatile long askAt;
    private volatile boolean asked;
    /** Does something once more that was counted when it happened. */
    private volatile Thread replaying;

    // Guarded by this.
    private long memory;
    /** Since the record that is known: how many were counted, and whether that began anew. */
    private int added;
    private boolean cleared;
    private int sent;
    private boolean sentCleared;
    private boolean dirty;
    private boolean writing;
    private int epoch;
    private long since;
    private long until;
    private boolean refusing;
    private final Retry retry = new Retry();
    /** Makes the block that was counted last a trip; null if there is none that might still be one. */
    private Runnable last;

    public FleetCount(Common common, SharedKey shared) {
        this.common = common;
        this.shared = shared;
        since = common.clock.nanos();
        until = since;
        askAt = since;
    }

    @Override
    public synchronized int add(long now, long memory) {
        if (replaying == Thread.currentThread()) {
            return at(now, memory);
        }
        int n = super.add(now, memory);
        this.memory = memory;
        added++;
        changed(now);
        return n;
    }

    @Override
    public synchronized void reset() {
        if (replaying != Thread.currentThread() && get() > 0) {
            super.reset();
            added = 0;
            cleared = true;
            changed(common.clock.nanos());
        }
    }

    /** What is done between the two calls by this thread has been counted before. */
    void replays(boolean begins) {
        replaying = begins ? Thread.currentThread() : null;
    }

    @Override
    public synchronized void rest(long length, boolean refusing, long now) {
        epoch++;
        since = now;
        until = now + length;
        this.refusing = refusing;
        changed(now);
    }

    @Override
    public void look(long now) {
        if (now - askAt >= 0) {
            asked = true;
            ask();
        }
    }

    /** A block was counted here, and made no trip as far as was known. */
    @Override
    public synchronized void counted(Runnable trip) {
        last = trip;
    }

    /** Asks what the fleet knows, if anybody needs it here. The answer comes before that to whatever is asked later. */
    public void ask() {
        if (asked && !common.rules.passing()) {
            askAt = common.clock.nanos() + LOOK;
            shared.take(ANY, 1, 0, Long.MAX_VALUE, answer -> {
                if (answer != null) {
                    if (answer.incident != null) {
                        heard(answer.incident);
                    }
                    flush();
                }
            });
        }
    }

    /** Another worker's record, or our own. */
    public void heard(Incident i) {
        long now = common.clock.nanos();
        synchronized (this) {
            long known = shared.version();
            if (writing || i.version == known || i.version < known && i.follows(known) || !takeIn(i, now)) {
                return; // what is written now tells of that one
            }
        }
        common.restAll(null, i.until - now, i.state == Incident.CIRCUIT_OPEN, Listener.FLEET);
    }

    private void changed(long now) {
        if (!common.rules.passing()) { // in a dry run nothing of it is the fleet's business
            dirty = true;
            flush(now);
        }
    }

    private synchronized void flush() {
        flush(common.clock.nanos());
    }

    private void flush(long now) {
        if (!dirty || writing) {
            return;
        }
        dirty = false;
        writing = true;
        sent = added;
        sentCleared = cleared;
        added = 0;
        cleared = false;
        boolean rests = until - now > 0;
        int n = get();
        Incident.Builder record = new Incident.Builder(now).version(shared.version()).epoch(epoch).tripped(rests);
        if (rests) {
            record.rest(refusing ? Incident.CIRCUIT_OPEN : Incident.COOLING_DOWN, until, until - since, since);
        }
        if (n > 0) {
            record.count(n, last());
        }
        shared.write(record.build(), null, Math.max(memory, Math.max(0, until - now)), this::written);
    }

    private void written(boolean written, Incident stored) {
        long now = common.clock.nanos();
        boolean rests = false;
        Runnable trips = null;
        synchronized (this) {
            writing = false;
            if (!written) {
                if (!cleared) {
                    added += sent;
                    cleared = sentCleared;
                }
                dirty = true;
                rests = stored != null && takeIn(stored, now);
                trips = added > 0 && stored != null && !rests ? last : null; // with the others' blocks it may be a row
            } else {
                last = null;
            }
            if (stored == null) {
                retry.failed(shared, this::flush);
            } else {
                retry.written();
                flush(now);
            }
        }
        if (rests) {
            common.restAll(null, stored.until - now, stored.state == Incident.CIRCUIT_OPEN, Listener.FLEET);
        }
        if (trips != null) {
            trips.run();
        }
    }

    /** Adds to that record what is not in it; whether all rest by it for longer than was known. */
    private boolean takeIn(Incident i, long now) {
        shared.known(i.version);
        int theirs = cleared || memory > 0 && now - i.counted > memory ? 0 : i.count;
        restore(theirs + added, added > 0 && last() - i.counted > 0 ? last() : i.counted);
        epoch = Math.max(epoch, i.epoch);
        if (i.state == Incident.OPEN || i.until - now <= 0 || i.until - until <= MOMENT) {
            return false;
        }
        since = i.since;
        until = i.until;
        refusing = i.state == Incident.CIRCUIT_OPEN;
        return true;
    }
}
