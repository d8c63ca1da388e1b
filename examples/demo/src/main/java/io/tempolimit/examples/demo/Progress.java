package io.tempolimit.examples.demo;

import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** The line that moves while visits go on. Where the output is no terminal, it is a line every ten seconds. */
final class Progress {
    private static final boolean TERMINAL = System.console() != null;
    private static final int WIDTH = 100;
    private static final long BEGAN = System.nanoTime();
    /** What the line shows; empty if it is not there. */
    private static String shown = "";

    private Progress() {
    }

    /** Prints a line of text, and the moving one again below it. */
    static synchronized void say(String text) {
        clear();
        System.out.println(text);
        show();
    }

    /** Waits for visits, and shows meanwhile how many pages all of them have got. */
    static void await(List<? extends Future<?>> some, List<Visit> all) throws InterruptedException {
        for (int second = 0; !some.stream().allMatch(Future::isDone); second++) {
            if (TERMINAL || second % 10 == 9) {
                move(all);
            }
            Thread.sleep(1000);
        }
        synchronized (Progress.class) {
            clear();
            shown = "";
        }
    }

    private static void move(List<Visit> all) {
        String pages = all.stream().map(Visit::pagesSoFar).collect(Collectors.joining(", "));
        String line = (System.nanoTime() - BEGAN) / 1_000_000_000L + " s; pages so far: " + pages;
        synchronized (Progress.class) {
            clear();
            shown = line;
            show();
        }
    }

    private static void clear() {
        if (TERMINAL && !shown.isEmpty()) {
            System.out.print("\r" + " ".repeat(WIDTH) + "\r");
        }
    }

    private static void show() {
        if (TERMINAL && !shown.isEmpty()) {
            System.out.print(shown);
            System.out.flush();
        } else if (!TERMINAL && !shown.isEmpty()) {
            System.out.println(shown);
            shown = "";
        }
    }
}
