package io.tempolimit.weave.browser;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.Map;

/**
 * A last answer as the client tells of it without asking its browser: where it came from, and its head. The body, for which it would
 * have to ask, stays unseen. Immutable.
 */
public final class Answer extends Head {
    private final int status;
    private final Iterable<Map.Entry<String, String>> headers;

    /** @param headers in which the browser has joined lines of the same name: of {@code Set-Cookie} with line feeds, the others as HTTP allows */
    public Answer(int status, Iterable<Map.Entry<String, String>> headers) {
        this.status = status;
        this.headers = headers;
    }

    /** Ends the permit of the request to this URL. */
    public void end(Permit permit, String url) {
        if (!permit.landed(url)) {
            Body body = permit.answered(this);
            if (body != null) {
                body.cut();
            }
        }
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void headers(Headers to) {
        for (Map.Entry<String, String> header : headers) {
            for (String value : header.getValue().split("\n")) {
                to.add(header.getKey(), value);
            }
        }
    }
}
