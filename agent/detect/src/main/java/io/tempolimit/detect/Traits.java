package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What can be said of any small page in any language, as traits that it has or has not: of HTML how it is built and what it
 * speaks of, of JSON, XML and plain text what it says. Each trait is named in plain words.
 */
final class Traits {
    /** Subjects that block pages have in common. Which of them come together in one sentence tells most. */
    private static final String[] TELLING = {"robot", "denied", "many", "guard", "browser", "check", "captcha", "network", "request",
        "number", "wait", "automatic", "human", "you"};
    /** Subjects of a text that speaks to a visitor. */
    private static final String[] ADDRESSING = {"you", "network", "browser", "number", "human", "captcha", "check"};
    private static final String[] TO_A_READER = {"you", "yours", "network", "browser", "human"};
    /** What headings of walls speak of. */
    private static final String[] OF_HEADINGS = {"check", "captcha", "human", "robot", "guard", "many", "refusal"};
    /** What is said of what belongs to the visitor. */
    static final String YOURS = "yours";
    /** Who lacks a right is told that access is denied, and none of these. */
    private static final String[] BEYOND_RIGHTS = {"robot", "many", "guard", "browser", "check", "captcha", "network", "automatic", "human",
        YOURS};
    private static final String[] OF_YOURS = {"denied", "many", "guard", "check", "robot", "automatic", "captcha"};
    /** Who asks for a captcha says one of these, too. */
    private static final String[] OF_CAPTCHAS = {"check", "human", "you", "guard", "robot", "refusal", "brief"};
    /** What walls ask in their titles. */
    private static final String[] ASKED = {"robot", "human", "captcha"};
    /** Data that refuses for this reason is a block with a status for faulty requests, too. */
    static final String LIMIT = "refuses for too many requests";
    /** Of what there are too many, where that is a limit of requests, and not of anything else. */
    private static final String[] OF_LIMITS = {"request", "network", "wait", "robot", "automatic", YOURS};
    /** What is said of robots that are refused, and not of machines. */
    private static final String[] OF_ROBOTS = {"check", "refusal", "brief", "guard", "request", "network", "automatic", YOURS};
    /** Who speaks of these has something else to say. */
    private static final String[] ELSE = {"missing", "maintenance", "account", "fault", "offer", "article", "done"};
    /** What only data has beside them. */
    private static final String[] OF_DATA = {"failure", "fine", "account"};
    /** Not said of the visitor, but of what may come. */
    private static final String CONDITION = "condition";
    private static final String[] REFUSALS = {"denied", "many"};
    private static final String[] REASONS = {"many", "network", "request", "robot", "automatic", "guard"};
    /** A text that says no more than that one is refused has at most so many characters. */
    private static final int REFUSAL = 50;
    /** So many plain numbers are a table: a wall has its status and a few seconds. */
    private static final int FIGURES = 4;
    /** A sentence says so soon whether it is a condition. */
    private static final int FIRST_WORDS = 30;
    /** A text without full stops is cut into pieces of so many bytes. */
    private static final int SENTENCE = 300;
    /** In so many bytes a wall says what it is. */
    private static final int BEGINNING = 300;
    private static final int HEADING = 40;
    /** Characters of a page that says one thing. */
    private static final int ONE_SENTENCE = 80;
    /** Bytes of data that says one thing. */
    private static final int SHORT_DATA = 250;
    /** Before its first sentence a text may have a heading or a call of so many bytes. */
    private static final int CALL = 24;
    private static final String AT_ONCE = "refuses at once";
    /** Who speaks of these has more to say. */
    private static final String[] NOT_BRIEF = {"account", "explained", "article", "done"};
    /** What decides by itself, as no ordinary page is known that says it. */
    static final String BRIEF = "says a wall's few words and no more";
    /** Bytes of a text that a reader takes in at once. */
    private static final int FEW_LINES = 160;
    /** What good pages have rather than blocks; all other traits speak for a block, or for nothing. */
    private static final Set<String> AGAINST = new HashSet<>(Arrays.asList("missing", "maintenance", "account", "fault", "offer", "fine",
            "article", "begins as an article", "done", "nothing telling", "some text", "a few lines of text", "more than a few lines",
            "a long text", "no document", "no sentence of walls", "several scripts", "condition", "a table of figures",
            "several links", "many links", "several fields", "a captcha beside fields", "a form to fill in", "a site's own data",
            "a script that leads on", "an error's status", "a navigation or an article", "speaks to nobody", "subjects that never meet"));

