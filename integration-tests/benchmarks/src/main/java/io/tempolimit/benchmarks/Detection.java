package io.tempolimit.benchmarks;

import io.tempolimit.detect.Baseline;
import io.tempolimit.detect.DetectRules;
import io.tempolimit.detect.Detector;
import io.tempolimit.detect.Finding;
import io.tempolimit.detect.Head;
import io.tempolimit.detect.Headers;
import io.tempolimit.detect.Look;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One answer judged, headers and body, by the whole catalogue: what a client's tap adds to a request, in chunks of 8 KB
 * as clients read.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Detection {
    static final int PAGE = 100_000;

    private final Detector detector = new Detector(Collections.emptyList());
    private final Baseline baseline = new Baseline();
    private final byte[] shop = page(Locale.ENGLISH).getBytes(StandardCharsets.UTF_8);
    private final byte[] zipped = gzip(shop);
    private final byte[] russian = page(new Locale("ru")).getBytes(StandardCharsets.UTF_8);
    private final byte[] oldRussian = page(new Locale("ru")).getBytes(Charset.forName("windows-1251"));
    private final Head html = new Answer("text/html; charset=utf-8", null);
    private final Head htmlZipped = new Answer("text/html; charset=utf-8", "gzip");
    private final Head htmlOld = new Answer("text/html; charset=windows-1251", null);
    private final Head json = new Answer("application/json", null);
    private final Head image = new Answer("image/jpeg", null);

    @Benchmark
    public Finding html() {
        return judge(html, shop);
    }

    @Benchmark
    public Finding htmlInGzip() {
        return judge(htmlZipped, zipped);
    }

    /** What the JDK alone takes for the same, which {@link #htmlInGzip} does as well. */
    @Benchmark
    public int gunzip() throws IOException {
        byte[] out = new byte[4096];
        int sum = 0;
        try (java.util.zip.GZIPInputStream in = new java.util.zip.GZIPInputStream(new java.io.ByteArrayInputStream(zipped))) {
            for (int n = in.read(out); n > 0; n = in.read(out)) {
                sum += n;
            }
        }
        return sum;
    }

    @Benchmark
    public Finding htmlRussian() {
        return judge(html, russian);
    }

    @Benchmark
    public Finding htmlRussianInWindows1251() {
        return judge(htmlOld, oldRussian);
    }

    @Benchmark
    public Finding json() {
        return judge(json, shop);
    }

    @Benchmark
    public Finding image() {
        return judge(image, shop);
    }

    private Finding judge(Head head, byte[] body) {
        Look look = detector.look("GET", "shop.example", "/list?page=2", head, DetectRules.DEFAULT, baseline);
        if (look.settled()) {
            return look.head();
        }
        for (int i = 0; i < body.length; i += 8192) {
            if (!look.add(body, i, Math.min(8192, body.length - i))) {
                break;
            }
        }
        return look.end(true);
    }

    /** A page of a shop: a third of it scripts and styles, a third tags, a third what a reader sees. */
    private static String page(Locale language) {
        Random random = new Random(4);
        boolean english = language.getLanguage().equals("en");
        String[] words = (english ? "the of and a shoe with in black leather for men women new price sale size soft "
                + "running cotton blue shirt from our delivery free order now this is made to last"
                : "и в на с кожаные ботинки для мужчин женщин новая цена распродажа размер мягкие беговые хлопок синяя "
                + "рубашка доставка бесплатно заказать сейчас прочный сделано").split(" ");
        StringBuilder s = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"")
                .append(english ? "utf-8" : "windows-1251")
                .append("\">\n<title>Shoes - Shop</title>\n<meta name=\"viewport\" content=\"width=device-width, "
                        + "initial-scale=1\">\n<link rel=\"stylesheet\" href=\"/static/css/main.3f9a.css\">\n<style>\n");
        for (int i = 0; i < 60; i++) {
            s.append(".card-").append(i).append(" .title{font-size:1.").append(i).append("rem;margin:0 auto;color:#")
                    .append(Integer.toHexString(random.nextInt(0xffffff))).append(";display:flex}\n");
        }
        s.append("</style>\n<script>window.dataLayer=window.dataLayer||[];function "
                + "gtag(){dataLayer.push(arguments);}gtag('js',new Date());</script>\n</head>\n<body class=\"page "
                + "page--list\">\n"
                + "<noscript><iframe src=\"https://www.tags.example/ns.html\" height=\"0\" width=\"0\"></iframe></noscript>\n");
        for (int i = 0; i < 30; i++) {
            s.append("      <li class=\"nav__item\"><a class=\"nav__link\" href=\"/c/").append(i)
                    .append("?ref=nav&amp;pos=").append(i).append("\">").append(word(words, random)).append("</a></li>\n");
        }
        for (int i = 0; s.length() < PAGE - 8000; i++) {
            s.append("    <div class=\"card card-").append(i).append("\" data-id=\"").append(random.nextInt(1_000_000))
                    .append("\">\n      <a href=\"/p/").append(random.nextInt(1_000_000))
                    .append("\" title=\"").append(word(words, random)).append("\"><img src=\"https://img.shop.example/")
                    .append(Long.toHexString(random.nextLong()))
                    .append(".jpg\" alt=\"\" width=\"320\" height=\"240\" loading=\"lazy\"></a>\n      <h3 "
                            + "class='title'>").append(word(words, random)).append(' ').append(word(words, random))
                    .append("</h3>\n      <p>");
            for (int w = 0; w < 45; w++) {
                s.append(word(words, random)).append(w % 11 == 10 ? ".\n        " : w % 17 == 3
                        ? " <b>" + word(words, random) + "</b> " : " ");
            }
            s.append("</p>\n      <span class=\"price\">&euro;&nbsp;").append(random.nextInt(200)).append(".99</span>\n    </div>\n");
            if (i % 4 == 3) {
                s.append("<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\","
                        + "\"@type\":\"Product\",\"name\":\"").append(word(words, random))
                        .append("\",\"offers\":{\"price\":\"")
                        .append(random.nextInt(200)).append("\",\"priceCurrency\":\"EUR\","
                                + "\"availability\":\"InStock\"}}</script>\n<script>window.__state=window.__state||{};"
                                + "window.__state[\"p").append(i)
                        .append("\"]={\"id\":").append(i).append(",\"seen\":false,\"tags\":[\"a\",\"b\"],"
                                + "\"load\":function(){return document.getElementById(\"p").append(i).append("\")}};</script>\n");
            }
        }
        s.append("<script>");
        while (s.length() < PAGE - 100) {
            s.append("!function(e,t){var n=e.createElement(t),r=e.getElementsByTagName(t)[0];n.async=!0,"
                    + "n.src=\"/static/js/chunk-").append(Long.toHexString(random.nextLong()))
                    .append(".js\",r.parentNode.insertBefore(n,r)}(document,\"script\");");
        }
        return s.append("</script>\n<!-- rendered in 12 ms -->\n</body>\n</html>\n").toString();
    }

    private static String word(String[] words, Random random) {
        return words[random.nextInt(words.length)];
    }

    private static byte[] gzip(byte[] b) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(b);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** What a shop sends with a page. */
    private static final class Answer extends Head {
        private final String type;
        private final String encoding;

        Answer(String type, String encoding) {
            this.type = type;
            this.encoding = encoding;
        }

        @Override
        public int status() {
            return 200;
        }

        @Override
        public void headers(Headers to) {
            to.add("Date", "Sat, 28 Nov 2026 03:00:00 GMT");
            to.add("Content-Type", type);
            if (encoding != null) {
                to.add("Content-Encoding", encoding);
            }
            to.add("Server", "cloudflare");
            to.add("CF-RAY", "86f1a2b3c4d5e6f7-FRA");
            to.add("Cache-Control", "private, max-age=0");
            to.add("Set-Cookie", "session=0123456789abcdef; Path=/; HttpOnly");
            to.add("Strict-Transport-Security", "max-age=31536000");
            to.add("X-Frame-Options", "SAMEORIGIN");
            to.add("Vary", "Accept-Encoding");
        }
    }
}
