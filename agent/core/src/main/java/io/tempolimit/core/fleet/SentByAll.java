package io.tempolimit.core.fleet;

import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.queue.Caps;
import io.tempolimit.core.store.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What all workers have sent, as far as the fleet's answers tell of it, where windows hold. As an outage begins, each worker may send its
 * part of what is left of a window. Guarded by the key's lock.
 *
 * <p>Tried and lost: each its part of the window, less what it has sent itself. Where one had sent more than its part, all together sent
 * more than the window.
 */
final class SentByAll {
    private static final long UNKNOWN = -1;
    /** No window is worth more at a time. */
    private static final long MOST = 10_000;

    private final FleetPacer f;
    /** What the others have sent, or will; null: nothing is known. */
    private Caps others;
    /** How many tokens the fleet's bucket has given, as of the last answer; or {@link #UNKNOWN}. */
    private long given = UNKNOWN;
    /** What this worker had sent when it went alone; kept until the fleet has heard what went since. Null: it was not. */
    private Caps own;
    private long aloneSince;

    SentByAll(FleetPacer f) {
        this.f = f;
    }

    /** The fleet has answered. */
    void answered(Answer a, Policy p, long now) {
        if (p == null || p.windows().length == 0) {
            given = UNKNOWN;
            return;
        }
        long before = given == UNKNOWN ? a.given - a.count : a.given < given ? 0 : given; // another bucket begins with none
        long n = a.given - a.count - before;
        given = a.given;
        if (n <= 0) {
            return;
        }
        others = others == null ? new Caps() : others;
        others.limits(p.windows(), Integer.MAX_VALUE, now);
        long last = a.slot + (a.count - 1) * a.step;
        for (long i = 0; i < Math.min(MOST, n); i++) {
            others.takeRoom(a.count > 0 && last - now > 0 ? last : now); // they have gone by then
        }
    }

    /** The fleet is about to be given up. */
    void keep(Policy p, long now) {
        Caps k = f.caps();
        given = UNKNOWN;
        own = null;
        if (p != null && p.windows().length > 0 && k != null) {
            own = new Caps();
            own.limits(p.windows(), Integer.MAX_VALUE, now);
            own.takeOver(k, now);
            aloneSince = now;
        }
    }

    /** It is: this worker's part of a window has this worker's part of what all have sent, or what it has sent itself if that is more. */
    void divide(Policy p, int parts, long now) {
        if (own == null || others == null || parts == 1) {
            return;
        }
        others.limits(p.windows(), Integer.MAX_VALUE, now);
        Map<Long, List<long[]>> counts = read(own, Long.MAX_VALUE, now);
        read(others, Long.MAX_VALUE, now).forEach((duration, theirs) -> {
            List<long[]> all = counts.computeIfAbsent(duration, d -> new ArrayList<>());
            long mine = sum(all);
            if (mine * parts < mine + sum(theirs)) {
                all.addAll(theirs);
                divide(all, parts);
            }
        });
        write(counts, p, now);
    }

    /** The fleet decides again: this worker has sent what it had before, and what it has since. */
    void returned(Policy p, long now) {
        Caps k = own == null ? null : f.caps(p, now);
        if (k != null) {
            own.limits(p.windows(), Integer.MAX_VALUE, now);
            Map<Long, List<long[]>> sent = read(own, Long.MAX_VALUE, now);
            read(k, now - aloneSince, now)
                    .forEach((duration, since) -> sent.computeIfAbsent(duration, d -> new ArrayList<>()).addAll(since));
            write(sent, p, now);
        }
        if (f.untold.count(now) == 0) {
            own = null;
        }
    }

    /** What this worker had sent before that which the fleet was told just now, with this answer. */
    Caps before(Answer a) {
        Caps before = own == null ? f.caps() : own;
        if (a != null && !a.closed() && !f.fallback.alone()) {
            own = null;
        }
        return before;
    }

    // ---- what windows hold: for each duration how many went how many milliseconds ago

    /** What went within the last so many nanoseconds. */
    private static Map<Long, List<long[]>> read(Caps from, long within, long now) {
        Map<Long, List<long[]>> all = new HashMap<>();
        for (String window : from.save(now)) {
            int colon = window.indexOf(':');
            List<long[]> cells = new ArrayList<>();
            for (String cell : window.substring(colon + 1).split(",")) {
                int x = cell.indexOf('x');
                long age = Long.parseLong(cell.substring(0, x));
                if (age < within / 1_000_000) {
                    cells.add(new long[] {age, Long.parseLong(cell.substring(x + 1))});
                }
            }
            all.put(Long.parseLong(window.substring(window.indexOf('/') + 1, colon)), cells);
        }
        return all;
    }

    private void write(Map<Long, List<long[]>> counts, Policy p, long now) {
        Caps k = f.caps(p, now);
        List<String> saved = new ArrayList<>();
        for (WindowLimit w : p.windows()) {
            List<long[]> cells = counts.getOrDefault(w.duration, new ArrayList<>());
            oldestFirst(cells);
            StringBuilder text = new StringBuilder();
            for (long[] cell : cells) {
                text.append(text.length() == 0 ? "" : ",").append(cell[0]).append('x').append(cell[1]);
            }
            saved.add(w.count + "/" + w.duration + ":" + text);
        }
        Caps made = new Caps();
        made.limits(p.windows(), Integer.MAX_VALUE, now);
        made.restore(saved, 0, now);
        k.takeOver(made, now);
    }

    private static void oldestFirst(List<long[]> cells) {
        cells.sort((a, b) -> Long.compare(b[0], a[0]));
    }

    private static long sum(List<long[]> cells) {
        return cells.stream().mapToLong(c -> c[1]).sum();
    }

    /** Every so manieth of them, the first of all too. */
    private static void divide(List<long[]> cells, int parts) {
        oldestFirst(cells);
        long all = 0;
        for (long[] cell : cells) {
            long before = (all + parts - 1) / parts;
            all += cell[1];
            cell[1] = (all + parts - 1) / parts - before;
        }
        cells.removeIf(c -> c[1] == 0);
    }
}
