package io.tempolimit.it.harness;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;

/**
 * An HTTP/1.1 server of many hosts, which remembers every request's time of arrival and answers as its script says, wrongly if need be.
 *
 * <p>Hosts are loopback addresses ({@code 127.x.y.z}: every address of that network reaches this machine), told apart by the
 * {@code Host} header, all on one port. A test takes a {@link Site} of its own, so the agent has a key of its own for it, with a full
 * bucket, and tests that share a server or a forked JVM do not meet. Since loopback is private, the agent needs {@code exclude=-private}.
 *
 * <pre>{@code
 * Server.Site site = server.site("127.20", exchange -> exchange.header("Content-Type", "text/plain").send("hello"));
 * fork.ask("get " + site.url("/page"), Duration.ofSeconds(5));
 * assertEquals(1, site.arrivals().size());
 * }</pre>
 */
public final class Server implements AutoCloseable {
    private static final AtomicInteger NEXT = new AtomicInteger(1);
    /** A path: who asks whether to send a body is answered by the script, and the body is not read. */
    public static final String UNWANTED = "/unwanted";
    /** A path: who asks whether to send a body gets no answer before the body has come. */
    public static final String UNASKED = "/unasked";
    /** How a TLS connection begins. */
    private static final int TLS = 0x16;

    private final ServerSocket listener;
    private final Map<String, Site> sites = new ConcurrentHashMap<>();
    /** Those that are open, and their numbers. */
    private final Map<Socket, Integer> connections = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile SSLContext secure;
    private volatile boolean guards;

    private Server(ServerSocket listener) {
        this.listener = listener;
    }

