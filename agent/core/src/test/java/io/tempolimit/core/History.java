package io.tempolimit.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tempolimit.core.runtime.Clock;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What happened in one play of a seed, line by line: when, to which request, and what. Two plays were the same if their texts are. */
final class History {
    private final Clock clock;
    private final long start;
    private final StringBuilder text = new StringBuilder();

    History(Clock clock) {
        this.clock = clock;
        start = clock.nanos();
    }

    /** Adds a line: nanoseconds since the history began, and the parts, with spaces between them. */
    void add(Object... parts) {
        text.append(clock.nanos() - start);
        for (Object part : parts) {
            text.append(' ').append(part);
        }
        text.append('\n');
    }

    /** SHA-256 of all lines, in hexadecimal digits. */
    String digest() {
        return digest(text);
    }

    static String digest(CharSequence text) {
        try {
            StringBuilder digits = new StringBuilder();
            for (byte b : MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(UTF_8))) {
                digits.append(String.format("%02x", b));
            }
            return digits.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every JVM has it
        }
    }

    /** Some figures of it, to see what has changed where a digest did. */
    String summary() {
        return String.format(Locale.ROOT, "%5d lines %5d departures %5d waits %4d turned away %4d blocks %3d rests",
                count("\n"), count(" (granted|goes|probe)\n"), count(" waits "),
                count(" [A-Z]+_[A-Z_]+\n"), count(" blocked "), count(" (cooldown|circuit open|rests|for life) "));
    }

    private int count(String what) {
        int n = 0;
        for (Matcher m = Pattern.compile(what).matcher(text); m.find(); ) {
            n++;
        }
        return n;
    }

    /** The first lines. */
    String beginning(int lines) {
        int to = 0;
        for (int i = 0; i < lines && to < text.length(); i++) {
            to = text.indexOf("\n", to) + 1;
        }
        return text.substring(0, to);
    }

    /** The last lines. */
    String end(int lines) {
        int from = text.length();
        for (int i = 0; i <= lines && from > 0; i++) {
            from = text.lastIndexOf("\n", from - 1);
        }
        return text.substring(from + 1);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
