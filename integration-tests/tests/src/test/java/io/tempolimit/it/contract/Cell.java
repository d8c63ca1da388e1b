package io.tempolimit.it.contract;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tempolimit.it.harness.Fork;
import io.tempolimit.it.harness.Http2Server;
import io.tempolimit.it.harness.Javas;
import io.tempolimit.it.harness.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** A client in one version on one Java, with a program that has the agent and one that has not. */
final class Cell {
    /** Whether the whole matrix is to be run, with every pause in its full length. */
    static final boolean MATRIX = Boolean.getBoolean("tests.matrix");

    private static final Calm CALM = new Calm();
    /** So many cells start their programs at once: more would only share the processors, and each take the longer. */
    private static final Semaphore STARTING = new Semaphore(2);

    private static final Server SERVER = Server.start();
    /**
     * All names that programs know, from Java 9 on. Helidon 4.5 asks for the name of each address that it connects to, and a name server
     * that does not answer holds it up for 5 s, twice.
     */
    private static final Path HOSTS = hosts();
    static final Path PROGRAMS = Path.of(System.getProperty("tempolimit.programs", "../programs/target/classes")).toAbsolutePath()
            .normalize();

    /** Started when it is asked for. */
    private static final class Http2 {
        static final Http2Server SERVER = Http2Server.start();
    }

    private final Row row;
    private final int java;
    private final Queue<Server.Site> sites = new ConcurrentLinkedQueue<>();
    private Program program;
    private Program plain;
    /** What the agent in the program tells. */
    private Path events;
    /** Why a program did not start: no other check needs to wait for that. */
    private AssertionError unusable;

    Cell(Row row, int java) {
        this.row = row;
        this.java = java;
    }

    Row row() {
        return row;
    }

    int java() {
        return java;
    }

    private static Path hosts() {
        try {
            Path file = Files.createTempFile("hosts", "");
            file.toFile().deleteOnExit();
            return Files.writeString(file, "127.0.0.1 localhost\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The program with the agent; skips the test where this Java is missing. */
    synchronized Program program() {
        start();
        return program;
    }

    /** The program without the agent. */
    synchronized Program plain() {
        start();
        return plain;
    }

    /** Both at once, so that those who keep time make room once. */
    private void start() {
        if (program != null) {
            return;
        }
        if (unusable != null) {
            throw new AssertionError("it did not even start before", unusable);
        }
        Javas.require(java);
        try {
            events = Files.createTempFile("tempolimit-events", ".jsonl");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        CALM.starts(() -> {
            STARTING.acquireUninterruptibly();
            CompletableFuture<Program> other = CompletableFuture.supplyAsync(() -> startWarm(null), task -> new Thread(task).start());
            try {
                program = startWarm(Network.arguments() + ",events=" + events);
                plain = other.join();
            } catch (AssertionError | CompletionException e) {
                unusable = new AssertionError(this + " did not start", e);
                other.thenAccept(Program::close);
                if (program != null) {
                    program.close();
                    program = null;
                }
                throw unusable;
            } finally {
                STARTING.release();
            }
        });
    }

    /** Waits until the agent has told of that many events of this name on this host, and gives them. */
    List<JsonObject> events(String name, String host, int count) {
        return events(events, name, host, count);
    }

    /** The same of a program with a file of its own. */
    static List<JsonObject> events(Path events, String name, String host, int count) {
        for (long end = System.nanoTime() + Contract.PATIENCE.toNanos(); ; ) {
            List<JsonObject> found = events(events, name, host);
            if (found.size() >= count) {
                return found;
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(found.size() + " of " + count + " events '" + name + "' of " + host + ": " + found);
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static List<JsonObject> events(Path events, String name, String host) {
        try {
            String all = Files.readString(events);
            return all.substring(0, all.lastIndexOf('\n') + 1).lines().filter(line -> line.contains(host))
                    .map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .filter(event -> event.get("event").getAsString().equals(name) && event.get("host").getAsString().equals(host))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A program of its own with these arguments of the agent; without the agent if they are null. */
    Program start(String arguments) {
        Fork.Builder builder = Fork.on(Javas.require(java));
        if (arguments != null) {
            builder.recordedAgent(arguments);
        }
        // One quick compiler and a small heap: many of these run side by side.
        builder.option("-Xmx256m").option("-XX:+UseSerialGC").option("-XX:TieredStopAtLevel=1").classpath(PROGRAMS)
                .option("-Djdk.net.hosts.file=" + HOSTS);
        if (row.folder() != null) {
            builder.jarsOf(row.lib());
        }
        return new Program(builder.main("io.tempolimit.it.programs.Main", "io.tempolimit.it.programs." + row.adapter()).start());
    }

    private Program startWarm(String arguments) {
        Program p = start(arguments);
        try {
            warmUp(p, p.open(), arguments == null ? 8 : 60);
            return p;
        } catch (AssertionError e) {
            p.close();
            throw e;
        }
    }

    /** Opens this client's connections. */
    void warmUp(Program p, String client) {
        warmUp(p, client, 8);
    }

    /** Has the client do what it will be measured by, on a host that is not paced, and a little of it on one that is. */
    private void warmUp(Program p, String client, int count) {
        for (String mode : p.modes()) {
            p.many(client, mode, count, 8, site(Network.FREE, Server.Script.status(200)).url("/")).allOk(Duration.ofSeconds(60));
            p.many(client, mode, 5, 5, site(Network.TIGHT, Server.Script.status(200)).url("/")).allOk(Duration.ofSeconds(60));
        }
    }

    /** Runs something that keeps time while no program starts. */
    void inCalm(Runnable what) {
        program();
        CALM.keepsTime(what);
    }

    /** Whether the connection on which this came is open still. */
    boolean connected(Server.Arrival arrival) {
        return SERVER.connected(arrival.connection());
    }

    /** A new host. */
    Server.Site site(Network network, Server.Script script) {
        Server.Site site = SERVER.site(network.prefix(), script);
        sites.add(site);
        return site;
    }

    /** Speaks HTTP/2. */
    Http2Server http2() {
        return Http2.SERVER;
    }

    /** Ends its programs; fails if the agent had an error of its own meanwhile, or took a request of the client for one of another's. */
    synchronized void close() {
        String trouble = program == null ? "" : program.fork().stderr();
        for (Program p : new Program[] {program, plain}) {
            if (p != null) {
                p.close();
            }
        }
        if (events != null) {
            events.toFile().delete();
        }
        sites.forEach(SERVER::forget);
        sites.clear();
        if (trouble.contains("\tat io.tempolimit.") && !trouble.contains("\tat io.tempolimit.it.")) {
            throw new AssertionError("errors inside the agent:\n" + trouble);
        }
        if (trouble.contains(" WARN not paced: ")) {
            throw new AssertionError("requests that nobody has announced:\n" + trouble);
        }
    }

    @Override
    public String toString() {
        return row + " on Java " + java;
    }
}
