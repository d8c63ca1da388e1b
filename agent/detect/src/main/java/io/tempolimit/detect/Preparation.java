package io.tempolimit.detect;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes the catalogue and the words ready for {@link Prepared}. To read the texts would take each program with a request a tenth of a
 * second. Run by this module's build with the folder of the texts and the folder to write to; no part of the agent's jar.
 */
final class Preparation {
    private Preparation() {
    }

    public static void main(String[] arguments) throws IOException {
        Path from = Paths.get(arguments[0]);
        Path to = Paths.get(arguments[1]);
        try (DataOutputStream out = out(to.resolve("rules.bin"))) {
            rules(lines(from.resolve("rules.txt")), out);
        }
        try (DataOutputStream out = out(to.resolve("words.bin"))) {
            words(lines(from.resolve("words.txt")), out);
            weights(lines(from.resolve("weights.txt")), out);
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.UTF_8);
    }

    private static DataOutputStream out(Path file) throws IOException {
        return new DataOutputStream(Files.newOutputStream(file));
    }

    /**
     * The catalogue.
     *
     * @throws IllegalArgumentException for a line that is not understood, with its number
     */
    static void rules(List<String> lines, DataOutputStream out) throws IOException {
        Catalogue catalogue = new Catalogue();
        Prepared.write(out, catalogue.patterns.count());
        Map<String, Place[]> places = new LinkedHashMap<>();
        Map<String, Place[]> keys = new LinkedHashMap<>();
        List<Line> read = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i);
            if (!text.isEmpty() && !text.startsWith("#")) {
                Line line = new Line(text);
                try {
                    line.addTo(catalogue);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + (i + 1) + ": " + text, e);
                }
                (line.places == null ? keys : places).put(line.key, line.places);
                read.add(line);
            }
        }
        List<String> all = new ArrayList<>(places.keySet());
        all.addAll(keys.keySet());
        Prepared.write(out, places.keySet().toArray(new String[0]));
        Prepared.write(out, keys.keySet().toArray(new String[0]));
        Prepared.write(out, read.size());
        for (Line line : read) {
            Prepared.write(out, all.indexOf(line.key));
            if (line.places != null) {
                Prepared.write(out, line.values);
            } else {
                Prepared.write(out, line.values[0]);
            }
        }
        catalogue.patterns.writeTo(out);
    }

    /** A line of the catalogue: a key, one blank, and a value. */
    private static final class Line {
        final String key;
        /** What the key names, if it is a list of places; else null. */
        final Place[] places;
        final String[] values;

        Line(String text) {
            int blank = text.indexOf(' ');
            key = text.substring(0, Math.max(blank, 0));
            places = places(key);
            String value = text.substring(blank + 1);
            values = places != null ? value.split(" && ") : new String[] {key.equals("title") ? Patterns.normalised(value, true) : value};
        }

        void addTo(Catalogue catalogue) {
            if (places == null) {
                catalogue.take(key, values[0]);
                return;
            }
            for (String value : values) {
                catalogue.patterns.add(value, places);
            }
            catalogue.words(key, values);
        }

        /** Null if it names something else. */
        private static Place[] places(String key) {
            List<Place> places = new ArrayList<>();
            for (String name : key.split(",")) {
                for (Place place : Place.values()) {
                    if (place.name().toLowerCase(Locale.ROOT).equals(name)) {
                        places.add(place);
                    }
                }
            }
            return places.size() == key.split(",").length ? places.toArray(new Place[0]) : null;
        }
    }

    /** The subjects, and the words of each: in texts, whose signs are made blanks, and in data, as they are. */
    private static void words(List<String> lines, DataOutputStream out) throws IOException {
        List<String> names = new ArrayList<>();
        List<String> meanings = new ArrayList<>();
        Strings.Builder ofTexts = new Strings.Builder();
        Strings.Builder ofData = new Strings.Builder();
        for (String line : lines) {
            if (line.startsWith("is ")) {
                int blank = line.indexOf(' ', 3);
                if (blank < 0 || line.substring(3, blank).indexOf(',') >= 0) { // words that begin so: another one has to come first
                    throw new IllegalArgumentException("a subject has a name and a meaning: " + line);
                }
                names.add(line.substring(3, blank));
                meanings.add(line.substring(blank + 1));
            } else if (!line.startsWith("#")) {
                for (String word : line.split(",")) {
                    if (word.indexOf('"') >= 0 || word.indexOf('<') >= 0 || word.indexOf(':') >= 0) {
                        ofData.add(word.getBytes(StandardCharsets.UTF_8), names.size() - 1);
                    } else if (!word.isEmpty()) {
                        ofTexts.add(Words.blanks(beginning(word).getBytes(StandardCharsets.UTF_8)), names.size() - 1);
                    }
                }
            }
        }
        Prepared.write(out, names.toArray(new String[0]));
        Prepared.write(out, meanings.toArray(new String[0]));
        ofTexts.writeTo(out);
        ofData.writeTo(out);
    }

    /** With a blank before it, where its alphabet has blanks between words, and no article is written together with them. */
    private static String beginning(String word) {
        if (word.charAt(0) == '~') {
            return word.substring(1);
        }
        boolean begins = Character.isLetter(word.charAt(0)) && word.charAt(0) < 0x530 || word.charAt(0) >= 0x1e00
                && word.charAt(0) < 0x2000;
        return begins ? ' ' + word : word;
    }

    /** Of each kind of page the traits, and what they weigh. */
    private static void weights(List<String> lines, DataOutputStream out) throws IOException {
        Map<String, Map<String, Integer>> kinds = new LinkedHashMap<>();
        for (String line : lines) {
            String[] parts = line.split(" ", 3);
            if (!line.startsWith("#")) {
                kinds.computeIfAbsent(parts[0], k -> new LinkedHashMap<>()).put(parts[2], Integer.parseInt(parts[1]));
            }
        }
        Prepared.write(out, kinds.keySet().toArray(new String[0]));
        for (Map<String, Integer> traits : kinds.values()) {
            Prepared.write(out, traits.keySet().toArray(new String[0]));
            for (int hundredths : traits.values()) {
                Prepared.write(out, hundredths & 0xffff);
            }
        }
    }
}
