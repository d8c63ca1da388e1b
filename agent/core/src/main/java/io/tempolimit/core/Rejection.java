package io.tempolimit.core;

/** Why a request was not sent; the names are part of the contract. */
public enum Rejection {
    /** The bucket is empty. */
    RATE_LIMIT_EXCEEDED("rate", null),
    /** A window is full. */
    WINDOW_EXCEEDED("window", null),
    /** As many requests are in flight as may be. */
    CONCURRENCY_LIMIT_EXCEEDED("concurrency", null),
    /** As many event streams are open as may be. */
    SSE_CONCURRENCY_LIMIT_EXCEEDED("streams", "as many event streams are open as streams=, streams-per-url= or streams-global= allows"),
    /** The host rests after blocks. */
    HOST_COOLING_DOWN("cooldown", "it is in cooldown: it has blocked requests or asked for a pause, or an operator has paused it"),
    /** The host is blocked for good, after so many blocks or by the settings. */
    HOST_BLOCKED("blocked", "it is in deny, or was blocked for good after too many trips; the JMX operation reset ends the latter"),
    /** Its user agent is one that sites refuse at sight. */
    SUSPICIOUS_USER_AGENT("user_agent",
            "a user agent that names a contact, as in (+https://example.com/bot), is fine; user-agent.check= changes this");

    /** What kind of limit it is about. */
    private final String limitType;
    /** What helps; null where that is the limit itself. */
    private final String hint;

    Rejection(String limitType, String hint) {
        this.limitType = limitType;
        this.hint = hint;
    }

    /** What kind of limit it is about: a word, for the application. */
    public String limitType() {
        return limitType;
    }

    /** What helps; null where that is the limit itself. */
    public String hint() {
        return hint;
    }

    /** Whether it is for more requests than the settings allow: those that {@code escalation.on=limit} is about. */
    public boolean ofLimit() {
        return this == RATE_LIMIT_EXCEEDED || this == WINDOW_EXCEEDED || this == CONCURRENCY_LIMIT_EXCEEDED;
    }
}
