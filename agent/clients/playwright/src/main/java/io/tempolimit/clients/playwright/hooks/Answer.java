package io.tempolimit.clients.playwright.hooks;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.Map;

/**
 * A last answer as Playwright tells of it without asking its driver: where it came from, and its head. Its body is the document, if
 * anybody asks for that.
 */
final class Answer extends Head {
    private final int status;
    private final Map<String, String> headers;

    private Answer(int status, Map<String, String> headers) {
        this.status = status;
        this.headers = headers;
    }

    /** Ends the permit; gives who is to be shown the document, or null if nobody needs to see it. */
    static Body of(Permit permit, String url, int status, Map<String, String> headers) {
        return permit.landed(url) ? null : permit.answered(new Answer(status, headers));
    }

    /** The same where nobody will see the document. */
    static void end(Permit permit, String url, int status, Map<String, String> headers) {
        Body body = of(permit, url, status, headers);
        if (body != null) {
            body.cut();
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
                to.add(header.getKey(), header.getKey().equalsIgnoreCase("Content-Type") ? inUtf8(value) : value);
            }
        }
    }

    /** The browser gives documents as text, whatever the site's charset was. */
    private static String inUtf8(String type) {
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)) + "; charset=utf-8";
    }

    @Override
    public boolean decoded() {
        return true;
    }

    @Override
    public boolean rendered() {
        return true;
    }
}
