package io.tempolimit.config;

import static io.tempolimit.config.Kind.Form.FLAG;
import static io.tempolimit.config.Kind.Form.LIST;
import static io.tempolimit.config.Kind.Form.NUMBER;
import static io.tempolimit.config.Kind.Form.TEXT;

import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.core.store.FleetSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The kinds of values: what may be written, and what it becomes. A new kind is one row here, and one case in {@link #parse}.
 *
 * <p>Columns: the forms that it has in the file, and what is allowed, for messages.
 */
enum Kind {
    /** A Boolean. */
    BOOLEAN(FLAG, "true or false"),
    /** A {@link Rate}. */
    RATE(NUMBER | TEXT, "requests a second above 0, as in 3, 0.5, 90/m or 1000/h, or auto, or auto and a ceiling, as in auto:10"),
    /** An Integer. */
    COUNT(NUMBER, "a whole number from 1 to 2147483647"),
    /** An Integer. */
    ZERO_COUNT(NUMBER, "a whole number from 0 to 2147483647"),
    /** A {@code WindowLimit[]}. */
    WINDOWS(LIST | TEXT, "a list of a count and a duration, as in 10/60s or 10000/24h; counts from 1, durations at most 87600h"),
    /** A Double. */
    FRACTION(NUMBER, "a number from 0 to 1"),
    /** A Long, nanoseconds. */
    DURATION(NUMBER | TEXT, "a whole number and ms, s, m or h, as in 500ms, 30s, 5m or 24h; above 0, at most 87600h"),
    /** A Long, nanoseconds; {@link Long#MAX_VALUE} is unlimited. */
    WAIT(NUMBER | TEXT, "0, a whole number and ms, s, m or h, as in 500ms, 30s, 5m or 24h, at most 87600h, or unlimited"),
    /** A {@code long[2]}, nanoseconds. */
    RANGE(NUMBER | TEXT, "a duration or two with a dash, as in 30s or 30s-60s, the lower one first; above 0, at most 87600h"),
    /** A Long, bytes. */
    SIZE(NUMBER | TEXT, "a whole number of bytes above 0, or one and KB, MB or GB (1 KB is 1024 bytes)"),
    /** A Long, nanoseconds. */
    ZERO_DURATION(NUMBER | TEXT, "0, or a whole number and ms, s, m or h, as in 500ms, 30s, 5m or 24h, at most 87600h"),
    /** An Integer, bytes. */
    ZERO_SIZE(NUMBER | TEXT, "a whole number of bytes from 0, or one and KB, MB or GB (1 KB is 1024 bytes), at most 1GB"),
    /** A List of Integer. */
    STATUSES(LIST | NUMBER | TEXT, "a list of statuses from 400 to 999"),
    /** An {@link IgnoreList}. */
    IGNORED(LIST | TEXT, "a list of block types, vendors and rules, or HOST:NAME for one host"),
    /** An {@link Escalation}. */
    RUNGS(LIST | TEXT, "a list of cooldown, a duration (as in 5m), lifetime"),
    /** A String, one of the key's words. */
    WORD(TEXT, ""),
    /** A {@code String[]} of the key's words. */
    WORDS(LIST | TEXT, ""),
    /** A {@link KeyParts}. */
    KEYS(LIST | TEXT, "a list of host, domain, port, proxy, path:DEPTH, header:NAME"),
    /** A Set of the key's words. */
    CLIENTS(LIST | TEXT, "all, or a list, where - leaves one out, of: "),
    /** A {@link HostList}. */
    HOSTS(LIST | TEXT, "a list of example.com, *.example.com, 10.0.0.0/8, fc00::/7, private, services"),
    /** A {@code String[]}, in canonical form. */
    NAMES(LIST | TEXT, "a list of host names, as in tempolimit.example.com"),
    /** A {@code String[]}. */
    PATHS(LIST | TEXT, "a list of globs that begin with / or *, as in /api/*, percent-encoded as in a URL; * is any characters, ? is one"),
    /** A String. */
    FILE(TEXT, "a file's path"),
    /** A String, in which {@code %p} and {@code %h} have become what they stand for. */
    NAMED_FILE(TEXT, "a file's path, in which %p is the process id and %h the host name"),
    /** A String: {@code true}, {@code false} or a path. */
    REPORT(FLAG | TEXT, "true, false, or a file's path, with a dot or a slash in it, in which %p is the process id and %h the host name"),
    /** An Integer; null for none. */
    PORT(NUMBER | TEXT, "a whole number from 0 to 65535; 0 takes a free one"),
    /** A String. */
    ADDRESS(TEXT, "an address or a name of this machine, as in 127.0.0.1, ::1, localhost or 0.0.0.0"),
    /** A String. */
    REDIS(TEXT, "redis://[user:password@]host[:port][/database], rediss:// with TLS,"
            + " redis-sentinel://host[:port],host[:port][/database]#master; or @FILE for a file that holds one"),
    /** A String. */
    PASSWORD(TEXT, "a text, or @FILE for a file that holds one"),
    /** A String. */
    PREFIX(TEXT, "1 to 100 letters, digits and . _ - : /"),
    /** An Integer: {@link FleetSettings#AUTO}, {@link FleetSettings#OFF}, or how many. */
    LEASE(NUMBER | TEXT, "auto, off, or a whole number from 1 to 1000"),
    /** A String. */
    SECRET(TEXT, "a text of printable ASCII characters without spaces, or @FILE for a file that holds one");

    /** Bits of the table's first column. */
    interface Form {
        int FLAG = 1;
        /** A number where a unit is due passes, too: the message about the unit is the better one. */
        int NUMBER = 2;
        int TEXT = 4;
        /** Also an array of such. */
        int LIST = 8;
    }

    final String allowed;
    /** Whether a value has entries. */
    final boolean list;
    private final int forms;

    Kind(int forms, String allowed) {
        this.list = (forms & LIST) != 0;
        this.forms = forms;
        this.allowed = allowed;
    }

    /** Whether the file may have its value in this form; of a list, an entry of it. */
    boolean takes(int form) {
        return (forms & form) != 0;
    }

    /**
     * @param entries one or more of a list, exactly one of anything else; trimmed
     * @return null if the text says "none" or "all", where that is the key's default
     * @throws IllegalArgumentException with what is wrong, for a fault's line
     */
    static Object parse(SettingKey key, String[] entries) {
        for (String e : entries) {
            if (e.isEmpty()) {
                throw new IllegalArgumentException(entries.length > 1 ? "an empty entry in the list" : "no value");
            }
        }
        if (entries.length == 0) {
            throw new IllegalArgumentException("no value");
        }
        String text = entries[0];
        if (entries.length == 1 && key.isNothing(text)) {
            return null;
        }
        return key.kind.list ? list(key, entries) : one(key, text);
    }

    private static Object list(SettingKey key, String[] entries) {
        switch (key.kind) {
            case WINDOWS:
                return windows(entries);
            case STATUSES:
                return statuses(entries);
            case RUNGS:
                return rungs(entries);
            case IGNORED:
                return new IgnoreList(entries);
            case WORDS:
                for (String e : entries) {
                    word(key, e, "no such value");
                }
                return entries;
            case KEYS:
                return new KeyParts(entries);
            case CLIENTS:
                return ClientNames.parse(key, entries);
            case HOSTS:
                return new HostList(entries, key);
            case NAMES:
                return names(entries);
            case PATHS:
                for (String e : entries) {
                    glob(e);
                }
                return entries;
            default:
                throw new AssertionError(key);
        }
    }

    private static Object one(SettingKey key, String text) {
        switch (key.kind) {
            case BOOLEAN:
                return bool(text);
            case RATE:
                return rate(text);
            case COUNT:
                return (int) Amounts.whole(text, 1, Integer.MAX_VALUE);
            case ZERO_COUNT:
                return (int) Amounts.whole(text, 0, Integer.MAX_VALUE);
            case FRACTION:
                return Amounts.fraction(text);
            case DURATION:
                return Amounts.duration(text, 1);
            case WAIT:
                return text.equals("unlimited") ? Long.MAX_VALUE : Amounts.duration(text, 0);
            case RANGE:
                return Amounts.range(text);
            case SIZE:
                return Amounts.size(text, 1, Long.MAX_VALUE);
            case ZERO_DURATION:
                return Amounts.duration(text, 0);
            case ZERO_SIZE:
                return (int) Amounts.size(text, 0, 1 << 30);
            case WORD:
                return word(key, text, "no such value");
            case FILE:
                return file(text);
            case NAMED_FILE:
                return named(file(text));
            case REPORT:
                return report(text);
            case PORT:
                return (int) Amounts.whole(text, 0, 65_535);
            case ADDRESS:
                return address(text);
            case REDIS:
                return RedisUri.parse(text.charAt(0) == '@' ? FileValue.of(text) : text);
            case PASSWORD:
                return FileValue.orText(text);
            case PREFIX:
                return prefix(text);
            case LEASE:
                return text.equals("auto") ? FleetSettings.AUTO
                        : text.equals("off") ? FleetSettings.OFF : (int) Amounts.whole(text, 1, 1000);
            case SECRET:
                return FileValue.secret(text);
            default:
                throw new AssertionError(key);
        }
    }

    static Boolean bool(String text) {
        if (text.equals("true")) {
            return true;
        }
        if (text.equals("false")) {
            return false;
        }
        throw new IllegalArgumentException("neither true nor false");
    }

    private static Rate rate(String text) {
        if (text.equals("auto")) {
            return new Rate(Double.POSITIVE_INFINITY, true);
        }
        boolean auto = text.startsWith("auto:");
        return new Rate(Amounts.perSecond(auto ? text.substring(5).trim() : text), auto);
    }

    private static List<Integer> statuses(String[] entries) {
        List<Integer> statuses = new ArrayList<Integer>();
        for (String e : entries) {
            statuses.add((int) Amounts.whole(e, 400, 999));
        }
        return statuses;
    }

    private static Escalation rungs(String[] entries) {
        long[] rungs = new long[entries.length];
        for (int i = 0; i < rungs.length; i++) {
            rungs[i] = entries[i].equals("cooldown") ? Escalation.COOLDOWN
                    : entries[i].equals("lifetime") ? Escalation.LIFETIME : Amounts.duration(entries[i], 1);
            if (i > 0 && rungs[i - 1] == Escalation.LIFETIME) {
                throw new IllegalArgumentException("nothing comes after lifetime");
            }
        }
        return new Escalation(rungs);
    }

    private static WindowLimit[] windows(String[] entries) {
        WindowLimit[] windows = new WindowLimit[entries.length];
        for (int i = 0; i < windows.length; i++) {
            windows[i] = window(entries[i]);
        }
        return windows;
    }

    private static WindowLimit window(String text) {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1) {
            throw new IllegalArgumentException("not a count, a slash and a duration");
        }
        int count = (int) Amounts.whole(text.substring(0, slash).trim(), 1, Integer.MAX_VALUE);
        return new WindowLimit(count, Amounts.duration(text.substring(slash + 1).trim(), 1));
    }

    static String word(SettingKey key, String text, String otherwise) {
        String[] words = key.words();
        for (String w : words) {
            if (w.equals(text)) {
                return w;
            }
        }
        String near = Nearest.of(text, words);
        throw new IllegalArgumentException(otherwise + (near == null ? "" : ", did you mean " + near + "?"));
    }

    private static void glob(String glob) {
        if (glob.charAt(0) != '/' && glob.charAt(0) != '*') {
            throw new IllegalArgumentException("'" + glob + "' begins with neither / nor *");
        }
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            if (c <= ' ' || c > '~') { // would never match, since paths are matched as they are sent
                throw new IllegalArgumentException("'" + glob + "' is not percent-encoded");
            }
        }
    }

    private static String file(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not a path");
        }
        return text;
    }

    private static String named(String path) {
        return path.indexOf('%') < 0 ? path : FileName.of(path); // the usual one loads no class
    }

    private static String report(String text) {
        boolean path = text.indexOf('.') >= 0 || text.indexOf('/') >= 0 || text.indexOf('\\') >= 0;
        if (!text.equals("true") && !text.equals("false") && !path) {
            throw new IllegalArgumentException("neither true nor false, nor a file");
        }
        return named(file(text));
    }

    private static String address(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!letterOrDigit(c) && ".-:_[]".indexOf(c) < 0) {
                throw new IllegalArgumentException("not an address");
            }
        }
        return text.charAt(0) == '[' && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    private static String prefix(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!letterOrDigit(c) && "._-:/".indexOf(c) < 0) {
                throw new IllegalArgumentException("has another character"); // a brace would say what slot of a cluster it is in
            }
        }
        if (text.length() > 100) {
            throw new IllegalArgumentException("too long");
        }
        return text;
    }

    private static String[] names(String[] entries) {
        String[] names = new String[entries.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = HostPatterns.canonical(entries[i]);
            if (names[i].startsWith("*") || names[i].indexOf('/') >= 0) {
                throw new IllegalArgumentException("'" + entries[i] + "' is a pattern; only whole names go here");
            }
        }
        return names;
    }

    private static boolean letterOrDigit(char c) {
        return Amounts.digit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }
}
