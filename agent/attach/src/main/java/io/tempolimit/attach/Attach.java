package io.tempolimit.attach;

import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Fault;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import net.bytebuddy.agent.ByteBuddyAgent;

/** {@code attach PID [key=value ...]}: starts the agent in a JVM that runs, or gives the one that is there other settings. */
public final class Attach {
    /** What {@code attach --help} prints. */
    public static final String USAGE = "usage: java -jar tempolimit-agent.jar attach PID [key=value ...]\n\n"
            + "Starts the agent in a running Java program, without a restart. From then on the\n"
            + "program's requests are paced, also those of clients in use. Settings are those\n"
            + "of a start (help lists them), with key=value as agent arguments. If the agent\n"
            + "runs there already, each setting that you give gets its new value, and the\n"
            + "others stay. The answer names settings that need a restart. A relative path of a\n"
            + "file begins at your working directory.\n\n"
            + "You need a JDK 11 or later for this command. The program may run on any Java\n"
            + "from 8 to 25. Java 21 and later print a warning in that program, unless it was\n"
            + "started with -XX:+EnableDynamicAgentLoading.\n\n"
            + "exit codes: 0 done, 1 faulty settings (nothing has changed), 2 a faulty command\n"
            + "line, 3 there is no such program, or it cannot be reached\n";

    private final PrintStream out;
    private final PrintStream err;

    public Attach(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Gives the exit code. */
    public int run(List<String> arguments) {
        if (arguments.isEmpty() || arguments.get(0).startsWith("-")) {
            err.print(USAGE);
            String others = arguments.isEmpty() ? Program.others() : "";
            if (!others.isEmpty()) {
                err.println(System.lineSeparator() + others.trim());
            }
            return ExitCode.USAGE;
        }
        if (!Program.isId(arguments.get(0))) {
            err.println("attach: " + arguments.get(0) + " is not a process id");
            return ExitCode.USAGE;
        }
        String settings = Sources.withAbsoluteFiles(String.join(",", arguments.subList(1, arguments.size())));
        try {
            Settings.load(new Sources(settings, Collections.emptyMap(), Collections.emptyMap()));
        } catch (BadSettings e) {
            for (Fault fault : e.faults()) {
                err.println("[tempolimit] " + fault);
            }
            return ExitCode.FAULTY;
        }
        try {
            return attach(Program.of(arguments.get(0)), settings);
        } catch (Unreachable e) {
            err.println(e.getMessage());
            return ExitCode.UNREACHABLE;
        }
    }

    private int attach(Program program, String settings) throws Unreachable {
        Path answer = null;
        try {
            answer = Files.createTempFile("tempolimit", ".answer"); // readable by its owner alone
            giveTo(program, answer);
            load(program, answer + "\n" + settings);
            return tell(program, Files.readAllLines(answer, StandardCharsets.UTF_8));
        } catch (IOException | URISyntaxException e) {
            throw new Unreachable("The attach to " + program.name() + " failed: " + e);
        } finally {
            if (answer != null) {
                answer.toFile().delete();
            }
        }
    }

    private static void load(Program program, String arguments) throws Unreachable, URISyntaxException {
        try {
            ByteBuddyAgent.attach(jar(), program.pid, arguments);
        } catch (IllegalStateException e) {
            String why = why(e);
            if (!why.equals("0")) { // so, and not as "return code: 0", a JVM of Java 8 says that all went well
                throw new Unreachable("The attach to " + program.name() + " failed: " + why
                + ". A JVM that was started with -XX:-EnableDynamicAgentLoading"
                        + " or -XX:+DisableAttachMechanism, or that sees other files than this one, cannot be attached to.");
            }
        }
    }

    private static String why(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Root attaches to other users' programs, which have to write their answer. */
    private static void giveTo(Program program, Path file) throws IOException {
        Path process = Path.of("/proc", program.pid);
        if (Files.exists(process) && !Files.getOwner(process).equals(Files.getOwner(file))) {
            Files.setOwner(file, Files.getOwner(process));
        }
    }

    private static File jar() throws URISyntaxException {
        return new File(new URI(Attach.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** @param answer an exit code and lines, as the agent in the other JVM gives them */
    private int tell(Program program, List<String> answer) throws Unreachable {
        if (answer.isEmpty()) {
            out.println(program.name() + ": the agent is loaded, and its answer was lost; its log says more.");
            return ExitCode.OK;
        }
        int code;
        try {
            code = Integer.parseInt(answer.get(0));
        } catch (NumberFormatException e) {
            throw new Unreachable("The answer of " + program.name() + " cannot be read; its log says more.");
        }
        PrintStream to = code == ExitCode.OK ? out : err;
        to.println(program.name() + ":");
        for (String line : answer.subList(1, answer.size())) {
            to.println("  " + line);
        }
        return code;
    }
}
