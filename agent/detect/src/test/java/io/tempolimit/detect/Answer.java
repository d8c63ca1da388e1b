package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** An answer that a test makes up. */
final class Answer {
    final int status;
    final List<String[]> headers = new ArrayList<>();
    String method = "GET";
    String host = "shop.example";
    String path = "/things/1";
    byte[] body = {};

    Answer(int status) {
        this.status = status;
    }

    static Answer html(int status, String body) {
        return new Answer(status).with("Content-Type", "text/html; charset=utf-8").body(body);
    }

    static Answer json(int status, String body) {
        return new Answer(status).with("Content-Type", "application/json").body(body);
    }

    Answer with(String name, String value) {
        headers.add(new String[] {name, value});
        return this;
    }

    Answer method(String method) {
        this.method = method;
        return this;
    }

    Answer host(String host) {
        this.host = host;
        return this;
    }

    Answer path(String path) {
        this.path = path;
        return this;
    }

    Answer body(String text) {
        body = text.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    Answer body(byte[] bytes) {
        body = bytes;
        return this;
    }

    Head head() {
        return new Head() {
            @Override
            public int status() {
                return status;
            }

            @Override
            public void headers(Headers to) {
                for (String[] header : headers) {
                    to.add(header[0], header[1]);
                }
            }
        };
    }

    Look look(Detector detector, DetectRules rules, Baseline baseline) {
        return detector.look(method, host, path, head(), rules, baseline);
    }

    /** The verdict on all of it. */
    Finding judged(Detector detector, DetectRules rules, Baseline baseline) {
        Look look = look(detector, rules, baseline);
        if (!look.settled()) {
            look.add(body, 0, body.length);
        }
        return look.end(true);
    }

    Finding judged() {
        return judged(new Detector(Collections.emptyList()), DetectRules.DEFAULT, null);
    }
}
