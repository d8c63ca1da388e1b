package io.tempolimit.watch;

import io.tempolimit.core.KeyStats;
import io.tempolimit.core.StatusCounts;
import io.tempolimit.core.Unseen;
import io.tempolimit.detect.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The summary at the end: what matters in a sentence or two, then the keys that waited most. At most 31 lines of at most
 * 100 ASCII characters. Pure.
 */
final class Report {
    private static final int KEYS = 20;
    private static final int WIDTH = 100;
    /** What a long host name is shortened to at the most before details are left out; and after. */
    private static final int NARROW_HOST = 24;
    private static final int NARROWEST_HOST = 16;
    private static final int GAP = 2;
    private static final int DETAILS = 5;
    private static final int STATUSES = 5;
    private static final String OPEN = "open";

    /** Longest wait first; with none, most blocks first, then most failures, then by name, so that the same run gives the same report. */
    private static final Comparator<KeyStats> ORDER = new Comparator<KeyStats>() {
        @Override
        public int compare(KeyStats a, KeyStats b) {
            int c = Long.compare(b.totalWaitNanos, a.totalWaitNanos);
            c = c != 0 ? c : Long.compare(b.blockedRequests(), a.blockedRequests());
            c = c != 0 ? c : Long.compare(b.failedRequests + b.overloads, a.failedRequests + a.overloads);
            c = c != 0 ? c : Long.compare(b.totalRequests, a.totalRequests);
            return c != 0 ? c : a.domain.compareTo(b.domain);
        }
    };

    private final List<KeyStats> keys;
    private final long forgotten;
    private final long leftOut;
    private final boolean dryRun;
    private final KeyStats all;

    private Report(List<KeyStats> keys, long forgotten, long leftOut, boolean dryRun) {
        this.keys = keys;
        this.forgotten = forgotten;
        this.leftOut = leftOut;
        this.dryRun = dryRun;
        this.all = sum(keys, "all");
    }

    /**
     * @param forgotten keys that were forgotten meanwhile, and whose statistics are lost
     * @param leftOut   requests that the settings left out
     * @return empty if nothing was delayed, blocked or rejected, and nothing has failed
     */
    static String of(List<KeyStats> keys, long forgotten, long leftOut, boolean dryRun) {
        List<KeyStats> sorted = new ArrayList<>(keys);
        Collections.sort(sorted, ORDER);
        return new Report(sorted, forgotten, leftOut, dryRun).write();
    }

    /** What went unpaced, and its user may take for paced; empty if nothing did. */
    static String notPaced(Unseen unseen) {
        List<Unseen.Host> hosts = unseen.hosts();
        if (hosts.isEmpty()) {
            return "";
        }
        String start = "Tempolimit: NOT paced: " + Human.count(unseen.count(), "request") + " to ";
        String host = Human.fit(hosts.get(0).name(), NARROW_HOST);
        String by = (hosts.size() == 1 ? "" : " and " + Human.count(hosts.size() - 1, "more host")) + ", by ";
        String sender = Human.fit(hosts.get(0).by(), WIDTH - start.length() - host.length() - by.length() - 1);
        return System.lineSeparator() + start + host + by + sender + "." + System.lineSeparator();
    }

