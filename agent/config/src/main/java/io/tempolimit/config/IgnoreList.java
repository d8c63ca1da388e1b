package io.tempolimit.config;

import io.tempolimit.detect.Detector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The value of {@code detect.ignore}: types of blocks, vendors and rules that never count, everywhere or on one host. Immutable. */
final class IgnoreList {
    private final Set<String> everywhere = new HashSet<String>();
    /** By host pattern. Null if there is none. */
    private HostPatterns<Set<String>> hosts;

    /**
     * @param entries {@code NAME} or {@code HOST:NAME}
     * @throws IllegalArgumentException with what is wrong, for a fault's line
     */
    IgnoreList(String[] entries) {
        Map<String, Set<String>> byPattern = new HashMap<String, Set<String>>();
        for (String e : entries) {
            int colon = e.lastIndexOf(':');
            String name = e.substring(colon + 1).trim();
            if (name.isEmpty()) {
                throw new IllegalArgumentException("'" + e + "' ends with its colon");
            }
            if (!Detector.names().contains(name)) {
                String near = Nearest.of(name, Detector.names().toArray(new String[0]));
                throw new IllegalArgumentException("'" + name + "' is no block type, vendor or rule"
                        + (near == null ? "" : ", did you mean " + near + "?"));
            }
            if (colon < 0) {
                everywhere.add(name);
                continue;
            }
            String pattern = HostPatterns.canonical(e.substring(0, colon).trim());
            Set<String> names = byPattern.get(pattern);
            if (names == null) {
                names = new HashSet<String>();
                byPattern.put(pattern, names);
            }
            names.add(name);
        }
        if (!byPattern.isEmpty()) {
            hosts = new HostPatterns<Set<String>>();
            for (Map.Entry<String, Set<String>> e : byPattern.entrySet()) {
                hosts.put(e.getKey(), e.getValue());
            }
        }
    }

    /** Whether there is anything for this host alone. */
    boolean names(String host) {
        return hosts != null && hosts.matches(host);
    }

    /** What is ignored on all hosts. */
    Set<String> general() {
        return Collections.unmodifiableSet(everywhere);
    }

    /** What is ignored on this host. */
    Set<String> of(String host) {
        Set<String> all = new HashSet<String>(everywhere);
        List<Set<String>> found = hosts == null ? new ArrayList<Set<String>>() : hosts.matching(host);
        for (Set<String> names : found) {
            all.addAll(names);
        }
        return Collections.unmodifiableSet(all);
    }
}
