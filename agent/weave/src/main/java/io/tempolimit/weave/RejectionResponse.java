package io.tempolimit.weave;

import com.google.gson.stream.JsonWriter;
import io.tempolimit.RequestRejectedException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What an application gets in place of an exception, with {@code reject-with=response}: to be put into the client's own
 * types. A client's hooks throw the rejection where the request would have gone to the network, as if that had failed,
 * and turn it into this one above all that the client does by itself: so nothing in it repeats, redirects, stores or
 * judges what no site has said. Immutable.
 */
public final class RejectionResponse {
    private final int status;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final byte[] body;

    private RejectionResponse(RequestRejectedException rejection) {
        boolean forbidden = rejection.code().equals("HOST_BLOCKED");
        status = forbidden ? 403 : 429;
        byte[] json = json(rejection).getBytes(StandardCharsets.UTF_8);
        headers.put("Content-Type", "application/json");
        headers.put("Content-Length", String.valueOf(json.length));
        if (rejection.retryAfterSeconds() >= 0) {
            headers.put("Retry-After", String.valueOf(rejection.retryAfterSeconds()));
        }
        headers.put("X-Tempolimit", rejection.code());
        body = rejection.method().equalsIgnoreCase("HEAD") ? new byte[0] : json;
    }

    /** What a failure becomes; null if it is none of those that become a response. */
    public static RejectionResponse of(Throwable failure) {
        RequestRejectedException rejection = failure instanceof RequestRejectedException ? (RequestRejectedException) failure : null;
        return rejection == null || !rejection.becomesResponse() ? null : new RejectionResponse(rejection);
    }

    /** 429, or 403 where no wait helps. */
    public int status() {
        return status;
    }

    /** What the status means. */
    public String reason() {
        return status == 403 ? "Forbidden" : "Too Many Requests";
    }

    /** In the order in which they would be sent. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The body, in JSON; empty for a HEAD. Not to be changed. */
    public byte[] body() {
        return body;
    }

    private static String json(RequestRejectedException rejection) {
        StringWriter text = new StringWriter(512);
        long retryAfter = rejection.retryAfterSeconds();
        try {
            JsonWriter w = new JsonWriter(text).beginObject();
            w.name("status").value("error");
            w.name("code").value(rejection.code());
            w.name("message").value(rejection.getMessage());
            w.name("trace_id").value(traceId());
            w.name("hint").value(rejection.hint());
            w.name("retry_after").value(retryAfter < 0 ? null : (Long) retryAfter);
            w.name("details").beginObject();
            w.name("host").value(rejection.host());
            w.name("limit_type").value(rejection.limitType());
            w.name("current_usage").value(rejection.currentUsage());
            w.name("reset_time").value(retryAfter < 0 ? null
                    : Instant.ofEpochSecond(System.currentTimeMillis() / 1000 + retryAfter).toString());
            w.endObject().endObject();
        } catch (IOException e) {
            throw new AssertionError(e); // a StringWriter has no I/O
        }
        return text.toString();
    }

    /** As W3C's trace context has them: 32 hexadecimal digits. */
    private static String traceId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        // negative: all 16 digits
        return Long.toHexString(random.nextLong(Long.MIN_VALUE, 0)) + Long.toHexString(random.nextLong(Long.MIN_VALUE, 0));
    }
}
