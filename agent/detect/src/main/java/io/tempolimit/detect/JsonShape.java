package io.tempolimit.detect;

/** What two answers in JSON have in common that differ in their values alone: names and brackets. */
final class JsonShape {
    private JsonShape() { }

    /** Whether it is {@code null}, or has an empty list or an empty object. */
    static boolean isEmpty(byte[] json) {
        int before = 0;
        int tokens = 0;
        boolean isNull = true;
        for (int i = 0; i < json.length; i++) {
            int c = json[i];
            if (c == '"') {
                i = endOfString(json, i);
            }
            if (c <= ' ' && c >= 0) {
                continue;
            }
            if (c == ']' && before == '[' || c == '}' && before == '{') {
                return true;
            }
            isNull &= tokens < 4 && c == "null".charAt(tokens);
            tokens++;
            before = c;
        }
        return isNull && tokens == 4;
    }

    /** A hash of names and brackets. Texts and numbers count as one and the same text and number, whatever they are. */
    static int of(byte[] json) {
        int hash = 0;
        for (int i = 0; i < json.length; i++) {
            int c = json[i];
            if (c == '"') {
                int end = endOfString(json, i);
                if (isName(json, end)) {
                    for (int k = i; k < end; k++) {
                        hash = 31 * hash + json[k];
                    }
                } else {
                    hash = 31 * hash + '"';
                }
                i = end;
            } else if (isOfNumber(c)) {
                hash = i > 0 && isOfNumber(json[i - 1]) ? hash : 31 * hash + '0';
            } else if (c > ' ' || c < 0) {
                hash = 31 * hash + c;
            }
        }
        return hash;
    }

    /** Where the string that begins here ends; the last byte if it does not. */
    private static int endOfString(byte[] json, int begin) {
        for (int i = begin + 1; i < json.length; i++) {
            if (json[i] == '\\') {
                i++;
            } else if (json[i] == '"') {
                return i;
            }
        }
        return json.length - 1;
    }

    private static boolean isName(byte[] json, int end) {
        int i = end + 1;
        while (i < json.length && json[i] <= ' ' && json[i] >= 0) {
            i++;
        }
        return i < json.length && json[i] == ':';
    }

    private static boolean isOfNumber(int c) {
        return c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+';
    }
}
