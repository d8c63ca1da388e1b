package io.tempolimit.detect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PatternsTest {
    /** Against {@code String.contains}: few letters, so that patterns overlap and contain each other, and more states than rows. */
    @Test
    void findsWhatIsThereAndNothingElse() {
        Random random = new Random(20261128);
        for (int round = 0; round < 300; round++) {
            int letters = 2 + random.nextInt(4);
            List<String> strings = new ArrayList<>();
            Patterns.Builder builder = new Patterns.Builder();
            int count = 1 + random.nextInt(round % 10 == 0 ? 600 : 30);
            for (int i = 0; i < count; i++) {
                strings.add(string(random, letters, 1 + random.nextInt(9)));
                assertEquals(i, builder.add(strings.get(i), Place.ANY));
            }
            Patterns patterns = builder.build();
            for (int i = 0; i < 5; i++) {
                String text = string(random, letters + 1, random.nextInt(60));
                Page page = Reading.read(patterns, "text/plain", null, text.getBytes(StandardCharsets.UTF_8), 1000,
                        Reading.randomChunks(random));
                for (int p = 0; p < count; p++) {
                    String pattern = strings.get(p);
                    assertEquals(text.toLowerCase().contains(pattern.toLowerCase()), page.has(p), () -> pattern + " in " + text);
                }
            }
        }
    }

    /** Longer than what is kept of a document, so that a pattern may stand where that was looked through. */
    @Test
    void findsWhatStandsAnywhereInALongDocument() {
        Random random = new Random(20261128);
        for (int round = 0; round < 40; round++) {
            int shortest = 1 + random.nextInt(14);
            String[] strings = new String[20];
            Patterns.Builder builder = new Patterns.Builder();
            for (int i = 0; i < strings.length; i++) {
                strings[i] = string(random, 26, shortest + random.nextInt(round % 10 == 0 ? 700 : 40));
                builder.add(strings[i], Place.values());
            }
            Patterns patterns = builder.build();
            StringBuilder text = new StringBuilder(string(random, 26, 5000 + random.nextInt(5000)));
            boolean[] there = new boolean[strings.length];
            for (int i = 0; i < strings.length; i += 2) {
                text.insert(random.nextInt(text.length()), " " + strings[i] + " ");
            }
            String all = text.toString().toLowerCase();
            for (int i = 0; i < strings.length; i++) {
                there[i] = all.contains(strings[i].toLowerCase());
            }
            String[] documents = {"<p>" + text, "<script>" + text, "<p a=\"" + text + "\">", "<!--" + text + "-->"};
            String type = random.nextBoolean() ? "text/html" : "text/plain";
            byte[] document = documents[random.nextInt(documents.length)].getBytes(StandardCharsets.UTF_8);
            Page page = Reading.read(patterns, type, null, document, 1 << 20, Reading.randomChunks(random));
            for (int i = 0; i < strings.length; i++) {
                if (there[i] || strings[i].length() > 3) { // short ones may stand in the markup
                    int n = i;
                    assertEquals(there[i], page.has(i), () -> strings[n]);
                }
            }
        }
    }

    private static String string(Random random, int letters, int length) {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < length; i++) {
            char c = (char) ('a' + random.nextInt(letters));
            s.append(random.nextInt(8) == 0 ? Character.toUpperCase(c) : c);
        }
        return s.toString();
    }

    @Test
    void aPatternCountsOnlyInItsPlaces() {
        String page = "<p id=tag>text<script>script</script><!--comment--></p>";
        for (String word : new String[] {"text", "script", "tag", "comment"}) {
            for (Place place : Place.values()) {
                boolean there = place == Place.ANY || place.name().equalsIgnoreCase(word) || word.equals("script") && place == Place.TAG;
                assertEquals(there, Reading.html(page, word, place).has(0), word + " " + place);
            }
        }
        assertTrue(Reading.html(page, "comment", Place.TEXT, Place.COMMENT).has(0));
        assertFalse(Reading.html(page, "comment", Place.TEXT, Place.TAG).has(0));
        assertTrue(Reading.html(page, "</SCRIPT><!--", Place.ANY).has(0));
    }

    @Test
    void aPatternMayStandInSeveralPlacesUnderSeveralIds() {
        Patterns.Builder builder = new Patterns.Builder();
        builder.add("word", Place.TEXT);
        builder.add("word", Place.SCRIPT);
        builder.add("WORD", Place.TEXT, Place.TAG);
        Page page = Reading.read(builder.build(), "text/html", null, "<p>word".getBytes());
        assertTrue(page.has(0));
        assertFalse(page.has(1));
        assertTrue(page.has(2));
    }

    @Test
    void aPatternWithoutCharactersOrPlacesIsRefused() {
        Patterns.Builder builder = new Patterns.Builder();
        assertThrows(IllegalArgumentException.class, () -> builder.add("", Place.TEXT));
        assertThrows(IllegalArgumentException.class, () -> builder.add(" \n", Place.ANY));
        assertThrows(IllegalArgumentException.class, () -> builder.add("x"));
        assertFalse(Reading.read(builder.build(), "text/html", null, "<p>x".getBytes()).unreadable());
    }
}
