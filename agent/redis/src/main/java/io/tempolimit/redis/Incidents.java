package io.tempolimit.redis;

import io.tempolimit.core.circuit.Incident;
import io.tempolimit.core.runtime.Clock;
import io.tempolimit.core.store.Fleet;
import java.util.function.Consumer;

/** What other workers publish, on its way to the limiter. Used on the loop's thread. */
final class Incidents {
    /** What is published of a bucket that is gone; its key follows. */
    private static final String LOST = "lost ";
    /** What is published of a worker that has given up its probe; the probe's key follows. */
    private static final String GIVEN_UP = "given up ";
    /** What is published of a worker that could share again; the moment at which it will, by the server's clock, follows. */
    private static final String RETURNS = "returns ";
    /** After so many words comes the key's name, which may have blanks itself. */
    private static final int WORDS = 18;

    private final String prefix;
    private final Fleet.Listener listener;
    private final Clock clock;
    private final Consumer<String> returns;
    private boolean warnedOfVersion;

    /** @param returns is told of each moment at which workers that were alone will share again */
    Incidents(String prefix, Fleet.Listener listener, Clock clock, Consumer<String> returns) {
        this.prefix = prefix;
        this.clock = clock;
        this.listener = listener;
        this.returns = returns;
    }

    /** There are records of a later version, which are left alone. */
    void laterVersion() {
        if (!warnedOfVersion) {
            warnedOfVersion = true;
            listener.warning("Redis has records of a later version of Tempolimit, which this JVM leaves alone; it takes its part of"
                    + " those hosts' rates by itself. Update it, or give the versions a redis.prefix= each");
        }
    }

    /** Where workers of one prefix publish. */
    static String channel(String prefix) {
        return prefix + ":incidents";
    }

    private void ofKey(String key, String what, Consumer<String> hears) {
        String name = RedisKey.name(prefix, key, what);
        if (name != null) {
            hears.accept(name);
        }
    }

    /** A message came: a bucket is lost; a probe is given up; workers return; or the server's time, a record and a key's name. */
    void published(String message) {
        if (message.startsWith(LOST)) {
            ofKey(message.substring(LOST.length()), RedisKey.BUCKET, listener::bucketLost);
            return;
        } else if (message.startsWith(GIVEN_UP)) {
            ofKey(message.substring(GIVEN_UP.length()), RedisKey.PROBE, listener::probeGivenUp);
            return;
        } else if (message.startsWith(RETURNS)) {
            returns.accept(message.substring(RETURNS.length()));
            return;
        }
        int end = 0;
        for (int blanks = 0; blanks < WORDS; blanks++) {
            end = message.indexOf(' ', end) + 1;
            if (end == 0) {
                return; // not one of ours
            }
        }
        int begin = message.indexOf(' ') + 1;
        if (Record.isLater(message.substring(begin))) {
            laterVersion();
            return;
        }
        try {
            long serverNow = Long.parseLong(message.substring(0, begin - 1));
            Incident incident = Record.parse(message.substring(begin, end - 1), serverNow, clock.nanos());
            if (incident != null) {
                listener.incident(message.substring(end), incident);
            }
        } catch (NumberFormatException e) {
            // not one of ours
        }
    }
}
