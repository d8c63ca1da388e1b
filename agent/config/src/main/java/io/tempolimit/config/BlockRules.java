package io.tempolimit.config;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.tempolimit.detect.BlockRule;
import io.tempolimit.detect.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The file's section {@code block_rules}: the user's own signs of a block. For one use. */
final class BlockRules {
    private static final String[] KEYS = {"type", "hosts", "status", "title", "body_contains", "header"};

    private final JsonFile file;
    private final JsonReader in;
    private final Loader loader;
    /** The rule that is being read, for people. */
    private StringBuilder text;

    BlockRules(JsonFile file, JsonReader in, Loader loader) {
        this.file = file;
        this.in = in;
        this.loader = loader;
    }

    void read() throws IOException {
        if (in.peek() != JsonToken.BEGIN_ARRAY) {
            fault("block_rules", file.skipped(), "not a list", "[ {...}, ... ]");
            return;
        }
        in.beginArray();
        for (int i = 0; in.hasNext(); i++) {
            String path = "block_rules[" + i + "]";
            if (file.object(path)) {
                rule(path);
            }
        }
        in.endArray();
    }

    private void rule(String path) throws IOException {
        BlockRule.Builder rule = BlockRule.builder(path);
        String type = Verdict.SOFT_BLOCK.type();
        text = new StringBuilder();
        Set<String> seen = new HashSet<String>();
        boolean conditions = false;
        in.beginObject();
        while (in.hasNext()) {
            String key = in.nextName();
            String written = path + "." + key;
            if (!seen.add(key)) {
                file.twice(written);
                continue;
            }
            conditions |= !key.equals("type") && !key.equals("hosts");
            switch (key) {
                case "type":
                    type = type(written, rule);
                    break;
                case "hosts":
                    rule.hosts(hosts(written));
                    break;
                case "status":
                    rule.statuses(statuses(written));
                    break;
                case "title":
                    rule.titles(texts(written));
                    break;
                case "body_contains":
                    bodyContains(written, rule);
                    break;
                case "header":
                    if (file.object(written)) {
                        headers(written, rule);
                    }
                    break;
                default:
                    String near = Nearest.of(key, KEYS);
                    loader.fault(file.place(), written, file.skipped(), "unknown key", String.join(", ", KEYS), near);
            }
        }
        in.endObject();
        if (!conditions) {
            fault(path, null, "matches every answer", "at least one of status, title, body_contains, header");
        }
        loader.blockRules.add(rule.build());
        loader.blockRuleTexts.add(type + text);
    }

    private String type(String written, BlockRule.Builder rule) throws IOException {
        JsonToken token = in.peek();
        String text = file.skipped();
        Verdict type = token == JsonToken.STRING ? Verdict.ofType(text) : null;
        if (type != null) {
            rule.type(type);
            return type.type();
        }
        List<String> types = new ArrayList<String>();
        for (Verdict v : Verdict.values()) {
            if (v.isBlock()) {
                types.add(v.type());
            }
        }
        String near = Nearest.of(text, types.toArray(new String[0]));
        fault(written, text, "no type of block" + (near == null ? "" : ", did you mean " + near + "?"), String.join(", ", types));
        return text;
    }

    private void bodyContains(String written, BlockRule.Builder rule) throws IOException {
        List<String> texts = texts(written);
        for (String text : texts) {
            try {
                rule.bodyContains(Collections.singleton(text));
            } catch (IllegalArgumentException e) {
                if (!text.trim().isEmpty()) { // else that was told
                    fault(written, text.length() > 40 ? text.substring(0, 40) + "..." : text, "cannot be looked for",
                    "a text of 1 to 1000 bytes that can be seen");
                }
                return;
            }
        }
        rule.bodyContains(texts);
    }

    private Predicate<String> hosts(String written) throws IOException {
        final HostPatterns<Boolean> patterns = new HostPatterns<Boolean>();
        for (String host : texts(written)) {
            try {
                patterns.put(HostPatterns.canonical(host), Boolean.TRUE);
            } catch (IllegalArgumentException e) {
                fault(written, host, e.getMessage(), "example.com, *.example.com, 10.0.0.0/8, fc00::/7");
            }
        }
        return new Predicate<String>() {
            @Override
            public boolean test(String host) {
                return patterns.matches(host);
            }
        };
    }

    private List<Integer> statuses(String written) throws IOException {
        List<Integer> statuses = new ArrayList<Integer>();
        for (String text : list(written, JsonToken.NUMBER, "a list of statuses from 100 to 999")) {
            try {
                int status = Integer.parseInt(text);
                if (status >= 100 && status <= 999) {
                    statuses.add(status);
                    continue;
                }
            } catch (NumberFormatException e) {
                // told below
            }
            fault(written, text, "not a status", "100 to 999");
        }
        return statuses;
    }

    private List<String> texts(String written) throws IOException {
        List<String> texts = list(written, JsonToken.STRING, "a text or a list of texts");
        for (String text : texts) {
            if (text.trim().isEmpty()) {
                fault(written, text, "an empty text", "a text or a list of texts");
            }
        }
        return texts;
    }

    /** One value stands for a list of one. */
    private List<String> list(String written, JsonToken type, String allowed) throws IOException {
        List<String> list = new ArrayList<String>();
        boolean array = in.peek() == JsonToken.BEGIN_ARRAY;
        boolean empty = true;
        if (array) {
            in.beginArray();
        }
        while (!array || in.hasNext()) {
            JsonToken token = in.peek();
            String text = file.skipped();
            empty = false;
            if (token == type) {
                list.add(text);
            } else {
                fault(written, text, "wrong type: " + JsonFile.type(token), allowed);
            }
            if (!array) {
                say(written, text);
                return list;
            }
        }
        in.endArray();
        say(written, String.join(" or ", list));
        if (empty) {
            fault(written, null, "an empty list, which matches nothing", allowed);
        }
        return list;
    }

    private void headers(String written, BlockRule.Builder rule) throws IOException {
        in.beginObject();
        while (in.hasNext()) {
            String name = in.nextName();
            JsonToken token = in.peek();
            String value = file.skipped();
            if (token != JsonToken.STRING) {
                fault(written + "." + name, value, "wrong type: " + JsonFile.type(token), "a header's value, or * for any");
            } else {
                rule.header(name, value);
                say(written, name + ": " + value);
            }
        }
        in.endObject();
    }

    private void say(String written, String value) {
        text.append("; ").append(written, written.lastIndexOf('.') + 1, written.length()).append(' ').append(Fault.line(value));
    }

    private void fault(String written, String text, String problem, String allowed) {
        loader.fault(file.place(), written, text, problem, allowed, null);
    }
}
