package io.tempolimit.detect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The catalogue and the user's own rules, made ready: one table for all headers, one automaton for all patterns.
 * Immutable to those who ask.
 */
final class Compiled {
    /** Headers with a meaning of their own. */
    static final int NO_MEANING = 0;
    static final int CONTENT_TYPE = 1;
    static final int CONTENT_ENCODING = 2;
    static final int CONTENT_LENGTH = 3;
    static final int CONTENT_DISPOSITION = 4;
    static final int LOCATION = 5;
    static final int REFRESH = 6;
    static final int RETRY_AFTER = 7;
    static final int DATE = 8;
    static final int RATE_LIMIT = 9;
    static final int RATE_LIMIT_POLICY = 10;
    static final int REMAINING = 11;
    static final int RESET = 12;
    static final int RETRY_AFTER_MILLIS = 13;

    private static final String[][] MEANINGS = {
        {}, {"content-type"}, {"content-encoding"}, {"content-length"}, {"content-disposition"}, {"location"},
        {"refresh"}, {"retry-after", "x-retry-after"}, {"date"}, {"ratelimit"},
        {"ratelimit-policy"}, {"ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining", "x-ratelimit-remaining-requests"},
        {"ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset", "x-ratelimit-reset-after", "x-ratelimit-reset-requests"},
        {"retry-after-ms", "x-ms-retry-after-ms"}};

    /** What to do with a header. */
    static final class Use {
        final String name;
        int meaning = NO_MEANING;
        final List<Catalogue.HeaderCondition> conditions = new ArrayList<>(0);
        /** The user's rules that ask for it, and which of their headers it is. */
        final List<int[]> own = new ArrayList<>(0);

        Use(String name) {
            this.name = name;
        }
    }

    /** One of the user's rules. */
    static final class Own {
        final BlockRule rule;
        final List<String> titles = new ArrayList<>(1);
        final int[] patterns;
        final String[] headers; // their values, in the order of the bits
        final int allHeaders;

        Own(BlockRule rule, int[] patterns) {
            this.rule = rule;
            this.patterns = patterns;
            for (String title : rule.titles) {
                titles.add(Patterns.normalised(title, true));
            }
            headers = rule.headers.values().toArray(new String[0]);
            allHeaders = (1 << headers.length) - 1;
        }

        /** Whether all that it asks of the head holds; {@code seen}: which of its headers do. */
        boolean holdsFor(String host, int status, int seen) {
            return (rule.statuses.isEmpty() || rule.statuses.contains(status)) && seen == allHeaders
                    && (rule.hosts == null || rule.hosts.test(host));
        }

        boolean asksForBody() {
            return !titles.isEmpty() || patterns.length > 0;
        }

        /** What of it matched; null if it does not hold. */
        String evidence(Page page) {
            StringBuilder evidence = new StringBuilder();
            if (!titles.isEmpty()) {
                int i = page.title() == null ? -1 : titles.indexOf(page.title());
                if (i < 0) {
                    return null;
                }
                Rule.append(evidence, "title: " + rule.titles.get(i));
            }
            if (patterns.length > 0) {
                int i = 0;
                while (i < patterns.length && !page.has(patterns[i])) {
                    i++;
                }
                if (i == patterns.length) {
                    return null;
                }
                Rule.append(evidence, "body: " + rule.bodyContains.get(i));
            }
            return evidence.toString();
        }
    }

    final Catalogue catalogue;
    final List<Own> own = new ArrayList<>(0);
    /** In the tags of documents for programs, which a reader sees nothing of. */
    private static final String[] FOR_PROGRAMS = {"<meta property=\"", "name=\"go-import\"", "name=\"go-source\"", "name=\"description\"",
        "name=\"twitter:", "rel=\"alternate\"", "itemprop=\""};

    /** What a script does, by what stands in it: numbers for {@link #does}. */
    static final int COOKIE = 0;
    static final int RELOAD = 1;
    static final int LEADS = 2;
    static final int COMPUTES = 3;
    static final int HIDES = 4;
    /** In scripts and tags: names that guards give to their addresses and elements. */
    static final int NAMES_A_GUARD = 5;
    /** The place of a captcha's widget, which says more than its script. */
    static final int PLACES_A_CAPTCHA = 6;
    private static final String[][] DEEDS = {
        {"document.cookie=", "document.cookie ="},
        {"location.reload", "location.href=location", "location.href = location", "location.replace(location", "location=location",
            "location = location", "location.href=window.location", "location.href = window.location", "location.href=document.location",
            "=location.pathname", "=window.location.pathname", "= window.location.pathname"},
        {"location.href=", "location.href =", "location.replace(", "location.assign(", ".submit()"},
        {"crypto.subtle", "webassembly", "new worker(", "worker.js", "difficulty"},
        {"fromcharcode", "eval(function", "eval(atob(", "\\x63\\x6f\\x6f", "\\x6c\\x6f\\x63",
            "\\x64\\x6f\\x63", "\\x72\\x65\\x6c"},
        {"challenge", "antibot/", "anti-bot", "anti_bot", "bot-check", "botcheck", "bot-detect", "bot_detect", "human-check", "humancheck",
            "verify-human", "verifyhuman", "human-verif", "proof-of-work", "proofofwork", "/verify/", "/verify?", "/verify\"", "firewall",
            "/__guard", "=\"/.guard", "=\"/_guard", "=\"/guard/", "ratelimit", "rate-limit", "interstitial", "antispider",
            "anti-spider", "anticrawl", "access-denied", "accessdenied", "security-check", "securitycheck", "browser-check",
            "browsercheck", "js-check", "anti-ddos", "ddos-check", "blocked-page", "block-page", "not-a-robot"},
        {"data-sitekey=\"", "class=\"h-captcha", "class=\"cf-turnstile", "class=\"g-recaptcha\"", "<altcha-widget", "<cap-widget",
            "class=\"frc-captcha", "class=\"procaptcha", "class=\"smart-captcha", "class=\"mtcaptcha", "initgeetest",
            "new tencentcaptcha(", "initaliyuncaptcha"}};

