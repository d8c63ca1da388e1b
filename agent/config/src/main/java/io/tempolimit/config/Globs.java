package io.tempolimit.config;

import io.tempolimit.core.policy.PathRules;

/**
 * Paths by glob: {@code *} is any characters, also slashes and none, {@code ?} is one, the rest is itself. A glob is
 * for the whole path as it is sent, with regard to case: {@code /api/*} covers {@code /api/} and all below, not
 * {@code /api}. Immutable.
 */
final class Globs implements PathRules {
    private final String[] include;
    private final String[] exclude;

    /**
     * @param include what is covered; null for everything
     * @param exclude what is not, although it is included; null for nothing
     */
    Globs(String[] include, String[] exclude) {
        this.include = include;
        this.exclude = exclude;
    }

    @Override
    public boolean covers(String path) {
        String p = path == null || path.isEmpty() ? "/" : path; // what the network sees for http://host
        return (include == null || any(include, p)) && (exclude == null || !any(exclude, p));
    }

    private static boolean any(String[] globs, String path) {
        for (String g : globs) {
            if (matches(g, path)) {
                return true;
            }
        }
        return false;
    }

    /** On a mismatch the last star takes one character more; earlier ones never need to. At most glob x path steps. */
    static boolean matches(String glob, String path) {
        int g = 0;
        int p = 0;
        int star = -1;
        int taken = 0;
        while (p < path.length()) {
            if (g < glob.length() && glob.charAt(g) == '*') {
                star = g++;
                taken = p;
            } else if (g < glob.length() && (glob.charAt(g) == '?' || glob.charAt(g) == path.charAt(p))) {
                g++;
                p++;
            } else if (star >= 0) {
                g = star + 1;
                p = ++taken;
            } else {
                return false;
            }
        }
        while (g < glob.length() && glob.charAt(g) == '*') {
            g++;
        }
        return g == glob.length();
    }
}
