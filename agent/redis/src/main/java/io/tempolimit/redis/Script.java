package io.tempolimit.redis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What Redis runs for us: a resource beside this class, sent by its digest, and whole where the server does not know that yet. */
enum Script {
    TAKE, JUDGE, GIVE, RELEASE, BEAT;

    final String text;
    final String digest;

    Script() {
        String name = name().toLowerCase(java.util.Locale.ROOT) + ".lua";
        try (InputStream in = Script.class.getResourceAsStream(name)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] part = new byte[8192];
            for (int n; (n = in.read(part)) > 0; ) {
                out.write(part, 0, n);
            }
            text = new String(out.toByteArray(), StandardCharsets.US_ASCII);
            StringBuilder hex = new StringBuilder();
            for (byte b : MessageDigest.getInstance("SHA-1").digest(out.toByteArray())) {
                hex.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
            }
            digest = hex.toString();
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(name, e);
        }
    }
}
