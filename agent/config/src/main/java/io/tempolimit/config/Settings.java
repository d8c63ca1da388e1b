package io.tempolimit.config;

import io.tempolimit.core.policy.Accounts;
import io.tempolimit.core.policy.Keying;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.Rules;
import io.tempolimit.core.store.FleetSettings;
import io.tempolimit.detect.BlockRule;
import io.tempolimit.detect.Detector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The settings that hold. Immutable, so safe for any thread; a changed file gives a new object.
 *
 * <p>Sources, strongest first: agent arguments, system properties, environment, the JSON file, the defaults. Scope
 * comes before source, and each key is looked up on its own: in the account's profile, in the most specific host
 * pattern that has it, its own settings before its profile's, then in the less specific ones, then in what holds for
 * all hosts.
 */
public final class Settings implements Rules {
    private final Sources sources;
    /**
     * For all hosts, by the key's ordinal. Null where no source has the key, until somebody asks: making all defaults
     * at the start would load classes that this run may never need.
     */
    private final Setting[] values;
    private final Values forAll = new Values(this, Collections.<Scope>emptyList());
    /** By pattern, sorted. */
    private final Map<String, Scope> scopes;
    /** Null if nothing is set per domain. */
    private final HostPatterns<Scope> domains;
    /** By their names, sorted. */
    private final Map<String, Scope> accounts;
    /** Null without {@link #accounts}. */
    private final String accountHeader;
    private final boolean enabled;
    private final boolean dryRun;
    private final int maxKeys;
    private final long keyIdle;
    private final byte[] content;
    private final List<String> warnings;
    private final List<String> restartNeeded;
    private final List<BlockRule> blockRules;
    private final List<String> blockRuleTexts;
    /** Made when first asked for, by more than one thread if need be. */
    private Detector detector;
    /** For hosts that no pattern matches; made when first asked for, by more than one thread if need be. */
    private volatile Policy general;

    private Settings(Sources sources, Loader loader, byte[] content, List<String> restartNeeded) {
        this.sources = sources;
        this.values = loader.values;
        this.scopes = loader.scopes;
        this.accounts = loader.accounts;
        this.accountHeader = loader.accountHeader;
        this.content = content;
        this.blockRules = Collections.unmodifiableList(loader.blockRules);
        this.blockRuleTexts = Collections.unmodifiableList(loader.blockRuleTexts);
        this.restartNeeded = Collections.unmodifiableList(restartNeeded);
        enabled = forAll.flag(SettingKey.ENABLED);
        dryRun = forAll.flag(SettingKey.DRY_RUN);
        maxKeys = forAll.count(SettingKey.MAX_KEYS);
        keyIdle = forAll.amount(SettingKey.KEY_IDLE);
        domains = scopes.isEmpty() ? null : new HostPatterns<Scope>();
        for (Scope s : scopes.values()) {
            domains.put(s.pattern, s);
        }
        new Warnings(this, loader.warnings).addAll();
        warnings = Collections.unmodifiableList(loader.warnings);
    }

    /**
     * Reads and checks all sources.
     *
     * @throws BadSettings with every fault there is
     */
    public static Settings load(Sources sources) throws BadSettings {
        Loader loader = new Loader(sources);
        loader.takeAllButFile();
        String file = loader.file();
        byte[] content = file == null ? null : loader.read(file);
        if (content != null) {
            loader.takeFile(file, content);
        }
        loader.finish();
        return new Settings(sources, loader, content, new ArrayList<String>());
    }

    /**
     * Looks at the file again, by content.
     *
     * @return this, if it is unchanged; else new settings. Keys that need a restart ({@link #restartNeeded}) have the values from here
     * @throws BadSettings if the file cannot be read or has faults: each call with an equal message. These settings stay good
     */
    public Settings reload() throws BadSettings {
        return config() == null ? this : next(sources, true);
    }

    /**
     * These settings with more agent arguments: what they say of a key replaces what the arguments said of it before.
     * The file is read again as well.
     *
     * @return new settings, in which keys that need a restart have the values that they have here ({@link #restartNeeded} names them)
     * @throws BadSettings if something is wrong in them; these settings stay good
     */
    public Settings with(String arguments) throws BadSettings {
        return next(sources.with(arguments), false);
    }

