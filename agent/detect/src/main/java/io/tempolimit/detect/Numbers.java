package io.tempolimit.detect;

import java.util.Arrays;

/** What numbers a text has. A wall shows the visitor's address and the number of an incident; a table has many. Immutable. */
final class Numbers {
    /** How many addresses differ from the first, and the first: no more than two are told apart. */
    final int addresses;
    /** Whether there is a long one, as incidents have. */
    final boolean number;
    /** How many plain numbers stand alone, parts of times and dates apart. */
    final int figures;

    Numbers(byte[] text) {
        byte[] first = null;
        int addresses = 0;
        int figures = 0;
        boolean number = false;
        int from = 0;
        for (int i = 0; i <= text.length; i++) {
            if (i < text.length && belongs(text[i])) {
                continue;
            }
            if (i > from) {
                byte[] word = Arrays.copyOfRange(text, from, i);
                if (isAddress(word)) {
                    addresses += first == null ? 1 : addresses == 1 && !Arrays.equals(first, word) ? 1 : 0;
                    first = first == null ? word : first;
                } else {
                    number |= isLong(word);
                }
                boolean alone = (from == 0 || text[from - 1] == ' ') && (i == text.length || text[i] == ' ');
                figures += alone && isPlain(word) ? 1 : 0;
            }
            from = i + 1;
        }
        this.addresses = addresses;
        this.number = number;
        this.figures = figures;
    }

    private static boolean belongs(byte c) {
        return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-' || c == '.' || c == '_';
    }

    /** An address that a visitor of a site may have. */
    private static boolean isAddress(byte[] word) {
        int[] parts = new int[4];
        int dots = 0;
        int digits = 0;
        for (byte c : word) {
            if (c == '.') {
                dots++;
            } else if (c < '0' || c > '9' || dots > 3) {
                return false;
            } else {
                parts[dots] = Math.min(1000, parts[dots] * 10 + c - '0');
                digits++;
            }
        }
        return dots == 3 && digits >= 4 && parts[0] != 10 && parts[0] != 127 && !(parts[0] == 192 && parts[1] == 168);
    }

    /** Six signs or more, three of them digits, the others of a hexadecimal number, dots and dashes. */
    private static boolean isLong(byte[] word) {
        int digits = 0;
        int dots = 0;
        for (byte c : word) {
            int lower = c | 32;
            if (c >= '0' && c <= '9') {
                digits++;
            } else if (c == '.') {
                dots++;
            } else if (c != '-' && c != '_' && (lower < 'a' || lower > 'f')) {
                return false;
            }
        }
        return digits >= 3 && word.length >= 6 && dots != 3;
    }

    private static boolean isPlain(byte[] word) {
        for (byte c : word) {
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return true;
    }
}
