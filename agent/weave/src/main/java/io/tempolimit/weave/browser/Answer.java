package io.tempolimit.weave.browser;

import io.tempolimit.core.Body;
import io.tempolimit.core.Permit;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import java.util.Map;

/**
 * A last answer as the client tells of it without asking its browser: where it came from, and its head. Its body is the
 * document, if anybody asks for that. Immutable.
 */
public final class Answer extends Head {
    private final int status;
    private final Iterable<Map.Entry<String, String>> headers;

    /**
     * The answer with these headers.
     *
     * @param headers in which the browser has joined lines of the same name: of {@code Set-Cookie} with line feeds, the
     *                others with commas, as HTTP allows
     */
    public Answer(int status, Iterable<Map.Entry<String, String>> headers) {
        this.status = status;
        this.headers = headers;
    }

    /** Ends the permit of the request to this URL; gives who is to be shown the document, null if nobody is. */
    Body of(Permit permit, String url) {
        return permit.landed(url) ? null : permit.answered(this);
    }

    /** The same where nobody will see the document. */
    public void end(Permit permit, String url) {
        Body body = of(permit, url);
        if (body != null) {
            body.cut();
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
