package io.tempolimit.examples.site;

import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the site is told on its command line.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 takes a free one
 * @param pages about how many pages the shop has
 * @param rate requests per second that one client may make; infinite for no limit
 * @param burst how many of them may come at once
 * @param retryAfter seconds to name in a 429's Retry-After; 0 names none
 * @param strikes how many refusals bring a ban; 0 never bans
 * @param strikeWindow the time within which those refusals count
 * @param ban how long a ban lasts
 * @param banRestarts whether a request during a ban starts it anew
 * @param latencyMin the shortest time an answer takes
 * @param latencyMax the longest time an answer takes
 * @param crawlDelay seconds to name in robots.txt; 0 names none
 * @param clientHeader whether a client is who its {@code X-Client} header says
 */
record Settings(String host, int port, int pages, double rate, int burst, int retryAfter, int strikes,
        Duration strikeWindow, Duration ban, boolean banRestarts, Duration latencyMin, Duration latencyMax,
        int crawlDelay, boolean clientHeader) {

    static final String HELP = """
            A shop on this machine that guards itself against scrapers.

              java -jar site.jar [options]

              --host ADDRESS         where to listen (127.0.0.1)
              --port N               the port; 0 takes a free one (0)
              --pages N              about how many pages the shop has (2000)
              --rate N               requests per second allowed for each client, or none for no limit (5)
              --burst N              how many of them may come at once (10)
              --retry-after N        seconds that a 429 asks to wait, or none (none)
              --strikes N            refusals that bring a ban, or none for no bans (10)
              --strike-window TIME   the time within which they count (60s)
              --ban TIME             how long a banned client gets 403 and a challenge page (5m)
              --ban-restarts         each request during a ban starts it anew
              --latency MIN-MAX      milliseconds an answer takes (10-40)
              --crawl-delay N        seconds that robots.txt asks for, or none (none)
              --client-header        tell clients apart by their X-Client header, not by address
              --help                 this text

            Times are like 500ms, 30s, 5m or 24h. GET /_stats answers with the counts so far and is
            not counted itself; they are printed at the end, too. All links are relative, so the shop
            works under any host name that leads to it.
            """;

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})-(\\d{1,6})");

    /**
     * Reads command line options; those not given have the value that {@link #HELP} names.
     *
     * @throws IllegalArgumentException with one line that says which option is wrong and what is allowed
     */
    static Settings parse(String... options) {
        return new Parser().parse(options);
    }

    boolean limited() {
        return rate != Double.POSITIVE_INFINITY;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (!limited()) {
            return text.append("no limit").toString();
        }
        text.append(number(rate)).append(" requests/s for each client, ").append(burst).append(" at once");
        if (strikes > 0) {
            text.append("; ").append(strikes).append(strikes == 1 ? " refusal within " : " refusals within ").append(text(strikeWindow))
                    .append(strikes == 1 ? " brings a ban of " : " bring a ban of ").append(text(ban));
            if (banRestarts) {
                text.append(", which each further request starts anew");
            }
        }
        return text.toString();
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static String text(Duration time) {
        long ms = time.toMillis();
        return ms % 60_000 == 0 ? ms / 60_000 + "m" : ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
    }

    /** Holds the defaults until the options have been read. */
    private static final class Parser {
        private String host = "127.0.0.1";
        private int port = 0;
        private int pages = 2000;
        private double rate = 5;
        private int burst = 10;
        private int retryAfter = 0;
        private int strikes = 10;
        private Duration strikeWindow = Duration.ofSeconds(60);
        private Duration ban = Duration.ofMinutes(5);
        private boolean banRestarts;
        private Duration latencyMin = Duration.ofMillis(10);
        private Duration latencyMax = Duration.ofMillis(40);
        private int crawlDelay = 0;
        private boolean clientHeader;

        Settings parse(String... options) {
            for (Iterator<String> rest = Arrays.asList(options).iterator(); rest.hasNext();) {
                String option = rest.next();
                switch (option) {
                    case "--host" -> host = value(option, rest);
                    case "--port" -> port = whole(option, value(option, rest), 0, 65_535);
                    case "--pages" -> pages = whole(option, value(option, rest), 20, 1_000_000);
                    case "--rate" -> rate = rate(option, value(option, rest));
                    case "--burst" -> burst = whole(option, value(option, rest), 1, 1_000_000);
                    case "--retry-after" -> retryAfter = wholeOrNone(option, value(option, rest));
                    case "--strikes" -> strikes = wholeOrNone(option, value(option, rest));
                    case "--strike-window" -> strikeWindow = time(option, value(option, rest));
                    case "--ban" -> ban = time(option, value(option, rest));
                    case "--ban-restarts" -> banRestarts = true;
                    case "--latency" -> latency(option, value(option, rest));
                    case "--crawl-delay" -> crawlDelay = wholeOrNone(option, value(option, rest));
                    case "--client-header" -> clientHeader = true;
                    default -> throw new IllegalArgumentException("unknown option " + option + "; --help lists them");
                }
            }
            return new Settings(host, port, pages, rate, burst, retryAfter, strikes, strikeWindow, ban, banRestarts,
                    latencyMin, latencyMax, crawlDelay, clientHeader);
        }

        private static String value(String option, Iterator<String> rest) {
            if (!rest.hasNext()) {
                throw new IllegalArgumentException(option + " needs a value");
            }
            return rest.next();
        }

        private static int whole(String option, String value, int min, int max) {
            try {
                int number = Integer.parseInt(value);
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // falls through to the one message there is
            }
            throw bad(option, value, "a whole number from " + min + " to " + max);
        }

        private static int wholeOrNone(String option, String value) {
            return value.equals("none") ? 0 : whole(option, value, 1, 1_000_000);
        }

        private static double rate(String option, String value) {
            if (value.equals("none")) {
                return Double.POSITIVE_INFINITY;
            }
            try {
                double number = Double.parseDouble(value);
                if (number > 0 && number <= 1_000_000) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // falls through to the one message there is
            }
            throw bad(option, value, "a number above 0 and up to 1000000, or none");
        }

        private static Duration time(String option, String value) {
            Matcher time = TIME.matcher(value);
            if (!time.matches()) {
                throw bad(option, value, "a time like 500ms, 30s, 5m or 24h");
            }
            long number = Long.parseLong(time.group(1));
            return switch (time.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                default -> Duration.ofHours(number);
            };
        }

        private void latency(String option, String value) {
            Matcher range = RANGE.matcher(value);
            if (!range.matches() || Integer.parseInt(range.group(1)) > Integer.parseInt(range.group(2))) {
                throw bad(option, value, "milliseconds like 10-40, the shorter first");
            }
            latencyMin = Duration.ofMillis(Integer.parseInt(range.group(1)));
            latencyMax = Duration.ofMillis(Integer.parseInt(range.group(2)));
        }

        private static IllegalArgumentException bad(String option, String value, String allowed) {
            return new IllegalArgumentException(option + " " + value + ": should be " + allowed);
        }
    }
}
