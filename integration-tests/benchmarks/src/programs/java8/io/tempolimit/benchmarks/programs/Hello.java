package io.tempolimit.benchmarks.programs;

/** Does nothing that matters. */
public final class Hello {
    private Hello() {
    }

    public static void main(String[] arguments) {
        System.out.println("hello");
    }
}