    private final Words words;
    private final Page page;
    /** What it says, as words are looked for in it. */
    private final byte[] text;
    /** What its title speaks of. */
    private final long title;
    private final List<String> names = new ArrayList<>(32);
    private final Numbers numbers;

    private Traits(Words words, Page page) {
        this.words = words;
        this.page = page;
        this.title = words.in(page.title());
        this.text = page.html() ? withTitle() : Data.isStructured(page.whole()) ? Data.plain(page.whole()) : Data.text(page.whole());
        this.numbers = new Numbers(page.whole());
    }

    /** Whether a trait can only speak against a block: alone, in a title, or in a pair. */
    static boolean speaksAgainst(String trait) {
        String name = trait.startsWith("title: ") ? trait.substring(7) : trait;
        int plus = name.indexOf('+');
        return AGAINST.contains(name) || plus > 0 && AGAINST.contains(name.substring(plus + 1));
    }

    /** The traits of a page whose text is whole; none, if it cannot be a block. {@code scores}: the catalogue's rules that hold for it. */
    static List<String> of(Words words, Compiled compiled, Page page, int status, List<Score> scores) {
        Traits t = new Traits(words, page);
        t.has(status == 503, "status 503");
        t.has(status == 202, "status 202");
        if (page.html()) {
            long heading = words.in(t.beginning(HEADING));
            long beginning = words.in(t.beginning(BEGINNING));
            if (t.explains(heading) || t.lacksARight() || page.visibleCharacters() > Learned.FEW_LINES && !t.mayBeLong(beginning)) {
                return Collections.emptyList();
            }
            t.size();
            t.byRules(scores);
            t.scripts(compiled);
            t.subjects(beginning, "");
            if (!t.isOfASite()) { // it may be called anything
                t.subjects(t.title, "title: ");
            }
            t.has(Questions.asksForBoth(t.text), "asks for scripts and cookies");
            t.has(t.holds(heading, "article"), "begins as an article");
            t.sentences();
        } else if (Data.isStructured(page.whole())) {
            long all = words.in(t.text);
            t.has(page.bytes() <= SHORT_DATA && t.holds(all, "brief")
                    && !t.holds(all, NOT_BRIEF) && !t.holds(all, "fine"), BRIEF);
            if (!t.holds(all, "failure") || !t.isWallOfData(all) && t.names.isEmpty()) {
                return Collections.emptyList(); // data that tells of no failure, or of another one, may speak of anything
            }
            t.lines(status);
            t.subjects(all, "");
            t.together(all);
            boolean pure = !t.holds(all, ELSE) && !t.holds(all, "fine");
            t.has(pure, "what walls say and nothing else");
            t.has(pure && t.holds(all, "refusal") && t.names.contains("many+request"), LIMIT);
        } else {
            if (t.explains(words.in(t.beginning(BEGINNING))) || Data.isRecord(page.whole())) {
                return Collections.emptyList();
            }
            t.lines(status);
            t.subjects(words.in(t.text), "");
            t.sentences();
            if (!t.names.contains(AT_ONCE)) {
                return Collections.emptyList(); // it has something else to say first
            }
        }
        t.has(t.numbers.addresses > 0, "an IP address");
        t.has(t.numbers.number, "a long number");
        t.has(t.numbers.addresses > 0 && t.numbers.number, "an IP address and a number");
        return t.names;
    }

