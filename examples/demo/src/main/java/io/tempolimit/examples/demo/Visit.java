package io.tempolimit.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of a scraper, in a process of its own, on a site that was started for it alone. */
final class Visit {
    private final String rules;
    private final String counts;
    private final long nanos;

    private Visit(String rules, String counts, long nanos) {
        this.rules = rules;
        this.counts = counts;
        this.nanos = nanos;
    }

    /**
     * Starts a site, runs the scraper on it until it is done or its time is over, asks the site for its counts and ends it. What the scraper
     * prints is printed, each line behind {@code prefix}.
     */
    static Visit make(String prefix, Path site, List<String> siteOptions, Path scraper, int pages, Duration limit, List<String> jvmOptions)
            throws IOException, InterruptedException {
        Process shop = java(List.of(), site, siteOptions).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader out = shop.inputReader(StandardCharsets.UTF_8)) {
            String address = address(out.readLine());
            String rules = out.readLine();
            List<String> arguments = List.of(address, "--pages", Integer.toString(pages), "--threads", "4");
            long began = System.nanoTime();
            Process scraping = java(jvmOptions, scraper, arguments).redirectErrorStream(true).start();
            ended(scraping, prefix, limit);
            long nanos = System.nanoTime() - began;
            return new Visit(rules, read(address + "_stats"), nanos);
        } finally {
            shop.destroy();
        }
    }

    /** Passes on what the scraper prints, and waits for its end, or ends it. */
    private static void ended(Process scraping, String prefix, Duration limit) throws IOException, InterruptedException {
        Thread printing = new Thread(() -> scraping.inputReader().lines().forEach(line -> System.out.println(prefix + line)));
        printing.start();
        boolean done = scraping.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
        scraping.toHandle().destroy(); // Process.destroy would close what is still to be read
        int exit = scraping.waitFor();
        printing.join();
        if (done && exit != 0) {
            throw new IOException("the scraper ended with exit code " + exit);
        }
    }

    /** A count by its name in the site's answer; the first is the one of all clients. */
    String count(String name) {
        Matcher count = Pattern.compile("\"" + name + "\":(\\d+)").matcher(counts);
        if (!count.find()) {
            throw new IllegalStateException("no " + name + " in " + counts);
        }
        return count.group(1);
    }

    /** The line in which the site tells its rules. */
    String rules() {
        return rules;
    }

    String time() {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    private static ProcessBuilder java(List<String> jvmOptions, Path jar, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.add("-jar");
        command.add(jar.toString());
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    private static String address(String firstLine) throws IOException {
        if (firstLine == null) {
            throw new IOException("the site did not start");
        }
        return firstLine.substring(firstLine.indexOf("http://"));
    }

    private static String read(String address) throws IOException {
        try (InputStream in = new URL(address).openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
