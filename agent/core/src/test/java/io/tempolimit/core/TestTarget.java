package io.tempolimit.core;

import io.tempolimit.core.request.Target;

/** A target out of strings. */
public class TestTarget extends Target {
    private final String host;
    private final String path;

    public TestTarget(String host, String path) {
        this.host = host;
        this.path = path;
    }

    public TestTarget(String host) {
        this(host, "/");
    }

    @Override
    public String scheme() {
        return "https";
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public int port() {
        return -1;
    }

    @Override
    public String path() {
        return path;
    }
}