    /** Whether a page says at once that it explains something, or answers a question: it may quote any wall. */
    private boolean explains(long heading) {
        return holds(title | heading, "explained") || Questions.showsMarkup(text)
                || Questions.asks(page.html() ? page.title() : firstLine()) && !holds(page.html() ? title : words.in(firstLine()), ASKED);
    }

    /** Whether a page says no more than that you may not: that is no wall, and a wall that says so cannot be told from it. */
    private boolean lacksARight() {
        long all = words.in(text) | title;
        return holds(all, "denied") && holds(all, "you") && !holds(all, BEYOND_RIGHTS);
    }

    /** What stands for a title in a text. */
    private String firstLine() {
        String all = new String(text, StandardCharsets.UTF_8);
        return all.substring(0, all.indexOf('\n') < 0 ? all.length() : all.indexOf('\n'));
    }

    /** What an HTML page says. One that says next to nothing may refuse those without scripts. */
    private byte[] said() {
        byte[] whole = page.whole();
        if (page.visibleCharacters() > REFUSAL || page.links() > 1 || page.site() || page.aside().length <= 2) {
            return whole;
        }
        byte[] aside = new String(page.aside(), StandardCharsets.UTF_8).toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        return words.isWall(words.in(aside)) ? Questions.joined(whole, aside) : whole;
    }

    /** A wall may say in its title alone what it is, so there the title is its first sentence. */
    private byte[] withTitle() {
        byte[] said = said();
        boolean refuses = holds(title, "refusal") || words.isWall(title) || isWallInTitle();
        if (page.visibleCharacters() > REFUSAL || page.links() > 3 || page.site() || !refuses || !holds(title, REASONS)) {
            return said;
        }
        return Questions.joined((' ' + page.title() + ' ').getBytes(StandardCharsets.UTF_8), said);
    }

    /** Whether a long text may be a wall's: its title or its first lines refuse. */
    private boolean mayBeLong(long beginning) {
        return holds(title, "refusal") || words.isWall(title) || isWallInTitle() || holds(beginning, "refusal") && words.isWall(beginning);
    }

    /** What is said first. */
    private byte[] beginning(int bytes) {
        return text.length <= bytes ? text : Arrays.copyOf(text, bytes);
    }

    /** How much is said in data or a text. */
    private void lines(int status) {
        has(status >= 400, "an error's status");
        has(page.bytes() <= 120, "a line");
        has(page.bytes() > 400, "more than a few lines");
    }

    private void has(boolean holds, String name) {
        if (holds) {
            names.add(name);
        }
    }

    private void size() {
        int n = page.visibleCharacters();
        has(n == 0, "no text");
        has(n > 150, "some text");
        has(n > 300, "a few lines of text");
        has(n > 600, "more than a few lines");
        has(n > Learned.FEW_LINES, "a long text");
        has(page.title() == null || page.title().isEmpty(), "no title");
        has(page.fragment(), "no document");
        has(page.scripts() > 2, "several scripts");
        has(page.links() == 0, "no link");
        has(page.links() > 1, "several links");
        has(page.links() > 3, "many links");
        has(page.inputs() > 1, "several fields");
        has(n > 0 && page.title() != null && n <= page.title().length() + 8, "nothing but its title");
        has(page.site(), "a navigation or an article");
    }

    private void byRules(List<Score> scores) {
        boolean widget = false;
        boolean picture = false;
        boolean title = false;
        boolean phrase = false;
        for (Score s : scores) {
            if (s.ignored()) {
                continue;
            }
            switch (s.rule.kind) {
                case WIDGET:
                    widget |= s.weight() >= 20;
                    picture |= s.weight() < 20;
                    break;
                case TITLE:
                    title |= s.weight() > 10;
                    break;
                case PHRASE:
                    phrase = true;
                    break;
                case FORM:
                    has(true, "a form to fill in");
                    break;
                case SITE:
                    has(true, "a site's own data");
                    break;
                case ROBOTS:
                    has(true, "hidden from search");
                    break;
                default:
            }
        }
        has(widget, "a captcha's script");
        has(picture, "a captcha's picture");
        has(widget && page.inputs() > 0, "a captcha beside fields");
        has(title, "a title of walls");
        has(phrase, "a sentence of walls");
        has(widget && page.inputs() == 0, "a captcha and nothing to fill in");
    }

