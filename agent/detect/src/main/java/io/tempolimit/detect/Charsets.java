package io.tempolimit.detect;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;

/** Which charset a document has. */
final class Charsets {
    private Charsets() {
    }

    /** How many bytes of a byte order mark it begins with. */
    static int mark(byte[] b, int length) {
        if (starts(b, length, 0xef, 0xbb, 0xbf)) {
            return 3;
        }
        if (starts(b, length, 0xff, 0xfe, 0, 0) || starts(b, length, 0, 0, 0xfe, 0xff)) {
            return 4;
        }
        return starts(b, length, 0xff, 0xfe) || starts(b, length, 0xfe, 0xff) ? 2 : 0;
    }

    /**
     * The charset to convert from; null: none, since it is read as UTF-8 with single bytes of windows-1252, which does for both and for an
     * unknown one. A byte order mark is stronger than the header, and that than the document's own word.
     */
    static Charset of(String header, byte[] b, int length, boolean html) {
        if (starts(b, length, 0xef, 0xbb, 0xbf)) {
            return null;
        }
        if (starts(b, length, 0xff, 0xfe, 0, 0)) {
            return named("utf-32le");
        }
        if (starts(b, length, 0, 0, 0xfe, 0xff)) {
            return named("utf-32be");
        }
        if (starts(b, length, 0xff, 0xfe)) {
            return StandardCharsets.UTF_16LE;
        }
        if (starts(b, length, 0xfe, 0xff)) {
            return StandardCharsets.UTF_16BE;
        }
        if (header != null) {
            return named(header);
        }
        if (starts(b, length, '<', 0)) {
            return StandardCharsets.UTF_16LE;
        }
        if (starts(b, length, 0, '<')) {
            return StandardCharsets.UTF_16BE;
        }
        String declared = html ? declared(b, length) : null;
        // Who could read that declaration as ASCII does not read UTF-16.
        return declared == null || declared.startsWith("utf-16") || declared.startsWith("utf-32") ? null : named(declared);
    }

    private static Charset named(String label) {
        String name = label.trim().toLowerCase(Locale.ROOT);
        switch (name) {
            case "utf-8":
            case "utf8":
            case "unicode-1-1-utf-8":
            case "us-ascii":
            case "ascii":
            case "iso-8859-1":
            case "iso8859-1":
            case "iso_8859-1":
            case "latin1":
            case "l1":
            case "windows-1252":
            case "cp1252":
            case "x-cp1252":
                return null;
            case "utf-16":
                return StandardCharsets.UTF_16LE;
            // What browsers take instead, since it has the same characters and more.
            case "gb2312":
            case "gb_2312-80":
            case "chinese":
            case "gbk":
            case "x-gbk":
                name = "gb18030";
                break;
            case "shift_jis":
            case "shift-jis":
            case "sjis":
            case "x-sjis":
                name = "windows-31j";
                break;
            case "euc-kr":
            case "ks_c_5601-1987":
            case "korean":
                name = "x-windows-949";
                break;
            default:
        }
        try {
            Charset charset = Charset.forName(name);
            return charset.equals(StandardCharsets.UTF_8) || charset.equals(StandardCharsets.ISO_8859_1)
                    || charset.equals(StandardCharsets.US_ASCII) ? null : charset;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }

    /** What a meta element or an XML declaration among the first bytes says; null if nothing. */
    private static String declared(byte[] b, int length) {
        StringBuilder lower = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            char c = (char) (b[i] & 255);
            lower.append(c >= 'A' && c <= 'Z' ? (char) (c + 32) : c);
        }
        String s = lower.toString();
        if (s.startsWith("<?xml")) {
            int end = s.indexOf('>');
            int i = s.indexOf("encoding");
            if (i > 0 && i < end) {
                return value(s, i + 8, end);
            }
        }
        for (int i = 0; i < s.length(); ) {
            int open = s.indexOf('<', i);
            if (open < 0) {
                break;
            }
            if (s.startsWith("<!--", open)) {
                int end = s.indexOf("-->", open + 2);
                i = end < 0 ? s.length() : end + 3;
                continue;
            }
            int end = s.indexOf('>', open);
            if (end < 0) {
                break;
            }
            if (s.startsWith("<meta", open)) {
                int at = s.indexOf("charset", open + 5);
                while (at > 0 && at < end) {
                    String value = value(s, at + 7, end);
                    if (value != null) {
                        return value;
                    }
                    at = s.indexOf("charset", at + 7);
                }
            }
            i = end;
        }
        return null;
    }

    /** What follows an equals sign, in quotes or not; null if there is none. */
    private static String value(String s, int from, int to) {
        int i = from;
        while (i < to && s.charAt(i) <= ' ') {
            i++;
        }
        if (i >= to || s.charAt(i) != '=') {
            return null;
        }
        i++;
        while (i < to && (s.charAt(i) <= ' ' || s.charAt(i) == '"' || s.charAt(i) == '\'')) {
            i++;
        }
        int start = i;
        while (i < to && s.charAt(i) > ' ' && "\"';/?".indexOf(s.charAt(i)) < 0) {
            i++;
        }
        return i == start ? null : s.substring(start, i);
    }

    private static boolean starts(byte[] b, int length, int... bytes) {
        if (length < bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if ((b[i] & 255) != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
