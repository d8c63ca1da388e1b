package io.tempolimit.config;

import io.tempolimit.core.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What is set for one host pattern, or for one account. Filled by the {@link Loader}, not changed afterwards. */
final class Scope {
    /** Of hosts, or the account's name. */
    final String pattern;
    /** By the key's ordinal; null where nothing is set. */
    final Setting[] own = new Setting[SettingKey.COUNT];
    /** Likewise; null without a profile. */
    Setting[] profile;
    /**
     * What holds for the hosts for which this is the most specific pattern: the less specific ones follow from it, so they all share it.
     * Made when first asked for; without a lock, since two threads make the same.
     */
    private volatile Policy policy;
    /** Of an account: the same for each pattern of hosts, "" where none matches. Null of hosts. */
    private final Map<String, Policy> policies;

    private Scope(String pattern, Map<String, Policy> policies) {
        this.pattern = pattern;
        this.policies = policies;
    }

    static Scope ofHosts(String pattern) {
        return new Scope(pattern, null);
    }

    static Scope ofAccount(String name, Setting[] profile) {
        Scope scope = new Scope(name, new ConcurrentHashMap<String, Policy>());
        scope.profile = profile;
        return scope;
    }

    boolean isAccount() {
        return policies != null;
    }

    /** {@code domain.example.com}, {@code account.3f9a0c77be21} */
    String name() {
        return (isAccount() ? "account." : "domain.") + pattern;
    }

    /** {@code domain example.com}, for warnings. */
    String title() {
        return (isAccount() ? "account " : "domain ") + pattern;
    }

    /** An account's scope comes before those of the host. */
    List<Scope> before(List<Scope> others) {
        List<Scope> all = new ArrayList<Scope>(others.size() + 1);
        all.add(this);
        all.addAll(others);
        return all;
    }

    /** What was made for these, of which this is the first; null if nothing was. */
    Policy made(List<Scope> matching) {
        return policies == null ? policy : policies.get(matching.size() > 1 ? matching.get(1).pattern : "");
    }

    void made(List<Scope> matching, Policy made) {
        if (policies == null) {
            policy = made;
        } else {
            policies.put(matching.size() > 1 ? matching.get(1).pattern : "", made);
        }
    }

    /** Its own before its profile's; null if neither has the key. */
    Setting get(SettingKey key) {
        Setting s = own[key.ordinal()];
        return s != null || profile == null ? s : profile[key.ordinal()];
    }
}