    private void scripts(Compiled compiled) {
        boolean cookie = compiled.does(page, Compiled.COOKIE);
        boolean reload = compiled.does(page, Compiled.RELOAD);
        boolean leads = reload || compiled.does(page, Compiled.LEADS);
        boolean little = page.visibleCharacters() <= 400 && page.links() < 2;
        has(cookie && leads && little, "a script that sets a cookie and loads a page");
        has(reload && little, "a script that loads the page again");
        has(reload && page.visibleCharacters() <= 20 && page.links() == 0 && !page.has(Compiled.STYLESHEET),
                "nothing but a script that loads the page again");
        has(leads && !reload && little, "a script that leads on");
        has(compiled.does(page, Compiled.COMPUTES) && page.links() < 4, "a script that computes");
        boolean hides = compiled.does(page, Compiled.HIDES);
        has(hides && little, "a script that hides what it does");
        has(hides && page.visibleCharacters() <= 20 && page.links() == 0 && page.inputs() == 0 && page.scripts() <= 2
                && !page.has(Compiled.STYLESHEET), "nothing but a script that hides what it does");
        has(compiled.does(page, Compiled.NAMES_A_GUARD), "names of guards in its tags");
        boolean place = compiled.does(page, Compiled.PLACES_A_CAPTCHA);
        has(place, "a captcha's place");
        has(place && page.inputs() == 0 && page.links() <= 3 && page.visibleCharacters() <= 300 && !page.site()
                && !names.contains("a form to fill in") && !names.contains("a site's own data"),
                "a captcha's place and nothing to fill in");
        has(page.has(Compiled.REFRESHES), "leads on by itself");
        boolean bare = place && page.links() == 0 && page.inputs() <= 1 && page.visibleCharacters() <= 100 && !page.site();
        has(bare, "nothing but a captcha's place");
        has(place && holds(title, "check", "captcha", "human", "robot", "guard"), "a captcha's place under a title of checks");
        has(cookie && reload && little && page.links() == 0 && page.inputs() == 0, "nothing but a cookie and the page again");
        has(compiled.does(page, Compiled.COMPUTES) && page.links() < 4 && holds(words.in(beginning(BEGINNING)), "wait", "check"),
                "a script that computes while one waits");
    }

    private void subjects(long found, String where) {
        for (int i = 0; i < words.names.size(); i++) {
            if ((found & 1L << i) != 0) {
                names.add(where + words.names.get(i));
            }
        }
        int telling = telling(found);
        has(telling == 0, where + "nothing telling");
        has(telling >= 2, where + "two telling subjects");
        has(telling >= 3, where + "three telling subjects");
        has(telling >= 5, where + "five telling subjects");
    }

    private int telling(long found) {
        return Long.bitCount(found & words.bits(TELLING));
    }

