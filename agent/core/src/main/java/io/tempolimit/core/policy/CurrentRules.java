package io.tempolimit.core.policy;

import io.tempolimit.core.request.Hosts;
import io.tempolimit.core.request.Target;
import java.util.concurrent.ConcurrentHashMap;

/** The settings that hold: the {@link Rules}, and what an operator has set in their place. Thread-safe. */
public final class CurrentRules {
    /** Null if a key is simply a host. The first rules' answer. */
    private final Keying keying;
    private volatile Rules rules;
    /** Null: as the rules say. */
    private volatile Boolean enabled;
    private volatile Boolean dryRun;
    /** By the key's name, what an operator has set. */
    private final ConcurrentHashMap<String, Limit> limits = new ConcurrentHashMap<>();

    public CurrentRules(Rules rules) {
        this.rules = rules;
        this.keying = rules.keying();
    }

    /** The rules, without what an operator has set. */
    public Rules rules() {
        return rules;
    }

    /** New rules hold from now on. */
    public void rules(Rules newRules) {
        rules = newRules;
    }

    // ---- what is paced at all

    /** Stops ({@code false}) or resumes pacing, whatever the rules say. */
    public void setEnabled(boolean on) {
        enabled = on;
    }

    /** Whether requests are paced. */
    public boolean enabled() {
        Boolean set = enabled;
        return set == null ? rules.enabled() : set;
    }

    /** Starts or ends the dry run, whatever the rules say. */
    public void setDryRun(boolean on) {
        dryRun = on;
    }

    /** Whether everything is reported, and nothing delayed or rejected. */
    public boolean dryRun() {
        Boolean set = dryRun;
        return set == null ? rules.dryRun() : set;
    }

    /** Whether nobody has to wait, whatever the buckets say. */
    public boolean passing() {
        return !enabled() || dryRun();
    }

    // ---- keys

    /** The name of the key to which a request of this host belongs. */
    public String key(String host, Target target) {
        return keying == null ? host : keying.of(host, target);
    }

    /** Whether a key is simply a host, and its name the host's in canonical form. */
    public boolean byHost() {
        return keying == null;
    }

    /** Whether hosts share keys. */
    public boolean shared() {
        return keying != null && keying.shared();
    }

    /** Whether a request's key cannot be told yet, since headers may be added to the request that are part of it. */
    public boolean undecided(Target target) {
        return keying != null && keying.undecided(target);
    }

    /** The host whose settings are the key's; its hosts' domain, if that is what they share; null if hosts have no part in it. */
    public String host(String key) {
        return keying == null ? key : keying.host(key);
    }

    /** The registrable domain of a key's host; null if keys are not those of hosts. */
    public String domain(String key) {
        return shared() ? null : rules.domain(host(key));
    }

    /** What has a key, for messages. */
    public String per() {
        return keying == null ? "host" : keying.toString();
    }

    // ---- what holds for them

    /** What holds for the key of this name; null if it is not paced. */
    public Policy policy(String key) {
        String host = host(key);
        String account = account(key);
        Policy policy = shared() ? rules.shared(host, account) : rules.policy(host, account);
        Limit limit = policy == null || limits.isEmpty() ? null : limits.get(key);
        return limit == null ? policy : policy.with(limit);
    }

    /**
     * What holds for a request, as far as it is not about its key: that of its own host.
     *
     * @param ofKey what holds for the key
     * @return null if it is neither paced nor judged
     */
    public Policy own(String key, Policy ofKey, Target target) {
        return shared() ? ofHost(ownHost(key, target), key) : ofKey;
    }

    /** A request's own host in canonical form. Where a key is simply a host, that is its name, and nothing is looked at again. */
    public String ownHost(String key, Target target) {
        return keying == null ? key : Hosts.canonical(target.host());
    }

    /** What holds for requests of this host, by the account of this key; null if they are neither paced nor judged. */
    public Policy ofHost(String host, String key) {
        return rules.policy(host, account(key));
    }

    private String account(String key) {
        return keying == null ? null : keying.account(key);
    }

    /** An operator's limit for a key, or null for that of the rules. */
    public void overrule(String key, Limit limit) {
        if (limit == null) {
            limits.remove(key);
        } else {
            limits.put(key, limit);
        }
    }

    /** The limit that an operator has set for a key; null for none. */
    public Limit overruled(String key) {
        return limits.get(key);
    }
}