    /** What is another setting here than there, a line each: {@code rate=2 (was 3)}. */
    public List<String> changesFrom(Settings before) {
        List<String> changes = new ArrayList<String>();
        Map<String, Setting> old = new LinkedHashMap<String, Setting>();
        for (Setting s : before.describe()) {
            old.put(s.key(), s);
        }
        for (Setting s : describe()) {
            Setting was = old.remove(s.key());
            if (was == null || !was.text().equals(s.text())) {
                changes.add(s.key() + "=" + s.value() + " (was " + (was == null ? "not set" : was.value()) + ")");
            }
        }
        for (Setting s : old.values()) { // of hosts and accounts that nothing more is said of
            changes.add(s.key() + " is not set (was " + s.value() + ")");
        }
        if (!blockRuleTexts.equals(before.blockRuleTexts)) {
            changes.add("block_rules: " + blockRuleTexts.size() + " (were " + before.blockRuleTexts.size() + ")");
        }
        return changes;
    }

    /** The user's own signs of a block, each as a line for people. */
    public List<String> blockRules() {
        return blockRuleTexts;
    }

    private Settings next(Sources from, boolean forTheFileAlone) throws BadSettings {
        String file = config(); // a file of another name needs a restart
        Loader loader = new Loader(from);
        loader.takeAllButFile();
        byte[] now = file == null ? null : loader.read(file);
        if (forTheFileAlone && Arrays.equals(content, now)) {
            return this;
        }
        if (now != null) {
            loader.takeFile(file, now);
        }
        loader.finish();
        List<String> kept = new ArrayList<String>();
        for (int i = 0; i < SettingKey.COUNT; i++) {
            SettingKey key = SettingKey.at(i);
            if (key.restart && !same(loader.values[i], values[i], key)) {
                loader.values[i] = values[i];
                kept.add(key.key);
            }
        }
        return new Settings(from, loader, now, kept);
    }

    private static boolean same(Setting a, Setting b, SettingKey key) {
        return (a == null ? key.byDefault : a.text()).equals(b == null ? key.byDefault : b.text());
    }

    /** The clients that can be named in {@code clients}, in a fixed order. */
    static List<String> clientNames() {
        return Collections.unmodifiableList(Arrays.asList(SettingKey.CLIENTS.words()));
    }

    @Override
    public Policy policy(String host) {
        return policy(host, null);
    }

    @Override
    public Policy policy(String host, String account) {
        if (host == null || host.isEmpty()) {
            return null;
        }
        HostList include = forAll.hosts(SettingKey.INCLUDE);
        if (include != null && !include.contains(host) || forAll.hosts(SettingKey.EXCLUDE).contains(host)) {
            return null;
        }
        List<Scope> matching = matching(host, account);
        Values v = new Values(this, matching);
        IgnoreList ignored = v.as(IgnoreList.class, SettingKey.DETECT_IGNORE);
        HostList deny = v.hosts(SettingKey.DENY);
        boolean denied = deny != null && deny.contains(host);
        if (denied || ignored != null && ignored.names(host)) {
            // not shared with other hosts, and rare
            return Policies.of(this, matching, ignored == null ? Collections.<String>emptySet() : ignored.of(host), denied);
        }
        return policyOfAll(matching, ignored);
    }

    @Override
    public String whyLeftOut(String host) {
        String in = forAll.hosts(SettingKey.EXCLUDE).holding(host);
        if (in == null) {
            HostList include = forAll.hosts(SettingKey.INCLUDE);
            return include == null || include.contains(host) ? null : "include does not have it; add it there to pace it";
        }
        boolean named = in.equals("private") || in.equals("services");
        return "exclude has " + in + (named ? "; exclude=-" + in + " paces it" : "; take that out to pace it");
    }

    @Override
    public Policy shared(String domain, String account) {
        List<Scope> matching = matching(domain, account);
        return policyOfAll(matching, new Values(this, matching).as(IgnoreList.class, SettingKey.DETECT_IGNORE));
    }

    @Override
    public Keying keying() {
        KeyParts parts = keyParts();
        return parts == null ? null : new Keying(parts.site, parts.port, parts.proxy, parts.depth, parts.headers(), accountHeader,
                parts.hasHeaders() ? new Accounts(accountSecret()) : null,
                parts.site == Keying.Site.DOMAIN ? new RegistrableDomains() : null);
    }