    /** What each sentence speaks of. */
    private void sentences() {
        long fullest = 0;
        int from = 0;
        long all = 0;
        boolean wall = false;
        boolean clean = false;
        boolean asked = false;
        boolean first = true;
        boolean atOnce = false;
        boolean visitors = false;
        for (int i = 1; i <= text.length; i++) {
            if (i == text.length || i - from >= SENTENCE && text[i] == ' ' || ends(i)) {
                long found = speaksOf(Arrays.copyOfRange(text, from, i));
                fullest = telling(found) > telling(fullest) ? found : fullest;
                all |= found;
                boolean speaks = words.isWall(found) && !(holds(found, REFUSALS) && (isCondition(from, i) || text[i - 1] == '?'));
                wall |= speaks;
                clean |= speaks && !holds(found, ELSE);
                asked |= speaks && holds(found, ASKED) && holds(found, "check", "human");
                atOnce |= first && !(holds(found, REFUSALS) && isCondition(from, i)) && isRefusal(found);
                visitors |= first && refusesVisitors(found);
                first &= i - from <= CALL;
                if (i - from <= ONE_SENTENCE || !page.html() || holds(found, TO_A_READER)) {
                    together(found);
                }
                from = i;
            }
        }
        boolean figures = numbers.figures >= FIGURES || numbers.addresses > 1;
        has(figures, "a table of figures");
        boolean fewer = !figures && isOnItsOwn() && (page.inputs() <= 1 || holds(all | title, "captcha"));
        boolean pure = fewer && !holds(all | title & ~words.bits("maintenance"), ELSE);
        has(pure && holds(all, "refusal") && page.visibleCharacters() <= REFUSAL, "nothing but a refusal");
        briefly(pure, all | title);
        if (!page.html()) {
            inText(atOnce && pure, visitors);
        }
        has(wall, "a sentence of walls in any language");
        has(!wall && page.visibleCharacters() > 60, "no sentence of walls");
        has(clean, "a clean sentence of walls");
        has(clean && fewer && !holds(all | title, "article", "offer"), "a clean sentence of walls and few links");
        has(pure && holds(title | words.in(beginning(HEADING)), "refusal"), "a refusal in its heading and nothing else");
        has(pure && holds(all, "refusal") && holds(all | title, "guard", "network", "number"), "a refusal with reasons");
        has(wall && pure, "a sentence of walls and nothing else");
        titles(pure, fewer && holds(title, "refusal"), asked);
        has(pure && holds(all, "captcha") && holds(all | title, OF_CAPTCHAS) && page.links() == 0
                && page.inputs() <= 2 && page.visibleCharacters() <= REFUSAL * 3, "a captcha's question and nothing else");
        has(pure && holds(title, "wait", "check") && page.links() <= 1 && page.visibleCharacters() <= 2 * BEGINNING
                && (names.contains("a script that computes") || names.contains("a script that loads the page again")
                        || holds(all, "number")), "a title that says wait, and signs of a check");
        has(page.visibleCharacters() > 60 && !holds(all, ADDRESSING), "speaks to nobody");
        alone(pure, fullest, all);
        int most = telling(fullest);
        has(most < 3 && telling(all) > 3, "subjects that never meet");
        has(most >= 2, "a sentence of two telling subjects");
        has(most >= 3, "a sentence of three telling subjects");
        has(most >= 4, "a sentence of four telling subjects");
        has(most >= 5, "a sentence of five telling subjects");
    }

    /** Whether nothing of a site is around what it says. */
    private boolean isOnItsOwn() {
        return page.links() <= 3 && !isOfASite() && !names.contains("a form to fill in") && !names.contains("a captcha beside fields");
    }

    private boolean isOfASite() {
        return page.site() || names.contains("a site's own data");
    }

    /** What a text says at its beginning that says nothing else. */
    private void inText(boolean atOnce, boolean visitors) {
        has(atOnce || names.contains(BRIEF), AT_ONCE);
        has(atOnce && visitors, "refuses visitors at once");
        has(atOnce && visitors && page.visibleCharacters() <= REFUSAL, "refuses visitors and says no more");
        has(atOnce && page.bytes() <= FEW_LINES, "a few lines that refuse and say nothing else");
    }

    /** What a page says in one sentence. */
    private void briefly(boolean pure, long said) {
        boolean shortly = page.visibleCharacters() <= ONE_SENTENCE && page.links() <= 1;
        has(shortly && page.inputs() == 0 && holds(said, "brief") && !holds(said, NOT_BRIEF), BRIEF);
        has(shortly && pure && holds(said, "refusal") && holds(said, "number"), "refuses, gives a number and says no more");
    }

