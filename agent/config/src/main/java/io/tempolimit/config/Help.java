package io.tempolimit.config;

import java.util.ArrayList;
import java.util.List;

/** What every key is, what may be written and what holds by default, for a terminal of 80 columns. Stateless. */
public final class Help {
    private static final int WIDTH = 80;
    private static final int INDENT = 20;
    private static final String DOMAIN = "domain.HOST.SETTING sets it for some hosts: domain.shop.example.rate=1\n\n"
            + "HOST is shop.example, *.shop.example (any depth, but not shop.example itself),\n"
            + "or a network (10.0.0.0/8). The most specific pattern wins. help marks the\n"
            + "settings that may stand there: also per domain.\n\n"
            + "system property     -Dtempolimit.domain.shop.example.rate=1\n"
            + "config file         { \"domains\": { \"shop.example\": { \"rate\": 1 } } }\n";

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

    /**
     * One key and where it may be set, or those whose names begin with this and a dot, or how settings of a domain are written; null if
     * there is none of this name.
     */
    public static String of(String name) {
        if (name.equals("domain")) {
            return DOMAIN;
        }
        if (name.startsWith("domain.")) {
            SettingKey key = SettingKey.ending(name);
            return key == null ? DOMAIN : of(key.key);
        }
        StringBuilder s = new StringBuilder(512);
        for (int i = 0; i < SettingKey.COUNT; i++) {
            SettingKey key = SettingKey.at(i);
            if (key.key.equals(name) || key.key.startsWith(name + ".")) {
                write(key, s);
            }
        }
        SettingKey key = SettingKey.named(name);
        if (key != null) {
            writeSources(key, s);
        }
        return s.length() == 0 ? null : s.toString();
    }

    private static void writeSources(SettingKey k, StringBuilder to) {
        boolean quoted = k.kind != Kind.BOOLEAN && k.kind != Kind.COUNT && k.kind != Kind.ZERO_COUNT && k.kind != Kind.FRACTION
                && k.kind != Kind.RATE && k.kind != Kind.STATUSES;
        String value = quoted ? "\"VALUE\"" : "VALUE";
        to.append("\nagent argument      ").append(k.key).append(k.kind.list ? "='VALUE;VALUE'" : "=VALUE");
        to.append("\nsystem property     -Dtempolimit.").append(k.key).append(k.kind.list ? "=VALUE,VALUE" : "=VALUE");
        to.append("\nenvironment         TEMPOLIMIT_").append(k.environmentName()).append(k.kind.list ? "=VALUE,VALUE" : "=VALUE");
        if (k != SettingKey.CONFIG) {
            to.append("\nconfig file         { \"default_config\": { \"").append(k.underscored()).append("\": ")
                    .append(k.kind.list ? "[" + value + "]" : value).append(" } }");
        }
        if (k.perDomain) {
            to.append("\nper domain          domain.shop.example.").append(k.key).append("=VALUE");
        }
        to.append("\n\nA change in the config file ").append(k.restart ? "needs a restart.\n" : "holds without a restart.\n");
    }

    /** All that {@link #of} explains. */
    public static List<String> topics() {
        List<String> topics = new ArrayList<String>();
        topics.add("domain");
        for (int i = 0; i < SettingKey.COUNT; i++) {
            String key = SettingKey.at(i).key;
            int dot = key.indexOf('.');
            if (dot > 0 && !topics.contains(key.substring(0, dot))) {
                topics.add(key.substring(0, dot));
            }
            if (!topics.contains(key)) {
                topics.add(key);
            }
        }
        return topics;
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
