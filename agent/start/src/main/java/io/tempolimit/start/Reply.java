package io.tempolimit.start;

import io.tempolimit.attach.ExitCode;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What an attach has to say to the command that asked for it: an exit code, then lines for people, in a file that the
 * command has made. An agent that is loaded by something else has nobody to tell, but for what went wrong, which goes
 * to standard error. Not thread-safe.
 */
final class Reply {
    /** The settings, as agent arguments. */
    final String settings;
    /** Null if nobody waits for an answer. */
    private final File file;
    private final StringBuilder text = new StringBuilder();
    private int exitCode;

    private Reply(String settings, File file) {
        this.settings = settings;
        this.file = file;
    }

    /** @param arguments of the attach: the settings, and a line before them if there is a file; may be null */
    static Reply to(String arguments) {
        int line = arguments == null ? -1 : arguments.indexOf('\n');
        return new Reply(arguments == null ? "" : arguments.substring(line + 1), line < 0 ? null : new File(arguments.substring(0, line)));
    }

    void say(String line) {
        text.append(line).append('\n');
    }

    void faulty(String fault) {
        exitCode = ExitCode.FAULTY;
        trouble(fault);
    }

    void failed(String why) {
        exitCode = ExitCode.UNREACHABLE;
        trouble(why);
    }

    private void trouble(String line) {
        say(line);
        if (file == null) {
            System.err.println("[tempolimit] " + line);
        }
    }

    /** Hands it over; where the file cannot be seen from here, in a container, say, to nobody. */
    void send() {
        if (file == null || !file.exists()) {
            return;
        }
        try (OutputStream out = new FileOutputStream(file)) {
            out.write((exitCode + "\n" + text).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            System.err.println("[tempolimit] " + text + "(which cannot be written to " + file + ": " + e.getMessage() + ")");
        }
    }
}
