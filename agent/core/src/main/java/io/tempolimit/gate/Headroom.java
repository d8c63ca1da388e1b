package io.tempolimit.gate;

/**
 * Room on the stack for what must not be broken off half way. A program that recurses too deep runs out of its stack
 * anywhere. In the middle of a hook that would lose a request that is counted already, or leave a lock held.
 */
public final class Headroom {
    /** Each takes about a hundred bytes, of compiled code less. */
    private static final int FRAMES = 96;

    private Headroom() {
    }

    /**
     * Fails where little is left of the stack: the program will run out of it a little further on.
     *
     * @throws StackOverflowError instead of later
     */
    public static void need() {
        frames(FRAMES, 0, 0, 0, 0, 0, 0);
    }

    private static long frames(int more, long a, long b, long c, long d, long e, long f) {
        return more == 0 ? a : frames(more - 1, b + 1, c, d, e, f, a) + b + c + d + e + f;
    }
}
