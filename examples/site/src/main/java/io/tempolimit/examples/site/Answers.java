package io.tempolimit.examples.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What the site answers with, once it is known whether it lets a request through. */
final class Answers {
    private final Shop shop;
    private final Settings settings;
    private final String tooFast = resource("too-fast.html");
    private final String challenge = resource("challenge.html");

    Answers(Shop shop, Settings settings) {
        this.shop = shop;
        this.settings = settings;
    }

    Answer page(Request request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return Answer.html(405, Outcome.NOT_ALLOWED, Map.of("Allow", "GET, HEAD"), () -> "<p>GET or HEAD, please.</p>\n");
        }
        if (request.target().equals("/robots.txt")) {
            return Answer.plain(robots());
        }
        Optional<String> moved = shop.redirect(request.target());
        if (moved.isPresent()) {
            return Answer.html(302, Outcome.REDIRECTS, Map.of("Location", moved.get()), () -> "");
        }
        Optional<Supplier<String>> page = shop.page(request.target());
        if (page.isEmpty()) {
            return Answer.html(404, Outcome.NOT_FOUND, Map.of(), shop::notFound);
        }
        // The same shop gives the same page for ever. Weak, because the compressed page bears it too.
        String version = String.format("W/\"%08x-%d\"", request.target().hashCode(), settings.pages());
        Map<String, String> headers = Map.of("ETag", version, "Cache-Control", "no-cache");
        if (request.ifNoneMatch().contains(version) || request.ifNoneMatch().equals("*")) {
            return new Answer(304, Outcome.NOT_MODIFIED, headers, () -> "");
        }
        return Answer.html(200, Outcome.PAGES, headers, page.get());
    }

    Answer tooFast() {
        Answer answer = Answer.html(429, Outcome.REFUSED_429, Map.of("Cache-Control", "no-store"), () -> tooFast);
        return settings.retryAfter() == 0 ? answer : answer.with("Retry-After", Integer.toString(settings.retryAfter()));
    }

    Answer banned(Request request) {
        return Answer.html(403, Outcome.REFUSED_403, Map.of("Cache-Control", "no-store"),
                () -> challenge.replace("{reference}", String.format("%08x", request.hashCode())));
    }

    private String robots() {
        return "User-agent: *\nDisallow: /_stats\n"
                + (settings.crawlDelay() == 0 ? "" : "Crawl-delay: " + settings.crawlDelay() + "\n");
    }

    private static String resource(String name) {
        try (InputStream in = Answers.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
