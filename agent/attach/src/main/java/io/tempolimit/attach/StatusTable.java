package io.tempolimit.attach;

import io.tempolimit.attach.Snapshot.Row;
import io.tempolimit.core.Listener;
import io.tempolimit.watch.Human;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A snapshot as people read it: a sentence, then the keys as a table, those first of which there is most to say. Pure. */
final class StatusTable {
    /** The width where there is no terminal: nothing is shortened that somebody may want to search for. */
    static final int PIPED = 1_000;
    private static final int NARROWEST_HOST = 12;
    private static final int GAP = 2;
    /** So many hosts that are not paced are named. */
    private static final int MOST_UNSEEN = 3;
    private static final long MILLI = 1_000_000;
    private static final String RESET = "\033[0m";
    private static final String BOLD = "\033[1m";
    private static final String RED = "\033[31m";
    private static final String YELLOW = "\033[33m";

    /** In cooldown first, the longest before all; then who makes most requests wait, for longest; then by name. */
    private static final Comparator<Row> ORDER = Comparator.comparing(Row::cooling)
            .thenComparingLong((Row r) -> r.cooling() ? r.remainingMillis : 0)
            .thenComparingLong(r -> r.waiting).thenComparingLong(r -> r.delayed * r.averageWaitMillis)
            .thenComparingLong(r -> r.requests).reversed()
            .thenComparing(r -> r.key);

    /** In the order in which they are shown; those that a narrow terminal goes without have a number, the highest goes first. */
    private enum Column {
        STATE("state", 0),
        UNTIL("until", 0),
        WHY("why", 3),
        RATE("rate", 6),
        WAITING("waiting", 0),
        WAIT("wait each", 8),
        REQUESTS("requests", 1),
        BLOCKED("blocked", 2),
        FAILED("failed", 4),
        OVERLOADS("5xx", 5),
        REJECTED("rejected", 7);

        final String title;
        final int dispensable;

        Column(String title, int dispensable) {
            this.title = title;
            this.dispensable = dispensable;
        }

        boolean left() {
            return this == STATE || this == UNTIL || this == WHY;
        }

        String of(Row r) {
            switch (this) {
                case STATE: return Human.fit(Human.state(r.state), 24);
                case UNTIL: return until(r);
                case WHY: return r.reason == null ? "" : Human.fit(r.reason.equals(Listener.FLEET) ? "another program" : r.reason, 24);
                case RATE: return r.rate == 0 ? "" : rate(r);
                case WAITING: return Human.count(r.waiting);
                case WAIT: return r.delayed == 0 ? "-" : Human.duration(r.averageWaitMillis * MILLI);
                case REQUESTS: return Human.count(r.requests);
                case BLOCKED: return Human.count(r.blocked);
                case FAILED: return Human.count(r.failed);
                case OVERLOADS: return Human.count(r.overloads);
                default: return Human.count(r.rejected);
            }
        }

        private static String until(Row r) {
            if (!r.cooling()) {
                return "";
            }
            return r.state.endsWith("lifetime_blocked") ? "a reset" : r.state.endsWith("probing") ? "its answer"
                    : r.remainingMillis == 0 ? "probe due" : "in " + Human.duration(r.remainingMillis * MILLI);
        }

        /** What is learnt, where that is less than what is allowed. */
        private static String rate(Row r) {
            String allowed = Human.rate(r.rate).replaceFirst(" requests?", "");
            String rate = r.learnedRate > 0 ? Human.rate(r.learnedRate).replaceFirst(" requests?", "") + " of " + allowed : allowed;
            return r.learnedInFlight > 0 ? rate + ", " + r.learnedInFlight + " in flight" : rate;
        }
    }

    private StatusTable() {
    }

    /**
     * @param name    of the program
     * @param width   of each line at the most, if the terminal is not narrower than the least
     * @param height  how many lines at the most
     * @param colours whether there may be escape sequences, which take no room
     */
    static List<String> lines(Snapshot s, String name, int width, int height, boolean colours) {
        List<String> lines = new ArrayList<>();
        lines.add(cut(colours, BOLD, "Tempolimit " + s.version + " in " + name, width));
        lines.add(cut(false, "", sum(s), width));
        lines.add(cut(false, "", s.woven.isEmpty() ? "woven: nothing yet" : "woven: " + String.join(", ", s.woven), width));
        if (s.unseenRequests > 0) {
            lines.add(cut(colours, RED, unseen(s), width));
        }
        lines.add("");
        List<Row> rows = new ArrayList<>(s.rows);
        rows.sort(ORDER);
        if (rows.isEmpty()) {
            lines.add(s.excluded == 0 ? s.unseenRequests == 0 ? "No request yet." : "No request that is paced yet."
                    : "No request that is paced yet: exclude or include left out " + Human.count(s.excluded) + ".");
            return lines;
        }
        int room = height - lines.size() - 1;
        int shown = rows.size() <= room ? rows.size() : Math.max(1, room - 1);
        lines.addAll(table(rows.subList(0, shown), width, colours));
        if (shown < rows.size()) {
            lines.add("and " + Human.count(rows.size() - shown, "more host"));
        }
        return lines;
    }

