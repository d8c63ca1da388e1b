package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** JSON, XML and plain text as words can be looked for in it. */
final class Data {
    /** Lists that errors have. */
    private static final Set<String> OF_ERRORS = new HashSet<>(Arrays.asList("details", "detail", "locations", "messages", "issues",
            "violations", "causes", "request_params", "validationerrors"));

    /** A line of so many bytes may go on in the next one. */
    private static final int WRAPPED = 60;
    /** Characters of a date. */
    private static final int DATE = 10;
    /** So soon a line says what its value is. */
    private static final int NAME = 24;

    /** A limit or a captcha that has a number or an object for a value: what holds, and not what was refused. */
    private static final Pattern SETTING = Pattern.compile("\"[^\"]*(?:limit|quota|captcha)[^\"]*\"\\s*:\\s*(?=[{\\[0-9fn])",
            Pattern.CASE_INSENSITIVE);

    private Data() {
    }

    /** Whether it is JSON or XML rather than a text. */
    static boolean isStructured(byte[] data) {
        for (byte b : data) {
            if (b > ' ') {
                return b == '{' || b == '[' || b == '<';
            }
        }
        return false;
    }

    /** A plain text as that of an HTML page is: in lower case, one blank between words, and a line break where what is said ends. */
    static byte[] text(byte[] data) {
        StringBuilder s = new StringBuilder(data.length).append(' ');
        for (String line : lines(data)) {
            for (int i = 0, c; i < line.length(); i += Character.charCount(c)) { // no stream: a JVM's first costs 20 ms
                c = line.codePointAt(i);
                int plain = Characters.plain(c);
                if (plain != Characters.NOTHING && (plain != ' ' || s.charAt(s.length() - 1) > ' ')) {
                    s.appendCodePoint(plain);
                }
            }
            s.append(line.length() < WRAPPED ? '\n' : ' ');
        }
        return s.append(' ').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Whether a plain text has lines as logs, lists, programs and settings do: a wall speaks to somebody. */
    static boolean isRecord(byte[] data) {
        int items = 0;
        int values = 0;
        int code = 0;
        boolean heading = false;
        String[] lines = lines(data);
        for (String line : lines) {
            int colon = line.indexOf(':');
            items += line.isEmpty() || Character.isLetter(line.codePointAt(0)) ? 0 : 1;
            heading |= line.length() > 2 && isOfSigns(line);
            values += colon > 0 && colon <= NAME ? 1 : 0;
            code += line.endsWith(";") || line.indexOf('=') > 0 || line.indexOf('{') >= 0 ? 1 : 0;
        }
        String first = lines.length == 0 ? "" : lines[0];
        int stamp = 0;
        for (int i = 0; i < Math.min(first.length(), DATE); i++) {
            stamp += first.charAt(i) >= '0' && first.charAt(i) <= '9' ? 1 : 0;
        }
        return heading || items > 2 || values > 3 || code > 1 || stamp > 5 || first.startsWith("#");
    }

    private static boolean isOfSigns(String line) {
        for (int i = 0; i < line.length(); i++) {
            if (Character.isLetterOrDigit(line.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static String[] lines(byte[] data) {
        return new String(data, StandardCharsets.UTF_8).trim().split("\\s*[\r\n]\\s*");
    }

    /**
     * In lower case, without blanks after signs, its escapes read, and once more with its names taken apart: {@code RATE_LIMIT} and
     * {@code rateLimit} are words too.
     */
    static byte[] plain(byte[] data) {
        String text = SETTING.matcher(new String(data, StandardCharsets.UTF_8)).replaceAll("\"\":");
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
