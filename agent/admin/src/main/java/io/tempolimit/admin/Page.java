package io.tempolimit.admin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The status page: the same for everybody, with nothing of what it shows in it. Immutable. */
final class Page {
    private static final String POLICY = "{policy}";

    private final byte[] bytes;
    private final String policy;

    private Page(byte[] bytes, String policy) {
        this.bytes = bytes;
        this.policy = policy;
    }

    static Page load() throws IOException {
        String html = text("page.html");
        return new Page(html.getBytes(StandardCharsets.UTF_8),
                scripts(html) + "; connect-src 'self'; form-action 'none'; frame-ancestors 'none'");
    }

    /** A page with what it shares with the other, and, if it asks for it, the policy by which it may load nothing. */
    static String text(String name) throws IOException {
        String html = resource(name).replace("/* common.css */", resource("common.css")).replace("/* common.js */", resource("common.js"));
        return html.contains(POLICY) ? html.replace(POLICY, scripts(html)) : html;
    }

    private static String scripts(String html) {
        return "default-src 'none'; script-src " + hash(html, "script") + "; style-src " + hash(html, "style")
                + "; img-src data:; base-uri 'none'";
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Page.class.getClassLoader().getResourceAsStream("io/tempolimit/admin/" + name)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);
            byte[] buffer = new byte[8192];
            for (int n; (n = in.read(buffer)) > 0; ) {
                out.write(buffer, 0, n);
            }
            return out.toString("UTF-8");
        }
    }

    /** Lets the browser run exactly what stands there, and nothing that a host's name might smuggle in. */
    private static String hash(String html, String element) {
        int from = html.indexOf("<" + element + ">") + element.length() + 2;
        byte[] content = html.substring(from, html.indexOf("</" + element + ">", from)).getBytes(StandardCharsets.UTF_8);
        try {
            return "'sha256-" + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(content)) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every Java has it
        }
    }

    void send(Reply reply, int status) throws IOException {
        reply.header("Content-Security-Policy", policy).send(status, "text/html; charset=utf-8", bytes);
    }
}
