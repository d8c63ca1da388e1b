package io.tempolimit.config;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.tempolimit.core.policy.Accounts;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The file that {@code config} names. The only class that uses gson, so that nobody without a file loads it. For one use. */
final class JsonFile {
    private static final String[] SECTIONS = {"version", "default_config", "domains", "profiles", "accounts", "block_rules"};
    private static final String[] ACCOUNT_KEYS = {"header", "profiles"};

    private final String source;
    private final Loader loader;
    private final Map<String, Setting[]> profiles = new HashMap<String, Setting[]>();
    /** Domains that name a profile, with where; profiles may stand after them. */
    private final Map<Scope, String[]> named = new LinkedHashMap<Scope, String[]>();
    /** Likewise accounts, by their names. */
    private final Map<String, String[]> accounts = new LinkedHashMap<String, String[]>();
    private JsonReader in;

    JsonFile(String path, Loader loader) {
        this.source = "config file " + Fault.line(path);
        this.loader = loader;
    }

    /** Faults, among them that this is no JSON, go to the loader. */
    void read(byte[] content) {
        String text = text(content);
        if (text == null) {
            return;
        }
        in = new JsonReader(new StringReader(text)); // its default is strict
        try {
            if (in.peek() != JsonToken.BEGIN_OBJECT) {
                loader.fault(place(), "config", null, "not one JSON object", "{ ... }", null);
                return;
            }
            file();
            if (in.peek() != JsonToken.END_DOCUMENT) {
                loader.fault(place(), "config", null, "goes on after the object's end", "one JSON object", null);
            }
        } catch (EOFException e) {
            syntax("it ends too early");
        } catch (IOException e) {
            syntax(e.getMessage());
        } catch (IllegalStateException e) {
            syntax(e.getMessage());
        } catch (NumberFormatException e) { // a broken escape of a character, in some versions of gson
            syntax(e.getMessage());
        }
        for (Map.Entry<Scope, String[]> e : named.entrySet()) {
            e.getKey().profile = profile(e.getValue());
        }
        for (Map.Entry<String, String[]> e : accounts.entrySet()) {
            loader.accounts.put(e.getKey(), Scope.ofAccount(e.getKey(), profile(e.getValue())));
        }
    }

