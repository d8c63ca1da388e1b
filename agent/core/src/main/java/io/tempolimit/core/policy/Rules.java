package io.tempolimit.core.policy;

import io.tempolimit.core.request.Hosts;
import io.tempolimit.detect.Detector;

/** The settings as the limiter sees them. Implementations are immutable; new settings are a new object. */
public interface Rules {
    /**
     * What holds for a host.
     *
     * @param host as {@link Hosts#canonical} gives it
     * @return null if requests to it are neither paced nor judged
     */
    Policy policy(String host);

    /**
     * What holds for requests of an account to a host, as {@link #policy(String)}.
     *
     * @param account its name; null if accounts have no settings
     */
    default Policy policy(String host, String account) {
        return policy(host);
    }

    /**
     * Why requests to a host that has no policy are not paced, and what changes that, for a line of the log.
     *
     * @param host as above
     * @return null if there is nothing to say
     */
    default String whyLeftOut(String host) {
        return null;
    }

    /**
     * What holds for a key that several hosts share. Which of them are paced at all, or denied, is said of each.
     *
     * @param domain  that they belong to; null if they may be any
     * @param account as above
     * @return not null
     */
    default Policy shared(String domain, String account) {
        return policy(domain, account);
    }

    /** Which key a request belongs to; null if it is that of its host. The limiter keeps the first rules' answer. */
    default Keying keying() {
        return null;
    }

    /** The domain that somebody has registered, to which this host belongs; the host itself where nobody knows. */
    default String domain(String host) {
        return host;
    }

    /** Who tells blocks from pages, by the built-in rules and the user's own. */
    Detector detector();

    /** Whether requests are paced at all. */
    boolean enabled();

    /** Whether to report everything, and delay and reject nothing. */
    boolean dryRun();

    /** How many keys are remembered at the most. */
    int maxKeys();

    /** After how many nanoseconds an idle key is forgotten. */
    long keyIdle();
}
