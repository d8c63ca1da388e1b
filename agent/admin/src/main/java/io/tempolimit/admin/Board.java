package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.core.Key;
import io.tempolimit.core.KeyStats;
import io.tempolimit.core.limiter.Limiter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/**
 * What there is to see of all keys, as of the last look at them: requests are not listened to, their counters are read.
 * A look at the end of each slot keeps the history; while somebody watches there is one a second, and each row knows at
 * which look it changed, so that only differences need be told.
 *
 * <p>Thread-safe. Its lock is held for milliseconds at 10,000 keys, and no request ever takes it.
 */
final class Board {
    /** By which name the metrics show all others together. */
    static final String OTHERS = "_other";
    /** Two who ask at once share a look. */
    private static final long FRESH = 200_000_000L;
    /** Of forgotten keys, how many are told one by one. */
    private static final int MOST_GONE = 1000;

    private final Limiter limiter;
    private final int mostNamed;
    private final int mostHistories;
    private final Map<Key, Row> rows = new IdentityHashMap<>();
    private final ArrayDeque<Gone> gone = new ArrayDeque<>();
    private final Slots slots;
    private final History history;
    /** All there are: of all keys together, and those of the rows that have one. */
    private final Set<History> histories = Collections.newSetFromMap(new IdentityHashMap<>());
    /** What keys did in the running slot before they were forgotten. */
    private History.Tally forgottenInSlot = new History.Tally();
    /** All that keys did that had no metrics of their own, before they were forgotten, or their counters set to zero. */
    private final KeyStats forgotten = new KeyStats();
    private long looks;
    private long lookedAt;
    /** The last look before {@link #gone} begins. */
    private long complete;
    private int named;
    private int watchers;

    private Board(Limiter limiter, int mostNamed, int mostHistories, Slots slots, long now) {
        this.limiter = limiter;
        this.mostNamed = mostNamed;
        this.mostHistories = mostHistories;
        this.slots = slots;
        this.history = new History(slots.count());
        this.histories.add(history);
        this.lookedAt = now - FRESH;
    }

    /**
     * What the status page and the metrics show.
     *
     * @param mostNamed so many keys have metrics of their own
     */
    static Board lastHour(Limiter limiter, int mostNamed) {
        long now = System.nanoTime();
        return new Board(limiter, mostNamed, Integer.MAX_VALUE, Slots.lastHour(now), now);
    }

