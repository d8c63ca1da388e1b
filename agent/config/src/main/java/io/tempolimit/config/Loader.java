package io.tempolimit.config;

import io.tempolimit.detect.BlockRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Goes through the sources, strongest first; what one sets, later ones do not touch. Collects all faults. For one use. */
final class Loader {
    static final String ARGUMENTS = "agent arguments";
    static final String PROPERTY = "system property";
    static final String ENVIRONMENT = "environment";
    private static final String DOMAIN = "domain.";
    private static final String FORM = "key=value,key=value. Between the entries of a list write ; and quote it for the shell: "
            + "'include=a.example;b.example'";

    /** For all hosts; by the key's ordinal; null where no source has the key. */
    final Setting[] values = new Setting[SettingKey.COUNT];
    /** By the host pattern. */
    final Map<String, Scope> scopes = new TreeMap<String, Scope>();
    /** By their names. */
    final Map<String, Scope> accounts = new TreeMap<String, Scope>();
    /** The header that tells accounts; null without the file's section {@code accounts}. */
    String accountHeader;
    /** Where that is said. */
    String accountPlace;
    final List<BlockRule> blockRules = new ArrayList<BlockRule>();
    /** Each as a line for people. */
    final List<String> blockRuleTexts = new ArrayList<String>();
    final List<String> warnings = new ArrayList<String>();
    private final List<Fault> faults = new ArrayList<Fault>();
    private final Sources sources;
    private boolean badSecret;

    Loader(Sources sources) {
        this.sources = sources;
    }

    /** All sources but the file. */
    void takeAllButFile() {
        takeArguments();
        takeProperties();
        takeEnvironment();
    }

    /** @return the path of the file to read; null for none */
    String file() {
        Setting config = values[SettingKey.CONFIG.ordinal()];
        return config == null ? null : (String) config.parsed;
    }

    /** @return null, and a fault, if it cannot be read */
    byte[] read(String path) {
        try {
            return Sources.read(path);
        } catch (IOException e) {
            String why = e.getMessage();
            String source = values[SettingKey.CONFIG.ordinal()].source();
            faults.add(new Fault(source, "config", path, why == null ? e.toString() : why, "a file that can be read", null));
            return null;
        }
    }

    void takeFile(String path, byte[] content) {
        try {
            new JsonFile(path, this).read(content);
        } catch (RuntimeException | Error e) { // a file may hold anything; what cannot be taken in is refused as any other fault
            faults.add(new Fault("config file " + Fault.line(path), "config", null, "cannot be taken in: " + e, "", null));
        }
    }

    void finish() throws BadSettings {
        if (accountHeader != null) {
            joinAccounts();
        }
        warnWithout();
        joinPage();
        joinFleet();
        if (!faults.isEmpty()) {
            throw new BadSettings(faults);
        }
    }

    /** Told, since somebody expects an effect. */
    private void warnWithout() {
        for (int i = 0; i < SettingKey.COUNT; i++) {
            SettingKey needed = values[i] == null ? null : SettingKey.at(i).needs();
            if (needed != null && lacks(needed)) {
                warnings.add(values[i].key() + " has no effect without " + needed.key);
            }
        }
    }

    private boolean lacks(SettingKey key) {
        Setting set = values[key.ordinal()];
        return set == null || set.parsed == null;
    }

    private void joinPage() {
        Setting host = values[SettingKey.ADMIN_HOST.ordinal()];
        if (!lacks(SettingKey.ADMIN_PORT) && host != null && !Address.local((String) host.parsed) && lacks(SettingKey.ADMIN_TOKEN)) {
            faults.add(new Fault(host.source(), SettingKey.ADMIN_HOST.key, host.value(),
                    "is reached from other machines, which needs an admin.token",
                    "127.0.0.1, ::1, localhost; with admin.token any address of this machine", null));
        }
    }