    /** The pattern of a page that leads on by itself. */
    static final int REFRESHES = 0;
    /** That of a page that has its looks from elsewhere, as applications do. */
    static final int STYLESHEET = 1;
    private static final int FIRST_FOR_PROGRAMS = 2;

    private final Patterns.Builder builder;
    private volatile Patterns patterns;
    private Use[] table = new Use[128];

    Compiled(Catalogue catalogue, List<BlockRule> rules) {
        this.catalogue = catalogue;
        for (int meaning = 1; meaning < MEANINGS.length; meaning++) {
            for (String name : MEANINGS[meaning]) {
                use(name).meaning = meaning;
            }
        }
        for (Catalogue.HeaderCondition condition : catalogue.headers) {
            use(condition.header).conditions.add(condition);
        }
        builder = rules.isEmpty() ? catalogue.patterns : new Patterns.Builder(catalogue.patterns);
        for (BlockRule rule : rules) {
            int[] ids = new int[rule.bodyContains.size()];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = builder.add(rule.bodyContains.get(i), Place.TEXT, Place.ANY);
            }
            int bit = 1;
            for (Map.Entry<String, String> header : rule.headers.entrySet()) {
                use(header.getKey()).own.add(new int[] {own.size(), bit});
                bit <<= 1;
            }
            own.add(new Own(rule, ids));
        }
    }

    /** Adds what is looked for in all pages, whatever the rules, and before what rules look for: so the numbers are known. */
    static void addSigns(Patterns.Builder patterns) {
        patterns.add("http-equiv=\"refresh\"", Place.TAG);
        patterns.add("rel=\"stylesheet\"", Place.TAG);
        for (String forPrograms : FOR_PROGRAMS) {
            patterns.add(forPrograms, Place.TAG);
        }
        for (String[] deed : DEEDS) {
            for (String sign : deed) {
                patterns.add(sign, Place.SCRIPT, Place.TAG);
            }
        }
    }

    /** Whether a page without text says something to programs: by meta elements, or in attributes of its own. */
    boolean isForPrograms(Page page) {
        return anyOf(FIRST_FOR_PROGRAMS, FOR_PROGRAMS.length, page) || page.data();
    }

    /** Whether a page's scripts do what the number stands for. */
    boolean does(Page page, int deed) {
        int first = FIRST_FOR_PROGRAMS + FOR_PROGRAMS.length;
        for (int i = 0; i < deed; i++) {
            first += DEEDS[i].length;
        }
        return anyOf(first, DEEDS[deed].length, page);
    }

    private static boolean anyOf(int first, int count, Page page) {
        for (int pattern = first; pattern < first + count; pattern++) {
            if (page.has(pattern)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The automaton, made with the first body that is looked at: a program that asks for JSON alone never needs it.
     * Twice if two threads are first.
     */
    Patterns patterns() {
        Patterns p = patterns;
        return p != null ? p : (patterns = builder.build());
    }

    /** What to do with a header of this name, in any case; null: nothing. */
    Use of(String name) {
        for (int i = hash(name) & table.length - 1; table[i] != null; i = i + 1 & table.length - 1) {
            if (table[i].name.equalsIgnoreCase(name)) {
                return table[i];
            }
        }
        return null;
    }

    private Use use(String name) {
        Use use = of(name);
        if (use == null) {
            use = new Use(name);
            put(use);
            int count = 0;
            for (Use u : table) {
                count += u == null ? 0 : 1;
            }
            if (count * 2 > table.length) {
                Use[] old = table;
                table = new Use[old.length * 2];
                for (Use u : old) {
                    if (u != null) {
                        put(u);
                    }
                }
            }
        }
        return use;
    }

    private void put(Use use) {
        int i = hash(use.name) & table.length - 1;
        while (table[i] != null) {
            i = i + 1 & table.length - 1;
        }
        table[i] = use;
    }

    private static int hash(String name) {
        int h = name.length();
        for (int i = 0; i < name.length(); i++) {
            h = h * 31 + (name.charAt(i) | 0x20);
        }
        return h ^ h >>> 15;
    }
}
