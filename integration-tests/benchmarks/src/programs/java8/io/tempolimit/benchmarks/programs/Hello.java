package io.tempolimit.benchmarks.programs;

import java.io.IOException;

/** Does nothing that matters; with an argument, it also tells how much memory it had. */
public final class Hello {
    private Hello() {
    }

    public static void main(String[] arguments) throws IOException {
        System.out.println("hello");
        if (arguments.length > 0) {
            Memory.print();
        }
    }
}
