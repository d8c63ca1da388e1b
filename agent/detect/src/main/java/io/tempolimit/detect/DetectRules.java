package io.tempolimit.detect;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** What holds for a host's answers: the settings {@code detect.*} and {@code retry-after.max=0}. Immutable. */
public final class DetectRules {
    /** What holds where nothing is set. */
    public static final DetectRules DEFAULT = builder().build();

    private final int bodyLimit;
    private final int[] statuses;
    private final Set<String> ignored;
    private final boolean obeyWaits;
    private final boolean browser;

    private DetectRules(Builder b) {
        bodyLimit = b.bodyLimit;
        statuses = b.statuses;
        ignored = b.ignored;
        obeyWaits = b.obeyWaits;
        browser = b.browser;
    }

    /** Begins with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** How many bytes of a body, decoded, are looked at; 0 where status and headers alone decide. */
    int bodyLimit() {
        return bodyLimit;
    }

    /** Whether this status is a block by itself. */
    boolean blocks(int status) {
        return Arrays.binarySearch(statuses, status) >= 0;
    }

    /** Whether what the site asks to wait is told ({@link Finding#retryAfter}). */
    boolean obeyWaits() {
        return obeyWaits;
    }

    /** Whether a browser is asked for each document that it has loaded. */
    public boolean browser() {
        return browser;
    }

    boolean ignoreNothing() {
        return ignored.isEmpty();
    }

    /** Whether this type, vendor or rule never counts; null is never ignored. */
    boolean ignores(String name) {
        return name != null && !ignored.isEmpty() && ignored.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Whether this rule never counts: by its own name, its vendor's or its type's. */
    boolean ignores(Rule rule) {
        return ignores(rule.name) || ignores(rule.vendor) || rule.verdict != null && ignores(rule.verdict.type());
    }

    /** Puts rules together. */
    public static final class Builder {
        private int bodyLimit = 512 * 1024;
        private int[] statuses = {403, 418, 420, 429, 509, 999};
        private Set<String> ignored = new HashSet<>();
        private boolean obeyWaits = true;
        private boolean browser;

        private Builder() { }

        /** How many bytes of a body, decoded, are looked at; 0 for none. */
        public Builder bodyLimit(int bytes) {
            bodyLimit = Math.max(0, bytes);
            return this;
        }

        /** The statuses that are blocks by themselves. */
        public Builder statuses(Collection<Integer> statuses) {
            int[] sorted = new int[statuses.size()];
            int i = 0;
            for (int status : statuses) {
                sorted[i++] = status;
            }
            Arrays.sort(sorted);
            this.statuses = sorted;
            return this;
        }

        /** The types, vendors and names of rules that never count; the case of letters does not matter. */
        public Builder ignored(Collection<String> names) {
            Set<String> lower = new HashSet<>();
            for (String name : names) {
                lower.add(name.toLowerCase(Locale.ROOT));
            }
            ignored = lower;
            return this;
        }

        /** Whether what the site asks to wait is told. */
        public Builder obeyWaits(boolean obey) {
            obeyWaits = obey;
            return this;
        }

        /** Whether a browser is asked for each document that it has loaded. */
        public Builder browser(boolean ask) {
            browser = ask;
            return this;
        }

        /** The rules. */
        public DetectRules build() {
            return new DetectRules(this);
        }
    }
}
