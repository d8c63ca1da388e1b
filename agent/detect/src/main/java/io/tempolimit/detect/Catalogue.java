package io.tempolimit.detect;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of {@code rules.txt}, as {@link Preparation} has made them ready. Read once a JVM, with the first answer that is looked at.
 * Immutable from then on.
 */
final class Catalogue {
    private static final class Holder {
        static final Catalogue ALL = load();
    }

    /** A header's value that a rule looks for. */
    static final class HeaderCondition {
        final int rule;
        final String header;
        final String value;

        HeaderCondition(int rule, String header, String value) {
            this.rule = rule;
            this.header = header;
            this.value = value;
        }

        boolean holdsFor(String actual) {
            return value.startsWith("!") ? !Glob.matches(value.substring(1), actual) : Glob.matches(value, actual);
        }
    }

    /** In the order of the file. */
    final List<Rule> rules = new ArrayList<>(256);
    final List<HeaderCondition> headers = new ArrayList<>(32);
    /** What is looked for in pages, by rules and whatever the rules. */
    final Patterns.Builder patterns;
    /** The next pattern of a rule. */
    private int pattern;

    /** Without rules. */
    Catalogue() {
        patterns = new Patterns.Builder();
        Compiled.addSigns(patterns);
        pattern = patterns.count();
    }

    /** With those that the build has prepared. */
    private Catalogue(Prepared in) {
        pattern = in.number();
        String[] places = in.texts();
        String[] keys = in.texts();
        for (int i = 0; i < keys.length; i++) {
            keys[i] = keys[i].intern(); // to be told from others without a look at their letters
        }
        for (int lines = in.number(); lines > 0; lines--) {
            int key = in.number();
            if (key < places.length) {
                words(places[key], in.texts());
            } else {
                take(keys[key - places.length], in.text());
            }
        }
        patterns = new Patterns.Builder(in);
    }

    static Catalogue all() {
        return Holder.ALL;
    }

    /** Without rules if the file cannot be read: then the status alone decides, and no answer comes to harm. */
    private static Catalogue load() {
        try {
            return new Catalogue(Prepared.read("rules.bin"));
        } catch (IOException | RuntimeException e) {
            return new Catalogue();
        }
    }

    /**
     * Adds what a line of the catalogue says, a title as pages have it.
     *
     * @throws IllegalArgumentException if it is not understood
     */
    void take(String key, String value) {
        if (key.equals("rule")) {
            rules.add(new Rule(value));
        } else if (!take(last(), key, value)) {
            throw new IllegalArgumentException(key + " " + value);
        }
    }

    /**
     * Adds what has to stand in a page.
     *
     * @param place  one or several, as the catalogue writes it
     * @param values all of them; {@link #patterns} has them in the order in which they are added here
     */
    void words(String place, String[] values) {
        int[] all = new int[values.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = pattern++;
        }
        last().words(place, all.length == 1 ? values[0] : String.join(" && ", values), all);
    }

    private Rule last() {
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("a rule is due");
        }
        return rules.get(rules.size() - 1);
    }

    private boolean take(Rule rule, String key, String value) {
        switch (key) {
            case "vendor":
                rule.vendor = value;
                return true;
            case "type":
                rule.verdict = Verdict.ofType(value);
                return rule.verdict != null;
            case "kind":
                rule.kind = Rule.Kind.of(value);
                return rule.kind != null;
            case "weight":
                rule.weight = Integer.parseInt(value);
                return true;
            case "alike":
                rule.alike = value;
                return true;
            case "source":
                rule.source = value;
                return true;
            case "only":
                rule.only = value;
                return true;
            case "status":
                return statuses(rule, value);
            case "header":
                int colon = value.indexOf(": ");
                rule.hasHeaders = true;
                return colon > 0 && headers.add(new HeaderCondition(rules.size() - 1, value.substring(0, colon),
                        value.substring(colon + 2)));
            case "address":
                return rule.addresses.add(value);
            case "content":
                rule.content(value);
                return true;
            case "title":
                rule.title(value);
                return true;
            default:
                return rule.bound(key, Integer.parseInt(value));
        }
    }

    private static boolean statuses(Rule rule, String list) {
        for (int from = 0; from < list.length(); ) {
            int comma = list.indexOf(',', from);
            int end = comma < 0 ? list.length() : comma;
            String range = list.substring(from, end).trim();
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            rule.status(first, dash < 0 ? first : Integer.parseInt(range.substring(dash + 1)));
            from = end + 1;
        }
        return true;
    }
}
