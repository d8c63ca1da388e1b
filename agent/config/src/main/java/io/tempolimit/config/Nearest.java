package io.tempolimit.config;

/** Finds what somebody meant. Loaded with the first fault only. */
public final class Nearest {
    /** How other tools call what a key of ours does: that key, or nothing where no key does it, and the names. */
    private static final String[][] ELSEWHERE = {
        {"rate", "limit", "rps", "max-rps", "qps", "max-qps", "delay", "ratelimit", "rate-limit", "permits"},
        {"concurrency", "threads", "parallel", "max-parallel", "parallelism", "max-concurrent", "max-concurrency"},
        {null, "retries", "timeout"}};

    private Nearest() {
    }

    /** @return the candidate that is closest to {@code word}, or null if none is close */
    public static String of(String word, String[] candidates) {
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String c : candidates) {
            int d = distance(word, c);
            if (d < least) {
                least = d;
                best = c;
            }
        }
        return best != null && close(word, best, least) ? best : null;
    }

    /** A sentence that names the candidate closest to {@code word}, to end a line with; empty if none is close. */
    public static String hint(String word, String... candidates) {
        String near = of(word, candidates);
        return near == null ? "" : ". Did you mean " + near + "?";
    }

    /** The key whose name is closest, or null. */
    static SettingKey key(String word) {
        return key(word, null);
    }

    /**
     * The key whose name is closest; of several that are as close, the first that can have this value.
     *
     * @param value may be null
     * @return null if none is close
     */
    static SettingKey key(String word, String value) {
        String[] elsewhere = elsewhere(word);
        if (elsewhere != null) {
            return elsewhere[0] == null ? null : SettingKey.named(elsewhere[0]);
        }
        SettingKey best = null;
        int least = Integer.MAX_VALUE;
        boolean fits = false;
        for (int i = 0; i < SettingKey.COUNT; i++) {
            SettingKey k = SettingKey.at(i);
            int d = Math.min(distance(word, k.key), distance(word, k.jsonName()));
            if (d < least || d == least && d < Integer.MAX_VALUE && !fits && fits(k, value)) {
                least = d;
                best = k;
                fits = fits(k, value);
            }
        }
        return best != null && (close(word, best.key, least) || close(word, best.jsonName(), least)) ? best : null;
    }

    private static String[] elsewhere(String word) {
        String name = plain(word);
        for (String[] names : ELSEWHERE) {
            for (int i = 1; i < names.length; i++) {
                if (names[i].equals(name)) {
                    return names;
                }
            }
        }
        return null;
    }

    /** Secrets are not tried: they may name files. */
    private static boolean fits(SettingKey key, String value) {
        if (value == null || key.secret) {
            return false;
        }
        try {
            Kind.parse(key, Loader.entries(key, value, ','));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The key that closest ends {@code name}, which is a host pattern, a dot and a misspelt key; only keys that may stand per domain. */
    static SettingKey perDomain(String name) {
        SettingKey best = null;
        int least = Integer.MAX_VALUE;
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            String word = name.substring(dot + 1);
            SettingKey k = key(word);
            int d = k == null || !k.perDomain ? Integer.MAX_VALUE : elsewhere(word) != null ? 0 : distance(word, k.key);
            if (d < least) {
                least = d;
                best = k;
            }
        }
        return best;
    }

    /** Two edits make any short word of any other: {@code fail} is not {@code wait}. */
    private static boolean close(String word, String found, int distance) {
        int shorter = Math.min(word.length(), found.length());
        boolean part = part(plain(word), plain(found)) || part(plain(found), plain(word));
        int most = shorter < 5 && !part ? 1 : Math.max(2, shorter / 2);
        return distance <= most && distance < shorter;
    }

    /**
     * Edits between two words: letters left out, added, replaced or swapped. Case and the kind of separator are no
     * edits; leaving out all before a separator ({@code threshold} for {@code cooldown.threshold}) or the whole end
     * ({@code warn} for {@code warning}) counts as two.
     */
    static int distance(String word, String known) {
        String a = plain(word);
        String b = plain(known);
        if (a.equals(b)) {
            return 0;
        }
        int most = part(a, b) || part(b, a) ? 2 : Integer.MAX_VALUE;
        if (Math.abs(a.length() - b.length()) > Math.max(2, Math.min(a.length(), b.length()) / 2)) {
            return most; // no typing error, and not worth the table
        }
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + same);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return Math.min(most, d[a.length()][b.length()]);
    }

    private static boolean part(String part, String whole) {
        return part.length() > 2 && (whole.startsWith(part) || whole.endsWith("-" + part));
    }

    private static String plain(String name) {
        StringBuilder s = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = Character.toLowerCase(name.charAt(i));
            s.append(c == '.' || c == '_' ? '-' : c);
        }
        return s.toString();
    }
}
