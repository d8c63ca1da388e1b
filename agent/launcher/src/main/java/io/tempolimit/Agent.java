package io.tempolimit;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.net.URI;
import java.net.URL;

/**
 * Where the JVM enters: as an agent, or as a command. Beside {@link RequestRejectedException} it is all that an
 * application sees of the agent; everything else is behind {@link AgentLoader}.
 */
public final class Agent {
    /** What runs in this JVM, or was left off at its start; an attach meets it. Null before. */
    private static AgentCode code;

    private Agent() {
    }

    /** {@code -javaagent:tempolimit-agent.jar=arguments}. Never throws: without an agent the application runs all the same. */
    public static synchronized void premain(String arguments, Instrumentation instrumentation) {
        try {
            File jar = jar();
            if (Tools.spared(jar)) {
                return;
            }
            if (code == null) {
                code = code(jar);
            }
            code.premain(arguments, instrumentation, version());
        } catch (Throwable t) {
            System.err.println("[tempolimit] the agent could not start, and nothing is paced: " + t);
        }
    }

    /**
     * An attach, the first or a later one; where the agent runs already its own code hears of it, whatever the version
     * of the jar that is attached. Never throws.
     */
    public static synchronized void agentmain(String arguments, Instrumentation instrumentation) {
        try {
            if (code == null) {
                code = code(jar());
            }
            code.agentmain(arguments, instrumentation, version());
        } catch (Throwable t) {
            System.err.println("[tempolimit] the agent could not start, and nothing is paced: " + t);
        }
    }

    /** {@code java -jar tempolimit-agent.jar command …}. */
    public static void main(String[] arguments) throws Exception {
        int exitCode = code(jar()).main(arguments, version());
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    private static AgentCode code(File jar) throws Exception {
        Class<?> start = new AgentLoader(jar, Agent.class.getClassLoader()).loadClass("io.tempolimit.start.Start");
        return (AgentCode) start.getDeclaredConstructor().newInstance();
    }

    private static String version() {
        return Agent.class.getPackage().getImplementationVersion();
    }

    private static File jar() throws Exception {
        URL location = Agent.class.getProtectionDomain().getCodeSource().getLocation();
        return new File(new URI(location.toString()));
    }
}
