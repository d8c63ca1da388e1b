package io.tempolimit.detect;

import java.util.ArrayList;
import java.util.List;

/** A rule of the catalogue; {@code rules.txt} explains what its parts mean. Immutable once {@link Catalogue} has read it. */
final class Rule {
    /** Sorts of evidence. The first four may decide, the strongest first; the others are circumstances. */
    enum Kind {
        WALL, TITLE, WIDGET, PHRASE, STATUS, LITTLE, MUCH, LINKS, ROBOTS, BARE, FORM, GATE, SITE;

        private static final Kind[] ALL = values();

        /** Whether a site's own template brings it to any page, also to a block page that is put into it. */
        boolean ofAnyPage() {
            return this == LINKS || this == FORM || this == SITE;
        }

        /** Null if there is none. {@code valueOf} costs a cold JVM a millisecond. */
        static Kind of(String name) {
            for (Kind kind : ALL) {
                if (kind.name().equalsIgnoreCase(name)) {
                    return kind;
                }
            }
            return null;
        }
    }

    private static final int NONE = Integer.MAX_VALUE;

    final String name;
    String vendor;
    Verdict verdict; // null: a circumstance
    Kind kind;
    int weight;
    String alike;
    /** Whether good pages never have what it looks for; null in a rule that does not decide by itself. */
    String only;
    String source;
    boolean hasHeaders;
    /** Whether status, headers and address are all it looks at. */
    boolean ofHead = true;
    final List<String> addresses = new ArrayList<>(0);

    private final List<int[]> statuses = new ArrayList<>(0);
    private final List<String> titles = new ArrayList<>(0);
    private final List<Clause> clauses = new ArrayList<>(1);
    private String content;
    private int visibleAtMost = NONE;
    private int visibleAtLeast;
    private int scriptsAtMost = NONE;
    private int linksAtMost = NONE;
    private int linksAtLeast;
    private int inputsAtMost = NONE;
    private int inputsAtLeast;
    private int titleAtMost = NONE;
    private int bytesAtMost = NONE;
    private boolean atMost;

    Rule(String name) {
        this.name = name;
    }

    /** What has to be in a place, or in one of several: any of the alternatives, each with all of its patterns. */
    private static final class Clause {
        final String place; // as the catalogue writes it
        final List<int[]> alternatives = new ArrayList<>(4);
        final List<String> words = new ArrayList<>(4);

        Clause(String place) {
            this.place = place;
        }
    }

    void status(int from, int to) {
        statuses.add(new int[] {from, to});
    }

    void content(String kind) {
        content = kind;
        ofHead = false;
    }

    void title(String pattern) {
        titles.add(pattern);
        ofHead = false;
    }

    void words(String place, String words, int[] patterns) {
        ofHead = false;
        Clause clause = null;
        for (Clause c : clauses) {
            clause = c.place.equals(place) ? c : clause;
        }
        if (clause == null) {
            clause = new Clause(place);
            clauses.add(clause);
        }
        clause.alternatives.add(patterns);
        clause.words.add(words);
    }

    /** False where there is no such bound. */
    boolean bound(String key, int n) {
        ofHead = false;
        switch (key) {
            case "visible-at-most":
                visibleAtMost = n;
                break;
            case "visible-at-least":
                visibleAtLeast = n;
                return true;
            case "scripts-at-most":
                scriptsAtMost = n;
                break;
            case "links-at-most":
                linksAtMost = n;
                break;
            case "links-at-least":
                linksAtLeast = n;
                return true;
            case "inputs-at-most":
                inputsAtMost = n;
                break;
            case "inputs-at-least":
                inputsAtLeast = n;
                return true;
            case "title-at-most":
                titleAtMost = n;
                break;
            case "bytes-at-most":
                bytesAtMost = n;
                break;
            default:
                return false;
        }
        atMost = true;
        return true;
    }

    /** Whether it looks for how a vendor builds its block page, and nothing else is built so: then no template excuses. */
    boolean isBuiltAsAWall() {
        if (kind == Kind.WALL && only != null && only.startsWith("yes")) {
            for (Clause clause : clauses) {
                if (clause.place.startsWith("tag") || clause.place.equals("script") || clause.place.equals("comment")) {
                    return true;
                }
            }
        }
        return false;
    }

    boolean holdsFor(int status) {
        for (int i = 0; i < statuses.size(); i++) {
            int[] range = statuses.get(i);
            if (status >= range[0] && status <= range[1]) {
                return true;
            }
        }
        return statuses.isEmpty();
    }

    /** Whether all that it asks of the body holds. */
    boolean holdsFor(Page page) {
        if (atMost && !(page.complete() && page.visibleCharacters() <= visibleAtMost && page.scripts() <= scriptsAtMost
                && page.links() <= linksAtMost
                && page.inputs() <= inputsAtMost && page.bytes() <= bytesAtMost
                && (page.title() == null || page.title().length() <= titleAtMost))
                || page.visibleCharacters() < visibleAtLeast || page.links() < linksAtLeast || page.inputs() < inputsAtLeast
                || content != null && page.html() != content.equals("html")) {
            return false;
        }
        for (int i = 0; i < clauses.size(); i++) {
            if (matching(clauses.get(i), page) == null) {
                return false;
            }
        }
        return titles.isEmpty() || matchingTitle(page) != null;
    }

    private static String matching(Clause clause, Page page) {
        alternatives:
        for (int i = 0; i < clause.alternatives.size(); i++) {
            for (int pattern : clause.alternatives.get(i)) {
                if (!page.has(pattern)) {
                    continue alternatives;
                }
            }
            return clause.words.get(i);
        }
        return null;
    }

    private String matchingTitle(Page page) {
        if (page.title() != null) {
            for (int i = 0; i < titles.size(); i++) {
                if (Glob.matches(titles.get(i), page.title())) {
                    return titles.get(i);
                }
            }
        }
        return null;
    }

    /** Which of its conditions on the body held, in its own words. Only for a page that it holds for. */
    void evidence(Page page, StringBuilder to) {
        for (Clause clause : clauses) {
            append(to, clause.place + ": " + matching(clause, page));
        }
        if (!titles.isEmpty()) {
            append(to, "title: " + matchingTitle(page));
        }
        if (visibleAtMost != NONE && to.length() == 0) {
            append(to, "at most " + count(visibleAtMost, "visible character"));
        }
        if (visibleAtLeast > 0) {
            append(to, "at least " + count(visibleAtLeast, "visible character"));
        }
        if (linksAtLeast > 0) {
            append(to, "at least " + count(linksAtLeast, "link"));
        }
        if (inputsAtLeast > 0) {
            append(to, "at least " + count(inputsAtLeast, "field"));
        }
        if (titleAtMost == 0) {
            append(to, "no title");
        }
    }

    private static String count(int n, String what) {
        return n + " " + what + (n == 1 ? "" : "s");
    }

    static void append(StringBuilder to, String what) {
        to.append(to.length() == 0 ? "" : "; ").append(what);
    }
}
