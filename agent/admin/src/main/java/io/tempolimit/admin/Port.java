package io.tempolimit.admin;

import com.sun.net.httpserver.HttpServer;
import io.tempolimit.config.Settings;
import io.tempolimit.core.Hosts;
import io.tempolimit.core.Limiter;
import io.tempolimit.watch.Watch;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** The JDK's server on {@code admin.port}. */
final class Port {
    static final String SERVER_PACKAGE = "sun.net.httpserver";
    private static final int BACKLOG = 64;

    private Port() {
    }

    /** False, and one warning, if it cannot be. */
    static boolean open(Settings settings, Limiter limiter, Watch watch, Board board, Workers workers) throws IOException, ReflectiveOperationException {
        InetSocketAddress address = new InetSocketAddress(settings.adminHost(), settings.adminPort());
        HttpServer server;
        try {
            if (address.isUnresolved()) {
                throw new IOException("there is no such host");
            }
            server = server(address);
        } catch (IOException e) {
            watch.warning("there is no status page: admin.port=" + settings.adminPort() + " cannot be opened on " + settings.adminHost() + ": " + e.getMessage());
            return false;
        }
        Doorkeeper doorkeeper = new Doorkeeper(names(settings), settings.adminToken(), settings.adminLocal());
        server.createContext("/", new Site(doorkeeper, workers, Page.load(), board, limiter, watch));
        server.setExecutor(workers);
        server.start();
        String host = settings.adminHost();
        watch.log().info("The status page is http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + server.getAddress().getPort() + "/");
        return true;
    }

    /** The JDK's own, by its name: {@code HttpServer.create} takes what the application has on its class path, and remembers it for the application. */
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
