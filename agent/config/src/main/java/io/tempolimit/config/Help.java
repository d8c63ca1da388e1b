package io.tempolimit.config;

import java.util.ArrayList;
import java.util.List;

/** What every key is, what may be written and what holds by default, for a terminal of 80 columns. Stateless. */
public final class Help {
    private static final int WIDTH = 80;
    private static final int INDENT = 20;

    private Help() {
    }

    /** All keys. */
    public static String all() {
        StringBuilder s = new StringBuilder(8192);
        for (int i = 0; i < SettingKey.COUNT; i++) {
            write(SettingKey.at(i), s);
        }
        return s.toString();
    }

    /** One key, or those whose names begin with this and a dot; null if there are none. */
    public static String of(String name) {
        StringBuilder s = new StringBuilder(512);
        for (int i = 0; i < SettingKey.COUNT; i++) {
            SettingKey key = SettingKey.at(i);
            if (key.key.equals(name) || key.key.startsWith(name + ".")) {
                write(key, s);
            }
        }
        return s.length() == 0 ? null : s.toString();
    }

    /** The names of all keys. */
    public static List<String> keys() {
        List<String> keys = new ArrayList<String>();
        for (int i = 0; i < SettingKey.COUNT; i++) {
            keys.add(SettingKey.at(i).key);
        }
        return keys;
    }

    private static void write(SettingKey k, StringBuilder to) {
        to.append(k.key);
        for (int n = k.key.length(); n < INDENT; n++) {
            to.append(' ');
        }
        wrap(k.meaning + " (default: " + k.byDefault.replace(",", ", ") + (k.perDomain ? "; also per domain)" : ")"), INDENT, to);
        wrap(k.allowed(), 0, to);
    }

    /** @param at the column at which the first line begins */
    private static void wrap(String words, int at, StringBuilder to) {
        int column = at;
        int from = 0;
        while (from < words.length()) {
            for (; column < INDENT; column++) {
                to.append(' ');
            }
            int end = Math.min(words.length(), from + WIDTH - INDENT);
            int space = end == words.length() ? end : words.lastIndexOf(' ', end);
            if (space <= from) {
                space = end;
            }
            to.append(words, from, space).append('\n');
            column = 0;
            from = space < words.length() && words.charAt(space) == ' ' ? space + 1 : space;
        }
    }
}
