package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.Limiter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What there is to see of all keys, as of the last look at them: requests are not listened to, their counters are read.
 * A look a minute keeps the last hour; while somebody watches there is one a second, and each row knows at which look
 * it changed, so that only differences need be told.
 *
 * <p>Thread-safe. Its lock is held for milliseconds at 10,000 keys, and no request ever takes it.
 */
final class Board {
    /** By which name the metrics show all others together. */
    static final String OTHERS = "_other";
    private static final long MINUTE = 60_000_000_000L;
    /** Two who ask at once share a look. */
    private static final long FRESH = 200_000_000L;
    /** Of forgotten keys, how many are told one by one. */
    private static final int MOST_GONE = 1000;

    private final Limiter limiter;
    private final int mostNamed;
    private final Map<Key, Row> rows = new IdentityHashMap<>();
    private final ArrayDeque<Gone> gone = new ArrayDeque<>();
    private final long origin = System.nanoTime();
    private final History history = new History(minute(origin) - 1);
    /** What keys did in the running minute before they were forgotten. */
    private History.Tally forgottenThisMinute = new History.Tally();
    /** All that keys did that had no metrics of their own, before they were forgotten, or their counters set to zero. */
    private final KeyStats forgotten = new KeyStats();
    private long running = minute(origin);
    private long looks;
    private long lookedAt = origin - MINUTE;
    /** The last look before {@link #gone} begins. */
    private long complete;
    private int named;
    private int watchers;

    /** @param mostNamed so many keys have metrics of their own */
    Board(Limiter limiter, int mostNamed) {
        this.limiter = limiter;
        this.mostNamed = mostNamed;
    }

    /** So many keys, and hosts, have metrics of their own. */
    int mostNamed() {
        return mostNamed;
    }

    private static final class Gone {
        final long look;
        final String name;

        Gone(long look, String name) {
            this.look = look;
            this.name = name;
        }
    }

    /** From {@link History#MINUTES} on, so that there is an hour before the first one. */
    private long minute(long nanos) {
        return History.MINUTES + (nanos - origin) / MINUTE;
    }

    /** To be called about once a second: looks if somebody watches or a minute is over. */
    synchronized void tick() {
        if (watchers > 0 || minute(System.nanoTime()) > running) {
            look();
            notifyAll();
        }
    }

    /** Somebody watches from now on. */
    synchronized void join() {
        watchers++;
        look();
    }

    synchronized void leave() {
        watchers--;
    }

    private void look() {
        long now = System.nanoTime();
        if (now - lookedAt < FRESH) {
            return;
        }
        lookedAt = now;
        looks++;
        List<Key> fresh = new ArrayList<>();
        for (Key key : limiter.keys()) {
            Row row = rows.get(key);
            if (row == null) {
                fresh.add(key);
            } else {
                KeyStats stats = key.stats();
                if (!row.named && row.begunAnew(stats)) {
                    forgotten.add(row.stats);
                }
                row.changed = row.update(stats, now) ? looks : row.changed;
                row.seen = looks;
            }
        }
        for (Iterator<Row> all = rows.values().iterator(); all.hasNext(); ) {
            Row row = all.next();
            if (row.seen != looks) {
                all.remove();
                forget(row);
            }
        }
        for (Key key : fresh) { // after that, since names have become free
            Row row = new Row(key.stats(), now, named < mostNamed && !key.name().equals(OTHERS));
            named += row.named ? 1 : 0;
            row.changed = looks;
            row.seen = looks;
            rows.put(key, row);
        }
        if (minute(now) > running) {
            endMinute(minute(now));
        }
    }

    private void forget(Row row) {
        forgottenThisMinute.add(row.running());
        if (row.named) {
            named--;
        } else {
            forgotten.add(row.stats);
        }
        gone.add(new Gone(looks, row.stats.domain));
        if (gone.size() > MOST_GONE) {
            complete = gone.remove().look;
        }
    }

    private void endMinute(long next) {
        History.Tally all = forgottenThisMinute;
        for (Row row : rows.values()) {
            History.Tally tally = row.running();
            all.add(tally);
            if (row.history == null && !tally.quiet()) {
                row.history = new History(running - 1);
            }
            if (row.history != null) {
                row.history.keep(running, tally);
            }
            row.newMinute();
        }
        history.keep(running, all);
        forgottenThisMinute = new History.Tally();
        running = next;
    }

    /** Waits for a look after this one, which somebody who watches has each second. */
    synchronized void await(long look) throws InterruptedException {
        while (looks <= look) {
            wait();
        }
    }

    /**
     * Writes {@code "rows"} that changed and {@code "gone"} names since a look; {@code "full"} says whether it is all
     * there is, of which the reader knows nothing yet.
     *
     * @param since 0: everything
     * @return the number of the look that it is as of
     */
    synchronized long write(JsonWriter w, long since) throws IOException {
        boolean full = since <= complete;
        w.name("full").value(full);
        w.name("rows").beginArray();
        long now = System.nanoTime();
        for (Row row : rows.values()) {
            if (full || row.changed > since) {
                row.write(w, now);
            }
        }
        w.endArray();
        w.name("gone").beginArray();
        for (Gone each : gone) {
            if (!full && each.look > since) {
                w.value(each.name);
            }
        }
        w.endArray();
        return looks;
    }

    /**
     * Writes the last hour, up to now.
     *
     * @param key null: of all keys together
     */
    synchronized void writeHistory(JsonWriter w, Key key) throws IOException {
        look();
        if (key != null) {
            Row row = rows.get(key);
            History.write(w, row == null ? null : row.history, running, row == null ? new History.Tally() : row.running());
            return;
        }
        History.Tally all = new History.Tally();
        all.add(forgottenThisMinute);
        for (Row row : rows.values()) {
            all.add(row.running());
        }
        History.write(w, history, running, all);
    }

    /**
     * As of now: the keys that have metrics of their own, by name, and the sum of all others, forgotten ones included,
     * as {@link #OTHERS}.
     */
    synchronized List<KeyStats> forMetrics() {
        look();
        List<KeyStats> all = new ArrayList<>();
        KeyStats rest = new KeyStats();
        rest.domain = OTHERS;
        rest.add(forgotten);
        for (Row row : rows.values()) {
            if (row.named) {
                all.add(row.stats);
            } else {
                rest.add(row.stats);
                rest.waitingRequests += row.stats.waitingRequests;
                rest.activeRequests += row.stats.activeRequests;
            }
        }
        Collections.sort(all, (a, b) -> a.domain.compareTo(b.domain));
        if (rest.totalRequests > 0) {
            all.add(rest);
        }
        return all;
    }

    /** How many keys are in each state. */
    synchronized Map<String, Integer> states() {
        Map<String, Integer> states = new TreeMap<>();
        for (Row row : rows.values()) {
            states.merge(row.stats.state, 1, Integer::sum);
        }
        return states;
    }
}
