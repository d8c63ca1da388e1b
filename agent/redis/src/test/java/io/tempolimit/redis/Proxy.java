package io.tempolimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network between workers and Redis that can break, lose what is sent through it, or take its time. Connections made while
 * it loses never come to life.
 */
final class Proxy implements AutoCloseable {
    final int port;
    private final int target;
    private final ServerSocket listening;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile boolean shut;
    private volatile boolean dropping;
    private volatile long delay;

    Proxy(int target) throws IOException {
        this.target = target;
        listening = new ServerSocket(0, 200, InetAddress.getByName("127.0.0.1"));
        port = listening.getLocalPort();
        thread(this::accept);
    }

    /** From now on nothing passes, and nobody is told so. What was lost stays lost. */
    void drop(boolean on) {
        dropping = on;
    }

    /** As if Redis had died, or was there again: what is open is closed, and what comes is closed at once. */
    void shut(boolean on) {
        shut = on;
        if (on) {
            open.forEach(Proxy::close);
        }
    }

    /** How many connections were tried so far. */
    int attempts() {
        return attempts.get();
    }

    /** How many lead to Redis. */
    long connections() {
        return open.stream().filter(s -> !s.isClosed()).count() / 2;
    }

    /** Each packet takes so long, each way. */
    void delay(long millis) {
        delay = millis;
    }

    private static void thread(Runnable what) {
        Thread t = new Thread(what, "proxy");
        t.setDaemon(true);
        t.start();
    }

    private void accept() {
        try {
            for (;;) {
                Socket client = listening.accept();
                attempts.incrementAndGet();
                if (shut) {
                    close(client);
                    continue;
                }
                client.setTcpNoDelay(true);
                open.add(client);
                if (dropping) {
                    continue; // as if its first packet were lost: to the client it is as dead
                }
                Socket server;
                try {
                    server = new Socket(InetAddress.getByName("127.0.0.1"), target);
                } catch (IOException e) {
                    close(client); // the server is not there
                    continue;
                }
                server.setTcpNoDelay(true);
                open.add(server);
                if (shut) {
                    open.forEach(Proxy::close); // it broke while this one was let in
                }
                thread(() -> pump(client, server));
                thread(() -> pump(server, client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[65536];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n; (n = in.read(buffer)) > 0; ) {
                if (delay > 0) {
                    Thread.sleep(delay);
                }
                if (!dropping) {
                    out.write(buffer, 0, n);
                }
            }
        } catch (IOException | InterruptedException e) {
            // one side is gone
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing left to do
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        open.forEach(Proxy::close);
    }
}
