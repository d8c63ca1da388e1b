package io.tempolimit.examples.site;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/**
 * One answer; its text is made when it is sent.
 *
 * @param status the HTTP status
 * @param outcome how it counts
 * @param headers those beyond the ones that every answer has
 * @param text the body
 */
record Answer(int status, Outcome outcome, Map<String, String> headers, Supplier<String> text) {

    private static final String CONTENT_TYPE = "Content-Type";

    static Answer html(int status, Outcome outcome, Map<String, String> headers, Supplier<String> text) {
        return new Answer(status, outcome, headers, text).with(CONTENT_TYPE, "text/html; charset=utf-8");
    }

    static Answer plain(String text) {
        return new Answer(200, Outcome.PAGES, Map.of(), () -> text).with(CONTENT_TYPE, "text/plain; charset=utf-8");
    }

    static Answer json(String text) {
        return new Answer(200, Outcome.PAGES, Map.of(), () -> text).with(CONTENT_TYPE, "application/json");
    }

    Answer with(String header, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(header, value);
        return new Answer(status, outcome, more, text);
    }

    void send(HttpExchange exchange, Request request) throws IOException {
        Headers sent = exchange.getResponseHeaders();
        headers.forEach(sent::set);
        byte[] body = text.get().getBytes(StandardCharsets.UTF_8);
        if (body.length > 0) {
            sent.set("Vary", "Accept-Encoding");
            if (request.gzip()) {
                body = zip(body);
                sent.set("Content-Encoding", "gzip");
            }
        }
        if (request.method().equals("HEAD") || status == 304) {
            if (status != 304) {
                sent.set("Content-Length", Integer.toString(body.length));
            }
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        // To this method 0 would mean a body of unknown length.
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static byte[] zip(byte[] body) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(body);
        }
        return zipped.toByteArray();
    }
}
