package io.tempolimit.examples.site;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Decides which requests are answered: a rate for each client, and a ban for those who keep exceeding it. */
final class Guard {

    /** What becomes of one request. */
    enum Verdict {
        /** It is answered. */
        PASS,
        /** It is refused for coming too fast. */
        LIMITED,
        /** It is refused for coming too fast, once too often: a ban begins. */
        STRUCK_OUT,
        /** It is refused because the client is banned. */
        BANNED
    }

    private final Settings settings;
    private final Map<String, Client> clients = new ConcurrentHashMap<>();

    Guard(Settings settings) {
        this.settings = settings;
    }

    /**
     * Judges a request.
     *
     * @param client who asks
     * @param now the time, in nanoseconds of any clock that does not go back
     */
    Verdict judge(String client, long now) {
        if (!settings.limited()) {
            return Verdict.PASS;
        }
        return clients.computeIfAbsent(client, c -> new Client(now)).judge(now);
    }

    private final class Client {
        private double tokens = settings.burst();
        private long filledAt;
        private final Deque<Long> strikes = new ArrayDeque<>();
        private boolean banned;
        private long bannedUntil;

        Client(long now) {
            filledAt = now;
        }

        synchronized Verdict judge(long now) {
            if (banned && now - bannedUntil < 0) {
                if (settings.banRestarts()) {
                    bannedUntil = now + settings.ban().toNanos();
                }
                return Verdict.BANNED;
            }
            banned = false;
            if (takeToken(now)) {
                return Verdict.PASS;
            }
            if (!strikesOut(now)) {
                return Verdict.LIMITED;
            }
            strikes.clear();
            banned = true;
            bannedUntil = now + settings.ban().toNanos();
            return Verdict.STRUCK_OUT;
        }

        private boolean takeToken(long now) {
            // Requests that arrive together may get here out of order; a clock reading that is older adds nothing.
            long passed = Math.max(0, now - filledAt);
            filledAt += passed;
            tokens = Math.min(settings.burst(), tokens + settings.rate() * passed / 1e9);
            // What adds up to one token in steps may miss it by a rounding error.
            if (tokens < 1 - 1e-9) {
                return false;
            }
            tokens = Math.max(0, tokens - 1);
            return true;
        }

        private boolean strikesOut(long now) {
            if (settings.strikes() == 0) {
                return false;
            }
            strikes.add(now);
            while (now - strikes.peek() > settings.strikeWindow().toNanos()) {
                strikes.remove();
            }
            return strikes.size() >= settings.strikes();
        }
    }
}
