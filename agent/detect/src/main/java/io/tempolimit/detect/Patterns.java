package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Strings to be looked for in documents, each in certain places, all in one pass. Immutable; {@link PageReader} looks for them. */
final class Patterns {
    /** For {@link Place#ANY}; null if no pattern is for it. */
    final Automaton anywhere;
    /** For the other places; it may know no string at all. */
    final Automaton placed;
    /** The bits of all places that some pattern is for. */
    final int places;
    final int count;

    private Patterns(Builder builder) {
        anywhere = builder.anywhere.strings.isEmpty() ? null : builder.anywhere.automaton();
        placed = builder.placed.automaton();
        places = builder.places;
        count = builder.count;
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
        private final Strings anywhere = new Strings();
        private final Strings placed = new Strings();
        private int places;
        private int count;

        /**
         * Adds a pattern and answers its id, counted from 0. In places other than {@link Place#TEXT} letters other than ASCII ones have to
         * be met as they are.
         *
         * @throws IllegalArgumentException if it is empty, is nothing but white space, or has no place
         */
        int add(String pattern, Place... where) {
            int bits = 0;
            for (Place place : where) {
                bits |= place.bit;
            }
            String text = normalised(pattern, false);
            if (bits == 0 || text.trim().isEmpty()) {
                throw new IllegalArgumentException("a pattern needs characters and a place: '" + pattern + "'");
            }
            byte[] written = lowerAscii(pattern).getBytes(StandardCharsets.UTF_8);
            int asWritten = bits & ~Place.TEXT.bit & ~Place.ANY.bit;
            if (asWritten != 0) {
                placed.add(written, count, asWritten);
            }
            if ((bits & Place.TEXT.bit) != 0) {
                placed.add(text.getBytes(StandardCharsets.UTF_8), count, Place.TEXT.bit);
            }
            if ((bits & Place.ANY.bit) != 0) {
                anywhere.add(written, count, Place.ANY.bit);
            }
            places |= bits;
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

    private static final class Strings {
        private final List<byte[]> strings = new ArrayList<>();
        private final List<Integer> ids = new ArrayList<>();
        private final List<Integer> places = new ArrayList<>();

        void add(byte[] string, int id, int where) {
            strings.add(string);
            ids.add(id);
            places.add(where);
        }

        Automaton automaton() {
            return new Automaton(strings, ints(ids), ints(places));
        }

        private static int[] ints(List<Integer> list) {
            int[] ints = new int[list.size()];
            for (int i = 0; i < ints.length; i++) {
                ints[i] = list.get(i);
            }
            return ints;
        }
    }
}