    private String write() {
        if (nothingToTell(all)) {
            return "";
        }
        List<String> lines = new ArrayList<>();
        lines.add("");
        sentence(lines, summary());
        if (all.answers.size() > 0) {
            sentence(lines, answers(all.answers));
        }
        if (all.blockedRequests() > 0) {
            lines.add(mostBlocked());
        }
        if (forgotten > 0) {
            lines.add(Human.count(forgotten, "host") + (forgotten == 1 ? " was" : " were") + " forgotten meanwhile and not counted.");
        }
        lines.add("");
        lines.addAll(table());
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            text.append(line).append(System.lineSeparator());
        }
        return text.toString();
    }

    // ---- the sentences

    private List<String> summary() {
        List<String> parts = new ArrayList<>();
        parts.add((dryRun ? "Tempolimit, dry run: " : "Tempolimit: ") + Human.count(all.totalRequests, "request")
                + " to " + Human.count(keys.size(), "host") + ";");
        if (all.delayedRequests > 0) {
            parts.add(Human.count(all.delayedRequests) + (dryRun ? " would have waited " : " waited ")
                    + Human.duration(all.totalWaitNanos) + " in all;");
        }
        if (all.blockedRequests() > 0) {
            parts.add(Human.count(all.blockedRequests()) + " blocked;");
        }
        if (all.cooldowns > 0) {
            parts.add((dryRun ? "there would have been " : "") + Human.count(all.cooldowns, "cooldown")
                    + " (" + Human.duration(all.cooldownNanos) + ");");
        }
        if (all.rejectedRequests > 0) {
            parts.add(Human.count(all.rejectedRequests) + (dryRun ? " would have been rejected;" : " rejected;"));
        }
        if (all.failedRequests > 0) {
            parts.add(Human.count(all.failedRequests) + " failed;");
        }
        if (all.overloads > 0) {
            parts.add(Human.count(all.overloads) + " got 5xx;");
        }
        if (all.cancelledRequests > 0) {
            parts.add(Human.count(all.cancelledRequests) + " cancelled by the program while they waited;");
        }
        if (all.waitingRequests > 0) {
            parts.add(Human.count(all.waitingRequests) + " still waited at the end;");
        }
        if (leftOut > 0) {
            parts.add(Human.count(leftOut) + " more left out by exclude or include;");
        }
        return parts;
    }

    /** Most first. */
    private static List<String> answers(final StatusCounts answers) {
        List<Integer> byNumber = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            byNumber.add(i);
        }
        Collections.sort(byNumber, new Comparator<Integer>() {
            @Override
            public int compare(Integer a, Integer b) {
                return Long.compare(answers.count(b), answers.count(a));
            }
        });
        List<String> parts = new ArrayList<>();
        for (int i : byNumber.subList(0, Math.min(STATUSES, byNumber.size()))) {
            parts.add((parts.isEmpty() ? "Answers: " : "") + Human.count(answers.count(i)) + " x " + answers.status(i) + ",");
        }
        int more = byNumber.size() - parts.size();
        if (more > 0) {
            parts.add(more + (more == 1 ? " other status," : " other statuses,"));
        }
        return parts;
    }

    private String mostBlocked() {
        KeyStats most = keys.get(0);
        for (KeyStats s : keys) {
            most = s.blockedRequests() > most.blockedRequests() ? s : most;
        }
        final KeyStats of = most;
        List<Verdict> byNumber = new ArrayList<>();
        for (Verdict type : Verdict.values()) {
            if (most.blocks(type) > 0) {
                byNumber.add(type);
            }
        }
        Collections.sort(byNumber, new Comparator<Verdict>() {
            @Override
            public int compare(Verdict a, Verdict b) {
                return Long.compare(of.blocks(b), of.blocks(a));
            }
        });
        List<String> types = new ArrayList<>();
        for (Verdict type : byNumber.subList(0, Math.min(3, byNumber.size()))) { // what the line has room for
            types.add(Human.count(most.blocks(type)) + " x " + type.type());
        }
        String list = String.join(", ", types) + ".";
        String start = keys.size() == 1 ? "Blocked: " : "Most blocks: ";
        return start + (keys.size() == 1 ? "" : Human.fit(most.domain, WIDTH - start.length() - 2 - list.length()) + ", ") + list;
    }

    /** Puts the parts together, broken between them where the line ends; the last one's mark becomes a full stop. */
    private static void sentence(List<String> lines, List<String> parts) {
        StringBuilder line = new StringBuilder(parts.get(0));
        for (String part : parts.subList(1, parts.size())) {
            if (line.length() + 1 + part.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(" ");
            }
            line.append(' ').append(part);
        }
        line.setCharAt(line.length() - 1, '.');
        lines.add(line.toString());
    }

    // ---- the table

    private List<String> table() {
        int shown = Math.min(KEYS, keys.size());
        while (keys.size() > KEYS && shown > 0 && nothingToTell(keys.get(shown - 1))) {
            shown--;
        }
        List<KeyStats> rows = new ArrayList<>(keys.subList(0, shown));
        List<KeyStats> others = keys.subList(rows.size(), keys.size());
        if (!others.isEmpty()) {
            rows.add(sum(others, Human.count(others.size(), "other")));
        }
        List<String> lines = table(rows, DETAILS);
        for (int details = DETAILS - 1; details >= 0 && lines.get(0).length() > WIDTH; details--) {
            lines = table(rows, details);
        }
        return lines;
    }

    private static boolean nothingToTell(KeyStats s) {
        return s.waitingRequests + s.delayedRequests + s.blockedRequests() + s.rejectedRequests + s.failedRequests + s.overloads == 0;
    }

    private List<String> table(List<KeyStats> rows, int details) {
        List<List<String>> cells = new ArrayList<>();
        cells.add(cells(null, details));
        int host = "host".length();
        for (KeyStats row : rows) {
            cells.add(cells(row, details));
            host = Math.max(host, row.domain.length());
        }
        int[] widths = new int[cells.get(0).size()];
        int numbers = 0;
        for (int i = 0; i < widths.length; i++) {
            for (List<String> row : cells) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
            numbers += GAP + widths[i];
        }
        host = Math.min(host, Math.max(details == 0 ? NARROWEST_HOST : NARROW_HOST, WIDTH - numbers));

        List<String> lines = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            lines.add(line(i == 0 ? "host" : Human.fit(rows.get(i - 1).domain, host), host, cells.get(i), widths));
        }
        return lines;
    }

    private static String line(String host, int hostWidth, List<String> cells, int[] widths) {
        StringBuilder b = new StringBuilder(host);
        pad(b, hostWidth - host.length());
        for (int i = 0; i < widths.length; i++) {
            pad(b, GAP + widths[i] - cells.get(i).length());
            b.append(cells.get(i));
        }
        return b.toString();
    }

    private static void pad(StringBuilder b, int n) {
        for (int i = 0; i < n; i++) {
            b.append(' ');
        }
    }

    /**
     * A row of the table, right of the host; only columns of which there is anything to tell.
     *
     * @param s       null: the titles
     * @param details how many of those to show that are left out first where numbers get long
     */
    private List<String> cells(KeyStats s, int details) {
        List<String> cells = new ArrayList<>();
        boolean waited = s != null && s.delayedRequests > 0;
        cells.add(s == null ? "requests" : Human.count(s.totalRequests));
        cells.add(s == null ? "delayed" : Human.count(s.delayedRequests));
        cells.add(s == null ? "waited" : waited ? Human.duration(s.totalWaitNanos) : "-");
        if (details >= 5) {
            cells.add(s == null ? "each" : waited ? Human.duration(s.averageWaitNanos()) : "-");
        }
        if (all.blockedRequests() > 0) {
            cells.add(s == null ? "blocked" : Human.count(s.blockedRequests()));
        }
        if (all.cooldowns > 0) {
            cells.add(s == null ? "cooldowns" : s.cooldowns == 0 ? "0" : Human.count(s.cooldowns)
                    + (details < 4 ? "" : " (" + Human.duration(s.cooldownNanos) + ")"));
        }
        if (details >= 1 && all.rejectedRequests > 0) {
            cells.add(s == null ? "rejected" : Human.count(s.rejectedRequests));
        }
        if (all.failedRequests > 0) {
            cells.add(s == null ? "failed" : Human.count(s.failedRequests));
        }
        if (details >= 2 && all.overloads > 0) {
            cells.add(s == null ? "5xx" : Human.count(s.overloads));
        }
        if (details >= 3 && !all.state.equals(OPEN)) {
            cells.add(s == null ? "at the end" : Human.state(s.state));
        }
        return cells;
    }

    /** All in one; its state is {@code open} if all are, and else nothing that could be said in a word. */
    private static KeyStats sum(List<KeyStats> keys, String name) {
        KeyStats sum = new KeyStats();
        sum.domain = name;
        sum.state = OPEN;
        for (KeyStats s : keys) {
            sum.addAll(s);
            sum.state = s.state.equals(OPEN) ? sum.state : "";
        }
        return sum;
    }
}
