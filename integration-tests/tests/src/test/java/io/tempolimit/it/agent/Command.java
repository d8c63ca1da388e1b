package io.tempolimit.it.agent;

import io.tempolimit.it.harness.Fork;
import java.util.Arrays;
import java.util.List;

/** A command of the agent's jar in a process of its own, run to its end. */
record Command(int exit, String out, String err) {
    /** On the Java that runs the tests. */
    static Command run(Object... words) {
        return on(Runtime.version().feature(), words);
    }

    static Command on(int java, Object... words) {
        try (Fork fork = Jvm.on(java).jar(Fork.agentJar(), Arrays.stream(words).map(String::valueOf).toArray(String[]::new)).start()) {
            int exit = fork.exit(Jvm.LONG);
            return new Command(exit, fork.stdout(), fork.stderr());
        }
    }

    List<String> lines() {
        return Jvm.lines(out);
    }
}