    private String text(byte[] content) {
        if (content.length > 1 && ((content[0] & 255) >= 0xfe && (content[1] & 255) >= 0xfe || content[0] == 0 || content[1] == 0)) {
            loader.fault(source, "config", null, "is UTF-16 or UTF-32", "UTF-8", null);
            return null;
        }
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
        } catch (CharacterCodingException e) {
            loader.fault(source, "config", null, "is not UTF-8", "UTF-8", null);
            return null;
        }
        if (text.startsWith("\ufeff")) { // some editors put it there; it says no more than that this is UTF-8
            text = text.substring(1);
        }
        if (text.trim().isEmpty()) {
            loader.fault(source, "config", null, "is empty", "a JSON object, at least {}", null);
            return null;
        }
        return text;
    }

    private void file() throws IOException {
        Set<String> seen = new HashSet<String>();
        in.beginObject();
        while (in.hasNext()) {
            String name = in.nextName();
            if (!seen.add(name)) {
                twice(name);
            } else if (name.equals("version")) {
                version();
            } else if (name.equals("default_config")) {
                if (object(name)) {
                    section(name, loader.values, source, null);
                }
            } else if (name.equals("domains")) {
                if (object(name)) {
                    domains();
                }
            } else if (name.equals("profiles")) {
                if (object(name)) {
                    profiles();
                }
            } else if (name.equals("block_rules")) {
                new BlockRules(this, in, loader).read();
            } else if (name.equals("accounts")) {
                if (object(name)) {
                    accounts();
                }
            } else {
                unknownSection(name);
            }
        }
        in.endObject();
    }

    private void unknownSection(String name) throws IOException {
        String place = place();
        SettingKey key = SettingKey.ofJson(name);
        String value = key != null ? Loader.masked(key, skipped()) : Loader.maskedUnknown(name, skipped());
        if (key != null) {
            loader.fault(place, name, value, "does not belong here", "in default_config", "default_config." + key.underscored());
        } else {
            loader.fault(place, name, value, "unknown key", String.join(", ", SECTIONS), Nearest.of(name, SECTIONS));
        }
    }

    private void version() throws IOException {
        String place = place();
        JsonToken type = in.peek();
        String version = skipped();
        if (type != JsonToken.STRING && type != JsonToken.NUMBER || !version.equals("1.0") && !version.equals("1")) {
            loader.fault(place, "version", version, "not a version that is known", "\"1.0\"", null);
        }
    }

    private void domains() throws IOException {
        Set<String> seen = new HashSet<String>();
        in.beginObject();
        while (in.hasNext()) {
            String pattern = in.nextName();
            String path = "domains." + pattern;
            if (!object(path)) {
                continue;
            }
            Scope scope = loader.scope(place(), path, null, pattern);
            if (scope == null) {
                in.skipValue();
            } else if (!seen.add(scope.pattern)) {
                twice(path);
            } else {
                section(path, scope.own, source, scope);
            }
        }
        in.endObject();
    }

    private void profiles() throws IOException {
        in.beginObject();
        while (in.hasNext()) {
            String name = in.nextName();
            String path = "profiles." + name;
            if (profiles.containsKey(name)) {
                twice(path);
            } else if (object(path)) {
                Setting[] settings = new Setting[SettingKey.COUNT];
                profiles.put(name, settings);
                section(path, settings, source + ", profile " + name, null);
            }
        }
        in.endObject();
    }

    /**
     * The keys of default_config, a domain or a profile.
     *
     * @param scope the domain; null for others
     */
    private void section(String path, Setting[] into, String settingSource, Scope scope) throws IOException {
        Set<String> seen = new HashSet<String>();
        in.beginObject();
        while (in.hasNext()) {
            String name = in.nextName();
            String written = path + "." + name;
            String place = place();
            SettingKey key = SettingKey.ofJson(name);
            if (!seen.add(name)) {
                twice(written);
            } else if (scope != null && name.equals("profile")) {
                JsonToken type = in.peek();
                String profile = skipped();
                if (type == JsonToken.STRING) {
                    named.put(scope, new String[] {profile, place, written});
                } else {
                    loader.fault(place, written, profile, "wrong type: " + type(type), "a profile's name", null);
                }
            } else if (key == null) {
                String text = skipped();
                SettingKey near = Nearest.key(name, text);
                String value = Loader.maskedUnknown(name, text);
                loader.fault(place, written, value, "unknown key", near == null ? "the keys that help lists" : near.allowed(),
                        near == null ? null : near.underscored());
            } else if (key == SettingKey.CONFIG) {
                loader.fault(place, written, skipped(), "the config file cannot name another one", "", null);
            } else if (into == loader.values
                    || loader.perDomain(key, place, written, null, "; it goes into default_config")) {
                value(key, written, place, into, settingSource);
            } else {
                in.skipValue();
            }
        }
        in.endObject();
    }

    private void value(SettingKey key, String written, String place, Setting[] into, String settingSource) throws IOException {
        JsonToken type = in.peek();
        String text;
        String[] entries;
        if (type == JsonToken.BEGIN_ARRAY && key.kind.list) {
            entries = strings(key, written, place);
            if (entries == null) {
                return;
            }
            text = Loader.join(entries);
        } else {
            text = skipped();
            entries = Loader.entries(key, text, ',');
            if (!key.kind.takes(form(type)) && !(type == JsonToken.STRING && key.isNothing(text))) {
                loader.fault(place, written, Loader.masked(key, text), "wrong type: " + type(type), key.allowed(), null);
                return;
            }
        }
        loader.store(into, key, settingSource, place, written, text, entries);
    }

    /**
     * An empty list adds nothing to what holds by default.
     *
     * @return null, and a fault, if there is something else in the array
     */
    private String[] strings(SettingKey key, String written, String place) throws IOException {
        List<String> list = new ArrayList<String>();
        JsonToken other = null;
        in.beginArray();
        while (in.hasNext()) {
            JsonToken type = in.peek();
            String entry = skipped();
            list.add(entry.trim());
            other = key.kind.takes(form(type)) ? other : type;
        }
        in.endArray();
        if (other != null) {
            loader.fault(place, written, null, "wrong type: " + type(other) + " in the list", key.allowed(), null);
            return null;
        }
        boolean nothing = list.isEmpty() && (key == SettingKey.EXCLUDE || key.byDefault.equals("none"));
        return nothing ? Loader.entries(key, key.byDefault, ',') : list.toArray(new String[0]);
    }

    /** What kinds call this; 0 for what no setting is. */
    private static int form(JsonToken type) {
        switch (type) {
            case BOOLEAN:
                return Kind.Form.FLAG;
            case NUMBER:
                return Kind.Form.NUMBER;
            case STRING:
                return Kind.Form.TEXT;
            default:
                return 0;
        }
    }

    private void accounts() throws IOException {
        String begin = place();
        Set<String> seen = new HashSet<String>();
        in.beginObject();
        while (in.hasNext()) {
            String name = in.nextName();
            String written = "accounts." + name;
            if (!seen.add(name)) {
                twice(written);
            } else if (name.equals("header")) {
                accountHeader(written);
            } else if (name.equals("profiles")) {
                if (object(written)) {
                    accountProfiles(written);
                }
            } else {
                loader.fault(place(), written, null, "unknown key", "header, profiles", Nearest.of(name, ACCOUNT_KEYS));
                in.skipValue();
            }
        }
        in.endObject();
        if (!seen.contains("header")) {
            loader.fault(begin, "accounts", null, "has no header", "\"header\": \"Authorization\"", null);
        }
    }

    /** What is no name may be a header's value, by mistake, which must not be shown. */
    private void accountHeader(String written) throws IOException {
        String place = place();
        boolean string = in.peek() == JsonToken.STRING;
        String header = skipped();
        if (string && KeyParts.isHeader(header)) {
            loader.accountHeader = header;
            loader.accountPlace = source;
        } else {
            loader.fault(place, written, "***", "no header's name", "Authorization, X-Api-Key and such", null);
        }
    }

    private void accountProfiles(String written) throws IOException {
        in.beginObject();
        while (in.hasNext()) {
            String account = in.nextName();
            boolean named = Accounts.isName(account);
            String shown = written + "." + (named ? account : "***");
            String place = place();
            JsonToken type = in.peek();
            String profile = skipped();
            if (!named) {
                loader.fault(place, shown, null, "no account's name: that has 12 hex digits", "what the command account prints", null);
            } else if (type != JsonToken.STRING) {
                loader.fault(place, shown, profile, "wrong type: " + type(type), "a profile's name", null);
            } else if (accounts.put(account, new String[] {profile, place, shown}) != null) {
                loader.fault(place, shown, null, "given twice", "once", null);
            }
        }
        in.endObject();
    }

    /** @param named its name, the place where that stands, and the key there */
    private Setting[] profile(String[] named) {
        String name = named[0];
        Setting[] profile = profiles.get(name);
        if (profile == null) {
            String[] names = profiles.keySet().toArray(new String[0]);
            Arrays.sort(names);
            String near = Nearest.of(name, names);
            StringBuilder allowed = new StringBuilder();
            for (String n : names) {
                allowed.append(allowed.length() == 0 ? "" : ", ").append(Fault.line(n));
            }
            loader.fault(named[1], named[2], name, "no such profile" + (near == null ? "" : ", did you mean " + near + "?"),
                    names.length == 0 ? "the name of one in profiles" : allowed.toString(), null);
        }
        return profile;
    }

    boolean object(String path) throws IOException {
        JsonToken type = in.peek();
        if (type == JsonToken.BEGIN_OBJECT) {
            return true;
        }
        String place = place();
        loader.fault(place, path, skipped(), "wrong type: " + type(type), "an object", null);
        return false;
    }

    void twice(String path) throws IOException {
        loader.fault(place(), path, null, "given twice", "once", null);
        in.skipValue();
    }

    private void syntax(String message) {
        String why = message == null ? "" : message;
        int at = why.indexOf(" at line ");
        why = at >= 0 ? why.substring(0, at) : why;
        // gson's advice is to its programmer: to read leniently
        boolean own = why.isEmpty() || why.startsWith("Use JsonReader");
        loader.fault(place(), "config", null, own ? "not JSON" : "not JSON: " + why, "strict JSON: no comments, no trailing commas", null);
    }

    /** Reads any value; what it looks like in a fault. */
    String skipped() throws IOException {
        switch (in.peek()) {
            case STRING:
            case NUMBER:
                return in.nextString();
            case BOOLEAN:
                return String.valueOf(in.nextBoolean());
            case NULL:
                in.nextNull();
                return "null";
            case BEGIN_ARRAY:
                in.skipValue();
                return "[...]";
            default:
                in.skipValue();
                return "{...}";
        }
    }

    static String type(JsonToken token) {
        switch (token) {
            case STRING:
                return "a string";
            case NUMBER:
                return "a number";
            case BOOLEAN:
                return "a boolean";
            case BEGIN_ARRAY:
                return "an array";
            case BEGIN_OBJECT:
                return "an object";
            default:
                return "null";
        }
    }

    /** The reader tells its place in its text form alone: {@code JsonReader at line 3 column 7 path $.domains}. */
    String place() {
        String s = in.toString();
        int from = s.indexOf(" line ");
        int to = s.indexOf(" path ");
        return from < 0 || to < from ? source : source + s.substring(from, to);
    }
}
