package io.tempolimit;

import java.io.File;

/**
 * Tools of the JDK and of builds, which meet the agent where {@code JAVA_TOOL_OPTIONS} gives it to every JVM, and are left
 * alone there. Where a command line names the agent, it is meant.
 */
final class Tools {
    /** Beginnings of main classes. */
    private static final String[] MAIN_CLASSES = {
        "com.sun.tools.", "sun.tools.", "sun.security.tools.", "jdk.", "sun.jvmstat.", "sun.rmi.", "sun.applet.",
        "com.sun.java.util.jar.pack.", "com.sun.corba.", "com.sun.xml.internal.", "com.sun.jndi.rmi.",
        "org.apache.maven.cli.", "org.apache.maven.wrapper.", "org.codehaus.plexus.classworlds.launcher.Launcher", "org.codehaus.classworlds.Launcher",
        "org.mvndaemon.", "org.gradle.launcher.", "org.gradle.wrapper.", "org.gradle.internal.daemon.",
        "xsbt.boot.", "sbt.internal.", "sbt.xMain", "sbtn.", "org.apache.tools.ant.", "org.jetbrains.kotlin.daemon.", "org.jetbrains.kotlin.cli.",
        "org.jetbrains.jps.cmdline.", "scala.tools.nsc.", "dotty.tools.", "bloop.", "groovy.ui.GroovyMain", "org.codehaus.groovy.tools.",
    };
    /** Where a jar is started, its file name is known instead. */
    private static final String[] JARS = {
        "maven-wrapper", "gradle-wrapper", "gradle-launcher", "sbt-launch", "ant-launcher", "plexus-classworlds", "kotlin-compiler",
    };

    private Tools() {
    }

    /** Whether this JVM runs such a tool, and has the agent from the environment. */
    static boolean spared(File agent) {
        String options = System.getenv("JAVA_TOOL_OPTIONS");
        if (options == null || !options.contains(agent.getName())) {
            return false;
        }
        return isTool(System.getProperty("sun.java.command"));
    }

    /** @param command main class, or module and main class, or jar, then arguments; null if the JVM was not started by a launcher */
    static boolean isTool(String command) {
        if (command == null || command.isEmpty()) {
            return false;
        }
        int end = command.indexOf(' ');
        String main = end < 0 ? command : command.substring(0, end);
        if (main.endsWith(".jar")) {
            String file = main.substring(Math.max(main.lastIndexOf('/'), main.lastIndexOf('\\')) + 1);
            return startsWithAny(file, JARS);
        }
        return startsWithAny(main.substring(main.indexOf('/') + 1), MAIN_CLASSES) || startsWithAny(main, MAIN_CLASSES);
    }

    private static boolean startsWithAny(String name, String[] beginnings) {
        for (String b : beginnings) {
            if (name.startsWith(b)) {
                return true;
            }
        }
        return false;
    }
}
