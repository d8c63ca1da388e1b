package io.tempolimit.start;

import io.tempolimit.attach.Attach;
import io.tempolimit.attach.ExitCode;
import io.tempolimit.attach.Status;
import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Help;
import io.tempolimit.config.Nearest;
import io.tempolimit.config.Setting;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.store.FleetSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What {@code java -jar tempolimit-agent.jar} can do. */
final class Commands {
    private static final String CONNECT = "--connect";
    private static final String CHECK = "usage: java -jar tempolimit-agent.jar check [--connect] [key=value ...]\n\n"
            + "Checks the settings of a start with these agent arguments, in this environment\n"
            + "(and with -Dtempolimit.KEY=... before -jar). Prints what would hold and where it\n"
            + "comes from, and first what is not the default. Secrets are shown as ***.\n"
            + "help lists the settings.\n\n"
            + "  --connect   tries the Redis as well: host, TLS, password, the rights of the\n"
            + "              user, and how long an answer takes\n\n"
            + "exit codes: 0 good, 1 faulty settings or no usable Redis, 2 an unknown option\n";
    private static final String ACCOUNT = "usage: java -jar tempolimit-agent.jar account [key=value ...]\n\n"
            + "Reads values of a header from standard input, one a line. Prints the names by\n"
            + "which statistics and the file's accounts know them. It needs the scraper's\n"
            + "account.secret, as a setting.\n\n"
            + "exit codes: 0 good, 1 faulty settings or no secret, 2 no value\n";
    private static final String[] COMMANDS = {"attach", "status", "check", "judge", "account", "help", "version"};

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
        if (words.isEmpty()) {
            out.print(usage() + "help lists every setting, and help rate explains one.\n");
            return ExitCode.OK;
        }
        String command = words.get(0);
        List<String> rest = words.subList(1, words.size());
        if (command.equals("help") || command.equals("--help") || command.equals("-h")) {
            return help(rest);
        }
        String usage = usage(command);
        if (usage == null) {
            String near = Nearest.of(command, COMMANDS);
            err.println("There is no command " + command + (near == null ? "." : ". Did you mean " + near + "?"));
            err.println("Commands: " + String.join(", ", COMMANDS));
            err.println("java -jar tempolimit-agent.jar help says what they do.");
            return ExitCode.USAGE;
        }
        if (rest.contains("--help") || rest.contains("-h")) {
            out.print(usage);
            return ExitCode.OK;
        }
        switch (command) {
            case "attach":
                return canAttach(command) ? new Attach(out, err).run(rest) : ExitCode.UNREACHABLE;
            case "status":
                return canAttach(command) ? new Status(out, err).run(rest) : ExitCode.UNREACHABLE;
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

    /** Of everything, of a command, or of a setting. */
    private int help(List<String> words) {
        if (words.isEmpty()) {
            out.print(usage() + Help.all());
            return ExitCode.OK;
        }
        String topic = words.get(0);
        String text = usage(topic);
        text = text == null ? Help.of(topic) : text;
        if (text != null) {
            out.print(text);
            return ExitCode.OK;
        }
        List<String> topics = new ArrayList<>(Help.topics());
        topics.addAll(Arrays.asList(COMMANDS));
        String near = Nearest.of(topic, topics.toArray(new String[0]));
        err.println("There is no command and no setting " + topic + (near == null ? ". help lists all." : ". Did you mean " + near + "?"));
        return ExitCode.USAGE;
    }

    private String usage() {
        return "Tempolimit " + version + "\nIt paces a Java program's HTTP requests per host.\n\n"
                + "  java -javaagent:tempolimit-agent.jar[=key=value,...] -jar scraper.jar\n\n"
                + "java -jar tempolimit-agent.jar ...\n\n"
                + "  attach PID [key=value ...]\n"
                + "      starts the agent in a running program, or changes its settings\n"
                + "  status PID [--json] [--watch]\n"
                + "      which hosts wait or cool down, why, and until when\n"
                + "  check [--connect] [key=value ...]\n"
                + "      checks settings and prints them; --connect tries the Redis\n"
                + "  judge FILE.har | --status N [--header 'N: V'] [PAGE]\n"
                + "      the verdict on a page, and why\n"
                + "  account [key=value ...]\n"
                + "      prints the account's name of a header value (standard input)\n"
                + "  help [COMMAND | SETTING] | version\n\n"
                + "Settings, strongest first: agent arguments, -Dtempolimit.KEY=...,\n"
                + "TEMPOLIMIT_KEY, the JSON file config=...\n\n";
    }

    /** What these commands use is a module of Java 9 and later, which a runtime may lack. */
    private boolean canAttach(String command) {
        String java = System.getProperty("java.specification.version");
        if (java.startsWith("1.") || Integer.parseInt(java) < 11) {
            err.println(command + " needs Java 11 or later, and this is Java " + java + "; the other program may run on Java 8 to 25");
            return false;
        }
        String missing = has("com.sun.tools.attach.VirtualMachine") ? "" : "jdk.attach";
        if (command.equals("status") && !has("javax.management.remote.rmi.RMIConnector")) {
            missing += (missing.isEmpty() ? "" : ", ") + "java.management.rmi";
        }
        if (!missing.isEmpty()) {
            err.println(command + " needs a JDK: this runtime lacks " + missing
                    + ". Run it by a JDK's java, or add to jlink: --add-modules " + missing.replace(" ", ""));
        }
        return missing.isEmpty();
    }

    private static boolean has(String type) {
        try {
            Class.forName(type, false, ClassLoader.getSystemClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    private int check(List<String> words) {
        List<String> arguments = new ArrayList<>(words);
        boolean connect = arguments.removeIf(CONNECT::equals);
        for (String argument : arguments) {
            if (argument.startsWith("-") && argument.indexOf('=') < 0) { // --rate=1 is a fault of a setting, which names rate
                err.println("check: no such option: " + argument + Nearest.hint(argument, CONNECT));
                return ExitCode.USAGE;
            }
        }
        Settings settings;
        try {
            settings = Settings.load(Sources.ofJvm(arguments.isEmpty() ? null : String.join(",", arguments)));
        } catch (BadSettings e) {
            Start.printFaults(e, err);
            return ExitCode.FAULTY;
        }
        print(settings);
        for (String warning : settings.warnings()) {
            warn(warning);
        }
        for (Setting s : settings.describe()) {
            if (s.fileTrouble() != null) {
                warn(s + ": " + s.fileTrouble());
            }
        }
        return connect ? connect(settings.fleet()) : ExitCode.OK;
    }

    /** First what somebody has set, then the user's own signs of a block, then the defaults. */
    private void print(Settings settings) {
        List<Setting> all = settings.describe();
        int key = 0;
        int value = 0;
        for (Setting s : all) {
            key = Math.max(key, s.key().length());
            value = Math.max(value, Math.min(40, s.value().length()));
        }
        for (Setting s : all) {
            print(s, !s.isDefault(), key, value);
        }
        List<String> rules = settings.blockRules();
        for (int i = 0; i < rules.size(); i++) {
            out.println(padded("block_rules[" + i + "]", key) + "  " + rules.get(i));
        }
        for (Setting s : all) {
            print(s, s.isDefault(), key, value);
        }
    }

    private void print(Setting s, boolean shown, int key, int value) {
        if (shown) {
            out.println(padded(s.key(), key) + "  " + padded(s.value(), value) + "  " + s.source());
        }
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
