package io.tempolimit.start;

import io.tempolimit.config.BadSettings;
import io.tempolimit.config.Settings;
import io.tempolimit.config.Sources;
import io.tempolimit.core.policy.Accounts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The command {@code account}: the names by which keys, statistics and the file's {@code accounts} know header values. For one use. */
final class Account {
    private static final int OK = 0;
    private static final int FAULTY = 1;
    private static final int USAGE = 2;

    private final PrintStream out;
    private final PrintStream err;
    private final InputStream in;

    Account(PrintStream out, PrintStream err, InputStream in) {
        this.out = out;
        this.err = err;
        this.in = in;
    }

    /**
     * A name for each line; at a terminal as soon as it is entered.
     *
     * @param arguments settings, as {@code key=value}
     * @return the exit code: 0 good, 1 faulty settings, or no secret; 2 no value
     */
    int run(List<String> arguments) {
        byte[] secret;
        try {
            secret = Settings.load(Sources.ofJvm(arguments.isEmpty() ? null : String.join(",", arguments))).accountSecret();
        } catch (BadSettings e) {
            Start.printFaults(e, err);
            return FAULTY;
        }
        if (secret == null) {
            err.println("account.secret is not set, so accounts have other names in each JVM. Give the one that the scraper has:\n"
                    + "  account.secret=@FILE behind this command, TEMPOLIMIT_ACCOUNT_SECRET, or config=FILE that says it");
            return FAULTY;
        }
        Accounts accounts = new Accounts(secret);
        boolean any = false;
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String value; (value = lines.readLine()) != null; ) {
                if (!value.trim().isEmpty()) {
                    out.println(accounts.name(value));
                    out.flush();
                    any = true;
                }
            }
        } catch (IOException e) {
            err.println("standard input cannot be read: " + e.getMessage());
            return USAGE;
        }
        if (!any) {
            err.println("no value on standard input; as in: printf 'Bearer abc' | java -jar tempolimit-agent.jar account "
                    + "account.secret=@FILE");
            return USAGE;
        }
        return OK;
    }
}
