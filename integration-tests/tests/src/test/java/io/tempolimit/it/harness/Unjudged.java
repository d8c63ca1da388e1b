package io.tempolimit.it.harness;

import org.opentest4j.TestAbortedException;

/**
 * The machine stood still for so long that a check says nothing. The contract's table counts these, and fails the run
 * if they are more than a few.
 */
public final class Unjudged extends TestAbortedException {
    private static final long serialVersionUID = 1;

    public Unjudged(String why) {
        super("could not be judged: " + why);
    }
}
