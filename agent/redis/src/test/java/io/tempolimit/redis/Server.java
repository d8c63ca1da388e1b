package io.tempolimit.redis;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A Redis server in a process of its own. */
public final class Server implements AutoCloseable {
    /** Ports that tests in this JVM have; they run side by side. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private static final int LOWEST_PORT = 11_000;
    /** A cluster's bus has a port that is so much higher. Both end below 32,768, the first one that Linux gives to a connection. */
    private static final int BUS = 10_000;

    final int port;
    private final List<String> command;
    private final Path folder;
    private Process process;
    private String user = "";
    private String password = "";

    private Server(String binary, int port, String... options) throws IOException {
        this.port = port;
        folder = Files.createTempDirectory("tempolimit-redis");
        command = new ArrayList<>(Arrays.asList(binary, "--port", Integer.toString(port), "--save", "", "--appendonly", "no",
                "--bind", "127.0.0.1", "--dir", folder.toString(), "--protected-mode", "no"));
        command.addAll(Arrays.asList(options));
    }

    public static Server start(String binary, String... options) throws Exception {
        return start(binary, freePort(), options);
    }

    static Server start(String binary, int port, String... options) throws Exception {
        Server server = new Server(binary, port, options);
        server.startAgain();
        return server;
    }

    /** One that copies another. */
    static Server replica(String binary, int master) throws Exception {
        return start(binary, "--replicaof", "127.0.0.1", "" + master, "--repl-diskless-sync-delay", "0");
    }

    /** A sentinel that watches the master {@code main} and decides alone; it knows that one's replica. */
    static Server sentinel(String binary, Server master, Server replica) throws Exception {
        Server server = new Server(binary, freePort());
        Path config = server.folder.resolve("sentinel.conf");
        Files.writeString(config, "port " + server.port + "\ndir " + server.folder
                + "\nsentinel monitor main 127.0.0.1 " + master.port + " 1\n"
                + "sentinel down-after-milliseconds main 500\nsentinel failover-timeout main 3000\n");
        server.command.clear();
        server.command.addAll(Arrays.asList(binary, config.toString(), "--sentinel"));
        server.startAgain();
        await(() -> server.said("SENTINEL", "REPLICAS", "main").contains(Integer.toString(replica.port))
                && replica.said("INFO", "replication").contains("master_link_status:up"),
                "the sentinel knows the replica");
        return server;
    }

    /** Three nodes that have every third slot each, and no replicas. */
    static List<Server> cluster(String binary) throws Exception {
        List<Server> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(start(binary, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000"));
        }
        for (int i = 0; i < 3; i++) {
            List<String> slots = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            for (int slot = i; slot < 16384; slot += 3) {
                slots.add(Integer.toString(slot));
            }
            if (!nodes.get(i).ask(slots.toArray(new String[0])).equals("OK")) {
                throw new IOException("it has its slots already");
            }
            nodes.get(i).ask("CLUSTER", "MEET", "127.0.0.1", Integer.toString(nodes.get(0).port));
        }
        for (Server node : nodes) {
            await(() -> node.said("CLUSTER", "INFO").contains("cluster_state:ok") && node.others() == 2, "the cluster is up");
        }
        return nodes;
    }

    /** The other nodes of its cluster that it is linked to. One that is known may be deaf still: what is published then is lost. */
    private long others() {
        return said("CLUSTER", "NODES").lines().map(line -> line.split(" "))
                .filter(node -> node.length > 7 && !node[2].contains("myself") && !node[2].contains("handshake"))
                .filter(node -> node[7].equals("connected")).count();
    }

    static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError(what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** The same as {@link #ask}; nothing of who is not there. */
    String said(String... words) {
        try {
            return String.valueOf(ask(words));
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * A port that no other test of this JVM gets, and that is free now. It is below those that a system gives to connections: while a
     * server is down, a connection could have its port, and one that tries again and again to reach it could even reach itself.
     */
    public static int freePort() throws IOException {
        for (;;) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, LOWEST_PORT + BUS);
            try (ServerSocket s = new ServerSocket(); ServerSocket bus = new ServerSocket()) {
                s.bind(new InetSocketAddress("127.0.0.1", port));
                bus.bind(new InetSocketAddress("127.0.0.1", port + BUS));
                if (GIVEN.add(port)) {
                    return port;
                }
            } catch (BindException e) {
                // the next one
            }
        }
    }

    /** Starts it, for the first time or again: it remembers nothing but what it was told to save. */
    public void startAgain(String... more) throws Exception {
        List<String> all = new ArrayList<>(command);
        all.addAll(Arrays.asList(more));
        process = new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(new File(folder.toFile(), "log")).start();
        for (int i = 0; ; i++) {
            try {
                ask("PING");
                return;
            } catch (IOException e) {
                if (!process.isAlive() || i > 600) {
                    throw new IOException("Redis does not start: " + Files.readString(folder.resolve("log")), e);
                }
                Thread.sleep(50);
            }
        }
    }

    /** What {@link #ask} says of itself first. */
    public Server as(String newUser, String newPassword) {
        user = newUser;
        password = newPassword;
        return this;
    }

    public void kill() throws Exception {
        process.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
    }

    void pause() throws Exception {
        signal("STOP");
    }

    void resume() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    /** A command's answer: text, a number as text, null, or texts joined by blanks; an error as text that begins with {@code -}. */
    public String ask(String... words) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 2000);
            socket.setSoTimeout(20_000);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            if (!password.isEmpty()) {
                write(socket, user.isEmpty() ? new String[] {"AUTH", password} : new String[] {"AUTH", user, password});
                read(in);
            }
            write(socket, words);
            return read(in);
        }
    }

    private static void write(Socket socket, String... words) throws IOException {
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String w : words) {
            text.append('$').append(w.getBytes(StandardCharsets.UTF_8).length).append("\r\n").append(w).append("\r\n");
        }
        socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String read(InputStream in) throws IOException {
        String line = line(in);
        String rest = line.substring(1);
        switch (line.charAt(0)) {
            case '$':
                int n = Integer.parseInt(rest);
                if (n < 0) {
                    return null;
                }
                byte[] bytes = in.readNBytes(n);
                in.readNBytes(2);
                return new String(bytes, StandardCharsets.UTF_8);
            case '*':
                List<String> all = new ArrayList<>();
                for (int i = Integer.parseInt(rest); i > 0; i--) {
                    all.add(String.valueOf(read(in)));
                }
                return String.join(" ", all);
            case '-':
                return line;
            default:
                return rest;
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) != '\r'; ) {
            if (c < 0) {
                throw new IOException("closed");
            }
            line.append((char) c);
        }
        in.read();
        return line.toString();
    }

    /** How many times its command of this name was called. */
    public long calls(String name) throws IOException {
        for (String line : ask("INFO", "commandstats").split("\r\n")) {
            if (line.startsWith("cmdstat_" + name + ":calls=")) {
                return Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(',')));
            }
        }
        return 0;
    }

    /** Seconds of CPU that it has used. */
    public double cpu() throws IOException {
        double sum = 0;
        for (String line : ask("INFO", "cpu").split("\r\n")) {
            if (line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:")) {
                sum += Double.parseDouble(line.substring(line.indexOf(':') + 1));
            }
        }
        return sum;
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() throws Exception {
        resume();
        kill();
        try (var files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
    }
}
