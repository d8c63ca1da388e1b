package io.tempolimit;

import java.io.InterruptedIOException;

/**
 * A request that Tempolimit did not send, and why. It is an {@link InterruptedIOException} because OkHttp and Apache HttpClient
 * never retry those; a plain {@code IOException} they would, which would multiply the load that is being limited.
 *
 * <p>The message holds the code, the host and the seconds to wait. Where the agent is absent its serial form reads as a
 * plain {@code InterruptedIOException} with that message. Immutable but for what {@link Throwable} lets change.
 *
 * <p>Made without a stack trace, which whoever hands it to the application fills in, and with texts that are made when
 * they are asked for: a rejection is decided quickly, however fast the loop that asks.
 */
public final class RequestRejectedException extends InterruptedIOException {
    private static final long serialVersionUID = 1;

    private final transient String code;
    private final transient String method;
    private final transient String host;
    private final transient long retryAfterSeconds;
    private final transient String limitType;
    private final transient long used;
    private final transient long limit;
    private final transient Object hint;
    private final transient boolean becomesResponse;

    /**
     * @param code              why, one of the codes in README.md, e.g. {@code RATE_LIMIT_EXCEEDED}
     * @param method            the request's method
     * @param host              the host that the request would have gone to
     * @param retryAfterSeconds after how many seconds a request might pass, rounded up; negative when no wait changes it
     * @param limitType         what kind of limit it met, e.g. {@code rate}
     * @param used              how much of that limit would be in use with this request
     * @param limit             how much of it there is; 0 if it is none that is counted
     * @param hint              what the limit is, or what helps, by its {@code toString}
     * @param becomesResponse   see {@link #becomesResponse}
     */
    public RequestRejectedException(String code, String method, String host, long retryAfterSeconds, String limitType,
            long used, long limit,
            Object hint, boolean becomesResponse) {
        this.code = code;
        this.method = method;
        this.host = host;
        this.retryAfterSeconds = retryAfterSeconds;
        this.limitType = limitType;
        this.used = used;
        this.limit = limit;
        this.hint = hint;
        this.becomesResponse = becomesResponse;
    }

    /** Why, e.g. {@code RATE_LIMIT_EXCEEDED}. */
    public String code() {
        return code;
    }

    /** The request's method. */
    public String method() {
        return method;
    }

    /** The host that the request would have gone to. */
    public String host() {
        return host;
    }

    /** After how many seconds a request might pass, rounded up; negative when no wait changes it. */
    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /**
     * What kind of limit it met: {@code rate}, {@code window}, {@code concurrency}, {@code streams}, {@code cooldown},
     * {@code blocked} or {@code user_agent}.
     */
    public String limitType() {
        return limitType;
    }

    /** How much of the limit would be in use with this request, and how much there is: {@code 6/5}; null if it is none that is counted. */
    public String currentUsage() {
        return limit > 0 ? used + "/" + limit : null;
    }

    /** What the limit is, or what helps: {@code limit: 3 requests/s per host}. */
    public String hint() {
        return hint.toString();
    }

    /**
     * Whether the application will get a response in its place ({@code reject-with=response}). Only what is part of an
     * HTTP client ever sees such an exception, on its way up.
     */
    public boolean becomesResponse() {
        return becomesResponse;
    }

    @Override
    public String getMessage() {
        return code + ": " + host + (retryAfterSeconds < 0 ? ", for good" : ", retry after " + retryAfterSeconds + " s") + " (Tempolimit)";
    }

    /** Does nothing in the constructor, for to walk the stack takes ten times as long as to decide; nor where it becomes a response. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return code == null || becomesResponse ? this : super.fillInStackTrace();
    }

    private Object writeReplace() {
        InterruptedIOException plain = new InterruptedIOException(getMessage());
        plain.setStackTrace(getStackTrace());
        return plain;
    }
}
