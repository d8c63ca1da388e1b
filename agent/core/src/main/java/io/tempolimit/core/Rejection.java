package io.tempolimit.core;

/** Why a request was not sent; the names are part of the contract. */
public enum Rejection {
    /** The bucket is empty. */
    RATE_LIMIT_EXCEEDED,
    /** A sliding window is full. */
    WINDOW_EXCEEDED,
    /** So many are in flight as may be. */
    CONCURRENCY_LIMIT_EXCEEDED,
    /** The host rests after blocks. */
    HOST_COOLING_DOWN,
    /** The host is blocked for good, after so many blocks or by the settings. */
    HOST_BLOCKED,
    /** Its user agent is one that sites refuse at sight. */
    SUSPICIOUS_USER_AGENT
}
