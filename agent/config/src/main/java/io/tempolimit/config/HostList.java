package io.tempolimit.config;

import java.util.ArrayList;
import java.util.List;

/** The value of {@code include} or {@code exclude}: host patterns and the named lists. Immutable. */
final class HostList {
    /** Each pattern stands for itself. */
    private final HostPatterns<String> patterns = new HostPatterns<String>();
    private final List<String> written = new ArrayList<String>();
    private boolean privates;
    private boolean services;

    /**
     * @param entries patterns, {@code private} and {@code services}
     * @param key     with {@code exclude} both named lists are in, unless {@code -private} or {@code -services} takes one out
     * @throws IllegalArgumentException with what is wrong, for a fault's line
     */
    HostList(String[] entries, SettingKey key) {
        boolean exclude = key == SettingKey.EXCLUDE;
        privates = exclude;
        services = exclude;
        for (String e : entries) {
            if (e.equals("private")) {
                privates = true;
            } else if (e.equals("services")) {
                services = true;
            } else if (e.equals("none") || e.equals("all") || e.equals("*") || e.equals("*.*")) {
                throw new IllegalArgumentException("'" + e + "' " + instead(key, e.equals("none")));
            } else if (e.charAt(0) != '-') {
                String pattern = HostPatterns.canonical(e);
                patterns.put(pattern, pattern);
                written.add(pattern);
            } else if (!exclude || !e.equals("-private") && !e.equals("-services")) {
                throw new IllegalArgumentException("'" + e + "': only private and services can be taken out, and only of exclude");
            }
        }
        for (String e : entries) { // after all, so that the order of the list does not matter
            if (e.equals("-private")) {
                privates = false;
            } else if (e.equals("-services")) {
                services = false;
            }
        }
    }

    /** For a fault: how to say what {@code none}, or {@code all}, {@code *} or {@code *.*}, may have meant. */
    private static String instead(SettingKey key, boolean none) {
        if (key == SettingKey.DENY) {
            return none ? "stands alone" : "would let no request out at all; name the hosts";
        }
        if (key == SettingKey.EXCLUDE) {
            return none ? "is no host; -private and -services together exclude nothing" : "would pace nothing, which enabled=false says";
        }
        return none ? "is no host; enabled=false paces nothing" : "means every host, which leaving the key out says too";
    }

    /** The named list or the pattern that the host is in; null if it is in none. */
    String holding(String host) {
        List<String> found = patterns.matching(host);
        return !found.isEmpty() ? found.get(0) : privates && PrivateHosts.contains(host) ? "private"
                : services && ServiceHosts.contains(host) ? "services" : null;
    }

    /** @param host in canonical form */
    boolean contains(String host) {
        return patterns.matches(host) || privates && PrivateHosts.contains(host) || services && ServiceHosts.contains(host);
    }

    /** What of this list a host or name pattern is in, not counting {@code services}; null if it is in none. */
    String coverOf(String pattern) {
        return patterns.matches(pattern) ? "a pattern" : privates && PrivateHosts.contains(pattern) ? "private" : null;
    }

    /** The patterns, in canonical form. */
    List<String> patterns() {
        return written;
    }

    /** As one would write it, with what is there by default. */
    @Override
    public String toString() {
        StringBuilder s = new StringBuilder();
        s.append(privates ? "private" : "");
        s.append(services ? s.length() > 0 ? ",services" : "services" : "");
        for (String w : written) {
            s.append(s.length() > 0 ? "," : "").append(w);
        }
        return s.length() == 0 ? "none" : s.toString();
    }
}
