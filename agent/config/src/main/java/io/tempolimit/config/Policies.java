package io.tempolimit.config;

import io.tempolimit.core.policy.Escalation;
import io.tempolimit.core.policy.Policy;
import io.tempolimit.core.policy.StreamLimits;
import io.tempolimit.core.policy.WindowLimit;
import io.tempolimit.detect.DetectRules;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Makes of settings what the limiter lives by. Stateless. */
final class Policies {
    private Policies() {
    }

    /**
     * @param matching what is set for those that it holds for, the most specific first
     * @param ignored  blocks that never count there
     */
    @SuppressWarnings("unchecked") // a key's kind says what its values are
    static Policy of(Settings of, List<Scope> matching, Set<String> ignored, boolean denied) {
        List<String> on = Arrays.asList((String[]) of.parsed(SettingKey.ESCALATION_ON, matching));
        long[] cooldown = (long[]) of.parsed(SettingKey.COOLDOWN_DURATION, matching);
        Policy.Builder b = new Policy.Builder()
                .learn((Boolean) of.parsed(SettingKey.LEARN, matching))
                .burst((Integer) of.parsed(SettingKey.BURST, matching))
                .streams(streams(of, matching))
                .jitter((Double) of.parsed(SettingKey.JITTER, matching))
                .reject(of.parsed(SettingKey.ON_LIMIT, matching).equals("reject"))
                .maxWait((Long) of.parsed(SettingKey.MAX_WAIT, matching))
                .robots(of.parsed(SettingKey.ROBOTS, matching).equals("observe"))
                .respond(of.parsed(SettingKey.REJECT_WITH, matching).equals("response"))
                .cooldownThreshold((Integer) of.parsed(SettingKey.COOLDOWN_THRESHOLD, matching))
                .cooldownDuration(cooldown[0], cooldown[1])
                .cooldownMemory((Long) of.parsed(SettingKey.COOLDOWN_MEMORY, matching))
                .global(of.parsed(SettingKey.COOLDOWN_SCOPE, matching).equals("global"))
                .escalation((Escalation) of.parsed(SettingKey.ESCALATION, matching))
                .escalationMemory((Long) of.parsed(SettingKey.ESCALATION_MEMORY, matching))
                .escalationOn(on.contains("block"), on.contains("limit"))
                .denied(denied)
                .retryAfterMax((Long) of.parsed(SettingKey.RETRY_AFTER_MAX, matching))
                .userAgentCheck(userAgentCheck((String) of.parsed(SettingKey.USER_AGENT_CHECK, matching)))
                .detection(DetectRules.builder()
                        .bodyLimit((Integer) of.parsed(SettingKey.DETECT_BODY, matching))
                        .statuses((List<Integer>) of.parsed(SettingKey.DETECT_STATUS, matching))
                        .ignored(ignored)
                        .obeyWaits((Long) of.parsed(SettingKey.RETRY_AFTER_MAX, matching) > 0)
                        .build());
        Rate rate = (Rate) of.parsed(SettingKey.RATE, matching);
        if (rate.auto) {
            b.auto(rate.perSecond);
        } else {
            b.rate(rate.perSecond);
        }
        WindowLimit[] windows = (WindowLimit[]) of.parsed(SettingKey.WINDOW, matching);
        if (windows != null) {
            b.windows(windows);
        }
        Integer concurrency = (Integer) of.parsed(SettingKey.CONCURRENCY, matching);
        if (concurrency != null) {
            b.concurrency(concurrency);
        }
        String[] includePaths = (String[]) of.parsed(SettingKey.INCLUDE_PATHS, matching);
        String[] excludePaths = (String[]) of.parsed(SettingKey.EXCLUDE_PATHS, matching);
        if (includePaths != null || excludePaths != null) {
            b.paths(new Globs(includePaths, excludePaths));
        }
        return b.build();
    }

    private static Policy.UserAgentCheck userAgentCheck(String word) {
        return word.equals("off") ? Policy.UserAgentCheck.OFF
                : word.equals("warn") ? Policy.UserAgentCheck.WARN : Policy.UserAgentCheck.REJECT;
    }

    /** Null if there are none. */
    private static StreamLimits streams(Settings of, List<Scope> matching) {
        Integer perKey = (Integer) of.parsed(SettingKey.STREAMS, matching);
        Integer perUrl = (Integer) of.parsed(SettingKey.STREAMS_PER_URL, matching);
        Integer inAll = (Integer) of.parsed(SettingKey.STREAMS_GLOBAL, matching);
        Long timeout = (Long) of.parsed(SettingKey.STREAM_TIMEOUT, matching);
        return perKey == null && perUrl == null && inAll == null && timeout == null ? null
                : new StreamLimits(perKey == null ? StreamLimits.ANY : perKey, perUrl == null ? StreamLimits.ANY : perUrl,
                        inAll == null ? StreamLimits.ANY : inAll, of.parsed(SettingKey.STREAM_POLICY, matching).equals("evict-oldest"),
                        timeout == null ? StreamLimits.FOREVER : timeout);
    }
}
