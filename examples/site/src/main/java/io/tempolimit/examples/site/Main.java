package io.tempolimit.examples.site;

import java.io.IOException;
import java.util.Arrays;

/** Runs the site until it is told to end, then prints its counts. */
public final class Main {

    private Main() {
    }

    /** Starts the site with the options that {@code --help} lists. */
    public static void main(String[] args) {
        if (Arrays.asList(args).contains("--help")) {
            System.out.print(Settings.HELP);
            return;
        }
        Settings settings;
        try {
            settings = Settings.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("site: " + e.getMessage());
            System.exit(2);
            return;
        }
        try {
            Site site = new Site(System::nanoTime, settings);
            System.out.println("A shop of " + site.pages() + " pages at " + site.url());
            System.out.println("Rules: " + settings);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                site.close();
                System.out.println(site.table());
            }));
        } catch (IOException e) {
            System.err.println("site: cannot listen on " + settings.host() + ":" + settings.port() + ": " + e.getMessage());
            System.exit(1);
        }
    }
}