    private static String sum(Snapshot s) {
        long cooling = 0;
        long waiting = 0;
        for (Row r : s.rows) {
            cooling += r.cooling() ? 1 : 0;
            waiting += r.waiting;
        }
        return Human.count(s.rows.size(), "host") + ", " + Human.count(cooling) + " in cooldown, "
                + Human.count(waiting, "request") + " waiting"
                + (s.excluded == 0 ? "" : ", " + Human.count(s.excluded) + " left out by exclude or include")
                + (!s.enabled ? "; stopped, nothing is paced" : s.dryRun ? "; a dry run, nothing is held" : "") + redis(s);
    }

    private static String unseen(Snapshot s) {
        StringBuilder line = new StringBuilder("NOT paced: " + Human.count(s.unseenRequests, "request"));
        for (int i = 0; i < Math.min(s.unseen.size(), MOST_UNSEEN); i++) {
            Snapshot.Unseen one = s.unseen.get(i);
            line.append(i == 0 ? " to " : ", ").append(one.host);
            line.append(" (").append(Human.count(one.requests)).append(", by ").append(one.by).append(")");
        }
        int more = s.unseen.size() - MOST_UNSEEN;
        return line.append(more > 0 ? " and " + Human.count(more, "more host") : "").toString();
    }

    private static String redis(Snapshot s) {
        if (s.redis == null) {
            return "";
        }
        switch (s.redis) {
            case "shared":
                return "; limits are shared by " + Human.count(s.workers, "JVM") + " through Redis";
            case "connecting":
                return "; Redis is not reached yet, " + (s.alone ? "this JVM is alone" : "requests wait for it");
            case "refused":
                return "; Redis cannot be used: " + s.trouble + "; this JVM is alone";
            default:
                return "; Redis does not answer" + (s.trouble == null ? "" : " (" + s.trouble + ")") + ", this JVM is alone";
        }
    }

    private static String cut(boolean colours, String colour, String text, int width) {
        String fit = Human.fit(text, Math.max(width, NARROWEST_HOST));
        return colours ? colour + fit + RESET : fit;
    }

    private static List<String> table(List<Row> rows, int width, boolean colours) {
        List<Cells> columns = new ArrayList<>();
        int numbers = 0;
        for (Column c : Column.values()) {
            Cells cells = new Cells(c, rows);
            if (!cells.empty || c == Column.STATE || c == Column.WAITING || c == Column.REQUESTS) {
                columns.add(cells);
                numbers += GAP + cells.width;
            }
        }
        int host = "host".length();
        for (Row r : rows) {
            host = Math.max(host, r.key.length());
        }
        for (Cells least; Math.min(host, NARROWEST_HOST) + numbers > width && (least = leastOf(columns)).column.dispensable > 0; ) {
            columns.remove(least);
            numbers -= GAP + least.width;
        }
        host = Math.min(host, Math.max(NARROWEST_HOST, width - numbers));
        List<String> lines = new ArrayList<>();
        StringBuilder title = new StringBuilder(padded("host", host));
        for (Cells c : columns) {
            c.append(c.column.title, title);
        }
        lines.add(cut(colours, BOLD, title.toString().stripTrailing(), width));
        for (int i = 0; i < rows.size(); i++) {
            StringBuilder line = new StringBuilder(padded(Human.fit(rows.get(i).key, host), host));
            for (Cells c : columns) {
                c.append(c.texts[i], line);
            }
            lines.add(cut(colours && rows.get(i).cooling(), colour(rows.get(i)), line.toString().stripTrailing(), width));
        }
        return lines;
    }

    private static Cells leastOf(List<Cells> columns) {
        return columns.stream().max(Comparator.comparingInt(c -> c.column.dispensable)).orElseThrow();
    }

    private static String colour(Row r) {
        return r.state.endsWith("cooling_down") || r.state.endsWith("probing") ? YELLOW : RED;
    }

    /** A column's texts. */
    private static final class Cells {
        final Column column;
        final String[] texts;
        final int width;
        /** Nothing has ever been rejected, say: then that needs no column. */
        final boolean empty;

        Cells(Column column, List<Row> rows) {
            this.column = column;
            this.texts = new String[rows.size()];
            int widest = column.title.length();
            boolean nothing = true;
            for (int i = 0; i < texts.length; i++) {
                texts[i] = column.of(rows.get(i));
                widest = Math.max(widest, texts[i].length());
                nothing &= texts[i].isEmpty() || texts[i].equals("-") || texts[i].equals("0");
            }
            width = widest;
            empty = nothing;
        }

        void append(String text, StringBuilder line) {
            line.append(" ".repeat(GAP)).append(column.left() ? padded(text, width) : " ".repeat(width - text.length()) + text);
        }
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