    /**
     * What the report shows.
     *
     * @param mostHistories so many keys have a history of their own. Keys with blocks or failures take the place of those without
     */
    static Board wholeRun(Limiter limiter, int mostHistories) {
        long now = System.nanoTime();
        return new Board(limiter, 0, mostHistories, Slots.wholeRun(now), now);
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

    /** To be called about once a second: looks if somebody watches or a slot is over. */
    synchronized void tick() {
        if (watchers > 0 || slots.isOver(System.nanoTime())) {
            look(FRESH);
            notifyAll();
        }
    }

    /** Somebody watches from now on. */
    synchronized void join() {
        watchers++;
        look(FRESH);
    }

    synchronized void leave() {
        watchers--;
    }

    /** @param fresh how old the last look may be to do as well, in nanoseconds */
    private void look(long fresh) {
        long now = System.nanoTime();
        if (now - lookedAt < fresh) {
            return;
        }
        lookedAt = now;
        looks++;
        List<Key> added = new ArrayList<>();
        for (Key key : limiter.keys()) {
            Row row = rows.get(key);
            if (row == null) {
                added.add(key);
            } else {
                KeyStats stats = key.stats();
                if (!row.named && row.begunAnew(stats)) {
                    forgotten.add(row.stats);
                }
                row.changed = row.update(stats, now, limiter.dryRun()) ? looks : row.changed;
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
        for (Key key : added) { // after that, since names have become free
            Row row = new Row(key.stats(), now, limiter.dryRun(), named < mostNamed && !key.name().equals(OTHERS));
            named += row.named ? 1 : 0;
            row.changed = looks;
            row.seen = looks;
            rows.put(key, row);
        }
        if (slots.isOver(now)) {
            endSlot(now);
        }
    }

    /** How much of the running slot has been looked at, in nanoseconds. */
    private long runningSpan() {
        return slots.span(slots.running(), lookedAt);
    }

    private void forget(Row row) {
        forgottenInSlot.add(row.running(runningSpan()));
        histories.remove(row.history);
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

    private void endSlot(long now) {
        History.Tally all = forgottenInSlot;
        for (Row row : rows.values()) {
            History.Tally tally = row.running(runningSpan());
            all.add(tally);
            if (row.history == null && !tally.quiet()) {
                row.history = newHistory(row);
            }
            if (row.history != null) {
                row.history.keep(slots.running(), tally);
            }
            row.newSlot();
        }
        history.keep(slots.running(), all);
        forgottenInSlot = new History.Tally();
        slots.goOn(now, histories);
    }

    /** Null if there is no room for one more. */
    private History newHistory(Row row) {
        if (histories.size() > mostHistories) {
            Row calm = row.troubles() == 0 ? null : calm();
            if (calm == null) {
                return null;
            }
            histories.remove(calm.history);
            calm.history = null;
        }
        History made = new History(slots.count());
        histories.add(made);
        return made;
    }

    /** One with a history and nothing that somebody would look at it for; null if there is none. */
    private Row calm() {
        for (Row row : rows.values()) {
            if (row.history != null && row.troubles() == 0) {
                return row;
            }
        }
        return null;
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
     * Writes what happened over the time, up to now.
     *
     * @param key null: of all keys together
     */
    synchronized void writeHistory(JsonWriter w, Key key) throws IOException {
        look(FRESH);
        if (key != null) {
            Row row = rows.get(key);
            History.Tally running = row == null ? new History.Tally() : row.running(runningSpan());
            History.write(w, row == null ? null : row.history, slots, running, lookedAt);
            return;
        }
        writeHistory(w);
    }

    private void writeHistory(JsonWriter w) throws IOException {
        History.Tally all = new History.Tally();
        all.add(forgottenInSlot);
        for (Row row : rows.values()) {
            all.add(row.running(runningSpan()));
        }
        History.write(w, history, slots, all, lookedAt);
    }

    /**
     * Writes the fields of a report of all there is to see at this very moment.
     *
     * @param mostLines the histories of so many of the worst keys
     * @param mostChars rows in so many characters, the worst first; of the others only the number and the sum
     * @param size      how many characters were written so far
     */
    synchronized void writeReport(JsonWriter w, int mostLines, int mostChars, IntSupplier size) throws IOException {
        look(0);
        for (Row row : rows.values()) {
            if (row.history == null && !row.running(runningSpan()).quiet()) {
                row.history = newHistory(row);
            }
        }
        List<Row> all = new ArrayList<>(rows.values());
        all.sort(Row.WORST_FIRST);
        w.name("run");
        writeHistory(w);
        w.name("lines").beginArray();
        int lines = 0;
        for (int i = 0; i < all.size() && lines < mostLines; i++) {
            Row row = all.get(i);
            if (row.history != null) {
                w.beginObject().name("key").value(row.stats.domain).name("history");
                History.write(w, row.history, slots, row.running(runningSpan()), lookedAt);
                w.endObject();
                lines++;
            }
        }
        w.endArray();
        writeRows(w, all, mostChars, size);
    }

    private void writeRows(JsonWriter w, List<Row> all, int mostChars, IntSupplier size) throws IOException {
        long now = System.nanoTime();
        KeyStats sum = sum("all");
        KeyStats others = sum("others");
        int end = size.getAsInt() + mostChars;
        int shown = 0;
        w.name("rows").beginArray();
        for (Row row : all) {
            sum.addAll(row.stats);
            if (size.getAsInt() < end) {
                row.write(w, now);
                shown++;
            } else {
                others.addAll(row.stats);
            }
        }
        w.endArray();
        w.name("keys").value(all.size());
        w.name("more").value(all.size() - shown);
        Row.write(w.name("others"), others, 0, 0, limiter.dryRun());
        Row.write(w.name("sum"), sum, 0, 0, limiter.dryRun());
    }

    private static KeyStats sum(String name) {
        KeyStats sum = new KeyStats();
        sum.domain = name;
        sum.state = "open";
        return sum;
    }

    /**
     * As of now: the keys that have metrics of their own, by name, and the sum of all others, forgotten ones included,
     * as {@link #OTHERS}.
     */
    synchronized List<KeyStats> forMetrics() {
        look(FRESH);
        List<KeyStats> all = new ArrayList<>();
        KeyStats rest = new KeyStats();
        rest.domain = OTHERS;
        rest.add(forgotten);
        for (Row row : rows.values()) {
            if (row.named) {
                all.add(row.stats);
            } else {
                rest.addAll(row.stats);
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
