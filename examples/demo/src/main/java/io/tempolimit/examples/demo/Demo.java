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
    /** Less than the agent's default, and one request too many bans for longer than a plain cooldown lasts, which never gets out. */
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
    private static final String COOLDOWNS = "cooldown.duration=7s-15s";

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
        String learnless = SETTINGS + "," + COOLDOWNS;
        List<Visit> friendly = List.of(visit("without", FRIENDLY, PAGES, List.of()),
                visit("with Tempolimit", FRIENDLY, PAGES, agent(SETTINGS)));
        List<Visit> strict = List.of(visit("strict, without", STRICT, ALL, List.of()),
                visit("learn=false", STRICT, ALL, agent(learnless + ",learn=false")),
                visit("strict, with", STRICT, ALL, agent(learnless)));
        List<Visit> all = new ArrayList<>(friendly);
        all.addAll(strict);
        System.out.printf("%nFive visits at the same time, each to a site of its own. They take %d s.%n%n", TOGETHER.toSeconds());
        ExecutorService threads = Executors.newFixedThreadPool(all.size());
        try {
            List<Future<Visit>> first = start(threads, friendly);
            List<Future<Visit>> second = start(threads, strict);
            Progress.await(first, all);
            System.out.printf("%nA site that tolerates the default rate:%n");
            print(PAGES, List.of("without", "with Tempolimit"), made(first));
            System.out.printf("%nThe other site tolerates less. So that this need not last for hours, its ban is short, and so are the%n"
                    + "cooldowns (%s), with and without learning.%n%n", COOLDOWNS);
            Progress.await(second, all);
            print(ALL, List.of("without", "learn=false", "with Tempolimit"), made(second));
        } finally {
            threads.shutdown();
        }
    }

    private static Visit visit(String name, List<String> siteOptions, int pages, List<String> jvmOptions) {
        return new Visit(name, SITE, siteOptions, SCRAPER, pages, siteOptions == STRICT ? TOGETHER : LONG, jvmOptions);
    }

    private static List<Future<Visit>> start(ExecutorService threads, List<Visit> visits) {
        return visits.stream().map(threads::submit).toList();
    }

    private static List<Visit> made(List<Future<Visit>> visits) throws InterruptedException, ExecutionException {
        List<Visit> made = new ArrayList<>();
        for (Future<Visit> visit : visits) {
            made.add(visit.get());
        }
        return made;
    }

    private static List<String> agent(String settings) {
        return List.of("-javaagent:" + AGENT + "=" + settings);
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
