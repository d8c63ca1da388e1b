package io.tempolimit.start;

import io.tempolimit.attach.Attach;
import io.tempolimit.attach.ExitCode;
import io.tempolimit.attach.Status;
import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Setting;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.FleetSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What {@code java -jar tempolimit-agent.jar} can do. */
final class Commands {
    private static final String CONNECT = "--connect";
    private static final String CHECK = "usage: java -jar tempolimit-agent.jar check [--connect] [key=value ...]\n\n"
            + "Validates the settings of a start with these agent arguments, in this environment (and with -Dtempolimit.KEY=... before\n"
            + "-jar), and prints what would hold and where it comes from. Secrets are shown as ***. help lists the settings.\n\n"
            + "--connect  tries the Redis as well: host, TLS, password, the rights of the user, and how long an answer takes\n\n"
            + "exit codes: 0 good, 1 faulty, or no Redis that could be used\n";
    private static final String ACCOUNT = "usage: java -jar tempolimit-agent.jar account [key=value ...]\n\n"
            + "Reads values of a header from standard input, one a line, and prints by which names their accounts are known to statistics and to\n"
            + "the file's accounts. It needs the scraper's account.secret, as a setting.\n\n"
            + "exit codes: 0 good, 1 faulty settings or no secret, 2 no value\n";

    private final PrintStream out;
    private final PrintStream err;
    private final String version;

    Commands(PrintStream out, PrintStream err, String version) {
        this.out = out;
        this.err = err;
        this.version = version;
    }

    /** Gives the exit code, one of {@link ExitCode}; {@link Judge} and {@link Account} have their own. */
    int run(String[] arguments) {
        List<String> words = Arrays.asList(arguments);
        String command = words.isEmpty() ? "help" : words.get(0);
        List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
        if (command.equals("help") || command.equals("--help") || command.equals("-h")) {
            out.print(rest.isEmpty() || usage(rest.get(0)) == null ? usage() : usage(rest.get(0)));
            return ExitCode.OK;
        }
        String usage = usage(command);
        if (usage == null) {
            err.println("no such command: " + command);
            err.print(usage());
            return ExitCode.USAGE;
        }
        if (rest.contains("--help") || rest.contains("-h")) {
            out.print(usage);
            return ExitCode.OK;
        }
        switch (command) {
            case "attach":
                return isJava11(command) ? new Attach(out, err).run(rest) : ExitCode.UNREACHABLE;
            case "status":
                return isJava11(command) ? new Status(out, err).run(rest) : ExitCode.UNREACHABLE;
            case "check":
                return check(rest);
            case "judge":
                return new Judge(out, err, System.in).run(rest);
            case "account":
                return new Account(out, err, System.in).run(rest);
            default:
                out.println("Tempolimit " + version);
                return ExitCode.OK;
        }
    }

    /** What is said of one command; null if there is none of this name. */
    private static String usage(String command) {
        switch (command) {
            case "attach": return Attach.USAGE;
            case "status": return Status.USAGE;
            case "check": return CHECK;
            case "judge": return Judge.usage();
            case "account": return ACCOUNT;
            case "version":
            case "--version": return "usage: java -jar tempolimit-agent.jar version\n";
            default: return null;
        }
    }

    private String usage() {
        return "Tempolimit " + version + " paces a Java program's HTTP requests per host.\n\n"
                + "  java -javaagent:tempolimit-agent.jar[=key=value,...] -jar scraper.jar\n"
                + "  java -jar tempolimit-agent.jar attach PID [key=value ...]   start it in a program that runs, or change its settings\n"
                + "  java -jar tempolimit-agent.jar status PID [--json] [--watch]   which hosts it holds, why, and until when\n"
                + "  java -jar tempolimit-agent.jar check [--connect] [key=value ...]   validate and print the effective settings; try the Redis\n"
                + "  java -jar tempolimit-agent.jar judge FILE.har | --status N [--header 'N: V'] [PAGE]   the verdict on a page, and why\n"
                + "  java -jar tempolimit-agent.jar account [key=value ...] a header value on standard input: its account's name\n"
                + "  java -jar tempolimit-agent.jar help [COMMAND] | version\n\n"
                + "Settings, strongest first: agent arguments, -Dtempolimit.KEY=..., TEMPOLIMIT_KEY, the JSON file config=...\n\n"
                + Settings.help();
    }

    /** What these commands use is a module of Java 9 and later. */
    private boolean isJava11(String command) {
        String java = System.getProperty("java.specification.version");
        boolean is = !java.startsWith("1.") && Integer.parseInt(java) >= 11;
        if (!is) {
            err.println(command + " needs Java 11 or later, and this is Java " + java + "; the other program may run on any from 8 to 25");
        }
        return is;
    }

    private int check(List<String> words) {
        List<String> arguments = new ArrayList<>(words);
        boolean connect = arguments.removeIf(CONNECT::equals);
        Settings settings;
        try {
            settings = Settings.load(Sources.ofJvm(arguments.isEmpty() ? null : String.join(",", arguments)));
        } catch (BadSettings e) {
            Start.printFaults(e, err);
            return ExitCode.FAULTY;
        }
        int key = 0;
        int value = 0;
        for (Setting s : settings.describe()) {
            key = Math.max(key, s.key().length());
            value = Math.max(value, Math.min(40, s.value().length()));
        }
        for (Setting s : settings.describe()) {
            out.println(padded(s.key(), key) + "  " + padded(s.value(), value) + "  " + s.source());
        }
        for (String warning : settings.warnings()) {
            warn(warning);
        }
        return connect ? connect(settings.fleet()) : ExitCode.OK;
    }

    private void warn(String text) {
        err.println("[tempolimit] warning: " + text);
    }

    private int connect(FleetSettings fleet) {
        try {
            if (fleet == null) {
                throw new IOException("--connect has nothing to try: redis= is not set");
            }
            out.println(new RedisLoader().trial().attempt(fleet, this::warn));
            return ExitCode.OK;
        } catch (IOException e) {
            err.println("[tempolimit] " + e.getMessage());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            err.println("[tempolimit] Redis cannot be used: its client does not run in this JVM: " + e);
        }
        return ExitCode.FAULTY;
    }

    private static String padded(String text, int width) {
        StringBuilder s = new StringBuilder(text);
        while (s.length() < width) {
            s.append(' ');
        }
        return s.toString();
    }
}
