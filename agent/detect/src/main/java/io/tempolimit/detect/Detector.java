package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Tells a block from a page. Immutable and thread-safe; never throws on an answer, whatever is in it. */
public final class Detector {
    /** The head of what a browser shows. */
    private static final Head SHOWN = new Head() {
        @Override
        public int status() {
            return 200;
        }

        @Override
        public void headers(Headers to) {
            to.add("Content-Type", "text/html; charset=utf-8");
        }

        @Override
        public boolean rendered() {
            return true;
        }
    };

    private final List<BlockRule> own;
    /**
     * Made with the first answer, not at the start of a program that may never send a request; twice if two come at
     * once, which does no harm.
     */
    private volatile Compiled compiled;

    /** Makes a detector that knows the catalogue and the user's own rules. */
    public Detector(List<BlockRule> own) {
        this.own = new ArrayList<>(own);
    }

    /**
     * Begins to look at an answer.
     *
     * @param method   the request's method
     * @param host     the host it went to, in canonical form
     * @param path     the path it went to, with or without a query; null where it is not known
     * @param head     the answer's head; read before this returns, and not kept
     * @param rules    what holds for the host
     * @param baseline what is normal on the host; null where nobody keeps that
     */
    public Look look(String method, String host, String path, Head head, DetectRules rules, Baseline baseline) {
        int status = 0;
        try {
            status = head.status();
            Compiled compiled = compiled();
            HeadReading reading = new HeadReading(compiled);
            head.headers(reading);
            reading.rendered = head.rendered();
            return new Look(compiled, method, host, path, status, head.decoded(), reading, rules, reading.rendered ? null : baseline);
        } catch (RuntimeException | Error e) { // a client's own head may be odd; then its status has to do
            return new Look(status, rules);
        }
    }

    /**
     * What the address says of a page that a browser ended on, where neither status nor headers are known: a block if it is a
     * known address of blocks, else {@link Verdict#NEUTRAL}.
     */
    public Finding landed(String url, DetectRules rules) {
        try {
            String address = Address.of(url, "");
            for (Rule rule : compiled().catalogue.rules) {
                for (int i = 0; !rules.ignores(rule) && i < rule.addresses.size(); i++) {
                    if (Address.matches(rule.addresses.get(i), address)) {
                        return new Finding(rule.verdict, true, 0, rule.vendor, rule.name,
                                "landed on " + rule.addresses.get(i), Finding.NO_WAIT);
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            // as in look
        }
        return Finding.of(Verdict.NEUTRAL, 0);
    }

    /**
     * What a document says that a browser shows, where neither status nor headers are known: taken for an answer of 200.
     */
    public Finding shown(String document, String host, String path, DetectRules rules) {
        Look look = look("GET", host, path, SHOWN, rules, null);
        int length = Math.min(document.length(), rules.bodyLimit());
        byte[] bytes = document.substring(0, length).getBytes(StandardCharsets.UTF_8);
        look.add(bytes, 0, bytes.length);
        return look.end(length == document.length());
    }

    /**
     * All names that {@code detect.ignore} may silence: the types of blocks, and the catalogue's vendors and rules.
     * Reads the catalogue.
     */
    public static Set<String> names() {
        Set<String> names = new TreeSet<>();
        for (Verdict v : Verdict.values()) {
            if (v.isBlock()) {
                names.add(v.type());
            }
        }
        for (Rule rule : Catalogue.all().rules) {
            names.add(rule.name);
            if (rule.vendor != null) {
                names.add(rule.vendor);
            }
        }
        names.add(Look.STATUS);
        names.add(Look.BASELINE);
        names.add(Learned.NAME);
        return names;
    }

    private Compiled compiled() {
        Compiled c = compiled;
        if (c == null) {
            c = new Compiled(Catalogue.all(), own);
            compiled = c;
        }
        return c;
    }
}
