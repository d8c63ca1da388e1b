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
    @SuppressWarnings("unchecked") // statuses are numbers
    static Policy of(Settings of, List<Scope> matching, Set<String> ignored, boolean denied) {
        Values v = new Values(of, matching);
        List<String> on = Arrays.asList(v.texts(SettingKey.ESCALATION_ON));
        long[] cooldown = v.as(long[].class, SettingKey.COOLDOWN_DURATION);
        Policy.Builder b = new Policy.Builder()
                .learn(v.flag(SettingKey.LEARN))
                .burst(v.count(SettingKey.BURST))
                .concurrency(v.count(SettingKey.CONCURRENCY, Integer.MAX_VALUE))
                .streams(streams(v))
                .jitter(v.fraction(SettingKey.JITTER))
                .reject(v.is(SettingKey.ON_LIMIT, "reject"))
                .maxWait(v.amount(SettingKey.MAX_WAIT))
                .robots(v.is(SettingKey.ROBOTS, "observe"))
                .respond(v.is(SettingKey.REJECT_WITH, "response"))
                .cooldownThreshold(v.count(SettingKey.COOLDOWN_THRESHOLD))
                .cooldownDuration(cooldown[0], cooldown[1])
                .cooldownMemory(v.amount(SettingKey.COOLDOWN_MEMORY))
                .global(v.is(SettingKey.COOLDOWN_SCOPE, "global"))
                .escalation(v.as(Escalation.class, SettingKey.ESCALATION))
                .escalationMemory(v.amount(SettingKey.ESCALATION_MEMORY))
                .escalationOn(on.contains("block"), on.contains("limit"))
                .denied(denied)
                .retryAfterMax(v.amount(SettingKey.RETRY_AFTER_MAX))
                .userAgentCheck(userAgentCheck(v.text(SettingKey.USER_AGENT_CHECK)))
                .detection(DetectRules.builder()
                        .bodyLimit(v.count(SettingKey.DETECT_BODY))
                        .statuses(v.as(List.class, SettingKey.DETECT_STATUS))
                        .ignored(ignored)
                        .browser(v.flag(SettingKey.DETECT_BROWSER))
                        .obeyWaits(v.amount(SettingKey.RETRY_AFTER_MAX) > 0)
                        .build());
        Rate rate = v.as(Rate.class, SettingKey.RATE);
        if (rate.auto) {
            b.auto(rate.perSecond);
        } else {
            b.rate(rate.perSecond);
        }
        WindowLimit[] windows = v.as(WindowLimit[].class, SettingKey.WINDOW);
        if (windows != null) {
            b.windows(windows);
        }
        String[] includePaths = v.texts(SettingKey.INCLUDE_PATHS);
        String[] excludePaths = v.texts(SettingKey.EXCLUDE_PATHS);
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
    private static StreamLimits streams(Values v) {
        int perKey = v.count(SettingKey.STREAMS, StreamLimits.ANY);
        int perUrl = v.count(SettingKey.STREAMS_PER_URL, StreamLimits.ANY);
        int inAll = v.count(SettingKey.STREAMS_GLOBAL, StreamLimits.ANY);
        long timeout = v.amount(SettingKey.STREAM_TIMEOUT, StreamLimits.FOREVER);
        return perKey == StreamLimits.ANY && perUrl == StreamLimits.ANY && inAll == StreamLimits.ANY && timeout == StreamLimits.FOREVER
                ? null : new StreamLimits(perKey, perUrl, inAll, v.is(SettingKey.STREAM_POLICY, "evict-oldest"), timeout);
    }
}
