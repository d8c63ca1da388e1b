package io.tempolimit.config;

import io.tempolimit.core.policy.Keying;
import io.tempolimit.core.policy.Policy;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** What is not wrong in the settings, but hardly meant. For one use. */
final class Warnings {
    /** How many tokens may go out at once, in seconds of the rate, before it is worth a warning. */
    private static final int LONG_BURST = 60;

    private final Settings of;
    private final List<String> to;

    /** @param to where each becomes a line */
    Warnings(Settings of, List<String> to) {
        this.of = of;
        this.to = to;
    }

    void addAll() {
        warnLongBursts();
        warnUseless();
        warnShared();
        warnPatientLimits();
        warnAuto();
    }

    private void warnAuto() {
        if (of.isSet(SettingKey.LEARN)) {
            warnAuto("", Collections.<Scope>emptyList());
        }
        for (Scope s : of.allScopes()) {
            if (s.get(SettingKey.RATE) != null || s.get(SettingKey.LEARN) != null) {
                warnAuto(s.title() + ": ", of.matching(s));
            }
        }
    }

    private void warnAuto(String where, List<Scope> matching) {
        Values v = new Values(of, matching);
        if (v.as(Rate.class, SettingKey.RATE).auto && !v.flag(SettingKey.LEARN)) {
            to.add(where + "learn=false has no effect: rate=auto always learns");
        }
    }

    /** With on-limit=wait nothing is rejected for a limit, so nothing would ever climb. */
    private void warnPatientLimits() {
        if (of.isSet(SettingKey.ESCALATION_ON)) {
            warnPatientLimit("", Collections.<Scope>emptyList());
        }
        for (Scope s : of.allScopes()) {
            if (s.get(SettingKey.ESCALATION_ON) != null) {
                warnPatientLimit(s.title() + ": ", of.matching(s));
            }
        }
    }

    private void warnPatientLimit(String where, List<Scope> matching) {
        Values v = new Values(of, matching);
        if (Arrays.asList(v.texts(SettingKey.ESCALATION_ON)).contains("limit")
                && v.is(SettingKey.ON_LIMIT, "wait")
                && v.amount(SettingKey.MAX_WAIT) == Policy.UNLIMITED) {
            to.add(where + "escalation.on=limit has no effect while requests wait without end: it needs on-limit=reject or max-wait");
        }
    }

    private void warnLongBursts() {
        if (of.isSet(SettingKey.RATE) || of.isSet(SettingKey.BURST)) {
            warnLongBurst("", Collections.<Scope>emptyList());
        }
        for (Scope s : of.allScopes()) {
            if (s.get(SettingKey.RATE) != null || s.get(SettingKey.BURST) != null) {
                warnLongBurst(s.title() + ": ", of.matching(s));
            }
        }
    }

    private void warnLongBurst(String where, List<Scope> matching) {
        Setting rate = of.setting(SettingKey.RATE, matching);
        Setting burst = of.setting(SettingKey.BURST, matching);
        int size = (Integer) burst.parsed;
        if (!((Rate) rate.parsed).auto && size > 1 && size > LONG_BURST * ((Rate) rate.parsed).perSecond) {
            to.add(where + "burst=" + burst.value() + " is more than " + LONG_BURST + " times rate=" + rate.value()
                    + ": so many requests may leave at once");
        }
    }

    /** A host that one wanted to be paced and that is not, is the worst surprise: say it. */
    private void warnUseless() {
        if (of.scopes().isEmpty() && !of.isSet(SettingKey.INCLUDE)) {
            return;
        }
        HostList include = of.forAll().hosts(SettingKey.INCLUDE);
        HostList exclude = of.forAll().hosts(SettingKey.EXCLUDE);
        for (Scope s : of.scopes()) {
            boolean name = s.pattern.indexOf('/') < 0;
            String cover = name ? exclude.coverOf(s.pattern) : null;
            if (cover != null) {
                to.add("settings of domain " + s.pattern + " have no effect: it is excluded by " + excludedBy(cover));
            } else if (name && include != null && !s.pattern.startsWith("*.") && !include.contains(s.pattern)) {
                to.add("settings of domain " + s.pattern + " have no effect: it is not in include");
            }
        }
        if (include == null) {
            return;
        }
        for (String pattern : include.patterns()) {
            String cover = pattern.indexOf('/') < 0 ? exclude.coverOf(pattern) : null;
            if (cover != null) {
                to.add("include=" + pattern + " has no effect: it is excluded by " + excludedBy(cover));
            }
        }
    }

    /** Where hosts share a key, most of what is set for some of them alone holds for nobody. */
    private void warnShared() {
        KeyParts parts = of.scopes().isEmpty() ? null : of.keyParts();
        if (parts == null || parts.site == Keying.Site.HOST) {
            return;
        }
        RegistrableDomains registrable = parts.site == Keying.Site.DOMAIN ? new RegistrableDomains() : null;
        for (Scope s : of.scopes()) {
            for (int i = 0; i < SettingKey.COUNT && !(registrable != null && registrable.matchedBy(s.pattern)); i++) {
                SettingKey key = SettingKey.at(i);
                if (s.get(key) != null && !key.ofRequest) {
                    to.add(key.key + " of domain " + s.pattern + " has no effect: with key=" + parts
                            + " its hosts share a bucket with others"
                            + (registrable == null ? "" : ", which is that of " + registrable.ofPattern(s.pattern)));
                }
            }
        }
    }

    private static String excludedBy(String cover) {
        return cover.equals("private") ? "private, which exclude=-private takes out" : cover + " of exclude";
    }
}
