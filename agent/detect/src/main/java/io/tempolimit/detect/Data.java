package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** JSON, XML and plain text as words can be looked for in it. */
final class Data {
    /** Lists that errors have. */
    private static final Set<String> OF_ERRORS = new HashSet<>(Arrays.asList("details", "detail", "locations", "messages", "issues",
            "violations", "causes", "request_params", "validationerrors"));

    private Data() {
    }

    /**
     * In lower case, without blanks after signs, its escapes read, and once more with its names taken apart: {@code RATE_LIMIT} and
     * {@code rateLimit} are words too.
     */
    static byte[] plain(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        StringBuilder plain = new StringBuilder(2 * text.length());
        StringBuilder apart = new StringBuilder(text.length());
        char before = ' ';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                c = text.charAt(++i);
                int code = c == 'u' ? hex(text, i + 1) : -1;
                i += code < 0 ? 0 : 4;
                c = code >= 0 ? (char) code : c == 'n' || c == 't' || c == 'r' ? ' ' : c;
            }
            boolean blank = Character.isWhitespace(c);
            if (blank && (before == ':' || before == ',' || before == '{' || before == '[')) {
                continue;
            }
            if (Character.isUpperCase(c) && Character.isLowerCase(before)) {
                apart.append(' ');
            }
            char lower = blank ? ' ' : Character.toLowerCase(c);
            plain.append(lower);
            apart.append(lower == '_' || lower == '-' ? ' ' : lower);
            before = c;
        }
        return plain.append(' ').append(apart).append(' ').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The character that four digits at {@code i} stand for; -1 if there are no such four. */
    private static int hex(String s, int i) {
        int code = i + 4 <= s.length() ? 0 : -1;
        for (int j = i; j < i + 4 && code >= 0; j++) {
            int digit = Character.digit(s.charAt(j), 16);
            code = digit < 0 ? -1 : code * 16 + digit;
        }
        return code;
    }

    /** Whether it lists things other than errors and what is said of them: {@code "items":[{...}]}. */
    static boolean lists(byte[] data) {
        String text = new String(data, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT).replace(" ", "");
        for (int i = text.indexOf("\":[{"); i >= 0; i = text.indexOf("\":[{", i + 1)) {
            String name = text.substring(text.lastIndexOf('"', i - 1) + 1, i);
            if (!name.startsWith("err") && !OF_ERRORS.contains(name)) {
                return true;
            }
        }
        return false;
    }
}
