package io.tempolimit.admin;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** An answer on its way, with what keeps browsers from doing more with it than to show it. For one thread. */
final class Reply {
    /** Nothing may be loaded or run. */
    static final String NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
    private static final int PIECE = 16 << 10;

    private final HttpExchange exchange;
    private final Patience patience;

    Reply(HttpExchange exchange, Patience patience) {
        this.exchange = exchange;
        this.patience = patience;
        Headers h = exchange.getResponseHeaders();
        h.set("Cache-Control", "no-store");
        h.set("X-Content-Type-Options", "nosniff");
        h.set("X-Frame-Options", "DENY");
        h.set("Referrer-Policy", "no-referrer");
        h.set("Cross-Origin-Resource-Policy", "same-origin");
        h.set("Cross-Origin-Opener-Policy", "same-origin");
        h.set("Content-Security-Policy", NOTHING);
    }

    Reply header(String name, String value) {
        exchange.getResponseHeaders().set(name, value);
        return this;
    }

    /** A line of text, and nothing else. */
    void text(int status, String text) throws IOException {
        send(status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void json(int status, String json) throws IOException {
        send(status, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    /** The whole answer. */
    void send(int status, String type, byte[] body) throws IOException {
        header("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, body.length);
            write(body);
        }
        exchange.close();
    }

    /** Begins an answer without a foreseeable end. */
    void begin(String type) throws IOException {
        header("Content-Type", type);
        exchange.sendResponseHeaders(200, 0);
    }

    /** In pieces, so that who reads slowly is told from who does not read. */
    void write(byte[] body) throws IOException {
        OutputStream out = exchange.getResponseBody();
        for (int i = 0; i < body.length; i += PIECE) {
            out.write(body, i, Math.min(PIECE, body.length - i));
            patience.gotOn();
        }
        out.flush();
    }

    void close() {
        exchange.close();
    }
}
