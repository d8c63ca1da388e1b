package io.tempolimit.detect;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The rules of {@code rules.txt} beside this class; read once a JVM, with the first answer that is looked at. Immutable. */
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
    final List<Rule> rules = new ArrayList<>(160);
    final List<HeaderCondition> headers = new ArrayList<>(32);
    /** Patterns and their places, by their ids. */
    final List<String> patterns = new ArrayList<>(400);
    final List<Place[]> places = new ArrayList<>(400);

    /** The last key that was a list of places, for lines of one key stand together. */
    private String placesKey;
    private Place[] placesOfKey;
    private Catalogue() { }

    static Catalogue all() {
        return Holder.ALL;
    }

    /** Without rules if the file cannot be read: then the status alone decides, and no answer comes to harm. */
    private static Catalogue load() {
        try {
            InputStream in = Catalogue.class.getResourceAsStream("rules.txt");
            if (in != null) {
                try {
                    return parse(text(in));
                } finally {
                    in.close();
                }
            }
        } catch (IOException | RuntimeException e) {
            // as said above
        }
        return new Catalogue();
    }

    private static String text(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(40_960);
        byte[] buffer = new byte[8192];
        for (int n; (n = in.read(buffer)) >= 0; ) {
            out.write(buffer, 0, n);
        }
        return new String(out.toByteArray(), StandardCharsets.ISO_8859_1);
    }

    /**
     * Reads a catalogue.
     *
     * @param file the bytes of UTF-8 as characters: strings of one byte a character are read in half the time, and few lines have others
     * @throws IllegalArgumentException for a line that is not understood, with its number
     */
    static Catalogue parse(String file) {
        Catalogue catalogue = new Catalogue();
        Rule rule = null;
        int line = 0;
        String lastKey = "rule";
        for (int from = 0; from < file.length(); ) {
            int end = file.indexOf('\n', from);
            end = end < 0 ? file.length() : end;
            line++;
            if (end > from && file.charAt(from) != '#') {
                int blank = file.indexOf(' ', from);
                if (blank < 0 || blank > end) {
                    throw new IllegalArgumentException("line " + line + ": a key, a blank and a value are due");
                }
                String key = file.startsWith(lastKey, from) && file.charAt(from + lastKey.length()) == ' ' ? lastKey
                        : file.substring(from, blank);
                String value = characters(file.substring(blank + 1, end));
                lastKey = key;
                if (key.equals("rule")) {
                    rule = new Rule(value);
                    catalogue.rules.add(rule);
                } else if (rule == null || !catalogue.take(rule, key, value)) {
                    throw new IllegalArgumentException("line " + line + ": " + key + " " + value);
                }
            }
            from = end + 1;
        }
        return catalogue;
    }

    private static String characters(String bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            if (bytes.charAt(i) > 0x7f) {
                return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
            }
        }
        return bytes;
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
                rule.title(Patterns.normalised(value, true));
                return true;
            default:
                Place[] where = key.equals(placesKey) ? placesOfKey : places(key);
                placesKey = key;
                placesOfKey = where;
                return where != null ? words(rule, key, where, value) : rule.bound(key, Integer.parseInt(value));
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

    /** The places that a key names, with commas between them; null if it names none. */
    private static Place[] places(String key) {
        List<Place> places = new ArrayList<>(2);
        for (int from = 0; from <= key.length(); ) {
            int comma = key.indexOf(',', from);
            int end = comma < 0 ? key.length() : comma;
            int before = places.size();
            for (Place place : Place.values()) {
                if (place.name().length() == end - from && place.name().regionMatches(true, 0, key, from, end - from)) {
                    places.add(place);
                }
            }
            if (places.size() == before) {
                return null;
            }
            from = end + 1;
        }
        return places.toArray(new Place[0]);
    }

    private boolean words(Rule rule, String key, Place[] where, String value) {
        int and = value.indexOf(" && ");
        if (and < 0) {
            rule.words(key, value, new int[] {id(where, value)});
            return true;
        }
        int count = 1;
        for (int at = and; at >= 0; at = value.indexOf(" && ", at + 1)) {
            count++;
        }
        int[] all = new int[count];
        int from = 0;
        for (int i = 0; i < count; i++) {
            and = value.indexOf(" && ", from);
            int end = and < 0 ? value.length() : and;
            all[i] = id(where, value.substring(from, end));
            from = end + 4;
        }
        rule.words(key, value, all);
        return true;
    }

    private int id(Place[] where, String pattern) {
        patterns.add(pattern);
        places.add(where);
        return patterns.size() - 1;
    }
}
