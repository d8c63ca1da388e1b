package io.tempolimit.detect;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** What can be asked of a text in any language without its words. */
final class Questions {
    private Questions() {
    }

    /** Whether a reader sees end tags: the page quotes another. */
    static boolean showsMarkup(byte[] text) {
        for (int i = 1; i < text.length; i++) {
            if (text[i - 1] == '<' && text[i] == '/') {
                return true;
            }
        }
        return false;
    }

    static boolean asks(String title) {
        return title != null && (title.indexOf('?') >= 0 || title.indexOf('\uff1f') >= 0 || title.indexOf('\u061f') >= 0);
    }

    /** Whether a text asks for scripts and cookies: applications ask for scripts alone. */
    static boolean asksForBoth(byte[] text) {
        String said = new String(text, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
        return said.contains("javascript") && said.contains("cookie");
    }

    /** Two texts, each between blanks, as lines. */
    static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        all[first.length] = '\n';
        return all;
    }
}
