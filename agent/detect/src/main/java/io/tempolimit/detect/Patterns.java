package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Strings to be looked for in documents, each in certain places, all in one pass. Immutable; {@link PageReader} looks for them. */
final class Patterns {
    final int count;
    private final Strings[] byPlace = new Strings[Place.values().length];

    private Patterns(Builder builder) {
        count = builder.count;
        for (Place place : Place.values()) {
            byPlace[place.ordinal()] = new Strings(builder.strings.get(place.ordinal()), builder.ids.get(place.ordinal()));
        }
    }

    /** What is to be found at a place. */
    Strings at(Place place) {
        return byPlace[place.ordinal()];
    }

    /**
     * A pattern's or a title's text in the form that {@link Place#TEXT} and {@link Page#title()} have: lower case, white space one space
     * (kept at the ends of a pattern, as {@code trim} says), plain quotes and dashes, no invisible characters.
     */
    static String normalised(String text, boolean trim) {
        StringBuilder s = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            int plain = Characters.plain(c);
            if (plain == ' ') {
                if (s.length() == 0 ? !trim : s.charAt(s.length() - 1) != ' ') {
                    s.append(' ');
                }
            } else if (plain == Characters.ELLIPSIS) {
                s.append("...");
            } else if (plain != Characters.NOTHING) {
                s.appendCodePoint(plain);
            }
        }
        if (trim && s.length() > 0 && s.charAt(s.length() - 1) == ' ') {
            s.setLength(s.length() - 1);
        }
        return s.toString();
    }

    /** Collects patterns. Not safe for use by several threads. */
    static final class Builder {
        private final List<List<byte[]>> strings = new ArrayList<>();
        private final List<List<Integer>> ids = new ArrayList<>();
        private int count;

        Builder() {
            for (int i = 0; i < Place.values().length; i++) {
                strings.add(new ArrayList<>());
                ids.add(new ArrayList<>());
            }
        }

        /**
         * Adds a pattern and answers its id, counted from 0. In places other than {@link Place#TEXT} letters other than ASCII ones have to
         * be met as they are.
         *
         * @throws IllegalArgumentException if it is empty, is nothing but white space, or has no place
         */
        int add(String pattern, Place... where) {
            String text = normalised(pattern, false);
            if (where.length == 0 || text.trim().isEmpty()) {
                throw new IllegalArgumentException("a pattern needs characters and a place: '" + pattern + "'");
            }
            for (Place place : where) {
                strings.get(place.ordinal()).add((place == Place.TEXT ? text : lowerAscii(pattern)).getBytes(StandardCharsets.UTF_8));
                ids.get(place.ordinal()).add(count);
            }
            return count++;
        }

        /** The patterns added until now. */
        Patterns build() {
            return new Patterns(this);
        }

        private static String lowerAscii(String s) {
            StringBuilder lower = new StringBuilder(s);
            for (int i = 0; i < s.length(); i++) {
                char c = s.charAt(i);
                if (c >= 'A' && c <= 'Z') {
                    lower.setCharAt(i, (char) (c + 32));
                }
            }
            return lower.toString();
        }
    }
}
