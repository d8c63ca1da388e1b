package io.tempolimit.config;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What {@code clients} names: {@code all}, or some, and {@code -} leaves one out. {@code unknown} is no client of its own, and not one of
 * all: it is added to those that are named, and needs the watch.
 */
final class ClientNames {
    private static final String UNKNOWN = "unknown";
    private static final String WATCH = "watch";

    private ClientNames() {
    }

    /**
     * Those that are left, in the key's order or as they are named.
     *
     * @throws IllegalArgumentException with what is wrong, for a fault's line
     */
    static Set<String> parse(SettingKey key, String[] entries) {
        Set<String> named = new LinkedHashSet<String>();
        Set<String> without = new LinkedHashSet<String>();
        boolean unknown = false;
        for (String e : entries) {
            if (e.equals("all")) {
                named.addAll(all(key));
            } else if (e.charAt(0) == '-') {
                without.add(client(key, e.substring(1).trim()));
            } else if (client(key, e).equals(UNKNOWN)) {
                unknown = true;
            } else {
                named.add(client(key, e));
            }
        }
        if (named.isEmpty()) {
            named.addAll(all(key));
        }
        if (unknown && !without.contains(UNKNOWN)) {
            if (without.contains(WATCH)) {
                throw new IllegalArgumentException("'" + UNKNOWN + "' needs '" + WATCH + "'");
            }
            named.add(WATCH);
            named.add(UNKNOWN);
        }
        named.removeAll(without);
        if (named.isEmpty()) {
            throw new IllegalArgumentException("leaves no client: then enabled=false says it");
        }
        return named;
    }

    /** Without {@code unknown}. */
    private static Set<String> all(SettingKey key) {
        Set<String> all = new LinkedHashSet<String>(Arrays.asList(key.words()));
        all.remove(UNKNOWN);
        return all;
    }

    private static String client(SettingKey key, String name) {
        return Kind.word(key, name, "no such client '" + name + "'");
    }

    /** What was parsed, as it is shown. */
    static String shown(SettingKey key, Object parsed) {
        Set<?> named = (Set<?>) parsed;
        if (named.containsAll(all(key))) {
            return named.contains(UNKNOWN) ? "all," + UNKNOWN : "all";
        }
        StringBuilder shown = new StringBuilder();
        for (Object name : named) {
            shown.append(shown.length() == 0 ? "" : ",").append(name);
        }
        return shown.toString();
    }
}
