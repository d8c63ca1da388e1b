package io.tempolimit.start;

import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Setting;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/** What {@code java -jar tempolimit-agent.jar} can do. */
final class Commands {
    private static final int OK = 0;
    private static final int FAULTY = 1;
    private static final int USAGE = 2;

    private final PrintStream out;
    private final PrintStream err;
    private final String version;

    Commands(PrintStream out, PrintStream err, String version) {
        this.out = out;
        this.err = err;
        this.version = version;
    }

    /** Gives the exit code: 0 good, 1 faulty settings, 2 no such command; {@link Judge} and {@link Account} have their own. */
    int run(String[] arguments) {
        String command = arguments.length == 0 ? "help" : arguments[0];
        switch (command) {
            case "help":
            case "--help":
            case "-h":
                out.print(usage());
                return OK;
            case "version":
            case "--version":
                out.println("Tempolimit " + version);
                return OK;
            case "check":
                return check(Arrays.asList(arguments).subList(1, arguments.length));
            case "judge":
                return new Judge(out, err, System.in).run(Arrays.asList(arguments).subList(1, arguments.length));
            case "account":
                return new Account(out, err, System.in).run(Arrays.asList(arguments).subList(1, arguments.length));
            case "attach":
            case "status":
                err.println(command + " is not yet supported");
                return USAGE;
            default:
                err.println("no such command: " + command);
                err.print(usage());
                return USAGE;
        }
    }

    private String usage() {
        return "Tempolimit " + version + " paces a Java program's HTTP requests per host.\n\n"
                + "  java -javaagent:tempolimit-agent.jar[=key=value,...] -jar scraper.jar\n"
                + "  java -jar tempolimit-agent.jar check [key=value ...]   validate and print the effective settings\n"
                + "  java -jar tempolimit-agent.jar judge FILE.har | --status N [--header 'N: V'] [PAGE]   the verdict on a page, and why\n"
                + "  java -jar tempolimit-agent.jar account [key=value ...] a header value on standard input: its account's name\n"
                + "  java -jar tempolimit-agent.jar help | version\n\n"
                + "Settings, strongest first: agent arguments, -Dtempolimit.KEY=..., TEMPOLIMIT_KEY, the JSON file config=...\n\n"
                + Settings.help();
    }

    private int check(List<String> arguments) {
        if (arguments.size() == 1 && (arguments.get(0).equals("--help") || arguments.get(0).equals("-h"))) {
            out.print(usage());
            return OK;
        }
        Settings settings;
        try {
            settings = Settings.load(Sources.ofJvm(arguments.isEmpty() ? null : String.join(",", arguments)));
        } catch (BadSettings e) {
            Start.printFaults(e, err);
            return FAULTY;
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
            err.println("[tempolimit] warning: " + warning);
        }
        return OK;
    }

    private static String padded(String text, int width) {
        StringBuilder s = new StringBuilder(text);
        while (s.length() < width) {
            s.append(' ');
        }
        return s.toString();
    }
}
