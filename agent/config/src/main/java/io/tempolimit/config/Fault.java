package io.tempolimit.config;

/** Something wrong in the settings. Immutable. */
public final class Fault {
    private static final int LONGEST = 200;

    private final String source;
    private final String key;
    private final String value;
    private final String problem;
    private final String allowed;
    private final String nearest;

    Fault(String source, String key, String value, String problem, String allowed, String nearest) {
        this.source = source;
        this.key = line(key);
        this.value = value == null ? null : line(value);
        this.problem = line(problem);
        this.allowed = allowed;
        this.nearest = nearest;
    }

    /** Where it stands: {@code agent arguments}, {@code system property}, {@code environment}, {@code config file t.json line 3}. */
    String source() {
        return source;
    }

    /** The key as it is written there; for a fault of the file as a whole, {@code config}. */
    String key() {
        return key;
    }

    /** The value as it is written there, a secret as {@code ***}; null if there is none. */
    String value() {
        return value;
    }

    /** What is wrong. */
    String problem() {
        return problem;
    }

    /** What may be written; empty if nothing may. */
    String allowed() {
        return allowed;
    }

    /** The known key nearest to an unknown one, as one writes it in this source; null if none is near. */
    String nearest() {
        return nearest;
    }

    /** All of it in one line, however the value looks. */
    @Override
    public String toString() {
        StringBuilder s = new StringBuilder(120).append(source).append(": ").append(key);
        if (value != null) {
            s.append('=').append(value);
        }
        s.append(": ").append(problem);
        if (nearest != null) {
            s.append(", did you mean ").append(nearest).append('?');
        }
        if (!allowed.isEmpty()) {
            s.append(" (allowed: ").append(allowed).append(')');
        }
        return s.toString();
    }

    /** Cuts, and makes control characters visible, so that no value can forge a line of its own. */
    static String line(String text) {
        StringBuilder s = new StringBuilder(Math.min(text.length(), LONGEST) + 3);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (i == LONGEST) {
                return s.append("...").toString();
            }
            if (c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 || c >= 0x202a && c <= 0x202e) {
                String hex = Integer.toHexString(c);
                s.append("\\u").append("0000", 0, 4 - hex.length()).append(hex);
            } else {
                s.append(c);
            }
        }
        return s.toString();
    }
}
