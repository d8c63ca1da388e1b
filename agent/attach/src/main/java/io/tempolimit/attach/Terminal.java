package io.tempolimit.attach;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;

/** The terminal that standard output is shown on: its size, and whether it has colours. Immutable. */
final class Terminal {
    static final String HOME = "\033[H";
    static final String CLEAR_LINE = "\033[K";
    static final String CLEAR_BELOW = "\033[J";
    private static final int WIDTH = 80;
    private static final int HEIGHT = 24;

    final int width;
    final int height;
    final boolean colours;

    private Terminal(int width, int height) {
        this.width = width;
        this.height = height;
        this.colours = System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM"));
    }

    /**
     * Null if standard output is no terminal. By the shell, for Java itself tells of a console only where input is one
     * as well, tells nothing of its size, and from Java 22 on has one in any case.
     */
    static Terminal look() {
        try {
            Process process = new ProcessBuilder("sh", "-c", "test -t 1 && stty size <&1 >&2")
                    .redirectInput(Redirect.INHERIT).redirectOutput(Redirect.INHERIT).start();
            String answer;
            try (InputStream in = process.getErrorStream()) {
                answer = new String(in.readAllBytes(), StandardCharsets.US_ASCII).trim();
            }
            return process.waitFor() == 0 ? of(answer) : null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (IOException e) { // no shell: Windows
            return System.console() == null ? null : new Terminal(WIDTH, HEIGHT);
        }
    }

    private static Terminal of(String size) {
        int space = size.indexOf(' ');
        try {
            int height = Integer.parseInt(size.substring(0, space));
            int width = Integer.parseInt(size.substring(space + 1));
            return new Terminal(width > 0 ? width : WIDTH, height > 0 ? height : HEIGHT);
        } catch (RuntimeException e) {
            return new Terminal(WIDTH, HEIGHT);
        }
    }
}
