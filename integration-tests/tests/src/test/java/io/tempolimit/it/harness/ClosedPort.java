package io.tempolimit.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port at which nobody listens, on all addresses of the machine: connections are refused. It is kept until this is closed. A
 * port that was free a moment ago may be another test's server by now.
 */
public final class ClosedPort implements AutoCloseable {
    private final Socket bound = new Socket(); // and never connected

    public ClosedPort() {
        try {
            bound.bind(new InetSocketAddress(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int number() {
        return bound.getLocalPort();
    }

    @Override
    public void close() {
        try {
            bound.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