    /** Starts one on a free port. */
    public static Server start() {
        try {
            ServerSocket listener = new ServerSocket();
            listener.bind(new InetSocketAddress(0), 4096);
            Server server = new Server(listener);
            daemon(server::accept, "server-accept");
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its port. */
    public int port() {
        return listener.getLocalPort();
    }

    /**
     * A new host, whose address begins with these two numbers ({@code 127.20}: then {@code 127.20.0.7}), so that
     * settings can mean groups.
     */
    public Site site(String network, Script script) {
        int n = NEXT.getAndIncrement();
        return named(network + "." + n / 250 + "." + (n % 250 + 1), script);
    }

    /** The host of this name or address, {@code localhost} for instance; one that exists is replaced. */
    public Site named(String host, Script script) {
        Site site = new Site(host, port(), script);
        sites.put(host, site);
        return site;
    }

    /** Keeps nothing of this host any more, nor what arrived there: many thousands of requests of many clients fill the heap. */
    public void forget(Site site) {
        sites.remove(site.host(), site);
    }

    /** From now on what begins with TLS has it. */
    public Server secured(SSLContext tls) {
        secure = tls;
        return this;
    }

    /**
     * From now on whoever wants a tunnel through this server has to say a name and a password, whatever they are; and what begins with
     * TLS in a tunnel has it.
     */
    public Server guardsTunnels(SSLContext tls) {
        guards = true;
        return secured(tls);
    }

    /** How often it has asked for that password. */
    public int asked() {
        return asked.get();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket connection : connections.keySet()) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A request as it came. {@code nanos}: {@link System#nanoTime} when its first byte was read; {@code path} with its query. */
    public record Arrival(long nanos, String method, String path, Map<String, String> headers, byte[] body, int connection) {
        /** A header's value, by its name in any case, or null. */
        public String header(String name) {
            return headers.get(name);
        }
    }

    /** What a host answers. */
    @FunctionalInterface
    public interface Script {
        /** Answers one request; on the connection's own thread. One that answers nothing closes the connection. */
        void answer(Exchange exchange) throws IOException;

        /** Always this status, with a short text. */
        static Script status(int status) {
            return exchange -> exchange.status(status).send(status == 204 || status == 304 ? "" : "status " + status);
        }

        /** Always a 302 to there. */
        static Script redirect(String location) {
            return exchange -> exchange.status(302).header("Location", location).send("");
        }

        /** Each request by the next script, and the last one for all that follow. */
        static Script inTurn(Script... scripts) {
            AtomicInteger next = new AtomicInteger();
            return exchange -> scripts[Math.min(next.getAndIncrement(), scripts.length - 1)].answer(exchange);
        }
    }

    /** A host, and what arrived there. */
    public static final class Site {
        private final String host;
        private final int port;
        private final Script script;
        private final List<Arrival> arrivals = new ArrayList<>();

        private Site(String host, int port, Script script) {
            this.host = host;
            this.port = port;
            this.script = script;
        }

        /** Its name: the agent's key. */
        public String host() {
            return host;
        }

        /** The URL of a path. */
        public String url(String path) {
            return "http://" + host + ":" + port + path;
        }

        /** What has arrived so far, in order. */
        public List<Arrival> arrivals() {
            synchronized (arrivals) {
                return List.copyOf(arrivals);
            }
        }

        /** When each request arrived so far, in nanoseconds, ascending. */
        public List<Long> times() {
            return arrivals().stream().map(Arrival::nanos).toList();
        }

        /** Waits until that many requests have arrived, and gives them; fails when the time is over. */
        public List<Arrival> await(int count, Duration limit) {
            long end = System.nanoTime() + limit.toNanos();
            synchronized (arrivals) {
                while (arrivals.size() < count) {
                    long left = end - System.nanoTime();
                    if (left <= 0) {
                        throw new AssertionError(arrivals.size() + " of " + count + " requests reached " + host + " within " + limit);
                    }
                    try {
                        arrivals.wait(left / 1_000_000 + 1);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new AssertionError("interrupted", e);
                    }
                }
                return List.copyOf(arrivals);
            }
        }

        private void arrived(Arrival arrival) {
            synchronized (arrivals) {
                int at = arrivals.size(); // several connections: keep them by time
                while (at > 0 && arrivals.get(at - 1).nanos() > arrival.nanos()) {
                    at--;
                }
                arrivals.add(at, arrival);
                arrivals.notifyAll();
            }
        }
    }

    /** One request and its answer: either {@link #send}, or {@link #chunk}s and {@link #end}, or {@link #raw} bytes. */
    public static final class Exchange {
        private final Arrival request;
        private final OutputStream out;
        private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        private int status = 200;
        private boolean headSent;
        private boolean done;
        private boolean drop;

        private Exchange(Arrival request, OutputStream out) {
            this.request = request;
            this.out = out;
        }

        /** The request. */
        public Arrival request() {
            return request;
        }

        /** The status; 200 if not set. */
        public Exchange status(int status) {
            this.status = status;
            return this;
        }

        /** A header of the answer. */
        public Exchange header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        /** An interim answer, which another follows. */
        public Exchange interim(int status) throws IOException {
            out.write(("HTTP/1.1 " + status + " Interim\r\nLink: </a>\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return this;
        }

        /** Waits: a slow server. */
        public Exchange pause(Duration duration) {
            long end = System.nanoTime() + duration.toNanos();
            for (long left; (left = end - System.nanoTime()) > 0; ) {
                LockSupport.parkNanos(left);
            }
            return this;
        }

        /** The whole answer, with its length. */
        public void send(String body) throws IOException {
            send(body.getBytes(StandardCharsets.UTF_8));
        }

        /** The whole answer, with its length. */
        public void send(byte[] body) throws IOException {
            boolean bodyless = status == 204 || status == 304;
            if (!bodyless) {
                headers.put("Content-Length", String.valueOf(body.length));
            }
            byte[] head = head();
            boolean withBody = !bodyless && !request.method().equals("HEAD");
            byte[] all = Arrays.copyOf(head, head.length + (withBody ? body.length : 0));
            if (withBody) {
                System.arraycopy(body, 0, all, head.length, body.length);
            }
            out.write(all);
            out.flush();
            done = true;
        }

        /** A piece of a chunked answer, on its way when this returns. */
        public Exchange chunk(byte[] piece) throws IOException {
            if (!headSent) {
                headers.put("Transfer-Encoding", "chunked");
                out.write(head());
            }
            out.write((Integer.toHexString(piece.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(piece);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return this;
        }

        /** The end of a chunked answer, with these lines as its trailers. */
        public void end(String... trailers) throws IOException {
            StringBuilder end = new StringBuilder("0\r\n");
            for (String trailer : trailers) {
                end.append(trailer).append("\r\n");
            }
            out.write(end.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
            out.flush();
            done = true;
        }

        /** Bytes as they are, on their way when this returns; the connection is closed after the script. */
        public Exchange raw(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
            drop = true;
            return this;
        }

        /** Closes the connection after the script, whatever was sent. */
        public void drop() {
            drop = true;
        }

        private byte[] head() {
            headSent = true;
            StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(status == 200 ? " OK" : " Status " + status)
                    .append("\r\n");
            headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
            return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /** Whether this connection is open still, as far as its client has let the server know. */
    public boolean connected(int number) {
        return connections.containsValue(number);
    }

    private void accept() {
        for (int n = 1; !listener.isClosed(); n++) {
            try {
                Socket connection = listener.accept();
                connection.setTcpNoDelay(true);
                int number = n;
                connections.put(connection, number);
                daemon(() -> serve(connection, number), "server-connection");
            } catch (IOException closed) {
                // asked for above
            }
        }
    }

    private void serve(Socket connection, int number) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            OutputStream out = connection.getOutputStream();
            Socket direct = inside(connection, in);
            if (direct != connection) {
                in = new BufferedInputStream(direct.getInputStream());
                out = direct.getOutputStream();
            }
            for (Arrival request; (request = read(in, out, number)) != null; ) {
                String host = request.headers().getOrDefault("Host", "");
                if (request.method().equals("CONNECT")) { // to be a proxy before oneself
                    Socket inside = tunnel(connection, request, in, out);
                    if (inside != connection) {
                        in = new BufferedInputStream(inside.getInputStream());
                        out = inside.getOutputStream();
                    }
                    continue;
                }
                Site site = sites.get(host.replaceFirst(":\\d+$", ""));
                if (site == null) {
                    new Exchange(request, out).status(421).send("no such host: " + host);
                    continue;
                }
                site.arrived(request);
                Exchange exchange = new Exchange(request, out);
                site.script.answer(exchange);
                if (!exchange.done || exchange.drop || "close".equalsIgnoreCase(exchange.headers.get("Connection"))
                        || "close".equalsIgnoreCase(request.header("Connection"))) {
                    return;
                }
            }
        } catch (IOException gone) {
            // the client went away
        } finally {
            connections.remove(connection);
        }
    }

    /** What the client speaks through from here on. */
    private Socket tunnel(Socket connection, Arrival request, InputStream in, OutputStream out) throws IOException {
        if (guards && request.header("Proxy-Authorization") == null) {
            asked.incrementAndGet();
            new Exchange(request, out).status(407).header("Proxy-Authenticate", "Basic realm=\"proxy\"").send("who are you?");
            return connection;
        }
        out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return inside(connection, in);
    }

    /** What is spoken through from here on: TLS, or the same. */
    private Socket inside(Socket connection, InputStream in) throws IOException {
        SSLContext tls = secure;
        if (tls == null) {
            return connection;
        }
        in.mark(1);
        int first = in.read();
        in.reset();
        return first != TLS ? connection
                : tls.getSocketFactory().createSocket(connection, new ByteArrayInputStream(in.readNBytes(in.available())), true);
    }

    private static Arrival read(InputStream in, OutputStream out, int connection) throws IOException {
        int first = in.read();
        if (first < 0 || first == TLS) { // the site speaks none
            return null;
        }
        long nanos = System.nanoTime();
        String[] requestLine = ((char) first + line(in)).split(" ");
        if (requestLine.length < 2) {
            return null; // what comes after the preface of HTTP/2, which this does not speak
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line; !(line = line(in)).isEmpty(); ) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                return null; // that is not HTTP
            }
            headers.merge(line.substring(0, colon), line.substring(colon + 1).trim(), (a, b) -> a + ", " + b);
        }
        boolean asks = "100-continue".equalsIgnoreCase(headers.get("Expect"));
        if (asks && requestLine[1].equals(UNWANTED)) {
            return new Arrival(nanos, requestLine[0], requestLine[1], headers, new byte[0], connection);
        }
        if (asks && !requestLine[1].equals(UNASKED)) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
        byte[] body = new byte[0];
        if (headers.containsKey("Content-Length")) {
            body = in.readNBytes(Integer.parseInt(headers.get("Content-Length")));
        } else if ("chunked".equalsIgnoreCase(headers.get("Transfer-Encoding"))) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int size; (size = Integer.parseInt(line(in).trim(), 16)) > 0; line(in)) {
                all.write(in.readNBytes(size));
            }
            line(in);
            body = all.toByteArray();
        }
        return new Arrival(nanos, requestLine[0], requestLine[1], headers, body, connection);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) != '\n'; ) {
            if (c < 0) {
                throw new EOFException();
            }
            line.append((char) c);
        }
        int end = line.length() - 1;
        return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
    }

    private static void daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
