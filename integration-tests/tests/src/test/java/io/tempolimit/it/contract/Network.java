package io.tempolimit.it.contract;

import io.tempolimit.it.harness.Pacing;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Groups of hosts with settings of their own, so that one forked JVM serves every check, each on hosts that no other one has used. */
enum Network {
    /** Not paced. */
    FREE("127.99", 0, 0),
    /** The contract's figures. */
    BRISK("127.20", 20, 5),
    /** The same rate, and every request but the first waits. */
    TIGHT("127.21", 20, 1),
    /** Half a second between requests. */
    SLOW("127.22", 2, 1),
    /** Four seconds between requests: a wait in which much can happen, on a busy machine too. */
    SLOWEST("127.23", 0.25, 1, "reject-with=response"),
    /** For many requests. */
    FAST("127.24", 200, 5),
    /** Woven, and never waits. */
    OPEN("127.25", 10_000, 10_000),
    /** Rejects what would wait. */
    REJECTING("127.26", 0.1, 1, "on-limit=reject"),
    /** Rejects what would wait for long. */
    IMPATIENT("127.27", 0.1, 1, "max-wait=200ms"),
    /** Rests for {@link #PAUSE} after three blocks. */
    GUARDED("127.28", 20, 5, "cooldown.duration=500ms-500ms"),
    /** Rejects those that sites refuse at sight. */
    CHOOSY("127.29", 10_000, 10_000, "user-agent.check=reject"),
    /** As {@link #REJECTING}, with a response. */
    ANSWERING("127.31", 0.1, 1, "on-limit=reject", "reject-with=response"),
    /** Rests for long after one block, and lets nobody wait for that; with a response. */
    ANSWERING_GUARDED("127.32", 2, 1, "max-wait=5s", "cooldown.threshold=1", "cooldown.duration=60s-60s", "learn=false",
            "reject-with=response"),
    /** Rejects everything, with a response. */
    ANSWERING_DENIED("127.33", 10_000, 10_000, "deny=127.33.0.0/16", "reject-with=response"),
    /** One request may be in flight. */
    SINGLE("127.38", 10_000, 10_000, "concurrency=1"),
    /** One event stream may be open. */
    STREAMING("127.35", 10_000, 10_000, "streams=1"),
    /** The newest one stays. */
    EVICTING("127.36", 10_000, 10_000, "streams=1", "stream-policy=evict-oldest"),
    /** Each may be open for {@link #PAUSE}. */
    FLEETING("127.37", 10_000, 10_000, "stream-timeout=500ms");

    static final Duration PAUSE = Duration.ofMillis(500);

    private final String prefix;
    private final double rate;
    private final int burst;
    private final String[] more;

    Network(String prefix, double rate, int burst, String... more) {
        this.prefix = prefix;
        this.rate = rate;
        this.burst = burst;
        this.more = more;
    }

    /** How its addresses begin. */
    String prefix() {
        return prefix;
    }

    /** What holds there. */
    Pacing pacing() {
        return new Pacing(rate, burst);
    }

    /** The agent's arguments that make all of them what they are. */
    static String arguments() {
        return "learn=false,exclude=-private;" + FREE.cidr() + "," + Arrays.stream(values()).filter(n -> n != FREE).map(Network::settings)
                .collect(Collectors.joining(","));
    }

    private String cidr() {
        return prefix + ".0.0/16";
    }

    private String settings() {
        String domain = "domain." + cidr() + ".";
        StringBuilder settings = new StringBuilder(domain + "rate=" + rate + "," + domain + "burst=" + burst);
        for (String setting : more) {
            settings.append(',').append(domain).append(setting);
        }
        return settings.toString();
    }
}
