package shop.scraper.crawl;

import java.net.URI;

/** What a scraper is told on its command line: {@code URL [--pages N] [--threads T]}. */
public final class Arguments {
    private URI start;
    private int pages = 100;
    private int threads = 4;

    private Arguments() {
    }

    /** Reads the arguments; ends the program with one line about the first that is wrong. */
    public static Arguments of(String... args) {
        try {
            return read(args);
        } catch (IllegalArgumentException e) {
            System.err.println("usage: URL [--pages N] [--threads T]; " + e.getMessage());
            System.exit(2);
            throw e;
        }
    }

    private static Arguments read(String... args) {
        Arguments arguments = new Arguments();
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--pages") || args[i].equals("--threads")) {
                if (i + 1 == args.length) {
                    throw new IllegalArgumentException(args[i] + " needs a number");
                }
                int number = positive(args[i], args[i + 1]);
                if (args[i].equals("--pages")) {
                    arguments.pages = number;
                } else {
                    arguments.threads = number;
                }
                i++;
            } else if (args[i].startsWith("http://") || args[i].startsWith("https://")) {
                arguments.start = URI.create(args[i]);
            } else {
                throw new IllegalArgumentException("what is " + args[i] + "?");
            }
        }
        if (arguments.start == null) {
            throw new IllegalArgumentException("where to start is missing");
        }
        return arguments;
    }

    private static int positive(String name, String value) {
        try {
            int number = Integer.parseInt(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through to the one message there is
        }
        throw new IllegalArgumentException(name + " " + value + " should be a whole number above 0");
    }

    /** The page to begin with. */
    public URI start() {
        return start;
    }

    /** How many pages to get at the most. */
    public int pages() {
        return pages;
    }

    /** How many pages to ask for at once. */
    public int threads() {
        return threads;
    }
}
