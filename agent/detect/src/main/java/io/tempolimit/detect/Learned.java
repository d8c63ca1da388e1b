package io.tempolimit.detect;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges small pages that no rule knows by the sum of what their {@link Traits} weigh. The weights are those of a logistic
 * regression on pages of our own ({@code benchmarks.jar learn}). Read once a JVM, with the first such page, as {@link Preparation} has
 * made it ready. Immutable.
 */
final class Learned {
    /** What findings and {@code detect.ignore} call it. */
    static final String NAME = "learned";
    /** Pages with more text than this are none of its. */
    static final int MOST_TEXT = 3000;
    /** The same in bytes, of which letters outside the West have two or three. */
    static final int MOST_BYTES = 3072;
    /** Pages with more have to say at once that they refuse, and may have nothing of a site around it. */
    static final int FEW_LINES = 1000;
    static final int MOST_DATA = 1000;
    /** So many reasons are told. */
    private static final int REASONS = 4;
    static final String THRESHOLD = "threshold";

    private static final class Holder {
        static final Learned ALL = load();
    }

    final Words words;
    /** By kind the weights of its traits; {@link #THRESHOLD} is what makes a block. */
    private final Map<String, Map<String, Integer>> weights = new HashMap<>();

    private Learned(Words words) {
        this.words = words;
    }

    /** Judges nothing if the file cannot be read. */
    private static Learned load() {
        try {
            return new Learned(Prepared.read("words.bin"));
        } catch (IOException | RuntimeException e) {
            Strings none = new Strings(new Strings.Builder());
            return new Learned(new Words(new String[0], new String[0], none, none));
        }
    }

    private Learned(Prepared in) {
        this(new Words(in.texts(), in.texts(), new Strings(new Strings.Builder(in)), new Strings(new Strings.Builder(in))));
        for (String kind : in.texts()) {
            String[] traits = in.texts();
            int[] hundredths = in.numbers(traits.length);
            Map<String, Integer> its = new HashMap<>(traits.length * 2);
            for (int i = 0; i < traits.length; i++) {
                its.put(traits[i], (int) (short) hundredths[i]);
            }
            weights.put(kind, its);
        }
    }

    static Learned all() {
        return Holder.ALL;
    }

    /** Whether it may say anything of a page. */
    static boolean mayJudge(Page page) {
        return page.complete() && page.whole() != null && page.bytes() > 0 && !quotes(page.title()) && !page.row()
                && (page.html() ? page.visibleCharacters() <= FEW_LINES && page.links() <= 10
                        || page.visibleCharacters() <= MOST_TEXT && page.links() <= 3 && !page.site()
                        : page.bytes() <= MOST_DATA);
    }

    /** Whether a title quotes somebody: a page about walls does, and no wall. */
    private static boolean quotes(String title) {
        return title != null && (title.indexOf('"') >= 0 || title.indexOf('«') >= 0 || title.indexOf('「') >= 0 || title.indexOf('„') >= 0);
    }

    /** The kinds of pages, which have weights of their own: HTML, JSON or XML, and plain text. */
    static String kind(Page page) {
        return page.html() ? "html" : Data.isStructured(page.whole()) ? "data" : "text";
    }

    /** What the traits weigh, in hundredths. */
    int weight(String kind, List<String> traits) {
        Map<String, Integer> its = weights.getOrDefault(kind, Collections.emptyMap());
        int sum = 0;
        for (String trait : traits) {
            sum += its.getOrDefault(trait, 0);
        }
        return sum;
    }

    /** Whether so much makes a block. */
    boolean isBlock(String kind, int weight) {
        Map<String, Integer> its = weights.get(kind);
        return its != null && its.containsKey(THRESHOLD) && weight >= its.get(THRESHOLD);
    }

    /** Why: the traits that weigh most, in plain words. */
    String evidence(String kind, List<String> traits) {
        Map<String, Integer> its = weights.getOrDefault(kind, Collections.emptyMap());
        List<String> sorted = new ArrayList<>(traits);
        sorted.sort((a, b) -> its.getOrDefault(b, 0) - its.getOrDefault(a, 0));
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < Math.min(REASONS, sorted.size()) && its.getOrDefault(sorted.get(i), 0) > 0; i++) {
            s.append(s.length() == 0 ? "" : ", ").append(meaning(sorted.get(i)));
        }
        return s.toString();
    }

    /** A trait in plain words. */
    private String meaning(String trait) {
        boolean title = trait.startsWith("title: ");
        String name = title ? trait.substring(7) : trait;
        int i = words.names.indexOf(name);
        int plus = name.indexOf('+');
        String meaning = i >= 0 ? "speaks of " + words.meanings.get(i)
                : plus > 0 ? "speaks of " + words.meanings.get(words.names.indexOf(name.substring(0, plus))) + " and of "
                        + words.meanings.get(words.names.indexOf(name.substring(plus + 1))) : name;
        return title ? "title " + meaning : meaning;
    }

    /** What sort of block it is. */
    static Verdict verdict(List<String> traits) {
        return traits.contains("captcha") || traits.contains("a captcha's script") || traits.contains("a captcha's picture")
                || traits.contains("title: captcha")
                ? Verdict.CAPTCHA
                : traits.contains("many") && !traits.contains("check") && !traits.contains("robot") ? Verdict.RATE_LIMITED
                        : Verdict.BOT_WALL;
    }
}
