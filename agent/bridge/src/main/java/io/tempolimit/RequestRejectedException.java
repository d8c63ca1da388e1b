package io.tempolimit;

import java.io.InterruptedIOException;

/**
 * A request that Tempolimit did not send. It is an {@link InterruptedIOException} because OkHttp and Apache HttpClient
 * never retry those; a plain {@code IOException} they would, which would multiply the load that is being limited.
 *
 * <p>The message holds the code, the host and the seconds to wait. Where the agent is absent its serial form reads as a
 * plain {@code InterruptedIOException} with that message. Immutable but for what {@link Throwable} lets change.
 */
public final class RequestRejectedException extends InterruptedIOException {
    private static final long serialVersionUID = 1;

    private final transient String code;
    private final transient String host;
    private final transient long retryAfterSeconds;

    /**
     * @param code              why, one of the codes in README.md, e.g. {@code RATE_LIMIT_EXCEEDED}
     * @param host              the host that the request would have gone to
     * @param retryAfterSeconds after how many seconds a request might pass, rounded up; negative when never
     */
    public RequestRejectedException(String code, String host, long retryAfterSeconds) {
        super(code + ": " + host
                + (retryAfterSeconds < 0 ? ", for good" : ", retry after " + retryAfterSeconds + " s") + " (Tempolimit)");
        this.code = code;
        this.host = host;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    /** Why, e.g. {@code RATE_LIMIT_EXCEEDED}. */
    public String code() {
        return code;
    }

    /** The host that the request would have gone to. */
    public String host() {
        return host;
    }

    /** After how many seconds a request might pass, rounded up; negative when never. */
    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    private Object writeReplace() {
        InterruptedIOException plain = new InterruptedIOException(getMessage());
        plain.setStackTrace(getStackTrace());
        return plain;
    }
}
