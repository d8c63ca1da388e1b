package io.tempolimit.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Values that may stand in a file of their own, so that nobody reads them where the settings are. Stateless. */
final class FileValue {
    private FileValue() {
    }

    /**
     * The contents of the file that the text names after its {@code @}. A fault may name the file: this kind of text is
     * no secret.
     */
    static String of(String text) {
        String path = text.substring(1);
        try {
            String content = new String(Sources.read(path), StandardCharsets.UTF_8).trim();
            if (content.isEmpty()) {
                throw new IOException("is empty");
            }
            return content;
        } catch (IOException e) {
            throw new IllegalArgumentException("its file " + path + ": " + e.getMessage());
        }
    }

    /** The text, or the contents of the file that it names after an {@code @}. */
    static String orText(String text) {
        if (text.charAt(0) != '@') {
            return text;
        }
        String content;
        try {
            content = new String(Sources.read(text.substring(1)), StandardCharsets.UTF_8).trim();
        } catch (IOException e) {
            // not which: the text may be a secret that begins with @
            throw new IllegalArgumentException("names a file that cannot be read");
        }
        if (content.isEmpty()) {
            throw new IllegalArgumentException("the file is empty");
        }
        return content;
    }

    /** As {@link #orText}, in characters that a secret may have. */
    static String secret(String text) {
        String secret = orText(text);
        for (int i = 0; i < secret.length(); i++) {
            if (secret.charAt(i) <= ' ' || secret.charAt(i) > '~') {
                throw new IllegalArgumentException("has a space, a control character, or one that is not ASCII");
            }
        }
        return secret;
    }
}
