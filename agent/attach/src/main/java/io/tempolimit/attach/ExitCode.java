package io.tempolimit.attach;

/** What commands end with. */
public final class ExitCode {
    public static final int OK = 0;
    /** Settings, or what was to be looked at, are faulty. */
    public static final int FAULTY = 1;
    /** The command was not given as it has to be. */
    public static final int USAGE = 2;
    /** The other JVM cannot be reached, or has no agent. */
    public static final int UNREACHABLE = 3;

    private ExitCode() {
    }
}
