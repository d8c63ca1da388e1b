package io.tempolimit.detect;

import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Strings to be looked for in documents, each in certain places, all in one pass. Immutable; {@link PageReader} looks for them. */
final class Patterns {
    /** Of a pattern, in bytes of UTF-8: a reader keeps the last ones at each place. */
    static final int MAX_LENGTH = 1000;

    final int count;
    private final Strings[] byPlace = new Strings[Place.values().length];

    private Patterns(Builder builder) {
        count = builder.count;
        for (Place place : Place.values()) {
            byPlace[place.ordinal()] = new Strings(builder.byPlace[place.ordinal()]);
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
        private final Strings.Builder[] byPlace = new Strings.Builder[Place.values().length];
        private int count;

        Builder() {
            for (int i = 0; i < byPlace.length; i++) {
                byPlace[i] = new Strings.Builder();
            }
        }

        /** With those that the build has prepared. */
        Builder(Prepared in) {
            count = in.number();
            for (int i = 0; i < byPlace.length; i++) {
                byPlace[i] = new Strings.Builder(in);
            }
        }

        /** The same patterns, to which others can be added. */
        Builder(Builder other) {
            count = other.count;
            for (int i = 0; i < byPlace.length; i++) {
                byPlace[i] = new Strings.Builder(other.byPlace[i]);
            }
        }

        /**
         * Adds a pattern and answers its id, counted from 0. In places other than {@link Place#TEXT} letters other than ASCII ones have to
         * be met as they are.
         *
         * @throws IllegalArgumentException if it has nothing to be seen, is longer than {@link #MAX_LENGTH}, or has no place
         */
        int add(String pattern, Place... where) {
            if (where.length == 0 || pattern.trim().isEmpty()) {
                throw new IllegalArgumentException("a pattern needs characters and a place: '" + pattern + "'");
            }
            byte[] written = pattern.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < written.length; i++) {
                written[i] = (byte) Characters.lower(written[i]);
            }
            for (Place place : where) {
                byte[] string = place == Place.TEXT ? normalised(pattern, false).getBytes(StandardCharsets.UTF_8) : written;
                if (string.length == 0 || string.length > MAX_LENGTH) {
                    throw new IllegalArgumentException("a pattern has 1 to " + MAX_LENGTH + " bytes that can be seen: '" + pattern + "'");
                }
                byPlace[place.ordinal()].add(string, count);
            }
            return count++;
        }

        /** Those that were added until now, so that {@link #Builder(Prepared)} reads them. */
        void writeTo(DataOutput out) throws IOException {
            Prepared.write(out, count);
            for (Strings.Builder strings : byPlace) {
                strings.writeTo(out);
            }
        }

        int count() {
            return count;
        }

        /** The patterns added until now. */
        Patterns build() {
            return new Patterns(this);
        }
    }
}
