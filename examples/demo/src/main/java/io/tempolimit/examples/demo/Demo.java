package io.tempolimit.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Sends a scraper to sites that guard themselves, without the agent and with it, and prints the visits side by side. The first site bears
 * the agent's default rate; the second does not, and bans who exceeds its own, so there the agent has to learn. Run from the project's top
 * folder after the build; the script {@code examples/demo/run} does both.
 */
public final class Demo {
    private static final Path SITE = Path.of("examples/site/target/site.jar");
    private static final Path SCRAPER = Path.of("examples/scrapers/jdk/target/scraper.jar");
    private static final Path AGENT = Path.of("agent/target/tempolimit-agent.jar");

    /** A little more than the agent's default of 3 requests/s lets through, and much less than a scraper asks for by itself. */
    private static final List<String> FRIENDLY = List.of("--rate", "4", "--burst", "10",
            "--strikes", "10", "--strike-window", "60s", "--ban", "5m", "--ban-restarts");
    /** Less than the agent's default, and one request too many bans for longer than a plain rest lasts, which never gets out. */
    private static final List<String> STRICT = List.of("--rate", "2", "--burst", "10", "--strikes", "1", "--ban", "20s", "--ban-restarts");

    /** At 3 requests/s they take 38 s. */
    private static final int PAGES = 120;
    /** More than anyone gets on the strict site while the demo lasts. */
    private static final int ALL = 1000;
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final Duration TOGETHER = Duration.ofMinutes(2);

    /** The agent leaves addresses of one's own network alone unless told otherwise, and the site runs on this machine. */
    private static final String SETTINGS = "exclude=-private";
    /** A quarter of the default, as the site's ban is a quarter of one that defaults never get out of. */
    private static final String RESTS = "cooldown.duration=7s-15s";

    private Demo() {
    }

    /** Runs the demo. */
    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        for (Path jar : List.of(SITE, SCRAPER, AGENT)) {
            if (!Files.exists(jar)) {
                System.err.println("demo: " + jar + " is missing; run examples/demo/run, which builds it");
                System.exit(1);
            }
        }
        System.out.println("\nA site that bears the agent's default rate. Without Tempolimit:");
        Visit without = Visit.make("", SITE, FRIENDLY, SCRAPER, PAGES, LONG, List.of());
        System.out.println("\nWith Tempolimit (about 40 s):");
        Visit with = Visit.make("", SITE, FRIENDLY, SCRAPER, PAGES, LONG, agent(SETTINGS));
        print(PAGES, List.of("without", "with Tempolimit"), List.of(without, with));

        System.out.printf("%nA site that does not. Three visits at the same time, each to a site of its own, for %d s.%n"
                + "So that they need not last for hours, the ban is short, and so are the agent's cooldowns (%s), with and without learning.%n%n",
                TOGETHER.toSeconds(), RESTS);
        List<String> names = List.of("without", "learn=false", "with Tempolimit");
        print(ALL, names, together(names, List.of(List.of(), agent(SETTINGS + "," + RESTS + ",learn=false"), agent(SETTINGS + "," + RESTS))));
    }

    private static List<String> agent(String settings) {
        return List.of("-javaagent:" + AGENT + "=" + settings);
    }

    private static List<Visit> together(List<String> names, List<List<String>> jvmOptions) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(names.size());
        try {
            List<Future<Visit>> visits = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                List<String> options = jvmOptions.get(i);
                visits.add(threads.submit(() -> Visit.make(String.format("%-17s", name + ":"), SITE, STRICT, SCRAPER, ALL, TOGETHER, options)));
            }
            List<Visit> made = new ArrayList<>();
            for (Future<Visit> visit : visits) {
                made.add(visit.get());
            }
            return made;
        } finally {
            threads.shutdown();
        }
    }

    private static void print(int pages, List<String> names, List<Visit> visits) {
        System.out.printf("%n%-20s%s%n", "", names.stream().map(Demo::cell).collect(Collectors.joining()));
        row(pages == ALL ? "pages got" : "pages got of " + pages, visits, "pages");
        row("refused with 429", visits, "refused_429");
        row("refused with 403", visits, "refused_403");
        row("bans", visits, "bans");
        row("requests sent", visits, "requests");
        System.out.printf("%-20s%s%n", "time", visits.stream().map(v -> cell(v.time())).collect(Collectors.joining()));
        System.out.printf("%nAll but the time is counted by the site. %s.%n", visits.get(0).rules());
    }

    private static void row(String name, List<Visit> visits, String count) {
        System.out.printf("%-20s%s%n", name, visits.stream().map(v -> cell(v.count(count))).collect(Collectors.joining()));
    }

    private static String cell(String text) {
        return String.format("%17s", text);
    }
}