    /** Null if a key is simply a host. */
    KeyParts keyParts() {
        KeyParts parts = values[SettingKey.KEY.ordinal()] == null ? null : forAll.as(KeyParts.class, SettingKey.KEY);
        return parts == null || parts.hostAlone() ? null : parts;
    }

    /** Key of the HMAC that names accounts; null if it is to be random. */
    public byte[] accountSecret() {
        String secret = forAll.text(SettingKey.ACCOUNT_SECRET);
        return secret == null ? null : secret.getBytes(StandardCharsets.UTF_8);
    }

    /** @param host may be null: then no pattern matches. {@code account} may be null, too. */
    private List<Scope> matching(String host, String account) {
        List<Scope> matching = domains == null || host == null ? Collections.<Scope>emptyList() : domains.matching(host);
        Scope own = account == null ? null : accounts.get(account);
        return own == null ? matching : own.before(matching);
    }

    /** The one that is shared by all for whom the same is set. */
    private Policy policyOfAll(List<Scope> matching, IgnoreList ignored) {
        if (matching.isEmpty()) {
            Policy p = general;
            return p != null ? p : (general = Policies.of(this, matching, general(ignored), false));
        }
        Policy p = matching.get(0).made(matching);
        if (p == null) {
            p = Policies.of(this, matching, general(ignored), false);
            matching.get(0).made(matching, p);
        }
        return p;
    }

    private static Set<String> general(IgnoreList ignored) {
        return ignored == null ? Collections.<String>emptySet() : ignored.general();
    }

    @Override
    public Detector detector() {
        Detector d = detector;
        return d != null ? d : (detector = new Detector(blockRules));
    }

    @Override
    public boolean enabled() {
        return enabled;
    }

    @Override
    public boolean dryRun() {
        return dryRun;
    }

    @Override
    public String domain(String host) {
        return RegistrableDomains.domainOf(host);
    }

    @Override
    public int maxKeys() {
        return maxKeys;
    }

    @Override
    public long keyIdle() {
        return keyIdle;
    }

    /** How often idle keys are looked for, in nanoseconds. */
    public long sweep() {
        return forAll.amount(SettingKey.SWEEP);
    }

    /** The file's path as it is written; null if there is none. */
    public String config() {
        return forAll.text(SettingKey.CONFIG);
    }

    /** Where events go: a file's path, {@code stdout} or {@code stderr}; null for nowhere. */
    public String events() {
        return forAll.text(SettingKey.EVENTS);
    }

    /** The file in which what keys know is kept over restarts; null for none. */
    public String state() {
        return forAll.text(SettingKey.STATE);
    }

    /** By what other JVMs share their limits with this one; null if none do. */
    public FleetSettings fleet() {
        String uri = forAll.text(SettingKey.REDIS);
        int workers = forAll.count(SettingKey.REDIS_WORKERS, FleetSettings.UNKNOWN);
        return uri == null ? null : new FleetSettings(uri, forAll.text(SettingKey.REDIS_PASSWORD),
                forAll.flag(SettingKey.REDIS_CLUSTER))
                .prefix(forAll.text(SettingKey.REDIS_PREFIX))
                .timeout(forAll.amount(SettingKey.REDIS_TIMEOUT))
                .start(forAll.amount(SettingKey.REDIS_START))
                .fallback(FleetSettings.Fallback.valueOf(forAll.text(SettingKey.REDIS_FALLBACK).toUpperCase(Locale.ROOT)))
                .workers(workers)
                .lease(forAll.count(SettingKey.REDIS_LEASE));
    }

    /** At how many bytes the file of events is renamed. */
    public long eventsMaxSize() {
        return forAll.amount(SettingKey.EVENTS_MAX_SIZE);
    }

    /** {@code trace}, {@code debug}, {@code info}, {@code warn}, {@code error} or {@code off}. */
    public String logLevel() {
        return forAll.text(SettingKey.LOG_LEVEL);
    }

    /** The path of the log's file; null for standard error. */
    public String logFile() {
        return forAll.text(SettingKey.LOG_FILE);
    }