    private void joinFleet() {
        if (lacks(SettingKey.REDIS)) {
            return;
        }
        Setting redis = values[SettingKey.REDIS.ordinal()];
        if (!lacks(SettingKey.STATE)) {
            warnings.add("state has no effect beside redis, which keeps what is known over restarts");
        }
        Setting cluster = values[SettingKey.REDIS_CLUSTER.ordinal()];
        if (cluster != null && (Boolean) cluster.parsed && RedisUri.ofSentinels((String) redis.parsed)) {
            faults.add(new Fault(cluster.source(), SettingKey.REDIS_CLUSTER.key, cluster.value(),
                    "a cluster has no sentinels", "redis.cluster=false, or redis:// and one of the cluster's nodes", null));
        }
        Setting key = values[SettingKey.KEY.ordinal()];
        if (key != null && ((KeyParts) key.parsed).hasHeaders() && accountHeader == null && lacksSecret()) {
            faults.add(new Fault(key.source(), SettingKey.KEY.key, key.value(),
                    "needs account.secret with redis, since accounts would have other names in each JVM",
                    "account.secret=@FILE or TEMPOLIMIT_ACCOUNT_SECRET, the same in all", null));
        }
    }

    /** Where it was given and is faulty, that is enough to be told. */
    private boolean lacksSecret() {
        return !badSecret && lacks(SettingKey.ACCOUNT_SECRET);
    }

    /** To have settings of their own, accounts need keys of their own, and names that are the same tomorrow. */
    private void joinAccounts() {
        Setting key = values[SettingKey.KEY.ordinal()];
        KeyParts parts = key == null ? new KeyParts(new String[] {SettingKey.KEY.byDefault}) : (KeyParts) key.parsed;
        if (!parts.has(accountHeader)) {
            KeyParts more = parts.with(accountHeader);
            values[SettingKey.KEY.ordinal()] = new Setting(SettingKey.KEY, SettingKey.KEY.key, more.toString(), more,
                    key == null ? accountPlace : key.source());
        }
        if (lacksSecret()) {
            faults.add(new Fault(accountPlace, "accounts", null,
                    "needs account.secret, since accounts would have other names with each start",
                    "account.secret=@FILE or TEMPOLIMIT_ACCOUNT_SECRET", null));
        }
    }

    private void takeArguments() {
        String before = null;
        String whole = null;
        for (String argument : SettingKey.split(sources.arguments(), ',')) {
            int equals = argument.indexOf('=');
            if (argument.isEmpty()) {
                continue; // a comma too many
            }
            if (equals <= 0) {
                // a secret that has a comma goes on here, so what follows one is not shown either
                SettingKey key = before == null ? null : SettingKey.named(before);
                boolean secret = key != null ? key.secret : before != null && looksSecret(before);
                String shown = secret || argument.indexOf("://") >= 0 ? "***" : argument;
                SettingKey alone = equals < 0 ? SettingKey.named(argument) : null;
                whole = equals < 0 && key != null && !secret ? goesOn(key, whole, argument) : null;
                faults.add(new Fault(ARGUMENTS, shown, null, equals < 0 ? "no = after the key" : "no key before the =", FORM,
                        alone != null && alone.kind == Kind.BOOLEAN ? alone.key + "=true" : whole == null ? null : before + "=" + whole));
                continue;
            }
            String name = argument.substring(0, equals).trim();
            before = name;
            whole = argument.substring(equals + 1).trim();
            String separator = notComma(argument);
            if (separator != null) {
                SettingKey key = SettingKey.named(name);
                String shown = key != null && key.secret || looksSecret(argument) ? "***" : argument.substring(equals + 1).trim();
                faults.add(new Fault(ARGUMENTS, name, shown, separator + " does not end a value; commas separate settings", FORM, null));
                continue;
            }
            take(ARGUMENTS, "", name, argument.substring(equals + 1), ';');
        }
    }

