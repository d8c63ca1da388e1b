package io.tempolimit.attach;

/** The other JVM cannot be talked to; the message is a sentence for the user. */
final class Unreachable extends Exception {
    private static final long serialVersionUID = 1;

    Unreachable(String message) {
        super(message);
    }
}