    /** At how many bytes the log's file is renamed. */
    public long logMaxSize() {
        return forAll.amount(SettingKey.LOG_MAX_SIZE);
    }

    /** Where the status page is served, 0 for any free port; negative for nowhere. */
    public int adminPort() {
        return forAll.count(SettingKey.ADMIN_PORT, -1);
    }

    /** The address or name of this machine on which it is served. */
    public String adminHost() {
        return forAll.text(SettingKey.ADMIN_HOST);
    }

    /** Whether only this machine reaches it. */
    public boolean adminLocal() {
        return Address.local(adminHost());
    }

    /** What its actions ask for, and beyond this machine every request; null for none. */
    public String adminToken() {
        return forAll.text(SettingKey.ADMIN_TOKEN);
    }

    /** Further names that {@code Host} and {@code Origin} of requests for the page may have, in canonical form. */
    public List<String> adminAllowedHosts() {
        String[] names = forAll.texts(SettingKey.ADMIN_ALLOWED_HOSTS);
        return names == null ? Collections.<String>emptyList() : Collections.unmodifiableList(Arrays.asList(names));
    }

    /** How many keys have metrics of their own. */
    public int metricsKeys() {
        return forAll.count(SettingKey.METRICS_KEYS);
    }

    /** Whether a summary is due when the JVM ends. */
    public boolean report() {
        return !forAll.is(SettingKey.REPORT, "false");
    }

    /** Where all statistics are written when the JVM ends; null for nowhere. */
    public String reportFile() {
        String report = forAll.text(SettingKey.REPORT);
        return report.equals("true") || report.equals("false") ? null : report;
    }

    /** @param name one of {@link #clientNames}; false for any other */
    public boolean clientEnabled(String name) {
        return forAll.as(Set.class, SettingKey.CLIENTS).contains(name);
    }

    /** Each one line: what is not wrong, but hardly meant. */
    public List<String> warnings() {
        return warnings;
    }

    /** Keys that a {@link #reload} left as they were, since they hold from the next start; empty after {@link #load}. */
    public List<String> restartNeeded() {
        return restartNeeded;
    }

    /**
     * All that holds, with the defaults: first for all hosts in the order of the contract, then by host pattern and
     * account; secrets as {@code ***}.
     */
    public List<Setting> describe() {
        List<Setting> all = new ArrayList<Setting>();
        for (int i = 0; i < SettingKey.COUNT; i++) {
            all.add(setting(SettingKey.at(i)));
        }
        for (Scope scope : allScopes()) {
            for (int i = 0; i < SettingKey.COUNT; i++) {
                Setting s = scope.get(SettingKey.at(i));
                if (s != null) {
                    all.add(s.of(scope));
                }
            }
        }
        return all;
    }

    /** Of hosts alone. */
    Collection<Scope> scopes() {
        return scopes.values();
    }

    /** Whether somebody has set it, for all hosts. */
    boolean isSet(SettingKey key) {
        Setting s = values[key.ordinal()];
        return s != null && !s.isDefault();
    }

    List<Scope> allScopes() {
        List<Scope> all = new ArrayList<Scope>(scopes.values());
        all.addAll(accounts.values());
        return all;
    }

    /** What holds for all. */
    Values forAll() {
        return forAll;
    }

    private Setting setting(SettingKey key) {
        Setting s = values[key.ordinal()];
        if (s == null) { // two threads may both come here: they make the same
            s = new Setting(key, key.key, key.byDefault, Kind.parse(key, Loader.entries(key, key.byDefault, ',')), Setting.DEFAULT);
            values[key.ordinal()] = s;
        }
        return s;
    }

    Setting setting(SettingKey key, List<Scope> matching) {
        for (int i = 0; i < matching.size(); i++) {
            Setting s = matching.get(i).get(key);
            if (s != null) {
                return s;
            }
        }
        return setting(key);
    }

    /** This scope's settings and those of the less specific ones, as they hold for its hosts; of an account, for hosts without settings. */
    List<Scope> matching(Scope s) {
        if (s.isAccount()) {
            return s.before(Collections.<Scope>emptyList());
        }
        int slash = s.pattern.indexOf('/');
        return domains.matching(slash < 0 ? s.pattern : s.pattern.substring(0, slash));
    }
}
