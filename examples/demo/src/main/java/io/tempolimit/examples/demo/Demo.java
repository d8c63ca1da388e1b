package io.tempolimit.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Sends a scraper to a site that guards itself, once without the agent and once with it, and prints both side by side. Run from
 * the project's top folder after the build; the script {@code examples/demo/run} does both.
 */
public final class Demo {
    private static final Path SITE = Path.of("examples/site/target/site.jar");
    private static final Path SCRAPER = Path.of("examples/scrapers/jsoup/target/scraper.jar");
    private static final Path AGENT = Path.of("agent/target/tempolimit-agent.jar");

    /** A little more than the agent's default of 3 requests/s lets through, and much less than a scraper asks for by itself. */
    private static final List<String> RULES = List.of("--rate", "4", "--burst", "10",
            "--strikes", "10", "--strike-window", "60s", "--ban", "5m", "--ban-restarts");

    /** At 3 requests/s they take 38 s. */
    private static final int PAGES = 120;

    /** The agent leaves addresses of one's own network alone unless told otherwise, and the site runs on this machine. */
    private static final String SETTINGS = "exclude=-private";

    private Demo() {
    }

    /** Runs the demo. */
    public static void main(String[] args) throws IOException, InterruptedException {
        for (Path jar : List.of(SITE, SCRAPER, AGENT)) {
            if (!Files.exists(jar)) {
                System.err.println("demo: " + jar + " is missing; run examples/demo/run, which builds it");
                System.exit(1);
            }
        }
        System.out.println("\nWithout Tempolimit:");
        Visit without = Visit.make(SITE, RULES, SCRAPER, PAGES, List.of());
        System.out.println("\nWith Tempolimit (about 40 s):");
        Visit with = Visit.make(SITE, RULES, SCRAPER, PAGES, List.of("-javaagent:" + AGENT + "=" + SETTINGS));
        print(without, with);
    }

    private static void print(Visit without, Visit with) {
        System.out.printf("%n%-20s%12s%20s%n", "", "without", "with Tempolimit");
        row("pages got of " + PAGES, without.count("pages"), with.count("pages"));
        row("refused with 429", without.count("refused_429"), with.count("refused_429"));
        row("refused with 403", without.count("refused_403"), with.count("refused_403"));
        row("bans", without.count("bans"), with.count("bans"));
        row("requests sent", without.count("requests"), with.count("requests"));
        row("time", without.time(), with.time());
        System.out.printf("%nAll but the time is counted by the site. %s.%n", without.rules());
    }

    private static void row(String name, String without, String with) {
        System.out.printf("%-20s%12s%20s%n", name, without, with);
    }
}
