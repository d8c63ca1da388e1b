package io.tempolimit.examples.site;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** How many requests of which outcome one client made, or all of them together. */
public final class Counts {
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private long bans;

    Counts() {
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome, 0L);
        }
    }

    private Counts(Counts other) {
        outcomes.putAll(other.outcomes);
        bans = other.bans;
    }

    /** All requests. */
    public long requests() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The requests that ended so. */
    public long of(Outcome outcome) {
        return outcomes.get(outcome);
    }

    /** The bans that began. */
    public long bans() {
        return bans;
    }

    private void add(Outcome outcome, boolean ban) {
        outcomes.merge(outcome, 1L, Long::sum);
        bans += ban ? 1 : 0;
    }

    /** Name and number of everything counted, in the order to show it. */
    private Map<String, Long> lines() {
        Map<String, Long> lines = new LinkedHashMap<>();
        lines.put("requests", requests());
        outcomes.forEach((outcome, count) -> lines.put(outcome.label(), count));
        lines.put("bans", bans);
        return lines;
    }

    /** The counts of all clients, kept while the site runs. */
    static final class Book {
        private final Counts total = new Counts();
        private final Map<String, Counts> clients = new TreeMap<>();

        synchronized void add(String client, Outcome outcome, boolean ban) {
            total.add(outcome, ban);
            clients.computeIfAbsent(client, c -> new Counts()).add(outcome, ban);
        }

        synchronized Counts total() {
            return new Counts(total);
        }

        synchronized Counts of(String client) {
            return new Counts(clients.getOrDefault(client, new Counts()));
        }

        synchronized String json() {
            StringBuilder json = new StringBuilder("{");
            appendFields(json, total).append(",\"clients\":{");
            String comma = "";
            for (Map.Entry<String, Counts> client : clients.entrySet()) {
                json.append(comma).append('"').append(escape(client.getKey())).append("\":{");
                appendFields(json, client.getValue()).append('}');
                comma = ",";
            }
            return json.append("}}\n").toString();
        }

        private static StringBuilder appendFields(StringBuilder json, Counts counts) {
            String comma = "";
            for (Map.Entry<String, Long> line : counts.lines().entrySet()) {
                json.append(comma).append('"').append(line.getKey()).append("\":").append(line.getValue());
                comma = ",";
            }
            return json;
        }

        private static String escape(String text) {
            StringBuilder escaped = new StringBuilder();
            for (char c : text.toCharArray()) {
                if (c == '"' || c == '\\') {
                    escaped.append('\\').append(c);
                } else if (c < ' ') {
                    escaped.append(String.format("\\u%04x", (int) c));
                } else {
                    escaped.append(c);
                }
            }
            return escaped.toString();
        }

        /** A table with a column for all and, if there were several, one for each client. */
        synchronized String table() {
            Map<String, Counts> columns = new LinkedHashMap<>();
            columns.put("all", total);
            if (clients.size() > 1) {
                columns.putAll(clients);
            }
            StringBuilder table = new StringBuilder(String.format("%-14s", ""));
            columns.keySet().forEach(name -> table.append(String.format("  %12s", name)));
            for (String line : total.lines().keySet()) {
                table.append(String.format("%n%-14s", line));
                columns.values().forEach(counts -> table.append(String.format("  %12d", counts.lines().get(line))));
            }
            return table.toString();
        }
    }
}
