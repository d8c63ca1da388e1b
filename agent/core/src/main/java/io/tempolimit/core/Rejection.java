package io.tempolimit.core;

/** Why a request was not sent; the names are part of the contract. */
public enum Rejection {
    /** The bucket is empty. */
    RATE_LIMIT_EXCEEDED,
    /** The host rests after blocks. */
    HOST_COOLING_DOWN
}
