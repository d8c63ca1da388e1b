package io.tempolimit.admin;

import com.sun.net.httpserver.HttpServer;
import io.tempolimit.config.Settings;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.core.request.Hosts;
import io.tempolimit.watch.Watch;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The JDK's server on {@code admin.port}. */
final class Port {
    static final String SERVER_PACKAGE = "sun.net.httpserver";
    private static final int BACKLOG = 64;

    private final HttpServer server;
    private final List<Thread> threads;

    private Port(HttpServer server, List<Thread> threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * On a thread in a group without others: those that are there afterwards are the server's.
     *
     * @param number that of {@code admin.port}, or what that has become if it is 0
     * @throws IOException if it cannot be opened now
     */
    static Port open(int number, Settings settings, Limiter limiter, Watch watch, Board board, Workers workers)
            throws IOException, ReflectiveOperationException {
        InetSocketAddress address = new InetSocketAddress(settings.adminHost(), number);
        if (address.isUnresolved()) {
            throw new IOException("there is no such host");
        }
        try (ServerSocket probe = new ServerSocket()) { // where the port is taken, the JDK's server leaves its channel open
            probe.bind(address, BACKLOG);
        }
        HttpServer server = server(address);
        Thread[] before = group();
        Doorkeeper doorkeeper = new Doorkeeper(names(settings), settings.adminAllowedHosts(), settings.adminToken(), settings.adminLocal());
        server.createContext("/", new Site(doorkeeper, workers, Page.load(), board, limiter, watch));
        server.setExecutor(workers);
        server.start();
        List<Thread> threads = new ArrayList<>(Arrays.asList(group()));
        threads.removeAll(Arrays.asList(before));
        threads.removeIf(thread -> thread.getName().startsWith(Workers.NAMES)); // that of a first request may be there already
        return new Port(server, threads);
    }

    /** Whether any port can be opened there. */
    static boolean isHere(String host) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(host, 0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Thread[] group() {
        Thread[] all = new Thread[100];
        int n = Thread.currentThread().getThreadGroup().enumerate(all);
        return Arrays.copyOf(all, n);
    }

    int number() {
        return server.getAddress().getPort();
    }

    /**
     * Whether somebody has interrupted the server's own thread, as an application does that interrupts all threads it
     * finds: it spins then, and serves nobody.
     */
    boolean interrupted() {
        for (Thread thread : threads) {
            if (thread.isInterrupted()) {
                return true;
            }
        }
        return false;
    }

    void close() {
        server.stop(0);
    }

    /**
     * The JDK's own, by its name: {@code HttpServer.create} takes what the application has on its class path, and
     * remembers it for the application.
     */
    private static HttpServer server(InetSocketAddress address) throws IOException, ReflectiveOperationException {
        Class<?> provider = Class.forName(SERVER_PACKAGE + ".DefaultHttpServerProvider");
        try {
            return (HttpServer) provider.getMethod("createHttpServer", InetSocketAddress.class, int.class)
                    .invoke(provider.getDeclaredConstructor().newInstance(), address, BACKLOG);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException) {
                throw (IOException) e.getCause();
            }
            throw e;
        }
    }

    /** By which others may call this machine. */
    private static List<String> names(Settings settings) {
        List<String> names = new ArrayList<>();
        names.add(Hosts.canonical(settings.adminHost()));
        if (!settings.adminLocal()) {
            try {
                names.add(Hosts.canonical(InetAddress.getLocalHost().getHostName()));
            } catch (UnknownHostException e) {
                // it has none
            }
        }
        return names;
    }
}
