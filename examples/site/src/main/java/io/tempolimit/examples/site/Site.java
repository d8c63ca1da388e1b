package io.tempolimit.examples.site;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The shop on a port of this machine. A test starts one with the options of the command line:
 *
 * <pre>{@code
 * try (Site site = Site.start("--rate", "3", "--burst", "5")) {
 *     scrape(site.url());
 *     assertEquals(0, site.counts().of(Outcome.REFUSED_429));
 * }
 * }</pre>
 */
public final class Site implements AutoCloseable {

    /** How many arrivals are remembered, the newest ones: enough for any test, and a bound for a long run. */
    private static final int ARRIVALS = 100_000;

    static {
        // Without it each answer on a kept connection waits 40 ms for the client's acknowledgement.
        // The server reads it once, when its classes load.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private final LongSupplier clock;
    private final Settings settings;
    private final Guard guard;
    private final Shop shop;
    private final Answers answers;
    private final HttpServer server;
    private final ExecutorService threads;
    private final Counts.Book counts = new Counts.Book();
    private final Deque<Arrival> arrivals = new ArrayDeque<>();

    Site(LongSupplier clock, Settings settings) throws IOException {
        this.clock = clock;
        this.settings = settings;
        guard = new Guard(settings);
        shop = new Shop(settings.pages());
        answers = new Answers(shop, settings);
        server = HttpServer.create(new InetSocketAddress(settings.host(), settings.port()), 1024);
        // A thread for each request that is being answered: the wait for --latency holds it.
        threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "site");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /**
     * Starts a site.
     *
     * @param options those of the command line
     * @throws IllegalArgumentException if an option is wrong
     */
    public static Site start(String... options) {
        return start(System::nanoTime, options);
    }

    /**
     * Starts a site that goes by a given clock, so that a test can let a ban end at once.
     *
     * @param clock nanoseconds, never going back
     * @param options those of the command line
     * @throws IllegalArgumentException if an option is wrong
     */
    public static Site start(LongSupplier clock, String... options) {
        try {
            return new Site(clock, Settings.parse(options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the shop's first page. */
    public URI url() {
        String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
        return URI.create("http://" + host + ":" + port() + "/");
    }

    /** The port it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** How many pages a visitor can reach. */
    public int pages() {
        return shop.size();
    }

    /** The counts of all clients so far. */
    public Counts counts() {
        return counts.total();
    }

    /** One client's counts so far. */
    public Counts counts(String client) {
        return counts.of(client);
    }

    /** The requests so far in the order in which they were judged; of very many, the newest. */
    public List<Arrival> arrivals() {
        synchronized (arrivals) {
            return List.copyOf(arrivals);
        }
    }

    String table() {
        return counts.table();
    }

    /** Ends the site; requests under way are cut off. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Request request = Request.of(exchange, settings.clientHeader());
            if (request.target().equals("/_stats")) {
                Answer.json(counts.json()).send(exchange, request);
                return;
            }
            Answer answer = judge(request);
            rest();
            answer.send(exchange, request);
        } catch (InterruptedException e) {
            // The site is closing; the client sees its connection end.
            Thread.currentThread().interrupt();
        }
    }

    private Answer judge(Request request) {
        Guard.Verdict verdict;
        Answer answer;
        // One at a time, so that the arrivals stand in the order of their times and of the guard's verdicts.
        synchronized (arrivals) {
            long now = clock.getAsLong();
            verdict = guard.judge(request.client(), now);
            answer = switch (verdict) {
                case PASS -> answers.page(request);
                case LIMITED, STRUCK_OUT -> answers.tooFast();
                case BANNED -> answers.banned(request);
            };
            arrivals.add(new Arrival(now, request.client(), request.method(), request.host(), request.target(),
                    answer.status()));
            if (arrivals.size() > ARRIVALS) {
                arrivals.remove();
            }
        }
        counts.add(request.client(), answer.outcome(), verdict == Guard.Verdict.STRUCK_OUT);
        return answer;
    }

    private void rest() throws InterruptedException {
        long min = settings.latencyMin().toNanos();
        long max = settings.latencyMax().toNanos();
        TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(min, max + 1));
    }
}