    /** The value that was meant where a comma has parted a list, or a number as some languages write it; null if that is none. */
    private static String goesOn(SettingKey key, String value, String argument) {
        if (value == null || !key.kind.list && key.kind != Kind.RATE && key.kind != Kind.FRACTION) {
            return null;
        }
        String meant = value + (key.kind.list ? ";" : ".") + argument;
        try {
            Kind.parse(key, entries(key, meant, ';'));
            return meant;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** What stands before another setting, a key that there is and an equals sign, where a comma belongs; null if nothing does. */
    private static String notComma(String argument) {
        for (int equals = argument.indexOf('=', argument.indexOf('=') + 1); equals >= 0; equals = argument.indexOf('=', equals + 1)) {
            String before = argument.substring(0, equals).trim();
            int space = Math.max(before.lastIndexOf(' '), before.lastIndexOf(';'));
            String name = before.substring(space + 1);
            if (space >= 0 && (SettingKey.named(name) != null || name.startsWith(DOMAIN) && SettingKey.ending(name) != null)) {
                return before.charAt(space) == ' ' ? "a space" : "a semicolon";
            }
        }
        return null;
    }

    private void takeProperties() {
        StringBuilder unknown = null;
        for (Map.Entry<String, String> e : sources.properties().entrySet()) {
            String name = e.getKey().substring(Sources.PROPERTY.length());
            if (e.getKey().startsWith(Sources.PROPERTY)) {
                take(PROPERTY, Sources.PROPERTY, name, e.getValue(), ',');
                continue;
            }
            unknown = append(unknown, "unknown system properties, ignored: ", e.getKey());
            SettingKey near = Nearest.key(name, e.getValue());
            unknown.append(near == null ? " (settings begin with " + Sources.PROPERTY + ")"
                    : " (did you mean " + Sources.PROPERTY + near.key + "?)");
        }
        if (unknown != null) {
            warnings.add(unknown.toString());
        }
    }

    private void takeEnvironment() {
        StringBuilder unknown = null;
        StringBuilder links = null;
        for (Map.Entry<String, String> e : sources.environment().entrySet()) {
            String name = e.getKey().substring(Sources.VARIABLE.length());
            if (ServiceLink.is(e.getKey(), e.getValue())) {
                links = append(links, "environment variables of a Kubernetes service, ignored: ", e.getKey());
                continue;
            }
            SettingKey key = e.getKey().startsWith(Sources.VARIABLE) ? SettingKey.ofEnvironment(name) : null;
            if (key != null) {
                store(values, key, ENVIRONMENT, ENVIRONMENT, e.getKey(), e.getValue().trim(), entries(key, e.getValue(), ','));
                continue;
            }
            unknown = append(unknown, "unknown environment variables, ignored: ", e.getKey());
            boolean domain = name.regionMatches(true, 0, DOMAIN, 0, DOMAIN.length() - 1);
            SettingKey near = domain ? null : Nearest.key(name, e.getValue());
            if (domain) {
                unknown.append(" (a variable cannot hold for one domain; use -Dtempolimit.domain.HOST.KEY= or domains in the file)");
            } else if (near != null) {
                unknown.append(" (did you mean ").append(Sources.VARIABLE).append(near.environmentName()).append("?)");
            }
        }
        if (unknown != null) {
            warnings.add(unknown.toString());
        }
        if (links != null) {
            warnings.add(links.append(". enableServiceLinks: false in the pod's spec leaves them out").toString());
        }
    }

    private static StringBuilder append(StringBuilder list, String begin, String name) {
        return (list == null ? new StringBuilder(begin) : list.append(", ")).append(Fault.line(name));
    }

    private void take(String source, String prefix, String name, String text, char separator) {
        SettingKey key = SettingKey.named(name);
        if (key != null) {
            store(values, key, source, source, prefix + name, text.trim(), entries(key, text, separator));
            return;
        }
        if (!name.startsWith(DOMAIN) && !DOMAIN.equals(name + ".")) {
            SettingKey ending = SettingKey.ending(name);
            if (ending != null && ending.perDomain && name.lastIndexOf('.', name.length() - ending.key.length() - 2) > 0) {
                faults.add(new Fault(source, prefix + name, masked(ending, text), "unknown key", ending.allowed(),
                        prefix + DOMAIN + (name.startsWith("domains.") ? name.substring("domains.".length()) : name)));
            } else {
                unknown(source, prefix + name, text, Nearest.key(name, text), prefix);
            }
            return;
        }
        String rest = name.substring(Math.min(name.length(), DOMAIN.length()));
        key = SettingKey.ending(rest);
        if (key == null) {
            SettingKey bare = SettingKey.named(rest);
            if (bare != null) {
                faults.add(new Fault(source, prefix + name, masked(bare, text), "no host before the key",
                        "domain.example.com." + rest, null));
            } else {
                SettingKey near = Nearest.perDomain(rest);
                if (near != null) {
                    unknown(source, prefix + name, text, near, prefix + DOMAIN + "HOST.");
                } else {
                    faults.add(new Fault(source, prefix + name, maskedUnknown(name, text), "unknown key",
                            prefix + "domain.HOST.SETTING, as in " + prefix + "domain.shop.example.rate=1", null));
                }
            }
            return;
        }
        Scope scope = scope(source, prefix + name, masked(key, text), rest.substring(0, rest.length() - key.key.length() - 1));
        if (scope != null && perDomain(key, source, prefix + name, masked(key, text), "")) {
            store(scope.own, key, source, source, prefix + name, text.trim(), entries(key, text, separator));
        }
    }

    /** Adds a fault if the key may not stand per domain. */
    boolean perDomain(SettingKey key, String place, String written, String text, String hint) {
        if (!key.perDomain) {
            faults.add(new Fault(place, written, text, "holds for all hosts, not per domain" + hint, "", null));
        }
        return key.perDomain;
    }

    /** A list is taken apart; anything else is one entry. */
    static String[] entries(SettingKey key, String text, char separator) {
        String t = text.trim();
        return key.kind.list ? SettingKey.split(t, separator) : new String[] {t};
    }

    /** @return the settings of this pattern, new if need be; null, and a fault, if it is none */
    Scope scope(String place, String written, String text, String pattern) {
        String canonical;
        try {
            if (pattern.equals("private") || pattern.equals("services")) {
                throw new IllegalArgumentException("'" + pattern + "' goes with include and exclude only");
            }
            if (pattern.equals("*")) {
                throw new IllegalArgumentException("'*' means every host, which a key without a domain says");
            }
            canonical = HostPatterns.canonical(pattern);
        } catch (IllegalArgumentException e) {
            faults.add(new Fault(place, written, text, e.getMessage(), "example.com, *.example.com, 10.0.0.0/8, fc00::/7", null));
            return null;
        }
        Scope scope = scopes.get(canonical);
        if (scope == null) {
            scope = Scope.ofHosts(canonical);
            scopes.put(canonical, scope);
        }
        return scope;
    }

    /**
     * Checks one value, and keeps it unless a stronger source has set the key.
     *
     * @param source  as settings are listed
     * @param place   as faults are listed: the source, and where in it
     * @param written the key as it stands there
     */
    void store(Setting[] into, SettingKey key, String source, String place, String written, String text,
            String[] entries) {
        Setting there = into[key.ordinal()];
        if (there != null && there.source().equals(source)) {
            faults.add(new Fault(place, written, masked(key, text), "given twice", "once", null));
            return;
        }
        Object parsed;
        try {
            parsed = Kind.parse(key, entries);
        } catch (IllegalArgumentException e) {
            badSecret |= key == SettingKey.ACCOUNT_SECRET;
            faults.add(new Fault(place, written, masked(key, text), e.getMessage(), key.allowed(), null));
            return;
        }
        if (there == null) {
            String shown = (key.kind == Kind.HOSTS || key.kind == Kind.KEYS) && parsed != null ? parsed.toString()
                    : key.kind == Kind.CLIENTS ? ClientNames.shown(key, parsed)
                    : join(entries);
            into[key.ordinal()] = new Setting(key, key.key, shown, parsed, source);
        }
    }

    void unknown(String place, String written, String text, SettingKey near, String prefix) {
        String name = near == null ? null : prefix + near.key;
        String allowed = near == null ? "the keys that help lists" : near.allowed();
        String shown = near != null ? masked(near, text) : text;
        faults.add(new Fault(place, written, maskedUnknown(written, shown), "unknown key", allowed, name));
    }

    void fault(String place, String written, String text, String problem, String allowed, String nearest) {
        faults.add(new Fault(place, written, text, problem, allowed, nearest));
    }

    /** As faults may show it. */
    static String masked(SettingKey key, String text) {
        return text != null && key.secret ? "***" : text;
    }

    /** The same for a key that there is not: a misspelt secret is a secret too. */
    static String maskedUnknown(String name, String text) {
        return text != null && looksSecret(name) ? "***" : text;
    }

    private static boolean looksSecret(String name) {
        SettingKey near = Nearest.key(name);
        String n = name.toLowerCase(Locale.ROOT);
        return near != null && near.secret || n.contains("passw") || n.contains("secret") || n.contains("token") || n.contains("redis");
    }

    static String join(String[] entries) {
        if (entries.length == 1) {
            return entries[0];
        }
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < entries.length; i++) {
            s.append(i == 0 ? "" : ",").append(entries[i]);
        }
        return s.toString();
    }
}
