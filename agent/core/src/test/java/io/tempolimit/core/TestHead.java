package io.tempolimit.core;

import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;

/** A head out of strings. */
public final class TestHead extends Head {
    private final int status;
    private final String[] headers;

    /** @param headers names and values in turn */
    public TestHead(int status, String... headers) {
        this.status = status;
        this.headers = headers;
    }

    static TestHead html(int status) {
        return new TestHead(status, "Content-Type", "text/html");
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public void headers(Headers to) {
        for (int i = 0; i < headers.length; i += 2) {
            to.add(headers[i], headers[i + 1]);
        }
    }
}
