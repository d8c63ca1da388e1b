package io.tempolimit.examples.site;

import java.util.List;
import java.util.Random;

/** Writes shop talk; the same for the same random numbers. */
final class Prose {
    private static final List<String> ADJECTIVES = List.of("sturdy", "light", "handy", "plain", "bright", "quiet", "folding",
            "round", "wooden", "woven", "heavy", "small", "large", "soft", "polished", "painted", "portable", "warm");
    private static final List<String> THINGS = List.of("basket", "lantern", "kettle", "bench", "hammer", "puzzle", "atlas",
            "rucksack", "blanket", "teapot", "ladder", "kite", "notebook", "pan", "stool", "watering can", "chest", "rope");
    private static final List<String> VERBS = List.of("holds", "carries", "suits", "keeps", "survives", "improves", "fits", "outlasts");
    private static final List<String> OBJECTS = List.of("a long winter", "any kitchen", "the whole family", "a rainy weekend",
            "three generations", "the weekly shopping", "a small flat", "most gardens", "an afternoon by the lake", "daily use");
    private static final List<String> ENDINGS = List.of("and is easy to clean", "without taking much room", "as our customers confirm",
            "and can be repaired at home", "at a fair price", "and comes with a spare part", "even after years", "in every season");
    private static final List<String> NAMES = List.of("Ada", "Ben", "Clara", "David", "Edith", "Felix", "Greta", "Hugo", "Ida", "Jonas");

    private final Random random;

    Prose(Random random) {
        this.random = random;
    }

    String product() {
        return capitalised(any(ADJECTIVES)) + " " + any(THINGS);
    }

    String name() {
        return any(NAMES);
    }

    String paragraph(int sentences) {
        StringBuilder paragraph = new StringBuilder();
        for (int i = 0; i < sentences; i++) {
            paragraph.append(i == 0 ? "" : " ").append(sentence());
        }
        return paragraph.toString();
    }

    String sentence() {
        return "The " + any(ADJECTIVES) + " " + any(THINGS) + " " + any(VERBS) + " " + any(OBJECTS) + " " + any(ENDINGS) + ".";
    }

    static String capitalised(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    private String any(List<String> words) {
        return words.get(random.nextInt(words.size()));
    }
}
