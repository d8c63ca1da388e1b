package io.tempolimit;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;

/**
 * Where the JVM enters: as an agent, or as a command. Beside {@link RequestRejectedException} it is all that an
 * application sees of the agent; everything else is behind {@link AgentLoader}.
 */
public final class Agent {
    private Agent() {
    }

    /** {@code -javaagent:tempolimit-agent.jar=arguments}. Never throws: without an agent the application runs all the same. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        try {
            File jar = jar();
            if (Tools.spared(jar)) {
                return;
            }
            start(jar).getMethod("premain", String.class, Instrumentation.class, String.class)
                    .invoke(null, arguments, instrumentation, version());
        } catch (Throwable t) {
            Throwable cause = t instanceof InvocationTargetException ? t.getCause() : t;
            System.err.println("[tempolimit] the agent could not start, and nothing is paced: " + cause);
        }
    }

    /** {@code java -jar tempolimit-agent.jar command …}. */
    public static void main(String[] arguments) throws Throwable {
        try {
            Object code = start(jar()).getMethod("main", String[].class, String.class).invoke(null, arguments, version());
            if ((Integer) code != 0) {
                System.exit((Integer) code);
            }
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Class<?> start(File jar) throws Exception {
        return new AgentLoader(jar, Agent.class.getClassLoader()).loadClass("io.tempolimit.start.Start");
    }

    private static String version() {
        return Agent.class.getPackage().getImplementationVersion();
    }

    private static File jar() throws Exception {
        URL location = Agent.class.getProtectionDomain().getCodeSource().getLocation();
        return new File(new URI(location.toString()));
    }
}
