package io.tempolimit.clients.playwright.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.Map;

/**
 * A last answer as Playwright tells of it without asking its driver: where it came from, and its head. The body, which
 * it would have to ask for, stays unseen.
 */
final class Answer extends Head {
    private final int status;
    private final Map<String, String> headers;

    private Answer(int status, Map<String, String> headers) {
        this.status = status;
        this.headers = headers;
    }

    /** Ends the permit. */
    static void end(Permit permit, String url, int status, Map<String, String> headers) {
        if (!permit.landed(url)) {
            Body body = permit.answered(new Answer(status, headers));
            if (body != null) {
                body.cut();
            }
        }
    }

    @Override
    public int status() {
        return status;
    }

    /** Playwright has joined lines of the same name: of {@code Set-Cookie} with line feeds, the others with commas, as HTTP allows. */
    @Override
    public void headers(Headers to) {
        for (Map.Entry<String, String> header : headers.entrySet()) {
            for (String value : header.getValue().split("\n")) {
                to.add(header.getKey(), value);
            }
        }
    }
}
