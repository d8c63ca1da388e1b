package io.tempolimit.detect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pages made of {@code phrases.txt}: each phrase in some of the forms that such pages come in. The same file gives the same pages. */
final class Phrases {
    /** The forms of a page, by kind: %1$s is the language, %2$s the title, %3$s the sentence. A number before | is the status. */
    private static final String[] REFUSALS = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<html><head><title>%2$s</title></head><body><p>%3$s</p><p>IP: 203.0.113.77</p><p>ID: 7f31c0-99aa-02</p></body></html>",
        "<html lang=%1$s><head><title>shop.example</title><meta name=robots content=noindex></head><body><h2>%2$s</h2><p>%3$s</p>"
            + "<small>198.51.100.4 2026-01-02 10:11:12</small></body></html>",
        "<!doctype html><html lang=%1$s><head><title>%2$s</title><style>body{margin:9em auto}</style></head><body><img src=/logo.png>"
            + "<h1>%2$s</h1><p>%3$s</p><a href=\"/contact\">@</a></body></html>",
        "<html><body>%3$s</body></html>",
        "<html><head><title>%2$s - shop.example</title></head><body><h1>%3$s</h1></body></html>",
        "<html><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<!doctype html><html lang=%1$s><head><title>%2$s | shop.example</title></head><body><svg></svg><h1>%2$s</h1><p>%3$s</p>"
            + "<p>8f2a1b3c4d5e6f70</p><p>203.0.113.77</p><a href=\"https://guard.example\">guard.example</a></body></html>"};
    private static final String[] CHECKS = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%3$s</h1><script>document.cookie=\"ok=1\";setTimeout(function(){"
            + "location.reload()},4000)</script></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p><script src=\"/c/9f1.js\"></script>"
                + "<noscript>JavaScript</noscript>"
            + "</body></html>",
        "503|<html lang=%1$s><head><meta name=robots content=\"noindex, nofollow\"><title>%2$s</title></head><body><div class=spin></div>"
            + "<p>%3$s</p><form id=f method=post><input type=hidden name=a value=1></form><script>setTimeout(function(){"
            + "document.getElementById('f').submit()},5000)</script></body></html>",
        "<html lang=%1$s><head><title>%2$s</title><meta http-equiv=refresh content=5></head><body><p>%3$s</p></body></html>",
        "503|<!doctype html><html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p><script type=module>"
            + "const w=new Worker('/w.js');w.onmessage=e=>{document.cookie='t='+e.data;location.reload()}</script></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<html><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<html lang=%1$s><head><title>%2$s | shop.example</title></head><body><img src=/l.png><h1>%2$s</h1><p>%3$s</p><p>203.0.113.77</p>"
            + "<script src=/x.js></script><script>window.k='a91'</script></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><noscript>%3$s</noscript><div id=a></div><script src=\"/c/9f1.js\"></script>"
            + "</body></html>"};
    private static final String[] LIMITS = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<html lang=%1$s><head><title>shop.example</title></head><body><p>%3$s</p></body></html>",
        "503|<html><head><title>%2$s</title></head><body><center><h1>%2$s</h1></center><p>%3$s</p></body></html>",
        "<html lang=%1$s><head><title>%2$s</title><meta http-equiv=refresh content=30></head><body><p>%3$s</p><p>IP 203.0.113.5"
                + "</p></body></html>",
        "<html><body><h1>%2$s</h1><p>%3$s</p></body></html>"};
    private static final String[] QUESTIONS = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p><form method=post><img src=/i.png><input name=c>"
                + "<button>OK</button>"
            + "</form></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p><form method=post>"
                + "<div class=g-recaptcha data-sitekey=6></div></form>"
            + "<script src=\"https://www.google.com/recaptcha/api.js\"></script></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%3$s</h1><div id=slide></div><script src=/v/s.js></script>"
                + "</body></html>",
        "<html lang=%1$s><head><title>shop.example</title></head><body><h1>%3$s</h1><form method=post><button>OK</button>"
                + "</form></body></html>",
        "<html><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<html lang=%1$s><head><title>%2$s - shop.example</title><script src=\"https://challenges.cloudflare.com/turnstile/v0/api.js\">"
            + "</script></head><body><h1>%2$s</h1><p>%3$s</p><div class=cf-turnstile></div></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p><canvas></canvas><button>OK</button>"
            + "<script src=/c/slide.js></script></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p><img src=\"/captcha.png?8f2a\"><form method=post><input name=a>"
            + "<button>OK</button></form></body></html>"};
    /** Those that say nothing by themselves, for pages of all kinds: what they say has to tell. */
    private static final String[] PLAIN = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<html><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<!doctype html><html lang=%1$s><head><meta charset=utf-8><title>shop.example</title><link rel=stylesheet href=style.css></head>"
            + "<body><h2>%2$s</h2><p>%3$s</p></body></html>",
        "<html lang=%1$s><head><title>%2$s - shop.example</title></head><body><img src=/l.png><h1>%2$s</h1><p>%3$s</p>"
            + "<a href=\"/contact\">@</a></body></html>",
        "<html lang=%1$s><head><title>%2$s | shop.example</title><script src=/x.js></script></head><body><svg></svg><p>%3$s</p>"
            + "<script>window.k='a91'</script></body></html>",
        "<html><head><title>%2$s</title></head><body>%3$s</body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><noscript>%3$s</noscript><div id=root></div><script src=/x.js></script>"
            + "</body></html>",
        "<p>%3$s</p>"};
    private static final String[] ORDINARY = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><nav><a href=\"/\">1</a></nav><h1>%2$s</h1><p>%3$s</p><a href=\"/a\">2</a>"
            + "</body></html>",
        "<html lang=%1$s><head><title>%2$s - shop.example</title></head><body><img src=/l.png><h1>%2$s</h1><p>%3$s</p><a href=\"/a\">1</a>"
            + "</body></html>",
        "<html lang=%1$s><head><title>%2$s</title><link rel=canonical href=\"/1\"></head><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<!doctype html><html lang=%1$s><head><title>%2$s - shop.example</title><script src=/app.js></script></head><body><nav>"
            + "<a href=\"/a\">1</a><a href=\"/b\">2</a><a href=\"/c\">3</a></nav><p>%3$s</p></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p><script>setTimeout(function(){location.href='/'},9000)</script>"
            + "</body></html>"};
    private static final String[] OUTAGES = {
        "503|<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<html lang=%1$s><head><title>%2$s</title><meta http-equiv=refresh content=60></head><body><p>%3$s</p></body></html>",
        "503|<html lang=%1$s><head><title>%2$s</title></head><body><img src=/logo.png><p>%3$s</p><p>7f31c0-99aa-02</p></body></html>"};
    private static final String[] LOGINS = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p><form method=post><input name=u>"
                + "<input type=password name=p></form>"
            + "</body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p><a href=\"/login\">1</a></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p></body></html>",
        "<html><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<html lang=%1$s><head><title>%2$s | shop.example</title></head><body><h1>%2$s</h1><p>%3$s</p><form method=post><input name=u>"
            + "<input type=password name=p><div class=g-recaptcha></div></form>"
            + "<script src=\"https://www.google.com/recaptcha/api.js\"></script></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p><form method=post><input name=u><input type=password name=p>"
            + "<img src=\"/captcha.png?8f2a\"><input name=c></form></body></html>"};
    private static final String[] FAULTS = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p><p>7f31c0-99aa-02</p></body></html>",
        "503|<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p><button onclick=\"location.reload()\">1</button></body></html>",
        "<html><body><h1>%2$s</h1><p>%3$s</p></body></html>"};

    private static final String[] TEXTS = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p></body></html>",
        "<!doctype html><html lang=%1$s><head><meta charset=utf-8><title>shop.example</title>"
                + "<link rel=stylesheet href=style.css></head><body>"
            + "<h2>%2$s</h2><p>%3$s</p><p>%3$s</p></body></html>",
        "<html><head><title>%2$s</title><script src=main.js></script></head><body><button>1</button><p>%3$s</p><img src=1.png>"
                + "</body></html>",
        "<html lang=%1$s><head><title>%2$s - shop.example</title></head><body><nav><a href=\"/a\">1</a><a href=\"/b\">2</a>"
            + "<a href=\"/c\">3</a><a href=\"/d\">4</a></nav><h1>%2$s</h1><p>%3$s</p></body></html>"};
    private static final String[] FORMS = {
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p><form method=post><input name=n>"
                + "<div class=g-recaptcha>"
            + "</div><button>OK</button></form><script src=\"https://www.google.com/recaptcha/api.js\"></script></body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><p>%3$s</p><form action=/t><input name=q placeholder=1><div class=h-captcha "
            + "data-sitekey=a></div><input type=submit></form><script src=\"https://js.hcaptcha.com/1/api.js\"></script></body></html>"};
    /** Failures in data: of what was asked too often, and of what is not there or not allowed. */
    private static final String[] DATA = {
        "{\"error\":\"%3$s\"}", "{\"code\":1002,\"message\":\"%3$s\",\"data\":null}", "{\"success\":false,\"msg\":\"%3$s\"}",
        "<?xml version=\"1.0\"?><error><code>17</code><message>%3$s</message></error>",
        "{\"errors\":[{\"title\":\"%2$s\",\"detail\":\"%3$s\"}]}"};
    /** Plain text; what explains something says so at once. */
    private static final String[] TITLED_LINES = {"%2$s\n\n%3$s\n", "%2$s: %3$s"};
    private static final String[] LINES = {"%3$s\n", "%2$s\n\n%3$s\n", "%2$s: %3$s", "%3$s\n\nIP: 203.0.113.77\nID: 7f31c0-99aa-02\n"};
    /** Data that only speaks of such things. */
    private static final String[] CONTENT = {
        "{\"comments\":[{\"user\":\"ann\",\"text\":\"%3$s\"}]}",
                "{\"code\":0,\"message\":\"ok\",\"data\":[{\"title\":\"%2$s\",\"text\":\"%3$s\"}]}",
        "<?xml version=\"1.0\"?><rss><channel><title>News</title><item><title>%2$s</title></item></channel></rss>",
        "[{\"id\":12,\"title\":\"%2$s\",\"body\":\"%3$s\"}]", "{\"id\":429,\"name\":\"%2$s\",\"description\":\"%3$s\",\"price\":12}"};

    /** Longer pages, walls and others alike: %4$s and %5$s are two more sentences of the same language, %6$s another title. */
    private static final String[] LONG = {
        "<!doctype html><html lang=%1$s><head><title>%2$s</title><style>p{margin:1em}</style></head><body><h1>%2$s</h1><p>%3$s</p>"
            + "<p>%4$s</p><p>%5$s</p><a href=\"/contact\">@</a></body></html>",
        "<html lang=%1$s><head><title>%2$s - shop.example</title></head><body><div><h1>%2$s</h1><p>%3$s</p><h2>%6$s</h2><p>%4$s</p><ul>"
            + "<li>%5$s</li></ul><a href=\"mailto:a@shop.example\">a@shop.example</a><a href=\"/help\">?</a></div></body></html>",
        "<html lang=%1$s><head><title>shop.example</title></head><body><h2>%2$s</h2><p>%3$s %4$s</p><p>%5$s</p></body></html>",
        "<html><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p><h3>%6$s</h3><p>%4$s %5$s</p><p>7f31c0-99aa-02 | 2026-01-02 "
            + "10:11:12 UTC</p></body></html>"};
    /** Longer walls, with the visitor's address. */
    private static final String[] LONG_WALLS = {
        "<!doctype html><html lang=%1$s><head><title>%2$s | shop.example</title></head><body><svg></svg><h1>%2$s</h1><p>%3$s</p>"
            + "<p>%4$s</p><p>IP: 203.0.113.77</p><p>ID: 8f2a1b3c4d5e6f70</p><p>%5$s</p><a href=\"https://guard.example\">guard.example</a>"
            + "</body></html>",
        "<html lang=%1$s><head><title>%2$s</title></head><body><h1>%2$s</h1><p>%3$s</p><ul><li>%4$s</li><li>%5$s</li></ul>"
            + "<small>203.0.113.9 - 7f31c0aa-91d2</small><script>document.getElementById('t').textContent=new Date()</script>"
            + "</body></html>"};

    /** Pages of any sort with what sites add to them: %4$s is such a sentence, %5$s where a link leads. */
    private static final String[] WITH_TAILS = {
        "<!doctype html><html lang=%1$s><head><title>%2$s | shop.example</title></head><body><h1>%2$s</h1><p>%3$s</p><p>%4$s</p>"
            + "<a href=\"/\">%5$s</a><footer>shop.example</footer></body></html>",
        "<html lang=%1$s><head><title>shop.example</title></head><body><img src=/l.png><h2>%2$s</h2><p>%3$s</p><p>%4$s</p>"
            + "<p>ID: 8f31c0d2a9b41e07 IP: 203.0.113.77</p></body></html>",
        "<html lang=%1$s><head><title>Error</title></head><body><p>%3$s</p><p>%4$s <a href=\"mailto:a@shop.example\">a@shop.example</a></p>"
            + "<a href=\"/\">%5$s</a></body></html>"};
    /** What stands for a sentence that sites add to pages of any sort. */
    private static final char TAIL = 'z';
    /** Of these a form or a title is part. */
    private static final String NO_TAIL = "zwfat";

    private Phrases() {
    }

    /** All pages; the source of each is its language and kind. */
    static List<Case> pages(Path file) throws IOException {
        List<Case> pages = new ArrayList<>();
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        longer(lines, pages);
        withTails(lines, pages);
        for (String line : lines) {
            if (line.startsWith("#") || line.charAt(3) == TAIL) {
                continue;
            }
            String[] parts = line.split("\\|");
            String language = parts[0].substring(0, 2);
            char kind = parts[0].charAt(3);
            boolean block = Character.isUpperCase(kind);
            String where = "phrase " + parts[0] + " " + parts[1];
            List<String> forms = new ArrayList<>(Arrays.asList(PLAIN));
            if (kind == 'f' || kind == 'a' || kind == 't' || kind == 'w') {
                forms.clear();
            }
            forms.addAll(Arrays.asList(forms(kind)));
            for (String form : forms) {
                int bar = form.indexOf('|');
                int status = bar == 3 ? Integer.parseInt(form.substring(0, 3)) : 200;
                String body = String.format(form.substring(bar == 3 ? 4 : 0), language, parts[1], parts[2]);
                pages.add(Case.of(block ? "block" : "ok", language, where, Answer.html(status, body)));
            }
            if (block ? kind != 'C' : kind == 'n' || kind == 'l' || kind == 'e') {
                data(DATA, block ? "block" : "ok", language, where, parts, pages);
            }
            data(CONTENT, "ok", language, where, parts, pages);
            if (kind != 'f') {
                data(kind == 'w' ? TITLED_LINES : LINES, block ? "block" : "ok", language, where + " as text", parts, pages);
            }
        }
        return pages;
    }

    /** Longer pages: a wall goes on as other walls do, an ordinary page with what sites say of pages and accounts. */
    private static void longer(List<String> lines, List<Case> to) {
        Map<String, List<String[]>> more = new TreeMap<>();
        for (String line : lines) {
            boolean block = Character.isUpperCase(line.charAt(3));
            if (!line.startsWith("#") && (block || "nl".indexOf(line.charAt(3)) >= 0)) {
                more.computeIfAbsent(line.substring(0, 2) + block, k -> new ArrayList<>()).add(line.split("\\|"));
            }
        }
        int i = 0;
        for (String line : lines) {
            String language = line.substring(0, 2);
            boolean block = Character.isUpperCase(line.charAt(3));
            List<String[]> group = TAIL == line.charAt(3) || line.charAt(3) == 'f' ? null : more.get(language + block);
            if (group == null || group.size() < 2) {
                continue;
            }
            String[] parts = line.split("\\|");
            String[] second = group.get(++i % group.size());
            String[] third = group.get((i + 1) % group.size());
            String other = block ? LONG_WALLS[i % LONG_WALLS.length] : LONG[(i + 1) % LONG.length];
            String[] forms = {LONG[i % LONG.length], other};
            for (String form : forms) {
                to.add(Case.of(block ? "block" : "ok", language, "phrase " + parts[0] + " " + parts[1] + " and more",
                        Answer.html(200, String.format(form, language, parts[1], parts[2], second[2], third[2], second[1]))));
            }
        }
    }

    /** Walls and ordinary pages alike, with a sentence that sites add to both. */
    private static void withTails(List<String> lines, List<Case> to) {
        Map<String, List<String[]>> tails = new TreeMap<>();
        for (String line : lines) {
            if (!line.startsWith("#") && line.charAt(3) == TAIL) {
                tails.computeIfAbsent(line.substring(0, 2), k -> new ArrayList<>()).add(line.split("\\|"));
            }
        }
        int i = 0;
        for (String line : lines) {
            List<String[]> its = tails.get(line.substring(0, 2));
            if (its == null || NO_TAIL.indexOf(line.charAt(3)) >= 0) {
                continue;
            }
            String[] parts = line.split("\\|");
            boolean block = Character.isUpperCase(line.charAt(3));
            String[] tail = its.get(++i % its.size());
            for (String form : WITH_TAILS) {
                to.add(Case.of(block ? "block" : "ok", parts[0].substring(0, 2), "phrase " + parts[0] + " " + parts[1] + " with a tail",
                        Answer.html(200, String.format(form, parts[0].substring(0, 2), parts[1], parts[2], tail[2], tail[1]))));
            }
        }
    }

    private static void data(String[] forms, String verdict, String language, String where, String[] parts, List<Case> to) {
        for (String form : forms) {
            String type = form.startsWith("<") ? "application/xml"
                    : form.startsWith("%") ? "text/plain; charset=utf-8" : "application/json";
            String body = String.format(form, language, parts[1], parts[2]);
            to.add(Case.of(verdict, language, where + " as data", new Answer(200).with("Content-Type", type)
                    .with("Content-Length", String.valueOf(body.length())).body(body)));
        }
    }

    private static String[] forms(char kind) {
        switch (kind) {
            case 'D':
                return REFUSALS;
            case 'C':
                return CHECKS;
            case 'R':
                return LIMITS;
            case 'H':
                return QUESTIONS;
            case 't':
                return TEXTS;
            case 'f':
                return FORMS;
            case 'm':
                return OUTAGES;
            case 'l':
                return LOGINS;
            case 'e':
                return FAULTS;
            case 'a':
            case 'w':
                return Arrays.copyOf(ORDINARY, ORDINARY.length - 1);
            default:
                return ORDINARY;
        }
    }
}
