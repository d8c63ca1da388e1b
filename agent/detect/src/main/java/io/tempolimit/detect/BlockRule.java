package io.tempolimit.detect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * One of the user's own rules ({@code block_rules}). It matches when all its conditions hold, each list by any of its
 * entries; a condition that was not given holds. Immutable.
 */
public final class BlockRule {
    final Verdict verdict;
    final String name;
    final Predicate<String> hosts;
    final List<Integer> statuses;
    final List<String> titles;
    final List<String> bodyContains;
    final Map<String, String> headers;

    private BlockRule(Builder b) {
        verdict = b.verdict;
        name = b.name;
        hosts = b.hosts;
        statuses = new ArrayList<>(b.statuses);
        titles = new ArrayList<>(b.titles);
        bodyContains = new ArrayList<>(b.bodyContains);
        headers = new LinkedHashMap<>(b.headers);
    }

    /** Begins a rule; {@code name} is what a finding and {@code detect.ignore} call it, such as {@code block_rules[0]}. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Puts a rule together. */
    public static final class Builder {
        private final String name;
        private Verdict verdict = Verdict.SOFT_BLOCK;
        private Predicate<String> hosts; // null: all
        private Collection<Integer> statuses = Collections.emptyList();
        private Collection<String> titles = Collections.emptyList();
        private Collection<String> bodyContains = Collections.emptyList();
        private final Map<String, String> headers = new LinkedHashMap<>();

        private Builder(String name) {
            this.name = name;
        }

        /** The verdict, a block; {@code soft_block} where this is not called. */
        public Builder type(Verdict block) {
            if (!block.isBlock()) {
                throw new IllegalArgumentException(block.type() + " is no block");
            }
            verdict = block;
            return this;
        }

        /** The hosts it is for, asked with a name in canonical form. It must be pure and quick. */
        public Builder hosts(Predicate<String> hosts) {
            this.hosts = hosts;
            return this;
        }

        /** The statuses it is for. */
        public Builder statuses(Collection<Integer> statuses) {
            this.statuses = statuses;
            return this;
        }

        /** Whole titles of the document, without regard to case and runs of white space. */
        public Builder titles(Collection<String> titles) {
            this.titles = titles;
            return this;
        }

        /**
         * Texts of the body, without regard to case.
         *
         * @throws IllegalArgumentException if there is nothing in one that can be seen, or it has more than 1000 bytes
         */
        public Builder bodyContains(Collection<String> texts) {
            for (String text : texts) {
                new Patterns.Builder().add(text, Place.TEXT, Place.ANY);
            }
            bodyContains = texts;
            return this;
        }

        /** A header's whole value, without regard to case; {@code *} for any. All headers given this way must be there. */
        public Builder header(String name, String value) {
            headers.put(name.toLowerCase(Locale.ROOT), value);
            return this;
        }

        /** The rule. */
        public BlockRule build() {
            return new BlockRule(this);
        }
    }
}
