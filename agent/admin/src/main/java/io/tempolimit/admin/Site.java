package io.tempolimit.admin;

import com.google.gson.stream.JsonWriter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.tempolimit.core.Key;
import io.tempolimit.core.limiter.Limiter;
import io.tempolimit.watch.LimiterControl;
import io.tempolimit.watch.Watch;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What is served, and to whom. Thread-safe. */
final class Site implements HttpHandler {
    private static final String ACTIONS = "/actions/";
    /** An action's arguments; a key's name is 253 characters at the most. */
    private static final int LARGEST = 4096;

    private final Doorkeeper doorkeeper;
    private final Workers workers;
    private final Page page;
    private final Board board;
    private final Limiter limiter;
    private final Watch watch;
    private final Metrics metrics;
    private final LimiterControl control;
    private final Actions actions;

    Site(Doorkeeper doorkeeper, Workers workers, Page page, Board board, Limiter limiter, Watch watch) {
        this.doorkeeper = doorkeeper;
        this.workers = workers;
        this.page = page;
        this.board = board;
        this.limiter = limiter;
        this.watch = watch;
        this.metrics = new Metrics(limiter, board, watch);
        this.control = watch.control("the status page");
        this.actions = new Actions(control);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        Reply reply = new Reply(exchange, workers.patience());
        workers.patience().gotOn(); // its head is here
        try {
            answer(exchange, reply);
        } catch (IOException e) {
            throw e; // who asked is gone; the server closes the connection
        } catch (Throwable t) {
            watch.trouble(t);
            reply.text(500, "An error inside Tempolimit; its log says more");
        }
    }

    private void answer(HttpExchange exchange, Reply reply) throws IOException {
        Headers headers = exchange.getRequestHeaders();
        String path = exchange.getRequestURI().getPath();
        if (!doorkeeper.isForUs(headers)) {
            reply.text(403, "This page answers to an address, to localhost and to admin.host; admin.allowed-hosts= adds names");
        } else if (doorkeeper.asksReaders() && !doorkeeper.hasToken(headers)) {
            refuse(exchange, reply, "/".equals(path));
        } else if (path != null && path.startsWith(ACTIONS)) {
            act(exchange, reply, path.substring(ACTIONS.length()));
        } else {
            show(exchange, reply, path);
        }
    }

    /** The page itself, which holds nothing but a place to type the token in, is what a browser shows then. */
    private void refuse(HttpExchange exchange, Reply reply, boolean withPage) throws IOException {
        reply.header("WWW-Authenticate", "Bearer realm=\"Tempolimit\"");
        if (withPage && isRead(exchange.getRequestMethod())) {
            page.send(reply, 401);
        } else {
            reply.text(401, "Authorization: Bearer, and admin.token");
        }
    }

    private static boolean isRead(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }

    private void show(HttpExchange exchange, Reply reply, String path) throws IOException {
        if (path == null || !Arrays.asList("/", "/stats.json", "/metrics", "/history", "/feed").contains(path)) {
            reply.text(404, "There is /, /stats.json and /metrics");
        } else if (!isRead(exchange.getRequestMethod())) {
            reply.header("Allow", "GET, HEAD").text(405, "This is only read");
        } else if (path.equals("/")) {
            page.send(reply, 200);
        } else if (path.equals("/stats.json")) {
            reply.json(200, control.getStatsJson());
        } else if (path.equals("/metrics")) {
            ExpositionFormatWriter format = Metrics.format(exchange.getRequestHeaders().getFirst("Accept"));
            reply.header("Vary", "Accept").send(200, format.getContentType(), metrics.text(format));
        } else if (path.equals("/history")) {
            history(exchange, reply);
        } else {
            feed(exchange, reply);
        }
    }

    /** {@code /history} of all keys together, {@code /history?NAME} of one. */
    private void history(HttpExchange exchange, Reply reply) throws IOException {
        String name = exchange.getRequestURI().getQuery();
        Key key = name == null ? null : limiter.key(name);
        if (name != null && key == null) {
            reply.text(404, "There is no such key");
            return;
        }
        StringWriter text = new StringWriter(2048);
        board.writeHistory(new JsonWriter(text), key);
        reply.json(200, text.toString());
    }

    private void feed(HttpExchange exchange, Reply reply) throws IOException {
        if (exchange.getRequestMethod().equals("HEAD")) {
            reply.send(200, "text/event-stream", new byte[0]);
            return;
        }
        Feed feed = new Feed(reply, workers.patience(), board, limiter, watch, doorkeeper.letsAct());
        if (!workers.open(feed)) {
            reply.text(503, "The page is open too often; close some");
        }
    }

    private void act(HttpExchange exchange, Reply reply, String name) throws IOException {
        if (!Actions.has(name)) {
            reply.text(404, "There is no such action");
        } else if (!exchange.getRequestMethod().equals("POST")) {
            reply.header("Allow", "POST").text(405, "This is only done");
        } else if (!doorkeeper.isOurs(exchange.getRequestHeaders())) {
            reply.text(403, "Only this page, and programs, may act");
        } else if (!doorkeeper.letsAct()) {
            reply.text(403, "Set admin.token to act");
        } else if (!doorkeeper.hasToken(exchange.getRequestHeaders())) {
            refuse(exchange, reply, false);
        } else {
            try {
                String arguments = body(exchange.getRequestBody());
                if (arguments == null) {
                    reply.text(413, "That is too much");
                    return;
                }
                actions.act(name, arguments);
                reply.json(200, "{\"done\":true}");
            } catch (IllegalArgumentException e) {
                reply.text(400, e.getMessage());
            } catch (IllegalStateException e) {
                reply.text(409, e.getMessage());
            }
        }
    }

    /** Null if it is too long. */
    private static String body(InputStream in) throws IOException {
        byte[] b = new byte[LARGEST + 1];
        int length = 0;
        for (int n; length < b.length && (n = in.read(b, length, b.length - length)) > 0; ) {
            length += n;
        }
        return length > LARGEST ? null : new String(b, 0, length, StandardCharsets.UTF_8);
    }
}
