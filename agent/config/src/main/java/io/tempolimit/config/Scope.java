package io.tempolimit.config;

import io.tempolimit.core.Policy;

/** What is set for one host pattern. Filled by the {@link Loader}, not changed afterwards. */
final class Scope {
    final String pattern;
    /** By the key's ordinal; null where nothing is set. */
    final Setting[] own = new Setting[SettingKey.COUNT];
    /** Likewise; null without a profile. */
    Setting[] profile;
    /**
     * What holds for the hosts for which this is the most specific pattern: the less specific ones follow from it, so they all share it.
     * Made when first asked for; without a lock, since two threads make the same.
     */
    Policy policy;

    Scope(String pattern) {
        this.pattern = pattern;
    }

    /** Its own before its profile's; null if neither has the key. */
    Setting get(SettingKey key) {
        Setting s = own[key.ordinal()];
        return s != null || profile == null ? s : profile[key.ordinal()];
    }
}