    /** What a short page speaks of that speaks to its reader and has nothing else to say. */
    private void alone(boolean pure, long fullest, long said) {
        boolean shortly = pure && page.visibleCharacters() <= BEGINNING && page.links() <= 2 && holds(fullest | title, TO_A_READER)
                && holds(title | words.in(beginning(HEADING)), OF_HEADINGS);
        int telling = telling(fullest | title);
        has(shortly && telling >= 3, "a few words about three telling subjects alone");
        has(shortly && telling >= 4, "a few words about four telling subjects alone");
        has(pure && page.visibleCharacters() <= BEGINNING && page.links() <= 1 && holds(title, "wait", "check", "guard")
                && holds(said, "number") && holds(said, "network"), "a title that says wait above an address and a number");
    }

    private void titles(boolean pure, boolean refused, boolean asked) {
        boolean walled = (words.isWall(title) || isWallInTitle()) && !isOfASite();
        has(walled, "a title of walls in any language");
        has(walled && pure, "a title of walls and nothing else");
        has(refused && words.isWall(title) && holds(title, REASONS), "a title that refuses its visitor");
        has(refused && asked, "a refusal in its title and a check below");
    }

    /** The subjects of a sentence. One that shows an address speaks of it. */
    private long speaksOf(byte[] sentence) {
        long found = words.in(sentence);
        return numbers.addresses > 0 && new Numbers(sentence).addresses > 0 ? found | words.bits("network") : found;
    }

    /** Whether what is said in so few words as to be all may be a refusal. */
    private boolean isRefusal(long found) {
        return holds(found, "refusal") && page.visibleCharacters() <= REFUSAL && telling(found) <= 2 || refusesVisitors(found);
    }

    private boolean refusesVisitors(long found) {
        return holds(found, "many") && holds(found, "request")
                || words.isWall(found) && holds(found, "denied", "many", "check", "captcha", "guard")
                && holds(found, "you", YOURS, "request", "automatic", "browser", "captcha", "network");
    }

    /** Too many are refused of anything, a captcha may be asked for or not, a robot may be denied anything: what is meant is named. */
    private boolean isWallOfData(long found) {
        return words.isWall(found & ~words.bits("robot")) || holds(found, "many") && holds(found, OF_LIMITS)
                || holds(found, "captcha") && holds(found, "check", "human") || holds(found, "robot") && holds(found, OF_ROBOTS);
    }

    /** A title is short: fewer subjects tell. */
    private boolean isWallInTitle() {
        return holds(title, "human") || holds(title, "robot") && holds(title, "check", "you")
                || holds(title, "many") && holds(title, "request");
    }

    /** Whether a sentence begins with a condition: what would be refused if. */
    private boolean isCondition(int from, int to) {
        return holds(words.in(Arrays.copyOfRange(text, from, Math.min(to, from + FIRST_WORDS))), CONDITION);
    }

    /** Whether a sentence ends before what stands at {@code i}: a line's end, full stops of the West, of the Far East, and of India. */
    private boolean ends(int i) {
        byte before = text[i - 1];
        if (text[i] == ' ') {
            return before == '.' || before == '!' || before == '?';
        }
        return text[i] == '\n' || i >= 3 && (before == (byte) 0x82 && text[i - 2] == (byte) 0x80 && text[i - 3] == (byte) 0xe3
                || before == (byte) 0xa4 && text[i - 2] == (byte) 0xa5 && text[i - 3] == (byte) 0xe0);
    }

    /** Pairs of subjects that are found together. */
    private void together(long found) {
        for (int i = 0; i < TELLING.length; i++) {
            for (int j = i + 1; j < TELLING.length; j++) {
                pair(found, TELLING[i], TELLING[j]);
            }
            for (int j = 0; !page.html() && j < OF_DATA.length; j++) {
                pair(found, TELLING[i], OF_DATA[j]);
            }
        }
        for (int i = 0; holds(found, YOURS) && i < OF_YOURS.length; i++) {
            pair(found, YOURS, OF_YOURS[i]);
        }
    }

    private void pair(long found, String one, String other) {
        if (holds(found, one) && holds(found, other)) {
            String name = one + '+' + other;
            has(!names.contains(name), name);
        }
    }

    /** Whether one of these subjects is found. */
    private boolean holds(long found, String... subjects) {
        return (found & words.bits(subjects)) != 0;
    }
}
