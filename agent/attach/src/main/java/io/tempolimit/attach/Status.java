package io.tempolimit.attach;

import io.tempolimit.config.Nearest;
import java.io.IOException;
import java.io.PrintStream;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** {@code status PID [--json] [--watch]}: which hosts the agent in a JVM holds, why, and until when. */
public final class Status {
    /** What {@code status --help} prints. */
    public static final String USAGE = "usage: java -jar tempolimit-agent.jar status PID [--json] [--watch]\n\n"
            + "Shows what the agent in a Java program does. Hosts in cooldown come first, then\n"
            + "those for which requests wait. The command asks by the program's own local\n"
            + "management connector, and loads nothing into it. You need a JDK 11 or later for\n"
            + "it. The program may run on any Java from 8 to 25.\n\n"
            + "  --json    all statistics as one line of JSON\n"
            + "  --watch   shows it again every 2 seconds, until the program ends or you press\n"
            + "            Ctrl+C; a terminal gets as many lines as it has room for\n\n"
            + "A terminal gets colours, unless NO_COLOR is set.\n\n"
            + "exit codes: 0 good, 2 a faulty command line, 3 there is no such program, no\n"
            + "agent in it, or it cannot be reached\n";
    private static final long EVERY_MILLIS = 2_000;

    private final PrintStream out;
    private final PrintStream err;

    public Status(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Gives the exit code. */
    public int run(List<String> arguments) {
        String pid = null;
        boolean json = false;
        boolean watch = false;
        for (String argument : arguments) {
            if (argument.equals("--json")) {
                json = true;
            } else if (argument.equals("--watch")) {
                watch = true;
            } else if (pid == null && !argument.startsWith("-")) {
                pid = argument;
            } else {
                err.println("status: " + (argument.startsWith("-") ? "no such option: " : "one process id at a time: ") + argument
                        + Nearest.hint(argument, "--json", "--watch"));
                err.print(USAGE);
                return ExitCode.USAGE;
            }
        }
        if (pid == null) {
            err.print(USAGE);
            String others = Program.others();
            if (!others.isEmpty()) {
                err.println(System.lineSeparator() + others.trim());
            }
            return ExitCode.USAGE;
        }
        if (!Program.isId(pid)) {
            err.println("status: " + pid + " is not a process id");
            return ExitCode.USAGE;
        }
        try {
            Program program = Program.of(pid);
            String name = program.name();
            try (Connection connection = Connection.to(program)) {
                return watch ? watch(connection, name, json) : once(connection, name, json);
            }
        } catch (Unreachable | IOException | IllegalArgumentException e) {
            err.println(e.getMessage());
            return ExitCode.UNREACHABLE;
        }
    }

    private int once(Connection connection, String name, boolean json) throws Unreachable, IOException {
        String stats = connection.stats();
        if (json) {
            out.println(stats);
        } else {
            Terminal terminal = Terminal.look();
            print(StatusTable.lines(Snapshot.of(stats), name, terminal == null ? StatusTable.PIPED : terminal.width, Integer.MAX_VALUE,
                    terminal != null && terminal.colours));
        }
        return ExitCode.OK;
    }

    private int watch(Connection connection, String name, boolean json) throws Unreachable {
        Terminal terminal = json ? null : Terminal.look();
        boolean first = true;
        while (!out.checkError()) { // else nobody reads on: "| head"
            String stats;
            try {
                stats = connection.stats();
            } catch (IOException e) {
                out.println(name + " has ended.");
                return ExitCode.OK;
            }
            if (json) {
                out.println(stats);
            } else if (terminal != null) {
                redraw(Snapshot.of(stats), name, terminal);
                Terminal now = Terminal.look();
                terminal = now == null ? terminal : now; // it may have got another size
            } else {
                if (!first) {
                    out.println();
                }
                out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS));
                print(StatusTable.lines(Snapshot.of(stats), name, StatusTable.PIPED, Integer.MAX_VALUE, false));
            }
            first = false;
            try {
                Thread.sleep(EVERY_MILLIS);
            } catch (InterruptedException e) {
                return ExitCode.OK;
            }
        }
        return ExitCode.OK;
    }

    /** From the top, line by line, each cleared to its end: so nothing flickers. */
    private void redraw(Snapshot snapshot, String name, Terminal terminal) {
        StringBuilder screen = new StringBuilder(Terminal.HOME);
        for (String line : StatusTable.lines(snapshot, name, terminal.width, terminal.height - 1, terminal.colours)) {
            screen.append(line).append(Terminal.CLEAR_LINE).append('\n');
        }
        out.print(screen.append(Terminal.CLEAR_BELOW));
        out.flush();
    }

    private void print(List<String> lines) {
        for (String line : lines) {
            out.println(line);
        }
    }
}
