package io.tempolimit.detect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What can be said of any small page in any language, as traits that it has or has not: of HTML how it is built and what it
 * speaks of, of JSON, XML and plain text what it speaks of. Each trait is named in plain words.
 */
final class Traits {
    /** Subjects that block pages have in common; three of them together are rare elsewhere. */
    private static final String[] TELLING = {"robot", "denied", "many", "guard", "browser", "check", "captcha", "network", "request",
            "number"};
    private static final String[][] PAIRS = {
        {"check", "robot"}, {"check", "browser"}, {"check", "wait"}, {"check", "network"}, {"denied", "request"}, {"denied", "network"},
        {"denied", "guard"}, {"denied", "number"}, {"many", "request"}, {"many", "network"}, {"many", "wait"}, {"guard", "number"},
        {"guard", "request"}, {"guard", "robot"}, {"captcha", "wait"}, {"captcha", "robot"}, {"robot", "request"}, {"browser", "wait"},
        {"request", "wait"}, {"network", "number"}, {"denied", "account"}, {"request", "account"}, {"failure", "many"}, {"you", "denied"},
                {"you", "many"}, {"you", "browser"}, {"you", "network"}, {"you", "robot"}, {"you", "check"},
        {"failure", "captcha"}, {"failure", "denied"}, {"failure", "robot"}, {"automatic", "denied"}, {"automatic", "many"}, {"automatic",
                "browser"}, {"automatic", "request"}, {"automatic", "check"}, {"automatic", "wait"}, {"fine", "many"}, {"fine", "captcha"}};

    private static final int BEGINNING = 400;

    private final Words words;
    private final Page page;
    private final List<String> names = new ArrayList<>(32);

    private Traits(Words words, Page page) {
        this.words = words;
        this.page = page;
    }

    /** The traits of a page whose text is whole. {@code scores}: the catalogue's rules that hold for it. */
    static List<String> of(Words words, Compiled compiled, Page page, int status, List<Score> scores) {
        Traits t = new Traits(words, page);
        t.has(status == 503, "status 503");
        t.has(status == 202, "status 202");
        if (page.html()) {
            t.size();
            t.byRules(scores);
            t.scripts(compiled);
            t.subjects(words.in(t.beginning()), "");
            t.subjects(words.in(page.title()), "title: ");
        } else {
            t.has(status >= 400, "an error's status");
            t.has(page.bytes() <= 120, "a line");
            t.has(page.bytes() > 400, "more than a few lines");
            t.subjects(words.in(page.whole()), "");
        }
        t.numbers();
        return t.names;
    }

    /** Where a wall says what it is. */
    private byte[] beginning() {
        byte[] whole = page.whole();
        return whole.length <= BEGINNING ? whole : Arrays.copyOf(whole, BEGINNING);
    }

    private void has(boolean holds, String name) {
        if (holds) {
            names.add(name);
        }
    }

    private void size() {
        int n = page.visibleCharacters();
        has(n == 0, "no text");
        has(n > 0 && n <= 60, "next to no text");
        has(n > 60, "little text");
        has(page.title() == null || page.title().isEmpty(), "no title");
        has(page.fragment(), "no document");
        has(page.scripts() == 0, "no script");
        has(page.scripts() > 0, "a script and little text");
        has(page.scripts() > 2, "several scripts");
        has(page.links() == 0, "no link");
        has(page.links() > 2, "several links");
        has(page.inputs() == 1, "one field");
        has(page.inputs() > 1, "several fields");
        has(page.embedded() > 0, "images or forms");
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
        has(leads && !reload && little, "a script that leads on");
        has(compiled.does(page, Compiled.COMPUTES) && little, "a script that computes");
        has(compiled.does(page, Compiled.HIDES) && little, "a script that hides what it does");
        has(page.has(compiled.refresh), "leads on by itself");
    }

    private void subjects(long found, String where) {
        int telling = 0;
        for (int i = 0; i < words.names.size(); i++) {
            if ((found & 1L << i) != 0) {
                names.add(where + words.names.get(i));
            }
        }
        for (String name : TELLING) {
            telling += holds(found, name) ? 1 : 0;
        }
        has(telling == 0, where + "nothing telling");
        has(telling >= 2, where + "two telling subjects");
        has(telling >= 3, where + "three telling subjects");
        has(telling >= 4, where + "four telling subjects");
        has(telling >= 6, where + "six telling subjects");
        for (String[] pair : PAIRS) {
            has(where.isEmpty() && holds(found, pair[0]) && holds(found, pair[1]), pair[0] + "+" + pair[1]);
        }
    }

    private boolean holds(long found, String name) {
        int i = words.names.indexOf(name);
        return i >= 0 && (found & 1L << i) != 0;
    }

    /** Addresses, and numbers of incidents. */
    private void numbers() {
        byte[] b = page.whole();
        boolean address = false;
        boolean number = false;
        int digits = 0;
        int dots = 0;
        int length = 0;
        boolean other = false;
        int first = 0; // of an address, to pass over those that a visitor of a site cannot have
        int second = 0;
        for (byte c : b) {
            boolean digit = c >= '0' && c <= '9';
            boolean hex = (c | 32) >= 'a' && (c | 32) <= 'f';
            if (digit || hex || c == '-' || c == '.' || c == '_') {
                digits += digit ? 1 : 0;
                dots += c == '.' ? 1 : 0;
                first = digit && dots == 0 ? first * 10 + c - '0' : first;
                second = digit && dots == 1 ? second * 10 + c - '0' : second;
                other |= !digit && c != '.';
                length++;
            } else if (c >= 0 && Character.isLetter(c)) { // no number
                digits = -100;
                length++;
            } else {
                address |= !other && dots == 3 && digits >= 4 && first != 10 && first != 127 && !(first == 192 && second == 168);
                number |= digits >= 3 && length >= 6 && dots != 3;
                digits = 0;
                dots = 0;
                first = 0;
                second = 0;
                length = 0;
                other = false;
            }
        }
        has(address, "an IP address");
        has(number, "a long number");
        has(address && number, "an IP address and a number");
    }
}
