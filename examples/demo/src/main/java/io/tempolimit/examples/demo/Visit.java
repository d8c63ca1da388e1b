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
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of a scraper, in a process of its own, on a site that was started for it alone. */
final class Visit implements Callable<Visit> {
    private final String name;
    private final Path site;
    private final List<String> siteOptions;
    private final Path scraper;
    private final int pages;
    private final Duration limit;
    private final List<String> jvmOptions;
    /** Null before the site is there. */
    private volatile String address;
    private volatile String rules;
    /** Null before the end. */
    private volatile String counts;
    private volatile long nanos;

    /**
     * @param name  stands before each line that the scraper prints
     * @param pages how many the scraper is to get
     * @param limit when it has to end
     */
    Visit(String name, Path site, List<String> siteOptions, Path scraper, int pages, Duration limit, List<String> jvmOptions) {
        this.name = name;
        this.site = site;
        this.siteOptions = siteOptions;
        this.scraper = scraper;
        this.pages = pages;
        this.limit = limit;
        this.jvmOptions = jvmOptions;
    }

    /** Starts a site, runs the scraper on it until it is done or its time is over, asks the site for its counts and ends it. */
    @Override
    public Visit call() throws IOException, InterruptedException {
        Process shop = java(List.of(), site, siteOptions).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader out = shop.inputReader(StandardCharsets.UTF_8)) {
            String at = address(out.readLine());
            rules = out.readLine();
            address = at;
            List<String> arguments = List.of(at, "--pages", Integer.toString(pages), "--threads", "4");
            long began = System.nanoTime();
            Process scraping = java(jvmOptions, scraper, arguments).redirectErrorStream(true).start();
            end(scraping);
            nanos = System.nanoTime() - began;
            counts = read(at + "_stats");
            return this;
        } finally {
            shop.destroy();
        }
    }

    /** Passes on what the scraper prints, and waits for its end, or ends it. */
    private void end(Process scraping) throws IOException, InterruptedException {
        Thread printing = new Thread(() -> scraping.inputReader().lines()
                .forEach(line -> Progress.say(String.format("%-18s%s", name + ":", line))));
        printing.start();
        boolean done = scraping.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
        scraping.toHandle().destroy(); // Process.destroy would close what is still to be read
        int exit = scraping.waitFor();
        printing.join();
        if (done && exit != 0) {
            throw new IOException("the scraper ended with exit code " + exit);
        }
    }

    /** How many pages it got so far. */
    String pagesSoFar() {
        try {
            String at = address;
            return counts != null ? count("pages") : at == null ? "0" : count("pages", read(at + "_stats"));
        } catch (IOException e) {
            return "..."; // its site is being ended
        }
    }

    /** A count by its name in the site's answer; the first is the one of all clients. */
    String count(String name) {
        return count(name, counts);
    }

    private static String count(String name, String counts) {
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
