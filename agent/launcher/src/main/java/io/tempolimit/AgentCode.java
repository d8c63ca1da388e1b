package io.tempolimit;

import java.lang.instrument.Instrumentation;

/**
 * What {@link Agent} starts behind {@link AgentLoader}. A type, since a call by reflection costs milliseconds on Java
 * 18 and later, where it spins method handles.
 */
public interface AgentCode {
    /** The agent's start, with what stands behind {@code =} on the command line (may be null). */
    void premain(String arguments, Instrumentation instrumentation, String version) throws Exception;

    /**
     * An attach to a JVM that runs.
     *
     * @param arguments as for {@link #premain}; with a line before them, that is a file to answer into
     */
    void agentmain(String arguments, Instrumentation instrumentation, String version) throws Exception;

    /** A command; gives the exit code. */
    int main(String[] arguments, String version);
}
